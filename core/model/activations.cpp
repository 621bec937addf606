#include "core/model/activations.h"

#include "core/attention/activation_rows.h"

namespace attention {

void activate(Activation activation, std::span<float> x, std::span<const float> y) {
  switch (activation) {
  case Activation::Silu:
    return siluRow(x, y);
  case Activation::Gelu:
    return geluRow(x, y);
  case Activation::GeluTanh:
    return geluTanhRow(x, y);
  case Activation::Relu:
    return reluRow(x, y);
  }
}

} // namespace attention
