// The heads of an input by what they do (core/analysis/heads/head_measures.h), and what a pattern
// captures of each: the rows of a list of all layers and heads.
#pragma once

#include "core/analysis/base.h"
#include "core/analysis/heads/head_measures.h"
#include "core/export/csv_table.h"
#include "core/input/input.h"
#include "core/pattern/heads.h"

#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace attention {

struct HeadsQuestion {
  Lengths lengths;
  Align align = Align::TopLeft;
  std::optional<Pattern> pattern; // whatever of it is in files is read here
  // How the mechanism's own heads are shared out among the input's, whose number counts; nothing:
  // each has the pattern.
  std::optional<HeadOptions> mechanismHeads;
  // Nothing: the input's own of each layer; else causal where the pattern is, else full.
  std::optional<Base> base;
  int threads = 0;
  Index near = kDefaultNear;
  std::optional<Index> batch; // nothing: all layers
  std::optional<Index> head;  // nothing: all heads
};

struct MeasuredHead {
  Index batch = 0;
  Index head = 0;
  Base base = Base::Full;
  HeadMeasures measures;
  std::optional<double> captured;  // by the pattern
  std::optional<double> mass = {}; // the same with a sink: the share of all weight, the sink's too
};

// Layer by layer, from low to high; `onHead` is called with each. E_RANGE: near below 0; E_SHAPE:
// the input does not cover the lengths, or its tokens; and what prepare and headMeasures throw.
std::vector<MeasuredHead> measuredHeads(const HeadsQuestion& question, const Input& input,
                                        const std::function<void(const MeasuredHead&)>& onHead = {},
                                        const Run& run = {});

// ---- lists of them ----

// A measure of a head under its name in files: "previous_occurrence".
struct HeadMeasure {
  std::string_view name;
  std::optional<double> (*of)(const MeasuredHead& head); // nothing if it does not exist
};

// In the order of files; the last one is the mass that a pattern captures.
const std::array<HeadMeasure, 9>& headMeasureList();

// The layer and the head as the model numbers them, of which a file may hold some: its first layer
// may be layer 3. Nothing where the input does not say.
struct NumberedHead {
  Index layer = 0;
  Index head = 0;
};
std::optional<NumberedHead> numbersOf(const Input& input, const MeasuredHead& head);

// A line per head: layer and head of the input, all measures, empty if one does not exist, and the
// model's numbers where the input has them.
CsvTable headsTable(const Input& input, std::span<const MeasuredHead> heads);

} // namespace attention
