// The frame of a mask by the fragment shader, from the count lists to drawn pixels, at 1280 × 800
// and in 4K, beside the same picture by one processor core (`ratio` is its time over the shader's).
// The patterns are those of the row of pictures in peers.py; one that the shader does not serve is
// named, since the window then draws it on the CPU. The context names the graphics processor: with
// software OpenGL the shader runs on the processor too and is slower than the counts in C++, which
// is why the window then leaves it.
#include "app/gl/context.h"
#include "app/gl/gl.h"
#include "app/gui/pictures/mask_shader.h"
#include "app/gui/pictures/raster_image.h"
#include "bench/run_benchmarks.h"
#include "core/pattern/pattern.h"
#include "core/pattern/pattern_json.h"
#include "core/plot/mask_raster.h"
#include "core/support/json_text.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using namespace attention;
using namespace attention::gui;

struct Pixels {
  int width;
  int height;
};

constexpr FigureTheme kTheme = FigureTheme::Dark;

struct Form {
  const char* mechanism;
  const char* params; // JSON
};

// CLOSED_FORMS of comparison/other_rows.py.
constexpr Form kClosedForms[] = {
    {"causal", "{}"},
    {"local", "{}"},
    {"sliding_window", "{}"},
    {"dilated", "{}"},
    {"block_local", "{}"},
    {"strided", "{}"},
    {"fixed", "{}"},
    {"longformer", "{}"},
    {"bigbird", "{}"},
    {"sinks", "{}"},
    {"prefix_lm", R"({"prefix": 1048576})"},
    {"vertical_slash", R"({"vertical": [0, 1, 1048576], "slash": [0, 1, 1048576]})"},
};

Pattern patternOf(const Form& form) {
  const std::string json =
      std::string(R"({"mechanism": ")") + form.mechanism + R"(", "params": )" + form.params + "}";
  return patternFromJson(parseJson(json, "the pattern"));
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double secondsOnOneCore(const Prepared& prepared, const Lattice& lattice,
                        const MaskPalette& palette) {
  const auto begin = std::chrono::steady_clock::now();
  benchmark::DoNotOptimize(maskImage(prepared, lattice, palette).pixels.data());
  return secondsSince(begin);
}

void frame(benchmark::State& state, const Form& form, Index n, Pixels size) {
  const auto prepared = prepare(patternOf(form), squareLengths(n));
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

std::string nameOf(const char* mechanism, int power, Pixels size) {
  return std::string(mechanism) + "/2^" + std::to_string(power) + "/" + std::to_string(size.width) +
         "x" + std::to_string(size.height);
}

} // namespace

int main(int argc, char** argv) {
  const gl::HeadlessContext context;
  benchmark::AddCustomContext("renderer", gl::describeCurrentContext());
  for (const Form& form : kClosedForms)
    for (const int power : {21, 24}) // tokens 2^20 are among the parameters
      for (const Pixels size : {Pixels{1280, 800}, Pixels{3840, 2160}})
        benchmark::RegisterBenchmark(
            nameOf(form.mechanism, power, size).c_str(),
            [=](benchmark::State& state) { frame(state, form, Index{1} << power, size); })
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime();
  return runBenchmarks(argc, argv);
}
