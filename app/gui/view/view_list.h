// The views in the order of their tabs and keys: the one list that tabs, actions and shortcuts
// are made.
#pragma once

#include "app/gui/platform/key.h"
#include "core/scene/scene.h"

#include <array>

namespace attention::gui {

struct ViewEntry {
  View view;
  const char* label;   // of the tab
  const char* action;  // its id
  const char* tooltip; // of the tab and the action
  Key key;
  // Points at scale 1 in which its pictures are still read: in less the view scrolls. A narrow view
  // has below one another what a broad one has side by side.
  float leastHeight;
  float leastHeightNarrow;
};

constexpr std::array<ViewEntry, kViewNames.size()> kViews{
    ViewEntry{View::Mask, "Mask", "view.mask", "The mask as a matrix of queries and keys",
              Key::Digit1, 220, 260},
    ViewEntry{View::Reach, "Reach", "view.reach", "What layers of the pattern reach", Key::Digit2,
              360, 650},
    ViewEntry{View::Attention, "Attention", "view.attention",
              "Attention weights on the input, and what the pattern keeps of them", Key::Digit3,
              470, 850},
    ViewEntry{View::Kernels, "Kernels", "view.kernels",
              "Attention by random features beside exact attention", Key::Digit4, 360, 650},
    ViewEntry{View::Hashing, "Hashing", "view.hashing",
              "Tokens sorted by hash bucket or cluster, and what that keeps", Key::Digit5, 360,
              650},
    ViewEntry{View::Timings, "Timings", "view.timings",
              "How long mechanisms take on this machine, against n", Key::Digit6, 440, 790},
    ViewEntry{View::Encodings, "Encodings", "view.encodings",
              "Axial positional encodings: two small tables that stand for a large one",
              Key::Digit7, 440, 790},
    ViewEntry{View::Compare, "Compare", "view.compare",
              "Patterns side by side: where they differ, what they cost and keep", Key::Digit8, 520,
              940}};

} // namespace attention::gui
