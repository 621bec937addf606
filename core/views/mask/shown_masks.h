// The masks that a Scene shows side by side, prepared for its lengths and input: the basis of its
// figure, its data and the window.
#pragma once

#include "core/input/input.h"
#include "core/pattern/prepared.h"
#include "core/scene/scene.h"
#include "core/support/run.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

struct ShownMask {
  std::string title;
  Pattern pattern;
  std::shared_ptr<const Prepared> prepared; // never null; parts have the panel's words and hues
  std::vector<std::string> queries = {};    // labels of rows and columns that are in an order of
  std::vector<std::string> keys = {};       // their own
  std::string letter = {};                  // "(a)", where it is one of several panels
  std::string note = {};                    // "753 pairs": of what is compared
};

// The title behind the letter that captions call the mask by, with its note: "(a) strided · 753
// pairs".
std::string letteredTitle(const ShownMask& mask);

struct ShownMasks {
  std::vector<ShownMask> masks; // at least one
  PatternData data;             // that their patterns depend on; else none
  // Heads, and layers, that each have a mask in the file of the Scene's pattern, where it has
  // several; else 0.
  Index headsInFile = 0;
  Index layersInFile = 0;
};

// `input` may be null; it is read where a pattern depends on the data. Throws as shownPatterns,
// inputData, resolveFiles and prepare do.
ShownMasks shownMasks(const Scene& scene, const Lengths& lengths, const Input* input,
                      const Run& run = {});

// ---- those of the Mask view: its panels, the mechanism's heads (S4.17) or the pattern ----

// The most heads that fit side by side.
constexpr Index kMostHeadsShown = 64;

// As shownPatterns.
std::vector<Panel> maskPanels(const Scene& scene, const Lengths& lengths);
// The pattern's parameters that each of the heads shown has for itself.
std::vector<std::string_view> parametersOfHeads(const Scene& scene);

// A `spec` with which the heads of `pattern` differ, where the given one makes them all the same:
// alternating factors, or a dilation for each head (heads.h); for a mask file with one mask for
// each of `inFile` heads, these as far as they fit. Other mechanisms have no setting for each head,
// and their spec is returned unchanged, as is one with a number of heads out of range.
HeadsSpec withDifferingHeads(HeadsSpec spec, const Pattern& pattern, Index inFile = 0);

} // namespace attention
