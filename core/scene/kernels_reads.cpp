#include "core/scene/kernels_reads.h"

namespace attention {

KernelsReads::KernelsReads(const KernelsSpec& spec) {
  const bool takes = spec.kernel == Kernel::Softmax || spec.kernel == Kernel::Gaussian;
  switch (spec.picture) {
  case KernelsPicture::Error:
    drawn = m = numbers = true;
    break;
  case KernelsPicture::Matrices:
  case KernelsPicture::Normalisers:
    drawn = m = takes;
    numbers = true;
    break;
  case KernelsPicture::Ratio:
    m = true;
    lengths = false;
    break;
  case KernelsPicture::Order:
    m = takes;
    break;
  case KernelsPicture::Spectrum:
    drawn = numbers = true;
    break;
  }
}

} // namespace attention
