#include "core/views/heads/head_list.h"

#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace attention {
namespace {

// In the order of headMeasureList.
constexpr std::array<HeadMeasureWords, 9> kWords{{
    {"itself", "Weight on the query's own key.", "is on the query's own token"},
    {"previous", "Weight on the token before the query: high in a previous-token head.",
     "is on the previous token"},
    {"first", "Weight on the first token: high where the head has an attention sink there.",
     "is on the first token"},
    {"nearby", "Weight on the tokens within w of the query.", "is on nearby tokens"},
    {"far", "Weight on all other tokens: 1 − nearby.", "is on tokens far away"},
    {"entropy",
     "−Σ p ln p in nats: 0 where one key has all the weight, ln n where all have the "
     "same.",
     ""},
    {"same token",
     "Weight on earlier occurrences of the query's token, averaged over the queries that have one.",
     "is on earlier occurrences of the query's token"},
    {"induction",
     "Weight on the tokens that followed earlier occurrences of this token: an induction head "
     "copies what came next (Olsson et al. 2022).",
     "is on the tokens that followed earlier occurrences of the query's token"},
    {"captured", "The share of the weight that the pattern keeps.", "is kept by the pattern"},
}};

constexpr std::size_t kFirstMeasure = 1; // column of the board, after the head's name
constexpr double kName = 36;             // units of the board, for “layer 17, head 8”
constexpr double kMeasure = 18.5;        // at least
constexpr double kLetter = 2.3;          // of a heading
constexpr double kBetween = 4.3;         // of headings

Base baseOfQuestion(AttentionBase base) {
  return base == AttentionBase::Full ? Base::Full : Base::Causal;
}

// Of a measure's column, with the sign of the order that it may have.
double widthOf(std::size_t measure) {
  constexpr std::size_t kSign = 1; // "↓"
  const std::string heading = kWords[measure].heading;
  return std::max(kMeasure, kLetter * static_cast<double>(heading.size() + kSign) + kBetween);
}

// Which measures a narrow list does without, the highest first: "far" is 1 − "nearby".
int rankOf(HeadOrder order) {
  switch (order) {
  case HeadOrder::Beyond:
    return 3;
  case HeadOrder::PreviousOccurrence:
    return 2;
  case HeadOrder::Self:
    return 1;
  default:
    return 0;
  }
}

BoardColumn columnOf(std::size_t measure, const HeadListSpec& spec) {
  const auto order = static_cast<HeadOrder>(measure + kFirstMeasure);
  BoardColumn column{kWords[measure].heading, widthOf(measure)};
  column.lit = spec.order == order;
  column.rank = column.lit ? 0 : rankOf(order);
  if (column.lit)
    column.heading += spec.rising ? "\u2009↑" : "\u2009↓";
  return column;
}

std::string measureText(std::size_t measure, const std::optional<double>& value) {
  if (!value)
    return "–";
  return fixed(*value, measure + 1 == static_cast<std::size_t>(HeadOrder::Entropy) ? 2 : 3);
}

BoardLine lineOf(const MeasuredHead& head, Index row, const HeadListLook& look) {
  BoardLine line;
  line.row = row;
  line.cells.push_back({headName(head, look)});
  for (std::size_t m = 0; m < kWords.size(); ++m) {
    const std::optional<double> value = headMeasureList()[m].of(head);
    BoardCell cell{measureText(m, value)};
    if (value && m + kFirstMeasure != static_cast<std::size_t>(HeadOrder::Entropy))
      cell.bar = *value;
    line.cells.push_back(std::move(cell));
  }
  return line;
}

} // namespace

HeadListQuestion headListQuestion(const Scene& scene, const Lengths& lengths) {
  const HeadListSpec& spec = scene.attention.list;
  checkSettings(headListSettings(), spec, "list");
  return {scene.pattern, lengths, scene.length.align, scene.attention.base, spec.near};
}

