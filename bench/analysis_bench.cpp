// Singular values, receptive fields and coverage on one thread against their bounds (bounds.h);
// `share_of_bound` is how close they come, and bench/README.md derives the bounds and says what the
// rest of the time goes to.
#include "bench/against_twin.h"
#include "bench/normals.h"
#include "core/analysis/low_rank.h"
#include "core/analysis/reach/reach.h"
#include "core/pattern/coverage.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"

#include <memory>
#include <string>
#include <utility>

namespace {

using namespace attention;
using bench::addBounded;

constexpr double kScale = 0.125; // 1 / √d

// Queries and keys, and the softmax of all their scores, row by row on demand.
struct Scores {
  explicit Scores(Index n)
      : q(bench::normals<double>(0, n)), k(bench::normals<double>(1, n)),
        rows(attentionRows(std::as_const(q).view(), std::as_const(k).view(), {kScale},
                           LowRankObject::Softmax)) {}

  Matrix<double> q;
  Matrix<double> k;
  ImpliedMatrix<double> rows;
};

// A matrix becomes bidiagonal in 8/3 n³ operations (Golub & Van Loan 2013, 5.4.8); what follows is
// O(n²) without vectors.
void addSingularValues(Index n) {
  const auto size = static_cast<double>(n);
  const Scores of(n);
  addBounded("singular_values", n,
             {.doubleFlops = 8.0 / 3 * size * size * size, .bytes = 8 * size * size},
             [a = wholeMatrix(of.rows, 1)] { benchmark::DoNotOptimize(singularValues(a).data()); });
}

// Every look at A makes its rows again and multiplies them by as many columns as the sketch has.
void addRandomizedSpectrum(Index n) {
  RandomizedOptions options;
  options.threads = 1;
  const auto size = static_cast<double>(n);
  const auto sketch = static_cast<double>(options.rank + options.oversampling);
  const double looks = 3 + 2 * static_cast<double>(options.powers);
  const double d = bench::kDimension;
  addBounded(
      "randomized_spectrum_64", n,
      {.doubleFlops = looks * 2 * size * size * (d + sketch), .doubleExps = looks * size * size},
      [of = std::make_shared<const Scores>(n), options] {
        benchmark::DoNotOptimize(randomizedSpectrum(of->rows, options).values.data());
      });
}

// A layer reads the matrix below it and writes its own, one bit per pair; none is computed after
// the one that reaches everything.
void addReach(const std::string& name, const Pattern& pattern, Index n) {
  constexpr Index kLayers = 4;
  const LayerStack stack{{prepare(pattern, squareLengths(n))}};
  const auto layers = receptiveField(stack, kLayers, 1).layers;
  double computed = 0;
  for (const LayerReach& layer : layers)
    computed +=
        layer.layer <= 1 || layer.pairs > layers[static_cast<std::size_t>(layer.layer - 2)].pairs
            ? 1
            : 0;
  const auto size = static_cast<double>(n);
  addBounded("reach_" + name, n, {.bytes = computed * 2 * size * size / 8}, [stack] {
    benchmark::DoNotOptimize(receptiveField(stack, kLayers, 1).layers.data());
  });
}

// One count per pixel and part, written once.
void addCoverage(const std::string& name) {
  constexpr Index kRows = 800;
  constexpr Index kColumns = 1280;
  constexpr Index kN = Index{1} << 24;
  const auto prepared = prepare(patternNamed(name), squareLengths(kN));
  const auto planes = static_cast<double>(prepared->parts().size());
  addBounded("coverage_" + name, kN,
             {.bytes = planes * sizeof(Index) * double{kRows} * double{kColumns}},
             [prepared, lattice = latticeOver(prepared->bounds(), kRows, kColumns)] {
               benchmark::DoNotOptimize(computeCoverage(*prepared, lattice).counts.data());
             });
}

} // namespace

int main(int argc, char** argv) {
  addSingularValues(512);
  addRandomizedSpectrum(2048);
  Strided strided;
  strided.stride = 64;
  Local local;
  local.window = 512;
  for (const Index n : {Index{4096}, kMostReachTokens}) {
    addReach("strided_64", strided, n);
    addReach("local_512", local, n);
  }
  for (const char* name : {"local", "strided", "longformer", "bigbird"})
    addCoverage(name);
  return runBenchmarks(argc, argv);
}
