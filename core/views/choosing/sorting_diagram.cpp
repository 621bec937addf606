// The sorting of tokens by group, chunks and look-back as a diagram (choosing_figure.h).
#include "core/views/choosing/choosing_figure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace attention {
namespace {

// Units of the diagram: the tokens span kSpan; words stand beside it.
constexpr double kSpan = 100;
constexpr double kTop = 0.6;
constexpr double kLeastRow = 3.2; // heights of a row of tokens
constexpr double kMostRow = 6;
constexpr double kFlight = 15;  // between the two rows
constexpr double kBand = 11;    // below them, for names of groups and arrows
constexpr double kRoundRow = 2; // a row of all rounds
constexpr double kRoundGap = 0.8;
constexpr double kShare = 0.86;       // of a cell that its box fills, where there is room
constexpr double kLeastGapped = 0.45; // units: narrower cells touch
constexpr double kLeastArrow = 3;     // units: chunks that are narrower have no arrows
constexpr Index kMostArrowsEach = 3;  // of a chunk, in each direction
constexpr int kArrowParts = 32;       // straight ones that an arrow is drawn by
constexpr Index kMostFlights = 160;   // tokens with their paths drawn
constexpr Index kMostNamed = 64;      // tokens: with more, only stray characters would fit
constexpr double kGhost = 0.22;       // of the hue, where a token has left
constexpr std::size_t kMostRoundRows = 8;

double eased(double share) {
  const double s = std::clamp(share, 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

Point middleOf(const Box& box) {
  return {box.x + box.width / 2, box.y + box.height / 2};
}

Box scaled(const Box& box, double share) {
  return {box.x + box.width * (1 - share) / 2, box.y, box.width * share, box.height};
}

class SortingDiagram {
public:
  SortingDiagram(const HashedTokens& tokens, const ChoosingSpec& spec,
                 const std::vector<std::string>& labels)
      : tokens_(tokens), groups_(tokens.groups()), r_(tokens.round(spec)),
        of_(groups_.rounds[r_].queries), labels_(labels), places_(tokens, r_, spec.moment),
        moment_(spec.moment) {}

  DiagramMark make() {
    mark_.width = places_.width();
    mark_.height = places_.height();
    addTokens();
    addRowNames();
    addGroupNames();
    addPresentRound();
    addChunks();
    addRounds();
    return std::move(mark_);
  }

private:
  static std::size_t hueOf(Index group) {
    return group == kNoGroup ? 0 : groupHue(group) % kGroupHues;
  }
  static double shareOf(Index group) {
    return group == kNoGroup ? 0.12 : groupShare(groupHue(group));
  }
  Index groupOf(Index token) const { return of_.group[static_cast<std::size_t>(token)]; }

  void fill(const Box& box, Index group, double faded = 1, WordsOn words = WordsOn::None) {
    boxes_[{hueOf(group), shareOf(group) * faded, words}].push_back(
        scaled(box, box.width < kLeastGapped ? 1 : kShare));
  }
  // Every token's box in a row of its own, in the colour of its group; one image of them where they
  // touch, since a window draws some thousand boxes in every frame.
  void fillRow(const std::vector<Index>& groups, double faded, auto boxOf, auto wordsOf) {
    const Box first = boxOf(0);
    const auto n = static_cast<Index>(groups.size());
    if (first.width >= kLeastGapped) {
      for (Index i = 0; i < n; ++i)
        fill(boxOf(i), groups[static_cast<std::size_t>(i)], faded, wordsOf(i));
      return;
    }
    DiagramRow row{{first.x, first.y, kSpan, first.height}, {}};
    for (const Index group : groups)
      row.cells.push_back({hueOf(group), shareOf(group) * faded});
    mark_.rows.push_back(std::move(row));
  }
  // On the box of a token of a group.
  WordsOn wordsOn(Index group, bool ghost) const {
    return tokens_.n() > kMostNamed                   ? WordsOn::None
           : ghost                                    ? WordsOn::Dim
           : group != kNoGroup && shareOf(group) == 1 ? WordsOn::Ground
                                                      : WordsOn::Text;
  }
  // Boxes of one colour become one fill; paler ones lie below.
  void flush() {
    for (auto& [look, boxes] : boxes_) {
      const auto& [hue, share, words] = look;
      mark_.fills.push_back({std::move(boxes), hue, share, words});
    }
    boxes_.clear();
  }

  std::string nameOf(Index token) const {
    return labels_.empty() ? std::to_string(token) : labels_[static_cast<std::size_t>(token)];
  }

  // A token's word or number, where it has room; none on a ghost that the token lies over.
  void name(Index token, const Box& box, bool ghost) {
    const WordsOn kind = wordsOn(groupOf(token), ghost);
    if (kind == WordsOn::None || (ghost && places_.token(token).y < box.bottom()))
      return;
    const bool onHue = kind == WordsOn::Ground;
    mark_.texts.push_back(
        {middleOf(box), nameOf(token), TextAlign::Center, false, ghost, kShare * box.width, onHue});
  }

  void addTokens() {
    const Index n = tokens_.n();
    if (moment_ > 0) {
      fillRow(
          of_.group, kGhost, [&](Index i) { return places_.origin(i); },
          [&](Index i) { return wordsOn(groupOf(i), true); });
      for (Index i = 0; i < n; ++i)
        name(i, places_.origin(i), true);
    }
    flush();
    for (Index i = 0; i < n; ++i) {
      const Box at = places_.token(i);
      fill(at, groupOf(i), 1, wordsOn(groupOf(i), false));
      const Box from = places_.origin(i);
      if (n <= kMostFlights && at.y > from.y + 1e-9)
        mark_.lines.push_back({{{middleOf(from).x, from.y + from.height}, {middleOf(at).x, at.y}},
                               hueOf(groupOf(i)),
                               0.4 * shareOf(groupOf(i)),
                               0.8});
      name(i, at, false);
    }
    flush();
  }

  // Those that come first stay where there is no room for all.
  void words(double y, const std::string& text, bool bold = false) {
    DiagramText words{{kSpan, y}, text, TextAlign::Left, bold, !bold, 0, false, true};
    words.beside = true;
    mark_.texts.push_back(std::move(words));
  }

  void addRowNames() {
    const bool both = !(groups_.rounds[r_].queries.group == groups_.rounds[r_].keys.group);
    words(middleOf(places_.origin(0)).y, both ? "queries" : "tokens");
    words(middleOf(places_.slot(0)).y, "by " + tokens_.groupName());
  }

  // A bracket and a number below each stretch of one group.
  void addGroupNames() {
    const double y = places_.chunksAt();
    const Index n = tokens_.n();
    for (Index begin = 0; begin < n;) {
      const Index group = groupOf(of_.order[static_cast<std::size_t>(begin)]);
      Index end = begin;
      while (end < n && groupOf(of_.order[static_cast<std::size_t>(end)]) == group)
        ++end;
      const double left = places_.slot(begin).x + 0.1;
      const double right = places_.slot(end - 1).x + places_.slot(end - 1).width - 0.1;
      mark_.lines.push_back({{{left, y + 0.7}, {right, y + 0.7}}, hueOf(group), shareOf(group), 3});
      mark_.texts.push_back({{(left + right) / 2, y + 2.6},
                             group == kNoGroup ? "none" : std::to_string(group),
                             TextAlign::Center,
                             true,
                             false,
                             std::max(right - left, 1.0),
                             false});
      begin = end;
    }
    words(y + 2.6, tokens_.groupName());
  }

  void addChunks() {
    if (groups_.chunk == 0)
      return;
    const Index n = tokens_.n();
    for (Index c = 0; c < groups_.chunks(); ++c) {
      const Box frame = chunkBox(c);
      if (groups_.chunk < n)
        mark_.groups.push_back({frame.x, frame.y - 0.7, frame.width, frame.height + 1.4});
    }
    words(places_.chunksAt() + 7.4, "chunk " + std::to_string(groups_.chunk));
    if (chunkBox(0).width < kLeastArrow)
      return;
    for (Index c = 0; c < groups_.chunks(); ++c) {
      for (Index back = 1; back <= std::min(groups_.before, kMostArrowsEach); ++back)
        addArrow(c, c - back, -0.2 * static_cast<double>(back));
      for (Index ahead = 1; ahead <= std::min(groups_.after, kMostArrowsEach); ++ahead)
        addArrow(c, c + ahead, 0.2 * static_cast<double>(ahead));
    }
  }

  Box chunkBox(Index chunk) const {
    const Index begin = chunk * groups_.chunk;
    const Index end = std::min(tokens_.n(), begin + groups_.chunk);
    const Box from = places_.slot(begin);
    return {from.x, from.y, static_cast<double>(end - begin) * places_.cell(), from.height};
  }

  // From the middle of a chunk down and over to the one that it sees; a look that wraps leaves the
  // picture.
  void addArrow(Index from, Index to, double aside) {
    const bool outside = to < 0 || to >= groups_.chunks();
    if (outside && !groups_.wraps)
      return;
    const double top = places_.chunksAt() + 4.4;
    const double deep = 4.6;
    const Box begin = chunkBox(from);
    const double x0 = middleOf(begin).x + aside * std::min(begin.width, 6.0) / 2;
    const double x1 = outside ? (to < 0 ? 0.0 : kSpan) : middleOf(chunkBox(to)).x - aside;
    DiagramLine line;
    for (int k = 0; k <= kArrowParts; ++k) {
      const double s = static_cast<double>(k) / kArrowParts;
      line.points.push_back(
          {x0 + s * (x1 - x0), top + deep * 4 * s * (1 - s) * (outside ? 0.5 : 1)});
    }
    line.arrow = true;
    line.width = 1.3;
    mark_.lines.push_back(std::move(line));
  }

  // The name of the row that the tokens are sorted by.
  void addPresentRound() {
    if (groups_.kind == GroupKind::Buckets && r_ < places_.rounds())
      words(middleOf(places_.round(r_, 0)).y, "round " + std::to_string(r_), true);
  }

  // Every round's groups, tokens in their own order; of clusters the keys', where they are others.
  void addRounds() {
    for (std::size_t row = 0; row < places_.rounds(); ++row) {
      const bool keys = groups_.kind != GroupKind::Buckets;
      const GroupedTokens& of = keys ? groups_.rounds[0].keys : groups_.rounds[row].queries;
      fillRow(
          of.group, 1, [&](Index i) { return places_.round(row, i); },
          [](Index) { return WordsOn::None; });
      if (keys || row != r_)
        words(middleOf(places_.round(row, 0)).y, keys ? "keys" : "round " + std::to_string(row));
    }
    flush();
  }

  const HashedTokens& tokens_;
  const TokenGroups& groups_;
  std::size_t r_;
  const GroupedTokens& of_;
  const std::vector<std::string>& labels_;
  SortingPlaces places_;
  double moment_;
  DiagramMark mark_;
  // By hue, share and words on them.
  std::map<std::tuple<std::size_t, double, WordsOn>, std::vector<Box>> boxes_;
};

// How many rows of rounds are drawn.
std::size_t roundRows(const TokenGroups& groups) {
  if (groups.kind == GroupKind::Buckets)
    return groups.rounds.size() > 1 ? std::min(groups.rounds.size(), kMostRoundRows) : 0;
  return groups.rounds.front().queries.group == groups.rounds.front().keys.group ? 0 : 1;
}

} // namespace

SortingPlaces::SortingPlaces(const HashedTokens& tokens, std::size_t round, double moment)
    : tokens_(&tokens), round_(round), moment_(moment),
      cell_(kSpan / static_cast<double>(tokens.n())), row_(std::clamp(cell_, kLeastRow, kMostRow)),
      rounds_(roundRows(tokens.groups())), steps_(sortingSteps(tokens.groups(), round)) {
  const GroupedTokens& of = tokens.groups().rounds[round].queries;
  place_.resize(of.group.size());
  std::size_t place = 0;
  for (std::size_t at = 0; at < of.order.size(); ++at) {
    const auto token = static_cast<std::size_t>(of.order[at]);
    if (at > 0 && of.group[token] != of.group[static_cast<std::size_t>(of.order[at - 1])])
      ++place;
    place_[token] = place;
  }
}

Box SortingPlaces::origin(Index query) const {
  return {static_cast<double>(query) * cell_, kTop, cell_, row_};
}

Box SortingPlaces::slot(Index rank) const {
  return {static_cast<double>(rank) * cell_, kTop + row_ + kFlight, cell_, row_};
}

Box SortingPlaces::token(Index query) const {
  const auto& of = tokens_->groups().rounds[round_].queries;
  const std::size_t place = place_[static_cast<std::size_t>(query)];
  const double begin = steps_[place];
  const double share = eased((moment_ - begin) / (steps_[place + 1] - begin));
  const Box from = origin(query);
  const Box to = slot(of.rank[static_cast<std::size_t>(query)]);
  return {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y), cell_, row_};
}

Box SortingPlaces::round(std::size_t row, Index token) const {
  return {static_cast<double>(token) * cell_,
          chunksAt() + kBand + static_cast<double>(row) * (kRoundRow + kRoundGap), cell_,
          kRoundRow};
}

double SortingPlaces::chunksAt() const {
  return kTop + 2 * row_ + kFlight;
}
double SortingPlaces::width() const {
  return kSpan;
}
double SortingPlaces::height() const {
  return chunksAt() + kBand + static_cast<double>(rounds_) * (kRoundRow + kRoundGap);
}

SortingPlaces::Place SortingPlaces::under(Point at) const {
  Place place;
  if (at.x < 0 || at.x >= kSpan)
    return place;
  const auto within = [&](const Box& box) { return at.y >= box.y && at.y < box.bottom(); };
  const auto column = std::min(static_cast<Index>(at.x / cell_), tokens_->n() - 1);
  for (std::size_t row = 0; row < rounds_; ++row)
    if (within(round(row, column)))
      return {column, row};
  for (Index i = 0; i < tokens_->n(); ++i) { // those on their way lie over the others
    const Box box = token(i);
    if (within(box) && at.x >= box.x && at.x < box.right())
      place.query = i;
  }
  if (!place.query && within(origin(column)))
    place.query = column;
  return place;
}

Plot sortingPlot(const HashedTokens& tokens, const ChoosingSpec& spec,
                 const std::vector<std::string>& labels) {
  return {SortingDiagram(tokens, spec, labels).make(), std::nullopt, std::nullopt};
}

} // namespace attention
