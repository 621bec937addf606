#include "core/views/timings/scene_timings.h"

#include "core/analysis/score/method_cost.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/prepared.h"

#include <optional>

namespace attention {
namespace {

struct BytesOf {
  HeadShape shape;
  const Run& run;

  std::optional<double> operator()(const Pattern& pattern) const {
    if (const auto* lsh = pattern.as<Lsh>(); lsh && lsh->within != Lsh::Within::Bucket)
      return bytesOf(pattern, 0, shape); // whole chunks, whatever the data
    if (needsData(pattern))
      return std::nullopt;
    const auto prepared = prepare(pattern, squareLengths(shape.n), {}, run.quiet());
    if (!prepared->closedForm())
      return std::nullopt;
    return bytesOf(pattern, prepared->pairs(), shape);
  }
  std::optional<double> operator()(const KernelMethod& method) const {
    return costOf(method, method.causal.value_or(false), shape).bytes;
  }
  std::optional<double> operator()(const auto& method) const { return costOf(method, shape).bytes; }
};

} // namespace

Plot memoryPlot(const TimingQuestion& question, std::span<const ScoredMethod> methods,
                const TimingFigureOptions& options, const Run& run) {
  const auto heads = static_cast<double>(question.spec.heads);
  CurvesMark mark;
  std::vector<double> sizes;
  std::vector<double> seen;
  for (const Index n : options.sizes)
    sizes.push_back(static_cast<double>(n));
  for (std::size_t m = 0; m < methods.size(); ++m) {
    Curve curve = methodCurve(m);
    curve.label = options.names[m];
    for (const Index n : options.sizes)
      if (const auto bytes =
              std::visit(BytesOf{{n, options.d, options.d, static_cast<Index>(sizeof(float))}, run},
                         methods[m])) {
        curve.points.push_back({static_cast<double>(n), heads * *bytes});
        seen.push_back(heads * *bytes);
      }
    mark.curves.push_back(std::move(curve));
  }
  mark.x = axisOver("n", Scale::Log2, sizes, /*round=*/false);
  mark.y = axisOver("bytes, by the cost model", Scale::Log10, seen);
  return {std::move(mark), std::nullopt, std::nullopt};
}

} // namespace attention
