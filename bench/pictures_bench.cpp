// Pictures of masks on one thread: the exact coverage of 1280 × 800 pixels from n = 2^10 to 2^24,
// which should cost the same at any n, beside the naive way of asking every cell where that is
// possible (`ratio` is the naive time over ours); the coloured picture of every pattern of closed
// form at n = 2^24, beside the time of filling as many pixels with one colour (`filled` is our time
// over that); and exports of a mask of 4096 × 4096.
#include "bench/run_benchmarks.h"
#include "core/pattern/coverage.h"
#include "core/pattern/pattern.h"
#include "core/plot/mask_raster.h"
#include "core/support/error.h"
#include "core/views/mask/export_mask.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace {

using namespace attention;

constexpr Index kWidth = 1280;
constexpr Index kHeight = 800;
constexpr Index kLongestNaive = 1 << 12; // 16 million cells

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Attended cells of every pixel, cell by cell.
std::vector<Index> naiveCoverage(const Prepared& pattern, const Lattice& lattice) {
  std::vector<Index> counts;
  for (Index a = 0; a < lattice.rows(); ++a)
    for (Index b = 0; b < lattice.cols(); ++b) {
      Index cells = 0;
      const auto row = static_cast<std::size_t>(a);
      const auto col = static_cast<std::size_t>(b);
      for (Index i = lattice.rowEdges[row]; i < lattice.rowEdges[row + 1]; ++i)
        for (Index j = lattice.keyEdges[col]; j < lattice.keyEdges[col + 1]; ++j)
          cells += pattern.contains(i, j) ? 1 : 0;
      counts.push_back(cells);
    }
  return counts;
}

void raster(benchmark::State& state, const std::string& mechanism, Index n) {
  const auto prepared = prepare(patternNamed(mechanism), squareLengths(n));
  const Lattice lattice =
      latticeOver(prepared->bounds(), std::min(n, kHeight), std::min(n, kWidth));
  double naive = 0;
  if (n <= kLongestNaive) {
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(naiveCoverage(*prepared, lattice).data());
    naive = secondsSince(begin);
  }
  double ours = 0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(computeCoverage(*prepared, lattice).counts.data());
    ours += secondsSince(begin);
  }
  if (naive > 0)
    state.counters["ratio"] = naive * static_cast<double>(state.iterations()) / ours;
}

// Next to it, in turn, the bound: a picture of one colour.
void picture(benchmark::State& state, const Pattern& pattern) {
  const auto prepared = prepare(pattern, squareLengths(Index{1} << 24));
  const Lattice lattice = latticeOver(prepared->bounds(), kHeight, kWidth);
  const MaskPalette palette = maskPalette(*prepared, FigureTheme::Dark);
  double ours = 0;
  double filled = 0;
  for (auto _ : state) {
    auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(maskImage(*prepared, lattice, palette).pixels.data());
    const double seconds = secondsSince(begin);
    ours += seconds;
    state.SetIterationTime(seconds);
    begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(std::vector<Color>(kWidth * kHeight, palette.ground).data());
    filled += secondsSince(begin);
  }
  state.counters["terms"] = static_cast<double>(prepared->terms().size());
  state.counters["filled"] = ours / filled;
}

// Every mechanism that has a closed form with its defaults.
void registerPictures() {
  for (const Pattern& pattern : allMechanisms()) {
    try {
      if (!prepare(pattern, squareLengths(Index{1} << 24))->closedForm())
        continue;
    } catch (const Error&) {
      continue; // needs data or parameters
    }
    benchmark::RegisterBenchmark(("picture/" + std::string(description(pattern).name)).c_str(),
                                 [=](benchmark::State& state) { picture(state, pattern); })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
  }
}

void exported(benchmark::State& state, const std::string& ending) {
  const auto prepared = prepare(patternNamed("strided"), squareLengths(4096));
  const auto path = std::filesystem::temp_directory_path() /
                    ("attention-bench-" + std::to_string(::getpid()) + ending);
  MaskExportOptions options;
  options.threads = 1;
  for (auto _ : state)
    exportMask(prepared, path, options);
  state.counters["bytes"] = static_cast<double>(std::filesystem::file_size(path));
  std::filesystem::remove(path);
}

} // namespace

int main(int argc, char** argv) {
  for (const char* mechanism : {"causal", "local", "strided", "fixed", "longformer", "bigbird"})
    for (int power = 10; power <= 24; power += 2)
      benchmark::RegisterBenchmark(
          ("raster/" + std::string(mechanism) + "/2^" + std::to_string(power)).c_str(),
          [=](benchmark::State& state) { raster(state, mechanism, Index{1} << power); })
          ->Unit(benchmark::kMillisecond);
  registerPictures();
  for (const char* ending : {".png", ".npy", ".mtx", ".csv", ".svg", ".pdf"})
    benchmark::RegisterBenchmark(("export4096/" + std::string(ending + 1)).c_str(),
                                 [=](benchmark::State& state) { exported(state, ending); })
        ->Unit(benchmark::kMillisecond);
  return runBenchmarks(argc, argv);
}
