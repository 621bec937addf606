#include "core/figure/kernels_words.h"

namespace attention {

bool readsProjections(const KernelsSpec& spec) {
  return KernelsReads(spec).m || spec.picture == KernelsPicture::Spectrum;
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
