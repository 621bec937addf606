#include "core/figure/hashing_figure.h"

#include "core/figure/group_sizes.h"
#include "core/pattern/parted_tokens.h"
#include "core/pattern/pattern_title.h"
#include "core/scene/token_labels.h"
#include "core/support/number_text.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace attention {
namespace {

constexpr std::size_t kMostSwatches = 8; // groups in a legend
constexpr Index kMostCuts = 64;          // chunks whose edges are drawn in a matrix
constexpr Index kMostSmallCells = 256;   // a side, of a small matrix

std::string counted(Index number, const std::string& what) {
  return groupedDigits(number) + " " + what + (number == 1 ? "" : "s");
}

bool isLsh(const HashedTokens& tokens) {
  return tokens.groups().kind == GroupKind::Buckets;
}

// Whether the edges of chunks are drawn in a sorted matrix.
bool showsChunks(const HashedTokens& tokens) {
  const Index chunks = tokens.groups().chunks();
  return chunks > 1 && chunks <= kMostCuts;
}

bool byRounds(const HashingSpec& spec, const HashedTokens& tokens) {
  return spec.colors == HashingColors::Rounds && isLsh(tokens);
}

// "round 1 of 4", or nothing where there is one alone.
std::string roundText(const HashedTokens& tokens, std::size_t round) {
  const std::size_t rounds = tokens.groups().rounds.size();
  return rounds < 2 ? "" : "round " + std::to_string(round) + " of " + std::to_string(rounds);
}

// Why clusters hold hardly a pair: k-means over queries and keys together may part them.
std::string partedWords(const TokenGroups& groups) {
  const std::string words = partedTokens(groups);
  return words.empty() ? words : " " + words;
}

// "16 tokens in 4 buckets of 3 to 5 tokens", "16 tokens in 3 of 4 buckets, of 2 to 8 tokens".
std::string groupsCaption(const HashedTokens& tokens, std::size_t round) {
  const GroupSizes sizes = groupSizes(tokens.groups(), round);
  const Index all = tokens.groups().count;
  if (sizes.groups == 0)
    return counted(tokens.n(), "token") + " in no " + tokens.groupName();
  const std::string in = sizes.groups == all ? counted(all, tokens.groupName())
                                             : std::to_string(sizes.groups) + " of " +
                                                   counted(all, tokens.groupName()) + ",";
  const std::string held = (sizes.least == sizes.most ? "" : std::to_string(sizes.least) + " to ") +
                           counted(sizes.most, "token");
  return counted(tokens.n(), "token") + " in " + in + " of " + held;
}

std::string sortingCaption(const HashingSpec& spec, const HashedTokens& tokens) {
  const TokenGroups& groups = tokens.groups();
  const std::size_t round = tokens.round(spec);
  std::string text = groupsCaption(tokens, round);
  if (const std::string of = roundText(tokens, round); !of.empty())
    text += ", " + of;
  if (groups.chunk > 0) {
    text += "; each chunk of " + std::to_string(groups.chunk) + " sees itself";
    if (groups.before > 0)
      text += " and " + (groups.before == 1 ? std::string("the one before")
                                            : std::to_string(groups.before) + " before");
    if (groups.after > 0)
      text +=
          groups.after == 1 ? ", the one after" : ", " + std::to_string(groups.after) + " after";
    if (groups.wraps)
      text += ", around the end";
  }
  return text + "." + partedWords(groups);
}

std::string matricesCaption(const HashingSpec& spec, const HashedTokens& tokens) {
  const std::size_t round = tokens.round(spec);
  const std::size_t rounds = tokens.groups().rounds.size();
  std::string cells = counted(tokens.pairs, "pair");
  if (isLsh(tokens) && rounds > 1)
    cells = spec.joined
                ? counted(tokens.pairs, "pair") + " of all " + std::to_string(rounds) + " rounds"
                : counted(tokens.partPairs[round], "pair") + " of round " + std::to_string(round) +
                      " alone";
  return cells + ", coloured by the " +
         (byRounds(spec, tokens) ? "first round that shows them"
                                 : "query's " + tokens.groupName()) +
         (showsChunks(tokens) ? "; dotted: chunks." : ".") + partedWords(tokens.groups());
}

std::string capturedCaption(const CapturedCurves& curves) {
  const char* base = curves.base == Base::Causal ? "causal" : "full";
  std::string text =
      std::string("Of ") + base + " attention, mean over " + counted(curves.n, "query");
  if (curves.n != 1)
    text.replace(text.rfind("querys"), 6, "queries");
  text += curves.others ? "; dotted: what as many other keys at random would capture."
                        : "; dotted: what as many keys at random would capture.";
  if (curves.others)
    text += " The own keys hold " + threeDigits(100 * curves.ownMass) +
            " % of it and are left out where there are others.";
  if (curves.kind == GroupKind::Buckets)
    text += " The rounds of one seed are the first of more.";
  return text;
}

std::string circleCaption(const CircleAnswer& answer) {
  const std::string how =
      answer.spec.draw == AngularDraw::Rotation
          ? "A round turns both points at random; the buckets are the quarters about the axes."
          : "A round draws a Gaussian matrix: its columns and their negatives are the directions "
            "of the buckets.";
  return how + " Points at " + threeDigits(answer.spec.far) + "° and at " +
         threeDigits(answer.spec.near) + "°; the curves are counted over 512 rounds.";
}

std::vector<FigurePanel> matrixPanels(const HashingSpec& spec, const HashingAnswer& answer) {
  const HashedTokens& tokens = *answer.tokens;
  const std::size_t round = tokens.round(spec);
  const std::string of =
      tokens.groups().rounds.size() > 1 ? ", round " + std::to_string(round) : "";
  std::vector<FigurePanel> panels{
      {"as tokens stand", {groupedMatrix(tokens, spec, false, answer.labels)}, {}},
      {"sorted by " + tokens.groupName() + of,
       {groupedMatrix(tokens, spec, true, answer.labels)},
       {}}};
  if (auto centroids = centroidsPlot(tokens))
    panels.push_back({"centroids", {std::move(*centroids)}, {}});
  return panels;
}

std::vector<FigurePanel> circlePanels(const CircleAnswer& answer) {
  std::vector<FigurePanel> panels;
  for (std::size_t round = 0; round < answer.rounds.size(); ++round) {
    FigurePanel panel{"round " + std::to_string(round), {}, {}};
    for (std::size_t pair = 0; pair < answer.pairs.size(); ++pair)
      panel.plots.push_back(circlePlot(answer, pair, round));
    panels.push_back(std::move(panel));
  }
  panels.push_back({"how often in one bucket", {circleSharesPlot(answer)}, {}});
  return panels;
}

// For Ramp::Hues, where 0 is the ground.
Index hueNumber(Index group) {
  return group == kNoGroup ? 0 : 1 + static_cast<Index>(groupHue(group));
}

// The groups of the queries of a round, or the rounds, that a legend names.
std::vector<Index> groupsShown(const HashingSpec& spec, const HashedTokens& tokens) {
  std::vector<Index> groups;
  if (byRounds(spec, tokens)) {
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

// The commonest number but 0 of some cells; 0 where there is no other: attended cells stay seen.
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

// At most `most` cells a side.
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
             const HashingSpec& spec)
      : tokens_(tokens), round_(round), only_(only), byRound_(byRounds(spec, tokens)) {}

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
                     const HashingSpec& spec, bool sorted, Index most = kMostHashedTokens) {
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
std::optional<std::size_t> onlyRound(const HashedTokens& tokens, const HashingSpec& spec) {
  const bool alone = isLsh(tokens) && !spec.joined;
  return alone ? std::optional(tokens.round(spec)) : std::nullopt;
}

Curve sharesCurve(const CapturedCurves& curves, const char* label, double CapturedPoint::*member,
                  std::size_t hue, Dash dash) {
  Curve curve;
  curve.label = label;
  curve.hue = hue;
  curve.dash = dash;
  for (const CapturedPoint& point : curves.points)
    curve.points.push_back({static_cast<double>(point.count), point.*member});
  return curve;
}

} // namespace

HashingAnswer hashingAnswer(const Scene& scene, const Lengths& lengths, const HashingInput& input,
                            const Run& run) {
  HashingAnswer answer;
  const HashingSpec& spec = scene.hashing;
  if (spec.picture == HashingPicture::Circle) {
    answer.circle = std::make_shared<const CircleAnswer>(circleAnswer(spec.circle, run));
    return answer;
  }
  const HashingQuestion question = hashingQuestion(scene, lengths);
  answer.labels = tokenLabels(scene, input.input.get(), question.n);
  if (spec.picture == HashingPicture::Captured)
    answer.curves =
        std::make_shared<const CapturedCurves>(capturedCurves(question, spec, input, {}, run));
  else
    answer.tokens = std::make_shared<const HashedTokens>(hashedTokens(question, input, run));
  return answer;
}

bool complete(const HashingSpec& spec, const HashingAnswer& answer) {
  switch (spec.picture) {
  case HashingPicture::Sorting:
  case HashingPicture::Matrices:
    return answer.tokens != nullptr;
  case HashingPicture::Captured:
    return answer.curves != nullptr;
  case HashingPicture::Circle:
    break;
  }
  return answer.circle != nullptr;
}

std::vector<FigurePanel> hashingPanels(const HashingSpec& spec, const HashingAnswer& answer) {
  switch (spec.picture) {
  case HashingPicture::Sorting:
    return {{"", {sortingPlot(*answer.tokens, spec, answer.labels)}, {}}};
  case HashingPicture::Matrices:
    return matrixPanels(spec, answer);
  case HashingPicture::Captured:
    return {{"", {capturedPlot(*answer.curves)}, {}}};
  case HashingPicture::Circle:
    break;
  }
  return circlePanels(*answer.circle);
}

std::string hashingTitle(const HashingSpec& spec, const HashingAnswer& answer) {
  switch (spec.picture) {
  case HashingPicture::Sorting:
    return "Tokens sorted by " + answer.tokens->groupName() + ": " +
           titleText(answer.tokens->pattern);
  case HashingPicture::Matrices:
    return "Who attends to whom, as tokens stand and sorted by " + answer.tokens->groupName();
  case HashingPicture::Captured:
    return answer.curves->kind == GroupKind::Buckets
               ? "What hashing keeps of attention, round by round"
               : "What clusters keep of attention, against their number";
  case HashingPicture::Circle:
    break;
  }
  return "Near points share a bucket more often than far ones";
}

std::string hashingCaption(const HashingSpec& spec, const HashingAnswer& answer) {
  switch (spec.picture) {
  case HashingPicture::Sorting:
    return sortingCaption(spec, *answer.tokens);
  case HashingPicture::Matrices:
    return matricesCaption(spec, *answer.tokens);
  case HashingPicture::Captured:
    return capturedCaption(*answer.curves);
  case HashingPicture::Circle:
    break;
  }
  return circleCaption(*answer.circle);
}

std::string hashingSourceText(const HashingSpec& spec, const HashingAnswer& answer) {
  if (spec.picture == HashingPicture::Circle)
    return "After Kitaev et al. 2020, figure 1";
  const GroupKind kind =
      spec.picture == HashingPicture::Captured ? answer.curves->kind : answer.tokens->groups().kind;
  switch (kind) {
  case GroupKind::Buckets:
    return spec.picture == HashingPicture::Captured ? "Kitaev et al. 2020, section 2"
                                                    : "After Kitaev et al. 2020, figure 2";
  case GroupKind::Routes:
    return "After Roy et al. 2020, figure 1";
  case GroupKind::Clusters:
    break;
  }
  return "Lecture notes: clusters of queries; k-means of Lloyd 1982";
}

std::vector<LegendEntry> hashingLegend(const HashingSpec& spec, const HashingAnswer& answer,
                                       FigureTheme theme) {
  if (spec.picture != HashingPicture::Matrices)
    return {};
  const HashedTokens& tokens = *answer.tokens;
  const std::string name = byRounds(spec, tokens) ? "round " : tokens.groupName() + " ";
  const std::vector<Index> groups = groupsShown(spec, tokens);
  std::vector<LegendEntry> legend;
  if (groups.size() <= kMostSwatches)
    for (const Index k : groups)
      legend.push_back({rampColor(Ramp::Hues, static_cast<double>(hueNumber(k)), 1, theme),
                        name + std::to_string(k)});
  return legend;
}

Figure hashingFigure(const HashingSpec& spec, const HashingAnswer& answer, FigureTheme theme) {
  Figure figure;
  figure.theme = theme;
  figure.title = hashingTitle(spec, answer);
  figure.caption = hashingCaption(spec, answer);
  figure.source = hashingSourceText(spec, answer);
  figure.panels = hashingPanels(spec, answer);
  figure.legend = hashingLegend(spec, answer, theme);
  return figure;
}

std::size_t groupHue(Index group) {
  constexpr Index kHues = 2 * static_cast<Index>(kGroupHues);
  return static_cast<std::size_t>((group % kHues + kHues) % kHues);
}

Plot groupedMatrix(const HashedTokens& tokens, const HashingSpec& spec, bool sorted,
                   const std::vector<std::string>& labels) {
  const Index n = tokens.n();
  const std::size_t round = tokens.round(spec);
  ValuesMark mark = cellsMark(tokens, round, onlyRound(tokens, spec), spec, sorted);
  const TokenGroups& groups = tokens.groups();
  if (sorted && showsChunks(tokens))
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

Plot smallMatrix(const HashedTokens& tokens, const HashingSpec& spec,
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

Plot capturedPlot(const CapturedCurves& curves) {
  CurvesMark mark;
  const bool rounds = curves.kind == GroupKind::Buckets;
  const auto least = static_cast<double>(curves.counts.front());
  const auto most = static_cast<double>(std::max(curves.counts.back(), curves.counts.front() + 1));
  const char* label =
      rounds ? "hash rounds" : (curves.kind == GroupKind::Clusters ? "clusters k" : "centroids k");
  mark.x = {label, rounds ? Scale::Linear : Scale::Log2, least, most, true};
  mark.y = {"share", Scale::Linear, 0, 1, false};
  const std::string recall =
      "recall of " + (curves.others ? std::to_string(curves.recallKeys) + " others"
                                    : "top " + std::to_string(curves.recallKeys));
  mark.curves = {sharesCurve(curves, "captured mass", &CapturedPoint::mass, 0, Dash::Solid),
                 sharesCurve(curves, recall.c_str(), &CapturedPoint::recall, 1, Dash::Dashed),
                 sharesCurve(curves, "at random", &CapturedPoint::random, 2, Dash::Dotted)};
  mark.uprights = {{static_cast<double>(curves.inForce), "in force"}};
  return {std::move(mark), std::nullopt, std::nullopt};
}

} // namespace attention
