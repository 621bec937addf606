#include "core/pattern/mechanism/quest.h"

#include "core/pattern/block_tables.h"
#include "core/pattern/description_builder.h"
#include "core/pattern/largest_scores.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

constexpr std::array<PartName, 2> kQuestParts{
    {{"current", "page being filled"}, {"chosen", "pages with the largest bounds"}}};

// Largest keys of every page beside its smallest ones: pages × 2d.
Matrix<double> pageBounds(const Matrix<double>& k, Index page) {
  const Index d = k.cols();
  Matrix<double> bounds(ceilDiv(k.rows(), page), 2 * d);
  for (Index j = 0; j < k.rows(); ++j)
    for (Index c = 0; c < d; ++c) {
      double& most = bounds(j / page, c);
      double& least = bounds(j / page, d + c);
      most = j % page == 0 ? k(j, c) : std::max(most, k(j, c));
      least = j % page == 0 ? k(j, c) : std::min(least, k(j, c));
    }
  return bounds;
}

// Positive columns beside negative ones, so that a product with a page's bounds is the largest that
// a key of the page can have: Σ q_e · (max if q_e > 0, else min).
Matrix<double> splitSigns(const Matrix<double>& q) {
  Matrix<double> split(q.rows(), 2 * q.cols());
  for (Index i = 0; i < q.rows(); ++i)
    for (Index c = 0; c < q.cols(); ++c)
      (q(i, c) > 0 ? split(i, c) : split(i, q.cols() + c)) = q(i, c);
  return split;
}

class QuestChoice {
public:
  QuestChoice(const Quest& quest, const BlockGrid& grid, const PatternData& data)
      : quest_(quest), grid_(grid), data_(data), q_(splitSigns(*data.q)),
        pages_(SimilarityScore::Dot, pageBounds(*data.k, grid.keyBlock)) {}

  // The page with the token of query i; −1 before the first key.
  Index current(Index i) const { return grid_.own(i); }

  // Pages among which query i chooses, and how many of them.
  Index scored(Index i) const {
    if (quest_.reading == Quest::Reading::Evaluation)
      return current(i) + 1;
    return current(i) + 1 <= budget(i) ? 0 : std::max<Index>(current(i), 0);
  }
  Index taken(Index i) const {
    return quest_.reading == Quest::Reading::Evaluation ? budget(i)
                                                        : std::max<Index>(budget(i) - 1, 0);
  }

  // Those that are chosen, ascending; the current page perhaps among them in `evaluation`, never in
  // `kernel`.
  std::vector<std::vector<Index>> chosen(const Run& run) const {
    const auto tiles = ScoreTiles{
        grid_.lengths.queries, pages_.size(),
        [this](Index row, Index page, MatrixView<double> scores) { compute(row, page, scores); }};
    if (quest_.reading == Quest::Reading::Kernel)
      return ofKernel(tiles, run);
    return ofEvaluation(tiles, run);
  }

  std::string explain(Index token, Index j) const {
    if (j > token)
      return futureText(token, j);
    const Index i = token - grid_.lengths.offset;
    const Index c = j / grid_.keyBlock;
    const std::string what = "page " + std::to_string(c);
    if (quest_.reading == Quest::Reading::Kernel && c == current(i))
      return what + " is being filled";
    if (scored(i) == 0)
      return what + " fits the budget of " + countText(budget(i), "page");
    std::vector<double> scores(static_cast<std::size_t>(pages_.size()));
    compute(i, 0, {scores.data(), 1, pages_.size(), pages_.size()});
    return rankText({what, "the bound of q·k", scores, 0, scored(i), c, taken(i)});
  }

  // Smallest and largest keys, and 3d for every page that is scored.
  double flops() const {
    double pages = 0;
    for (Index i = 0; i < grid_.lengths.queries; ++i)
      pages += static_cast<double>(scored(i));
    const auto d = static_cast<double>(data_.q->cols());
    return 2 * static_cast<double>(grid_.lengths.keys) * d + 3 * d * pages;
  }

  bool competes() const { return quest_.reading == Quest::Reading::Evaluation; }
  // Whether query i takes page c whatever its bound.
  bool forced(Index i, Index c) const {
    return !competes() && c <= current(i) && (c == current(i) || scored(i) == 0);
  }
  void scores(Index i, std::span<double> scores) const {
    if (scored(i) > 0)
      compute(i, 0, {scores.data(), 1, pages_.size(), pages_.size()});
    keepRanked(scores, 0, scored(i));
  }
  std::string rule() const {
    return competes() ? "as many of the largest as fit the budget" : largestText(budget(0) - 1);
  }

private:
  // How many pages query i gets, the current one included.
  Index budget(Index i) const {
    if (quest_.reading == Quest::Reading::Kernel)
      return std::max<Index>(1, quest_.tokenBudget / quest_.pageSize);
    const Index seen = std::min(grid_.lastToken(i) + 1, grid_.lengths.keys);
    const Index pages = std::min(seen, quest_.tokenBudget) / quest_.pageSize;
    return std::min(current(i) + 1, std::max<Index>(3, pages));
  }

  std::vector<std::vector<Index>> ofKernel(const ScoreTiles& tiles, const Run& run) const {
    auto chosen = largestScores(
        tiles, budget(0) - 1, [this](Index i) { return Others{scored(i)}; }, 0, run);
    for (Index i = 0; i < grid_.lengths.queries; ++i)
      if (scored(i) == 0) // all pages before the current one
        for (Index c = 0; c < current(i); ++c)
          chosen[static_cast<std::size_t>(i)].push_back(c);
    return chosen;
  }

