// Matrices of groups: in the original order, sorted, single rounds; and centroids
// (choosing_figure.h).
#include "core/views/choosing/choosing_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace attention {
namespace {

constexpr std::size_t kMostSwatches = 8; // groups in a legend
constexpr Index kMostSmallCells = 256;   // a side, of a small matrix

// For Ramp::Hues, where 0 is the background.
Index hueNumber(Index group) {
  return group == kNoGroup ? 0 : 1 + static_cast<Index>(groupHue(group));
}

// The groups of the queries of a round, or the rounds, that a legend names.
std::vector<Index> groupsShown(const ChoosingSpec& spec, const HashedTokens& tokens) {
  std::vector<Index> groups;
  if (tokens.byRounds(spec)) {
    groups.resize(tokens.groups().rounds.size());
    std::iota(groups.begin(), groups.end(), Index{0});
    return groups;
  }
  const auto& of = tokens.groups().rounds[tokens.round(spec)].queries.group;
  std::set<Index> used(of.begin(), of.end());
  used.erase(kNoGroup);
  groups.assign(used.begin(), used.end());
  return groups;
}

// The commonest number but 0 of some cells; 0 if there is no other: attended cells stay visible.
class Commonest {
public:
  void add(float value) {
    if (value > 0)
      ++counts_[static_cast<std::size_t>(value)];
  }
  float take() {
    const auto most = std::max_element(counts_.begin(), counts_.end());
    const float value = *most > 0 ? static_cast<float>(most - counts_.begin()) : 0.0F;
    counts_.fill(0);
    return value;
  }

private:
  std::array<Index, 2 * kGroupHues + 1> counts_{};
};

// At most `most` cells per side.
Matrix<float> reduced(const Matrix<float>& values, Index most) {
  const Index n = values.rows();
  if (n <= most)
    return values;
  Matrix<float> small(most, most);
  Commonest commonest;
  for (Index a = 0; a < most; ++a)
    for (Index b = 0; b < most; ++b) {
      for (Index i = a * n / most; i < (a + 1) * n / most; ++i)
        for (Index j = b * n / most; j < (b + 1) * n / most; ++j)
          commonest.add(values(i, j));
      small(a, b) = commonest.take();
    }
  return small;
}

// The colours of the cells: by the query's group, or by the first round that holds the cell.
class CellColors {
public:
  CellColors(const HashedTokens& tokens, std::size_t round, std::optional<std::size_t> only,
             const ChoosingSpec& spec)
      : tokens_(tokens), round_(round), only_(only), byRound_(tokens.byRounds(spec)) {}

  // Writes row i of the mask over `row`: n numbers.
  void fillRow(Index i, std::span<float> row) {
    std::fill(row.begin(), row.end(), 0.0F);
    const Prepared& prepared = *tokens_.prepared;
    if (!byRound_ && !only_) {
      prepared.row(i, ranges_);
      return paint(row, groupHue(i));
    }
    for (std::size_t r = prepared.parts().size(); r-- > 0;) {
      if (only_ && r != *only_)
        continue;
      prepared.row(r, i, ranges_);
      paint(row, byRound_ ? static_cast<float>(hueNumber(static_cast<Index>(r))) : groupHue(i));
    }
  }

private:
  float groupHue(Index i) const {
    const auto& of = tokens_.groups().rounds[round_].queries;
    const auto hue = hueNumber(of.group[static_cast<std::size_t>(i)]);
    return static_cast<float>(hue);
  }
  void paint(std::span<float> row, float value) const {
    for (const KeyRange& range : ranges_)
      forEachRun(range, [&](Index begin, Index end) {
        std::fill(row.begin() + begin, row.begin() + end, value);
      });
  }

