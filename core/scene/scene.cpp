#include "core/scene/scene.h"

#include "core/support/error.h"

namespace attention {

Scene::Scene() = default;
Scene::Scene(const Scene&) = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(const Scene&) = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;
bool Scene::operator==(const Scene&) const = default;

Lengths lengthsOf(const LengthSpec& spec, Index inputLength) {
  const Index n = spec.n.value_or(inputLength > 0 ? inputLength : kDefaultLength);
  if (!spec.queries)
    return squareLengths(n);
  return alignedLengths(*spec.queries, n, spec.align);
}

bool sameDocument(const Scene& a, const Scene& b) {
  Scene moved = a;
  moved.camera = b.camera;
  moved.pins = b.pins;
  moved.reach.shown = b.reach.shown;
  moved.hashing.moment = b.hashing.moment;
  return moved == b;
}

void takeOtherViews(Scene& scene, View view, const Scene& from) {
  const auto take = [&](View of, auto Scene::*spec) {
    if (of != view)
      scene.*spec = from.*spec;
  };
  take(View::Mask, &Scene::mask);
  take(View::Reach, &Scene::reach);
  take(View::Attention, &Scene::attention);
  take(View::Kernels, &Scene::kernels);
  take(View::Hashing, &Scene::hashing);
  take(View::Timings, &Scene::timings);
  take(View::Encodings, &Scene::encodings);
  take(View::Compare, &Scene::compare);
}

std::pair<Index, Index> imageShape(const ImageSpec& image, Index n) {
  Index rows = image.rows.value_or(0);
  Index columns = image.columns.value_or(0);
  if (!image.rows && !image.columns) {
    rows = integerSqrt(n);
    while (n % rows != 0)
      --rows;
  }
  if (rows > 0 && columns == 0)
    columns = n / rows;
  if (columns > 0 && rows == 0)
    rows = n / columns;
  // Neither above n: the product of two such fits 64 bits.
  if (rows < 1 || columns < 1 || rows > n || columns > n || rows * columns != n)
    throwRange("image", std::to_string(rows) + " × " + std::to_string(columns),
               "rows × columns = n = " + std::to_string(n));
  return {rows, columns};
}

} // namespace attention
