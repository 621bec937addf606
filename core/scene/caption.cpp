#include "core/scene/caption.h"

#include <algorithm>

namespace attention {
namespace {

// Apart from what is looked at one by one.
bool sameSubject(const Scene& a, const Scene& b) {
  Scene looked = a;
  if (a.kernels.errorOf != KernelsErrorOf::Layers) // which have that many projections
    looked.kernels.chosen = b.kernels.chosen;
  looked.kernels.redraws = b.kernels.redraws;
  looked.hashing.circle.redraws = b.hashing.circle.redraws;
  looked.hashing.round = b.hashing.round;
  looked.encodings.position = b.encodings.position;
  return sameDocument(looked, b);
}

bool tellsNumbers(const std::string& caption) {
  return std::any_of(caption.begin(), caption.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

void dropStaleCaption(Scene& edited, const Scene& own) {
  if (edited.caption == own.caption && tellsNumbers(edited.caption) && !sameSubject(edited, own))
    edited.caption.clear();
}

} // namespace attention
