#include "core/analysis/product_order.h"

#include <cmath>

namespace attention {
namespace {

double pairsOf(double length, bool causal) {
  return causal ? length * (length + 1) / 2 : length * length;
}

} // namespace

ProductOrder matrixFirst(const ProductShapes& shapes) {
  const double pairs = pairsOf(static_cast<double>(shapes.length), shapes.causal);
  return {pairs * static_cast<double>(shapes.features), pairs * static_cast<double>(shapes.dv),
          pairs};
}

ProductOrder valuesFirst(const ProductShapes& shapes) {
  const auto state = static_cast<double>(shapes.features) * static_cast<double>(shapes.dv);
  const double each = static_cast<double>(shapes.length) * state;
  return {each, each, state};
}

Index breakEvenLength(const ProductShapes& shapes) {
  const auto m = static_cast<double>(shapes.features);
  const auto dv = static_cast<double>(shapes.dv);
  // pairs(L) / L is L, or (L + 1) / 2 where causal.
  const double ratio = 2 * m * dv / (m + dv);
  const double length = shapes.causal ? 2 * ratio - 1 : ratio;
  return static_cast<Index>(std::floor(length)) + 1;
}

} // namespace attention
