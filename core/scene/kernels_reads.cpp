#include "core/scene/kernels_reads.h"

namespace attention {

bool estimatesA(const KernelsSpec& spec) {
  return spec.kernel == Kernel::Softmax || spec.kernel == Kernel::Gaussian;
}

KernelsReads::KernelsReads(const KernelsSpec& spec) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    drawn = m = numbers = true;
    break;
  case KernelsPicture::Matrices:
  case KernelsPicture::Normalisers:
    drawn = m = estimatesA(spec);
    numbers = true;
    break;
  case KernelsPicture::Ratio:
    m = true;
    lengths = false;
    break;
  case KernelsPicture::Order:
    m = estimatesA(spec);
    break;
  case KernelsPicture::Spectrum:
    drawn = numbers = true;
    break;
  }
}

} // namespace attention
