// The Scene: the one value of which everything on the screen, in a file and on the command line is
// a function. Plain data: it compares equal, copies cheaply, reads and writes JSON. The window, the
// command line, a published figure and a saved file each only make or edit a Scene.
#pragma once

#include "core/input/input_spec.h"
#include "core/pattern/lengths.h"
#include "core/pattern/pattern.h"
#include "core/scene/attention_spec.h"
#include "core/scene/choosing_spec.h"
#include "core/scene/compare_spec.h"
#include "core/scene/encodings_spec.h"
#include "core/scene/kernels_spec.h"
#include "core/scene/mask_spec.h"
#include "core/scene/model_spec.h"
#include "core/scene/reach_spec.h"
#include "core/scene/timings_spec.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace attention {

enum class View { Mask, Reach, Attention, Kernels, Choosing, Timings, Encodings, Compare, Model };
// Their names in files and on the command line, in their order.
constexpr std::array<std::string_view, 9> kViewNames{"mask",      "reach",    "attention",
                                                     "kernels",   "choosing", "timings",
                                                     "encodings", "compare",  "model"};
// What it was called before; files and commands may still say so.
constexpr std::string_view kFormerViewName = "hashing";
// The view of that name, or of its former one; nothing of any other.
std::optional<View> viewNamed(std::string_view name);

// How many tokens: the input's where n is absent (128 without an input); a smaller n crops the
// input, a larger one shows only the mask. `queries` makes the mask rectangular (S4.20).
struct LengthSpec {
  std::optional<Index> n;
  std::optional<Index> queries;
  Align align = Align::TopLeft;
  bool operator==(const LengthSpec&) const = default;
};
const Settings<LengthSpec>& lengthSettings();

// The part of the mask that the view shows: the cell at its centre and how many cells lie along the
// shorter side. Absent: everything (fit).
struct Camera {
  double query = 0; // centre, in cells from the top
  double key = 0;   // centre, in cells from the left
  double cells = 1; // along the shorter side of the view
  bool operator==(const Camera&) const = default;
};
const Settings<Camera>& cameraSettings();

// A query and a key that stay marked.
struct Pins {
  std::optional<Index> query;
  std::optional<Index> key;
  bool operator==(const Pins&) const = default;
};
const Settings<Pins>& pinsSettings();

// Copied and compared only in scene.cpp, as a Pattern is.
struct Scene {
  Scene();
  Scene(const Scene&);
  Scene(Scene&&) noexcept;
  Scene& operator=(const Scene&);
  Scene& operator=(Scene&&) noexcept;
  ~Scene();

  std::string title;   // of a figure or a saved scene; may be empty
  std::string caption; // what it shows, and what its source leaves open
  std::string source;  // "Child et al. 2019, figure 3"
  std::string paper;   // groups published figures: "Sparse Transformer (Child et al. 2019)"
  // The view that title, caption and source describe while another one is shown (scene_words.h).
  std::optional<View> about;
  View view = View::Mask;
  Pattern pattern;
  LengthSpec length;
  SharedList<std::string> labels; // labels of the tokens, where no input names them
  InputSpec input;
  MaskSpec mask;
  ReachSpec reach;
  AttentionSpec attention;
  KernelsSpec kernels;
  ChoosingSpec choosing;
  TimingsSpec timings;
  EncodingsSpec encodings;
  CompareSpec compare;
  ModelSpec model;
  std::optional<Camera> camera;
  Pins pins;
  bool operator==(const Scene& other) const;
};

// n without an input.
constexpr Index kDefaultLength = 128;

// The current lengths with an input of `inputLength` tokens (0: none). E_N, E_RANGE, and E_SHAPE
// for `queries` without meaning.
Lengths lengthsOf(const LengthSpec& spec, Index inputLength);

// Whether a and b differ only in camera, pins and the step of a play: in what is looked at, which
// does not make a saved Scene unsaved.
bool sameDocument(const Scene& a, const Scene& b);

} // namespace attention
