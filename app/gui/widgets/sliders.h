// Sliders as in the mock-ups: name on the left, an optional note in the middle, the value at the
// right in the accent colour, below them a track with a knob. Drag, click on the track, arrow keys
// while focused; Ctrl+click (or Enter while focused) takes a typed number, which may be out of
// range: the caller says so in a note.
#pragma once

#include "app/gui/widgets/ui.h"

#include <cstdint>

namespace attention::gui {

struct SliderSpec {
  std::string note = {};    // "from input"
  std::string tooltip = {}; // its meaning and its symbol in the paper
  std::string unit = {};    // after the value: " ms"
  std::string named = {};   // in its place: "all"
  bool logarithmic = false;
  bool enabled = true;
  int digits = 3; // significant digits of a real value
};

Edit sliderInt(const Ui& ui, std::string_view label, std::int64_t& value, std::int64_t least,
               std::int64_t most, const SliderSpec& spec = {});
Edit sliderReal(const Ui& ui, std::string_view label, double& value, double least, double most,
                const SliderSpec& spec = {});

} // namespace attention::gui