MeasuredHeads listedHeads(const HeadListQuestion& question, const Input* input,
                          const std::function<void(const MeasuredHead&)>& onHead, const Run& run) {
  if (!input)
    throw Error(ErrorCode::Unsupported, "input",
                "No input loaded. Open Q, K, V or attention weights.");
  HeadsQuestion asked;
  asked.lengths = question.lengths;
  asked.align = question.align;
  asked.pattern = question.pattern;
  if (question.base != AttentionBase::Meaningful)
    asked.base = baseOfQuestion(question.base);
  asked.near = question.near;
  return measuredHeads(asked, *input, onHead, run);
}

const HeadMeasureWords& wordsOf(HeadOrder order) {
  return kWords[static_cast<std::size_t>(order) - 1];
}

std::optional<double> orderedBy(const MeasuredHead& head, HeadOrder order) {
  return headMeasureList()[static_cast<std::size_t>(order) - 1].of(head);
}

std::vector<std::size_t> orderOf(const HeadListSpec& spec, const MeasuredHeads& heads) {
  std::vector<std::size_t> order(heads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool sorted = spec.order != HeadOrder::Place;
  std::erase_if(order, [&](std::size_t k) {
    if (spec.layer && heads[k].batch != *spec.layer)
      return true;
    return sorted && spec.least > 0 && !(orderedBy(heads[k], spec.order).value_or(0) >= spec.least);
  });
  if (!sorted) {
    if (spec.rising)
      std::reverse(order.begin(), order.end());
    return order;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto x = orderedBy(heads[a], spec.order);
    const auto y = orderedBy(heads[b], spec.order);
    if (!x || !y)
      return x.has_value() && !y.has_value();
    return spec.rising ? *x < *y : *x > *y;
  });
  return order;
}

std::string headName(const MeasuredHead& head, const HeadListLook& look) {
  const auto batch = static_cast<std::size_t>(head.batch);
  const std::string layer = batch < look.batchLabels.size()
                                ? look.batchLabels[batch]
                                : look.batchName + " " + groupedDigits(head.batch);
  const auto at = static_cast<std::size_t>(head.head);
  return layer + ", head " + groupedDigits(at < look.heads.size() ? look.heads[at] : head.head);
}

Board headsBoard(const HeadListSpec& spec, const MeasuredHeads& heads,
                 const std::vector<std::size_t>& order, const HeadListLook& look) {
  Board board;
  board.columns.push_back({"head", kName});
  for (std::size_t m = 0; m < kWords.size(); ++m)
    board.columns.push_back(columnOf(m, spec));
  const std::size_t from = std::min(static_cast<std::size_t>(std::max<Index>(spec.from, 0)),
                                    order.size() > look.lines ? order.size() - look.lines : 0);
  for (std::size_t line = from; line < std::min(order.size(), from + look.lines); ++line)
    board.lines.push_back(lineOf(heads[order[line]], static_cast<Index>(order[line]), look));
  const std::string first = firstText(spec, heads, order, look);
  if (from == 0 && !first.empty() && !board.lines.empty())
    board.lines.front().lit = true;
  const std::size_t shown = board.lines.size();
  if (shown < order.size()) {
    BoardLine rest;
    rest.cells.resize(board.columns.size());
    rest.cells.front() = {"… " + groupedDigits(order.size() - shown) + " more"};
    rest.dim = true;
    board.lines.push_back(std::move(rest));
  }
  board.title = heads.size() == 1
                    ? "What the head attends to"
                    : "What each of the " + groupedDigits(heads.size()) + " heads attends to";
  board.formula = first + (first.empty() ? "" : " ") +
                  "Average weight on each kind of key, over all queries; entropy in nats; nearby: "
                  "within " +
                  counted(spec.near, "token") +
                  (look.pattern.empty() ? "" : "; captured: by " + look.pattern) + ".";
  return board;
}

std::size_t headLinesIn(const Size& units, std::size_t heads) {
  constexpr double kLeast = 4;
  const double all = std::floor(units.height / kBoardLine) - 1; // but for the headings
  if (all >= static_cast<double>(heads))
    return heads;
  return static_cast<std::size_t>(std::max(all - 1, kLeast)); // and "… 54 more"
}

} // namespace attention
