// The list of a KernelsSpec's fields (fields.h).
#pragma once

#include "core/scene/fields.h"
#include "core/scene/kernels_spec.h"

#include <concepts>
#include <type_traits>

namespace attention {

template <class F, class T>
requires std::same_as<std::remove_const_t<T>, KernelsCompared>
void describe(F& f, T& x) {
  f.field("trig", x.trig);
  f.field("positive", x.positive);
  f.field("hyperbolic", x.hyperbolic);
  f.field("iid", x.iid);
  f.field("orthogonal", x.orthogonal);
}

template <class F, class T>
requires std::same_as<std::remove_const_t<T>, KernelsSpec>
void describe(F& f, T& x) {
  using fields::Names;
  f.choice("picture", x.picture, kKernelsPictureNames);
  f.field("loaded", x.loaded);
  f.field("length", x.length);
  f.field("d", x.d);
  f.field("sigma", x.sigma);
  f.field("seed", x.seed);
  f.field("redraws", x.redraws);
  f.choice("error_of", x.errorOf, Names<3>{"output", "entries", "layers"});
  f.object("compared", x.compared);
  f.field("m", x.projections);
  f.field("repeats", x.repeats);
  f.field("layers", x.layers);
  f.choice("norms", x.norms, Names<2>{"chi", "sqrt_d"});
  f.choice("stabilize", x.stabilize, Names<3>{"off", "reference", "robust"});
  f.field("eps", x.eps);
  f.field("causal", x.causal);
  f.choice("kernel", x.kernel, Names<4>{"softmax", "gaussian", "elu1", "relu"});
  f.choice("features", x.map,
           Names<6>{"trig", "gaussian_trig", "positive", "hyperbolic", "relu", "elu1"});
  f.choice("projection", x.projection, Names<2>{"iid", "orthogonal"});
  f.field("chosen_m", x.chosen);
  f.field("cells", x.cells);
  f.field("slice", x.slice);
  f.field("exponentials", x.exponentials);
}

} // namespace attention