  const HashedTokens& tokens_;
  std::size_t round_;
  std::optional<std::size_t> only_;
  bool byRound_;
  KeyRanges ranges_;
};

ValuesMark cellsMark(const HashedTokens& tokens, std::size_t round, std::optional<std::size_t> only,
                     const ChoosingSpec& spec, bool sorted, Index most = kMostHashedTokens) {
  const Index n = tokens.n();
  const GroupRound& of = tokens.groups().rounds[round];
  CellColors cells(tokens, round, only, spec);
  Matrix<float> values(n, n);
  std::vector<float> row(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    cells.fillRow(i, row);
    const auto token = static_cast<std::size_t>(i);
    const Index at = sorted ? of.queries.rank[token] : i;
    for (Index j = 0; j < n; ++j)
      values(at, sorted ? of.keys.rank[static_cast<std::size_t>(j)] : j) =
          row[static_cast<std::size_t>(j)];
  }
  ValuesMark mark;
  mark.values = std::make_shared<const Matrix<float>>(reduced(values, most));
  mark.cells = {0, n, 0, n};
  mark.ramp = Ramp::Hues;
  return mark;
}

std::vector<std::string> inOrder(const std::vector<std::string>& labels,
                                 const std::vector<Index>& order) {
  std::vector<std::string> sorted;
  sorted.reserve(order.size());
  for (const Index token : order)
    sorted.push_back(labels.empty() ? std::to_string(token)
                                    : labels[static_cast<std::size_t>(token)]);
  return sorted;
}

// Of one round alone where they are not joined.
std::optional<std::size_t> onlyRound(const HashedTokens& tokens, const ChoosingSpec& spec) {
  const bool alone = tokens.hasBuckets() && !spec.joined;
  return alone ? std::optional(tokens.round(spec)) : std::nullopt;
}

} // namespace

std::vector<LegendEntry> choosingLegend(const ChoosingSpec& spec, const ChoosingAnswer& answer,
                                        FigureTheme theme) {
  if (answer.chosen)
    return choiceLegend(*answer.chosen, theme);
  if (spec.picture != ChoosingPicture::Matrices)
    return {};
  const HashedTokens& tokens = *answer.tokens;
  const std::string name = tokens.byRounds(spec) ? "round " : tokens.groupName() + " ";
  const std::vector<Index> groups = groupsShown(spec, tokens);
  std::vector<LegendEntry> legend;
  if (groups.size() <= kMostSwatches)
    for (const Index k : groups)
      legend.push_back({rampColor(Ramp::Hues, static_cast<double>(hueNumber(k)), 1, theme),
                        name + std::to_string(k)});
  return legend;
}

std::size_t groupHue(Index group) {
  constexpr Index kHues = 2 * static_cast<Index>(kGroupHues);
  return static_cast<std::size_t>((group % kHues + kHues) % kHues);
}

Plot groupedMatrix(const HashedTokens& tokens, const ChoosingSpec& spec, bool sorted,
                   const std::vector<std::string>& labels) {
  const Index n = tokens.n();
  const std::size_t round = tokens.round(spec);
  ValuesMark mark = cellsMark(tokens, round, onlyRound(tokens, spec), spec, sorted);
  const TokenGroups& groups = tokens.groups();
  if (sorted && tokens.showsChunks())
    for (Index c = 1; c < groups.chunks(); ++c)
      mark.cuts.push_back(c * groups.chunk);
  // Numbers are names too, so that the axes before and after the sorting take the same room.
  std::vector<Index> standing(static_cast<std::size_t>(n));
  std::iota(standing.begin(), standing.end(), Index{0});
  Axis keys{"key j", 0, n, inOrder(labels, standing)};
  Axis queries{"query i", 0, n, keys.names};
  if (sorted) {
    keys = {"keys, sorted", 0, n, inOrder(labels, groups.rounds[round].keys.order)};
    queries = {"queries, sorted", 0, n, inOrder(labels, groups.rounds[round].queries.order)};
  }
  Plot plot{std::move(mark), std::move(keys), std::move(queries)};
  plot.ownQueries = sorted;
  return plot;
}

Plot smallMatrix(const HashedTokens& tokens, const ChoosingSpec& spec,
                 std::optional<std::size_t> round) {
  return {
      cellsMark(tokens, round.value_or(tokens.round(spec)), round, spec, false, kMostSmallCells),
      std::nullopt, std::nullopt};
}

std::optional<Plot> centroidsPlot(const HashedTokens& tokens) {
  const Matrix<double>& centroids = tokens.groups().centroids;
  if (centroids.rows() == 0)
    return std::nullopt;
  ValuesMark mark;
  Matrix<float> values(centroids.rows(), centroids.cols());
  for (Index c = 0; c < values.rows(); ++c)
    for (Index d = 0; d < values.cols(); ++d) {
      values(c, d) = static_cast<float>(centroids(c, d));
      mark.top = std::max(c + d == 0 ? 0.0F : mark.top, std::abs(values(c, d)));
    }
  mark.values = std::make_shared<const Matrix<float>>(std::move(values));
  mark.cells = {0, centroids.rows(), 0, centroids.cols()};
  mark.ramp = Ramp::Diverging;
  Plot plot{std::move(mark), Axis{"dimension", 0, centroids.cols(), {}},
            Axis{tokens.groupName(), 0, centroids.rows(), {}}};
  plot.ownQueries = true;
  return plot;
}

} // namespace attention
