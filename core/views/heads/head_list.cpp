#include "core/views/heads/head_list.h"

#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace attention {
namespace {

// In the order of headMeasureList.
constexpr std::array<HeadMeasureWords, 9> kWords{{
    {"itself", "The weight on the query's own key, a mean over the queries."},
    {"previous", "The weight on the token before the query: high in a previous-token head."},
    {"first", "The weight on the first token: high where the head has an attention sink there."},
    {"nearby", "The weight on the tokens within w of the query."},
    {"far", "The weight on all other tokens: 1 − nearby."},
    {"entropy", "−Σ p ln p in nats: 0 where one key has all the weight, ln n where all have the "
                "same."},
    {"same token",
     "The weight on earlier positions with the query's token, a mean over the queries "
     "that have one."},
    {"induction", "The weight on the tokens that followed the query's token before: an induction "
                  "head copies what came next (Olsson et al. 2022)."},
    {"captured", "The share of the weight that the pattern keeps."},
}};

constexpr std::size_t kFirstMeasure = 1; // column of the board, after the head's name
constexpr double kName = 28;             // units of the board
constexpr double kMeasure = 18;          // at least
constexpr double kLetter = 2.1;          // of a heading

std::string headName(const MeasuredHead& head, const std::string& batchName) {
  return batchName + " " + groupedDigits(head.batch) + ", head " + groupedDigits(head.head);
}

Base baseOfQuestion(AttentionBase base) {
  return base == AttentionBase::Full ? Base::Full : Base::Causal;
}

std::string measureText(std::size_t measure, const std::optional<double>& value) {
  if (!value)
    return "–";
  return fixed(*value, measure + 1 == static_cast<std::size_t>(HeadOrder::Entropy) ? 2 : 3);
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
                "no input loaded; open Q, K, V or attention weights");
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

Board headsBoard(const HeadListSpec& spec, const MeasuredHeads& heads,
                 const std::vector<std::size_t>& order, const std::string& batchName) {
  Board board;
  board.columns.push_back({"head", kName});
  for (std::size_t m = 0; m < kWords.size(); ++m) {
    const bool chosen = static_cast<std::size_t>(spec.order) == m + kFirstMeasure;
    const std::string heading = kWords[m].heading;
    board.columns.push_back({heading + (chosen ? spec.rising ? " ↑" : " ↓" : ""),
                             std::max(kMeasure, kLetter * static_cast<double>(heading.size()))});
  }
  const std::size_t from =
      std::min(static_cast<std::size_t>(std::max<Index>(spec.from, 0)),
               order.size() > kMostListedHeads ? order.size() - kMostListedHeads : 0);
  for (std::size_t line = from; line < std::min(order.size(), from + kMostListedHeads); ++line) {
    const MeasuredHead& head = heads[order[line]];
    BoardLine of;
    of.row = static_cast<Index>(order[line]);
    of.cells.push_back({headName(head, batchName)});
    for (std::size_t m = 0; m < kWords.size(); ++m) {
      const std::optional<double> value = headMeasureList()[m].of(head);
      BoardCell cell{measureText(m, value)};
      if (value && m + kFirstMeasure != static_cast<std::size_t>(HeadOrder::Entropy))
        cell.bar = *value;
      of.cells.push_back(std::move(cell));
    }
    board.lines.push_back(std::move(of));
  }
  const std::size_t shown = board.lines.size();
  if (shown < order.size()) {
    BoardLine rest;
    rest.cells.resize(board.columns.size());
    rest.cells.front() = {"… " + groupedDigits(order.size() - shown) + " more"};
    rest.dim = true;
    board.lines.push_back(std::move(rest));
  }
  board.title = "What " + counted(heads.size(), "head") + (heads.size() == 1 ? " does" : " do");
  board.formula = "Means over the queries of the weight on these keys; entropy in nats; nearby is "
                  "within " +
                  counted(spec.near, "token") + ".";
  return board;
}

} // namespace attention
