#include "core/figure/kernels_words.h"

namespace attention {

bool estimatesA(const KernelsSpec& spec) {
  return spec.kernel == Kernel::Softmax || spec.kernel == Kernel::Gaussian;
}

bool readsProjections(const KernelsSpec& spec) {
  switch (spec.picture) {
  case KernelsPicture::Matrices:
  case KernelsPicture::Normalisers:
  case KernelsPicture::Order:
    return estimatesA(spec);
  case KernelsPicture::Error:
  case KernelsPicture::Ratio:
  case KernelsPicture::Spectrum:
    break;
  }
  return true;
}

bool hasExactNormalisers(const KernelsSpec& spec) {
  return spec.kernel == Kernel::Gaussian ||
         (spec.kernel == Kernel::Softmax && spec.stabilize == Stabilize::Off);
}

std::array<std::string, 4> matrixTitles(const KernelsSpec& spec) {
  if (estimatesA(spec))
    return {"exact A", "estimate Â", "error |A − Â|", "normalisers dᵢ"};
  return {"softmax A", labelOfEstimate(spec) + " Â", "difference |A − Â|", "normalisers dᵢ"};
}

} // namespace attention
