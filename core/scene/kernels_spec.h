// What the Kernels view of a Scene shows: softmax attention beside attention by random features
// (Choromanski et al. 2021) and by matrices of low rank. Q, K and V are drawn as for figure 4 of
// that paper (S7.6), or are the Scene's input; every number that the pictures depend on is here.
#pragma once

#include "core/attention/features/feature_map.h"
#include "core/attention/features/projection.h"
#include "core/attention/kernel.h"
#include "core/scene/settings.h"

#include <vector>

namespace attention {

enum class KernelsPicture {
  Error,       // against the number of projections
  Matrices,    // A, Â and |A − Â|
  Normalisers, // d_i, of the rows
  Ratio,       // of the errors of two kinds of features, over angle and length
  Order,       // of multiplication
  Spectrum     // singular values and what low rank can do
};

// What the error measures: the attention's output, single entries of the kernel (with an expected
// error in closed form), or the outputs of a stack of layers, layer by layer.
enum class KernelsErrorOf { Output, Entries, Layers };

// The features that curves compare: every kind with every way of drawing.
struct KernelsCompared {
  bool trig = true;
  bool positive = true;
  bool hyperbolic = false;
  bool iid = true;
  bool orthogonal = true;
  bool operator==(const KernelsCompared&) const = default;
};

constexpr Index kMostKernelsLength = 16384; // L, drawn or loaded
constexpr Index kMostKernelProjections = 8192;
constexpr Index kMostRedraws = Index{1} << 30;

struct KernelsSpec {
  KernelsPicture picture = KernelsPicture::Error;

  bool loaded = false; // Q, K and V of the input's chosen model head; else drawn as follows
  Index length = 1024; // L
  Index d = 16;
  double sigma = 0.5; // Q, K = sigma N(0, 1), V = N(0, 1)
  Index seed = 0;     // of Q, K and V, and with `redraws` of the projections
  Index redraws = 0;  // of the projections: each has the next seed

  KernelsErrorOf errorOf = KernelsErrorOf::Output;
  KernelsCompared compared;
  std::vector<Index> projections{8, 16, 32, 64, 128, 256}; // m of the curves
  Index repeats = 15;
  Index layers = 6; // of the stack

  Norms norms = Norms::Chi; // lengths of orthogonal projections
  Stabilize stabilize = Stabilize::Off;
  double eps = 0; // added to exponentials
  bool causal = false;

  // The estimate Â of the other pictures. Kernels other than softmax have features of their own.
  Kernel kernel = Kernel::Softmax;
  FeatureMap map = FeatureMap::Positive; // trig, positive or hyperbolic
  ProjectionKind projection = ProjectionKind::Orthogonal;
  Index chosen = 64; // m

  Index cells = 64;          // rows and columns of A that are shown
  double slice = 1;          // length l at which the ratio of errors is cut
  bool exponentials = false; // singular values of exp(s) instead of its rows' softmax
  bool operator==(const KernelsSpec&) const = default;
};

const Settings<KernelsCompared>& kernelsComparedSettings();
const Settings<KernelsSpec>& kernelsSettings();

// ---- what a picture depends on: other numbers of its spec change nothing in it ----

// Whether Â estimates A, by drawn projections; else it is attention by another kernel, beside
// softmax.
bool estimatesA(const KernelsSpec& spec);

struct KernelsReads {
  bool drawn = false;   // projections, which the next seed draws again
  bool m = false;       // how many there are
  bool numbers = false; // Q, K and V, else only their shapes
  bool lengths = true;  // L and d

  explicit KernelsReads(const KernelsSpec& spec);
};

} // namespace attention
