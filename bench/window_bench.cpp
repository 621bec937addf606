// The window without a display: from nothing to the first picture, and whole frames while the
// stride is dragged, from n = 2^10 to 2^24 tokens, which should cost the same at any n. Software
// OpenGL unless the machine has a GPU.
#include "app/gui/frame/application.h"
#include "app/gui/platform/host.h"
#include "app/gui/state/document.h"

#include <benchmark/benchmark.h>

namespace {

using namespace attention;
using namespace attention::gui;

Scene strided(Index n) {
  Scene scene = defaultScene();
  scene.input = InputSpec();
  scene.length.n = n;
  return scene;
}

class Window {
public:
  explicit Window(const Scene& scene)
      : host_(Host::headless({"bench", 1440, 900, 1})), app_({scene, {}, {}, {}, {}}) {}

  void frame() {
    host_.frame([this](const FrameInfo& info) { app_.frame(info, host_.fonts()); });
  }
  // Frames are painted when their pixels are requested.
  gl::Pixels pixels() { return host_.pixels(); }
  void settle() {
    for (int quiet = 0; quiet < 3; quiet = app_.busy() ? 0 : quiet + 1)
      frame();
  }
  void setStride(Index stride) {
    app_.bench().document.apply(
        {"stride", [stride](Scene& scene) { set(scene.pattern, "stride", Value(stride)); },
         "stride"});
  }

private:
  Host host_;
  Application app_;
};

void firstPicture(benchmark::State& state) {
  for (auto _ : state) {
    Window window(strided(1024));
    window.frame();
    benchmark::DoNotOptimize(window.pixels().rgba.data());
  }
}

void draggedFrame(benchmark::State& state) {
  const Index n = Index{1} << state.range(0);
  Window window(strided(n));
  window.settle();
  Index step = 0;
  for (auto _ : state) {
    window.setStride(16 + step++ % 64);
    window.frame();
    benchmark::DoNotOptimize(window.pixels().rgba.data());
  }
}

BENCHMARK(firstPicture)->Unit(benchmark::kMillisecond);
BENCHMARK(draggedFrame)->DenseRange(10, 24, 2)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
