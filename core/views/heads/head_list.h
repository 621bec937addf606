// The heads of a Scene's input by what they do, sorted and filtered as the Scene says.
#pragma once

#include "core/scene/input_data.h"
#include "core/scene/scene.h"
#include "core/views/board/board_figure.h"
#include "core/views/heads/measured_heads.h"

#include <functional>
#include <string>
#include <vector>

namespace attention {

constexpr std::size_t kMostListedHeads = 18; // lines of a figure

// What the measures read of a Scene beside the input.
struct HeadListQuestion {
  Pattern pattern;
  Lengths lengths;
  Align align = Align::TopLeft;
  AttentionBase base = AttentionBase::Meaningful;
  Index near = kUsualNear;
  bool operator==(const HeadListQuestion&) const = default;
};
// E_RANGE names the setting that is out of bounds.
HeadListQuestion headListQuestion(const Scene& scene, const Lengths& lengths);

// `onPart` hears of the heads so far. E_UNSUPPORTED: no input; and what measuredHeads throws.
using MeasuredHeads = std::vector<MeasuredHead>;
MeasuredHeads listedHeads(const HeadListQuestion& question, const Input* input,
                          const std::function<void(const MeasuredHead&)>& onHead = {},
                          const Run& run = {});

// A measure as the list calls it.
struct HeadMeasureWords {
  const char* heading; // "previous"
  const char* meaning; // one sentence
  const char* where;   // that share of the weight: "is on the previous token"
};
const HeadMeasureWords& wordsOf(HeadOrder order); // not of Place

// What the heads are ordered by; nothing where it does not exist.
std::optional<double> orderedBy(const MeasuredHead& head, HeadOrder order);

// Which of the heads the list has, in its order: places in `heads`. Equal ones, and those without
// the measure, which stand last, are in their own order.
std::vector<std::size_t> orderOf(const HeadListSpec& spec, const MeasuredHeads& heads);

// How a list is said and how much of it is shown.
struct HeadListLook {
  std::string batchName = "layer";
  std::vector<std::string> batchLabels = {}; // "layer 16", or empty
  std::vector<Index> heads = {};             // their numbers in the model, or empty: 0, 1, …
  std::string pattern = {};                  // title of the one that captures; empty: not said
  std::size_t lines = kMostListedHeads;
  bool operator==(const HeadListLook&) const = default;
};
// "layer 16, head 0".
std::string headName(const MeasuredHead& head, const HeadListLook& look);
// A line for each of `order` from `spec.from` on, as many as asked for; its row is the place in
// `heads`.
Board headsBoard(const HeadListSpec& spec, const MeasuredHeads& heads,
                 const std::vector<std::size_t>& order, const HeadListLook& look);
// "Layer 0, head 2 ranks first: on average 0.943 of its weight is on the previous token."; "No
// head reaches 0.9: …" where the least value hides all. Nothing where the list is not sorted by a
// measure, or no head has it.
std::string firstText(const HeadListSpec& spec, const MeasuredHeads& heads,
                      const std::vector<std::size_t>& order, const HeadListLook& look);
// What to see in the list, in sentences: how many it leaves out, and which is first and why.
std::vector<std::string> readingOf(const HeadListSpec& spec, const MeasuredHeads& heads,
                                   const std::vector<std::size_t>& order, const HeadListLook& look);
// The lines of so many heads that fill a room, in units of the board.
std::size_t headLinesIn(const Size& units, std::size_t heads);

} // namespace attention
