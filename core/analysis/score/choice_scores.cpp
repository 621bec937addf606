#include "core/analysis/score/choice_scores.h"

#include "core/analysis/score/choice_board.h"
#include "core/analysis/score/head_references.h"
#include "core/analysis/score/method_cost.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

using PreparedHead = std::shared_ptr<const Prepared>;

template <class T>
class ChoiceScorer {
public:
  ChoiceScorer(const ScoredInput<T>& input, const ScoreOptions& options)
      : input_(input), options_(options) {}

  PreparedHead prepared(const Pattern& pattern, Index h, const Run& run) {
    const PatternData data = needsData(pattern) ? head(h).data : PatternData{};
    return prepare(pattern, squareLengths(input_.n), data, run);
  }

  std::optional<ChoiceScore> score(const Pattern& pattern, const Run& run) {
    ChoiceScore score;
    Index chosen = 0;
    Index possible = 0;
    double hits = 0;
    for (Index h = 0; h < input_.heads; ++h) {
      const Run step = stepOf(run, h, input_.heads);
      const PreparedHead of = prepared(pattern, h, step.quiet());
      if (!of->outputs().keys.plain())
        return std::nullopt;
      const ScoredHead<T>& in = head(h);
      const ChoiceBoard board =
          choiceBoard<T>(*of, in.q.view(), in.k.view(), attendOptions(in, options_), step);
      score.chooses = of->choice() != nullptr;
      score.recall += board.recall;
      score.oracleBlocksRecall += board.oracleBlocksRecall;
      score.oracleKeysRecall += board.oracleKeysRecall;
      score.cellDensity += board.cellDensity;
      chosen += board.blocksChosen;
      possible += board.blocksPossible;
      hits += board.blockOverlap * static_cast<double>(board.blocksChosen);
      addCost(pattern, *of, in, score);
    }
    for (double* mean :
         {&score.recall, &score.oracleBlocksRecall, &score.oracleKeysRecall, &score.cellDensity})
      *mean /= static_cast<double>(input_.heads);
    score.blockOverlap = chosen == 0 ? 1 : hits / static_cast<double>(chosen);
    score.blockDensity =
        possible == 0 ? 0 : static_cast<double>(chosen) / static_cast<double>(possible);
    return score;
  }

private:
  // Kept: loading reads and converts.
  const ScoredHead<T>& head(Index h) {
    if (h != loaded_)
      head_ = input_.load(h);
    loaded_ = h;
    return head_;
  }

  void addCost(const Pattern& pattern, const Prepared& of, const ScoredHead<T>& in,
               ChoiceScore& score) const {
    const HeadShape shape{in.q.rows(), in.q.cols(), in.v.cols(), static_cast<Index>(sizeof(T)),
                          in.data.sharedQk()};
    const double choosing = choosingFlops(pattern, of, shape);
    score.choosingFlops += choosing;
    score.attendingFlops +=
        costOf(pattern, of, shape, of.pairs({}, options_.threads)).flops - choosing;
  }

  const ScoredInput<T>& input_;
  const ScoreOptions& options_;
  ScoredHead<T> head_;
  Index loaded_ = -1;
};

} // namespace

std::span<const ChoiceColumn> choiceColumns() {
  static constexpr std::array<ChoiceColumn, 8> kColumns{
      {{"recall", [](const ChoiceScore& of) { return of.recall; }},
       {"oracle_blocks_recall", [](const ChoiceScore& of) { return of.oracleBlocksRecall; }},
       {"oracle_keys_recall", [](const ChoiceScore& of) { return of.oracleKeysRecall; }},
       {"block_overlap", [](const ChoiceScore& of) { return of.blockOverlap; }},
       {"block_density", [](const ChoiceScore& of) { return of.blockDensity; }},
       {"cell_density", [](const ChoiceScore& of) { return of.cellDensity; }},
       {"choose_flops", [](const ChoiceScore& of) { return of.choosingFlops; }},
       {"choose_share", [](const ChoiceScore& of) { return of.choosingShare(); }}}};
  return kColumns;
}

template <class T>
std::vector<std::optional<ChoiceScore>> choiceScores(std::span<const ScoredMethod> methods,
                                                     const ScoredInput<T>& input,
                                                     const ScoreOptions& options, const Run& run) {
  ChoiceScorer<T> scorer(input, options);
  std::vector<std::optional<ChoiceScore>> scores(methods.size());
  const auto chooses = [&](const ScoredMethod& method) {
    const auto* pattern = std::get_if<Pattern>(&method);
    return pattern != nullptr && needsData(*pattern) &&
           scorer.prepared(*pattern, 0, run.quiet())->choice() != nullptr;
  };
  if (std::none_of(methods.begin(), methods.end(), chooses))
    return scores;
  for (std::size_t k = 0; k < methods.size(); ++k)
    if (const auto* pattern = std::get_if<Pattern>(&methods[k]))
      scores[k] = scorer.score(*pattern, stepOf(run, static_cast<Index>(k), std::ssize(methods)));
  return scores;
}

template std::vector<std::optional<ChoiceScore>> choiceScores(std::span<const ScoredMethod>,
                                                              const ScoredInput<float>&,
                                                              const ScoreOptions&, const Run&);
template std::vector<std::optional<ChoiceScore>> choiceScores(std::span<const ScoredMethod>,
                                                              const ScoredInput<double>&,
                                                              const ScoreOptions&, const Run&);

} // namespace attention