  // Queries with the same budget follow one another.
  std::vector<std::vector<Index>> ofEvaluation(const ScoreTiles& tiles, const Run& run) const {
    std::vector<std::vector<Index>> chosen;
    for (Index first = 0; first < tiles.rows;) {
      Index end = first + 1;
      while (end < tiles.rows && budget(end) == budget(first))
        ++end;
      const ScoreTiles some{end - first, tiles.others,
                            [&](Index row, Index page, MatrixView<double> scores) {
                              tiles.compute(first + row, page, scores);
                            }};
      const auto rows = largestScores(
          some, std::max<Index>(budget(first), 0),
          [&](Index i) { return Others{scored(first + i)}; }, 0, run.quiet());
      chosen.insert(chosen.end(), rows.begin(), rows.end());
      run.report(static_cast<double>(end) / static_cast<double>(tiles.rows));
      first = end;
    }
    return chosen;
  }

  // The page that a query is filling counts with the keys that it has.
  void compute(Index row, Index page, MatrixView<double> scores) const {
    pages_.compute({&q_(row, 0), scores.rows, q_.cols(), q_.cols()}, page, scores);
    for (Index r = 0; r < scores.rows; ++r)
      if (const Index at = current(row + r) - page; at >= 0 && at < scores.cols)
        scores(r, at) = boundOfCurrent(row + r);
  }

  // Summed as the products with whole pages are.
  double boundOfCurrent(Index i) const {
    const Index begin = current(i) * grid_.keyBlock;
    const Index end =
        std::min({grid_.lastToken(i) + 1, grid_.lengths.keys, begin + grid_.keyBlock});
    double bound = 0;
    for (const bool positive : {true, false})
      for (Index c = 0; c < data_.q->cols(); ++c) {
        const double q = (*data_.q)(i, c);
        if ((q > 0) != positive)
          continue;
        double most = q * (*data_.k)(begin, c);
        for (Index j = begin + 1; j < end; ++j)
          most = std::max(most, q * (*data_.k)(j, c));
        bound += most;
      }
    return bound;
  }

  Quest quest_;
  BlockGrid grid_;
  PatternData data_;
  Matrix<double> q_; // with signs apart
  Similarities pages_;
};

ChoiceScores scoresOf(const std::shared_ptr<const QuestChoice>& facts) {
  return {"the bound of q·k", facts->rule(),
          [facts](Index i, std::span<double> scores) { facts->scores(i, scores); },
          [facts](Index i, Index c) { return facts->forced(i, c); }};
}

} // namespace

const Description& describe(const Quest&) {
  static const Description kDescription =
      DescriptionBuilder<Quest>("quest", "Quest", "Content")
          .summary("Each query is one decoding step; it attends to the pages (blocks of keys) that "
                   "could hold the largest scores.")
          .source("Tang et al. 2024 (Quest), Algorithm 1; mit-han-lab/Quest")
          .definition(
              {"U_ic = Σ_e q_e·(max if q_e > 0, else min of k_je over the keys j of page c)",
               "Sᵢ = the pages of the largest U_ic, as many as the budget has"})
          .conventions(
              "The released kernel always takes the current page; the code of the accuracy "
              "tables lets it compete and takes at least 3. Both keep the first two layers "
              "dense, which is a choice of layers here.")
          .complexity("O(n² d / p) to choose, O(n B d) to attend")
          .chooses(Chooses::Ranks)
          .budget("token_budget")
          .integer("page_size", "p", &Quest::pageSize, "Tokens per page", "tokens", atLeast(1))
          .integer("token_budget", "B", &Quest::tokenBudget, "Tokens per query", "", atLeast(1))
          .choice("reading", &Quest::reading, "How pages are counted",
                  {{Quest::Reading::Kernel, "kernel", "kernel",
                    "The released system: ⌊B/p⌋ pages, the current one always among them"},
                   {Quest::Reading::Evaluation, "evaluation", "evaluation",
                    "The accuracy tables: at least 3 pages, the current one competes"}})
          .build();
  return kDescription;
}

bool readsData(const Quest&) {
  return true;
}

bool takesRectangles(const Quest&) {
  return true;
}

std::shared_ptr<const Prepared> prepared(const Quest& quest, const Lengths& lengths,
                                         const PatternData& data, const Run& run) {
  requireAnyData("quest", lengths, data);
  const BlockGrid grid{lengths, 1, std::min(quest.pageSize, lengths.keys)};
  const auto facts = std::make_shared<const QuestChoice>(quest, grid, data);
  BlockTables tables(grid, kQuestParts.size());
  auto chosen = facts->chosen(run);
  for (Index i = 0; i < lengths.queries; ++i) {
    auto& others = chosen[static_cast<std::size_t>(i)];
    const Index current = facts->current(i);
    const bool takes = facts->competes() ? std::erase(others, current) > 0 : current >= 0;
    tables.append(std::array{takes ? std::vector<Index>{current} : std::vector<Index>{}, others});
  }
  return preparedBlocks(
      grid, std::move(tables), kQuestParts,
      [facts](Index token, Index j) { return facts->explain(token, j); },
      choiceOf(grid, facts->flops(), scoresOf(facts)));
}

} // namespace attention
