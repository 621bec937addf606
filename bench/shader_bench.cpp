// The frame of a mask by the fragment shader, from the count lists to drawn pixels, at 1280 × 800
// and in 4K, beside the same picture by one processor core (`ratio` is its time over the shader's).
// The context names the graphics processor: with software OpenGL the shader runs on the processor
// too and is slower than the counts in C++, which is why the window then leaves it.
#include "app/gl/context.h"
#include "app/gl/gl.h"
#include "app/gui/views/mask_shader.h"
#include "app/gui/views/raster_image.h"
#include "bench/run_benchmarks.h"
#include "core/pattern/pattern.h"

#include <chrono>
#include <string>

namespace {

using namespace attention;
using namespace attention::gui;

struct Size {
  int width;
  int height;
};

constexpr FigureTheme kTheme = FigureTheme::Dark;

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double secondsOnOneCore(const Prepared& prepared, const Lattice& lattice,
                        const MaskPalette& palette) {
  const auto begin = std::chrono::steady_clock::now();
  const Coverage coverage = computeCoverage(prepared, lattice);
  benchmark::DoNotOptimize(coverageImage(coverage, lattice, palette).rgba.data());
  return secondsSince(begin);
}

void frame(benchmark::State& state, const std::string& mechanism, Index n, Size size) {
  const auto prepared = prepare(patternNamed(mechanism), squareLengths(n));
  const Lattice lattice = latticeOver(prepared->bounds(), size.height, size.width);
  if (!MaskShader::serves(*prepared, lattice)) {
    state.SkipWithError("the shader does not serve this pattern");
    return;
  }
  const MaskPalette palette = maskPalette(*prepared, kTheme);
  MaskShader shader{gl::ShaderSources()};
  const gl::Framebuffer target(size.width, size.height);
  const auto draw = [&] {
    shader.draw(*prepared, lattice, palette, target);
    glFinish();
  };
  draw(); // compiles
  double processor = 0;
  double ours = 0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    draw();
    const double seconds = secondsSince(begin);
    state.SetIterationTime(seconds);
    ours += seconds;
    processor += secondsOnOneCore(*prepared, lattice, palette);
  }
  state.counters["terms"] = static_cast<double>(prepared->terms().size());
  state.counters["ratio"] = processor / ours;
}

std::string nameOf(const char* mechanism, int power, Size size) {
  return std::string(mechanism) + "/2^" + std::to_string(power) + "/" + std::to_string(size.width) +
         "x" + std::to_string(size.height);
}

} // namespace

int main(int argc, char** argv) {
  const gl::HeadlessContext context;
  benchmark::AddCustomContext("renderer", gl::describeCurrentContext());
  for (const char* mechanism : {"causal", "local", "strided", "fixed", "dilated", "longformer"})
    for (const int power : {20, 24})
      for (const Size size : {Size{1280, 800}, Size{3840, 2160}})
        benchmark::RegisterBenchmark(
            nameOf(mechanism, power, size).c_str(),
            [=](benchmark::State& state) { frame(state, mechanism, Index{1} << power, size); })
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime();
  return runBenchmarks(argc, argv);
}
