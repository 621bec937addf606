#include "core/analysis/score/choice_scores.h"

#include "core/analysis/score/choice_board.h"
#include "core/analysis/score/head_references.h"
#include "core/analysis/score/method_cost.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

// The sums over heads of one pattern.
struct ChoiceSums {
  ChoiceScore score;
  bool scored = true; // keys of its own have no board
  Index chosen = 0;
  Index possible = 0;
  double hits = 0;

  void add(const ChoiceBoard& board) {
    score.recall += board.recall;
    score.oracleBlocksRecall += board.oracleBlocksRecall;
    score.oracleKeysRecall += board.oracleKeysRecall;
    score.cellDensity += board.cellDensity;
    chosen += board.blocksChosen;
    possible += board.blocksPossible;
    hits += board.blockOverlap * static_cast<double>(board.blocksChosen);
  }

  ChoiceScore mean(Index heads) const {
    ChoiceScore made = score;
    for (double* sum :
         {&made.recall, &made.oracleBlocksRecall, &made.oracleKeysRecall, &made.cellDensity})
      *sum /= static_cast<double>(heads);
    made.blockOverlap = chosen == 0 ? 1 : hits / static_cast<double>(chosen);
    made.blockDensity =
        possible == 0 ? 0 : static_cast<double>(chosen) / static_cast<double>(possible);
    return made;
  }
};

void addCost(const Pattern& pattern, const Prepared& of, const HeadShape& shape, int threads,
             ChoiceScore& score) {
  const double choosing = choosingFlops(pattern, of, shape);
  score.choosingFlops += choosing;
  score.attendingFlops += costOf(pattern, of, shape, of.pairs({}, threads)).flops - choosing;
}

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
  using PreparedHead = std::shared_ptr<const Prepared>;
  std::vector<ChoiceSums> sums(methods.size());
  bool chooses = false;
  for (Index h = 0; h < input.heads; ++h) {
    const Run step = stepOf(run, h, input.heads);
    const ScoredHead<T> in = input.load(h);
    std::vector<PreparedHead> boarded;
    std::vector<std::size_t> methodOf; // of each
    for (std::size_t k = 0; k < methods.size(); ++k)
      if (const auto* pattern = std::get_if<Pattern>(&methods[k])) {
        PreparedHead of = prepare(*pattern, squareLengths(input.n),
                                  needsData(*pattern) ? in.data : PatternData{}, step.quiet());
        sums[k].scored = of->outputs().keys.plain();
        if (!sums[k].scored)
          continue;
        sums[k].score.chooses = of->choice() != nullptr;
        chooses = chooses || sums[k].score.chooses;
        boarded.push_back(std::move(of));
        methodOf.push_back(k);
      }
    if (!chooses)
      break;
    const HeadShape shape{in.q.rows(), in.q.cols(), in.v.cols(), static_cast<Index>(sizeof(T)),
                          in.data.sharedQk()};
    const std::vector<ChoiceBoard> boards =
        choiceBoards<T>(boarded, in.q.view(), in.k.view(), attendOptions(in, options), step);
    for (std::size_t b = 0; b < boards.size(); ++b) {
      ChoiceSums& of = sums[methodOf[b]];
      of.add(boards[b]);
      addCost(std::get<Pattern>(methods[methodOf[b]]), *boarded[b], shape, options.threads,
              of.score);
    }
  }
  std::vector<std::optional<ChoiceScore>> scores(methods.size());
  for (std::size_t k = 0; chooses && k < methods.size(); ++k)
    if (std::holds_alternative<Pattern>(methods[k]) && sums[k].scored)
      scores[k] = sums[k].mean(input.heads);
  return scores;
}

template std::vector<std::optional<ChoiceScore>> choiceScores(std::span<const ScoredMethod>,
                                                              const ScoredInput<float>&,
                                                              const ScoreOptions&, const Run&);
template std::vector<std::optional<ChoiceScore>> choiceScores(std::span<const ScoredMethod>,
                                                              const ScoredInput<double>&,
                                                              const ScoreOptions&, const Run&);

} // namespace attention
