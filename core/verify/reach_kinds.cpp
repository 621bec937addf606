// The kind receptive_field (S10).
#include "core/verify/kinds.h"

#include "core/analysis/reach/reach.h"

#include <string>

namespace attention {
namespace {

LayerStack stackOf(const CaseFile& file) {
  LayerStack stack;
  const Lengths lengths = lengthsOf(file.json());
  for (const CaseJson& layer : listField(file.json(), "layers"))
    stack.patterns.push_back(prepare(file.pattern(layer), lengths, file.run()));
  stack.residual = !file.json().contains("residual") || file.json()["residual"].get<bool>();
  return stack;
}

// Cell by cell against an array [n, n].
template <class Got>
void compareCells(const std::string& what, Index n, const Tensor& expected, Got got,
                  Comparison& compare) {
  if (expected.fromEnd(0) != n || expected.fromEnd(1) != n || expected.elements() != n * n)
    return compare.fail("the expected " + what + " is " + shapeText(expected.shape) +
                        "; it must be " + std::to_string(n) + " × " + std::to_string(n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      compare.integer(what + "(" + std::to_string(i) + ", " + std::to_string(j) + ")", got(i, j),
                      static_cast<Index>(number(expected, i * n + j)));
}

} // namespace

void verifyReceptiveField(const CaseFile& file, Comparison& compare) {
  const LayerStack stack = stackOf(file);
  const auto layers = static_cast<Index>(stack.patterns.size());
  const ReceptiveField field = receptiveField(stack, layers, 0, file.run());
  const LayerReach& top = field.layers.back();
  file.forEachExpected([&](const std::string& name, const CaseJson& value) {
    if (name == "reach")
      compareCells(
          name, stack.n(), file.array(file.expected(), name),
          [&](Index i, Index j) { return field.reach(i, j) ? 1 : 0; }, compare);
    else if (name == "pairs")
      compare.integer(name, top.pairs, value);
    else if (name == "fraction_full")
      compare.number(name, top.ofFull, value);
    else if (name == "fraction_causal")
      compare.number(name, top.ofCausal, value);
    else if (name == "hops") {
      // Of the lowest pattern in every layer (S10).
      const HopMatrix hops = hopMatrix({{stack.patterns.front()}, stack.residual}, 0, file.run());
      compareCells(name, stack.n(), file.array(file.expected(), name), std::cref(hops), compare);
    } else
      return false;
    return true;
  });
}

} // namespace attention
