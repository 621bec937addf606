// How long the window's frames take while the heaviest jobs of every view run, and how long a job
// keeps running after it was told to stop; 1440×900 without a display, with software OpenGL unless
// the machine has a GPU.
//
//   window_times frames [NAME]   median, 95th percentile and longest frame of each Scene, while a
//                                parameter is dragged, the pointer moves, the view zooms and pans
//   window_times stops [NAME]    the longest time from a stop to the end of the job, and which
//
// NAME: only Scenes whose name begins so.
#include "app/gui/frame/application.h"
#include "app/gui/platform/host.h"
#include "bench/window_scenes.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>

namespace {

using namespace attention;
using namespace attention::gui;
using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

class Window {
public:
  explicit Window(const Scene& scene)
      : host_(Host::headless({"times", 1440, 900, 1})), app_({scene, {}, {}, {}, {}}) {}

  void frame() {
    host_.frame([this](const FrameInfo& info) { app_.frame(info, host_.fonts()); });
  }
  // With its picture, which is painted when its pixels are requested.
  double timedFrame() {
    const auto begin = Clock::now();
    frame();
    host_.pixels();
    return millisecondsSince(begin);
  }
  void drag(const HeavyScene& heavy, Index k) {
    app_.bench().document.apply({"drag", [&](Scene& scene) { heavy.drag(scene, k); }, "drag"});
  }
  void push(const Event& event) { host_.events().push(event); }
  void retry() { app_.bench().engine.retry(); }
  std::vector<std::shared_ptr<Job>> jobs() { return app_.bench().pool.active(); }
  bool runs(const std::shared_ptr<Job>& job) {
    const auto all = jobs();
    return std::find(all.begin(), all.end(), job) != all.end();
  }

private:
  Host host_;
  Application app_;
};

constexpr std::array kPhases{"drag", "hover", "zoom", "pan"};
constexpr Index kFramesPerPhase = 60;

// What the user does before frame k of a phase. In each, a new value now and then keeps the jobs
// going.
void use(Window& window, const HeavyScene& heavy, std::size_t phase, Index k) {
  constexpr Index kBetweenValues = 20;
  const auto along = static_cast<float>(k % kFramesPerPhase) / kFramesPerPhase;
  const MouseMoveEvent across{360 + 700 * along, 200 + 600 * along};
  if (phase == 0 || k % kBetweenValues == 0)
    window.drag(heavy, static_cast<Index>(phase) * kFramesPerPhase + k);
  if (phase == 1 || phase == 3)
    window.push(across);
  if (phase == 2) {
    window.push(MouseMoveEvent{520, 420});
    window.push(ScrollEvent{0, k % kFramesPerPhase < kFramesPerPhase / 2 ? 1.0F : -1.0F});
  }
  if (phase == 3 && (k == 0 || k == kFramesPerPhase - 1))
    window.push(MouseButtonEvent{0, k == 0});
}

double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

void measureFrames(const HeavyScene& heavy) {
  Window window(heavy.scene);
  for (int k = 0; k < 3; ++k) // fonts and shaders are made
    window.timedFrame();
  std::vector<double> all;
  std::array<double, kPhases.size()> longest{};
  Index working = 0;
  for (std::size_t phase = 0; phase < kPhases.size(); ++phase)
    for (Index k = 0; k < kFramesPerPhase; ++k) {
      use(window, heavy, phase, k);
      working += window.jobs().empty() ? 0 : 1;
      all.push_back(window.timedFrame());
      longest[phase] = std::max(longest[phase], all.back());
    }
  std::printf("%-20s %7.1f %7.1f %7.1f   %5.0f %5.0f %5.0f %5.0f   %3.0f %%\n", heavy.name.c_str(),
              quantile(all, 0.5), quantile(all, 0.95), quantile(all, 1), longest[0], longest[1],
              longest[2], longest[3],
              100 * static_cast<double>(working) / static_cast<double>(all.size()));
  std::fflush(stdout);
}

void measureStops(const HeavyScene& heavy) {
  Window window(heavy.scene);
  double longest = 0;
  std::string which = "-";
  double after = 0;
  Index k = 0;
  for (const double wait : {20.0, 60.0, 120.0, 250.0, 500.0, 1000.0, 2000.0}) {
    window.drag(heavy, ++k);
    const auto begin = Clock::now();
    while (millisecondsSince(begin) < wait)
      window.frame();
    const auto jobs = window.jobs();
    const auto asked = Clock::now();
    for (const auto& job : jobs)
      job->stop();
    for (const auto& job : jobs) {
      while (window.runs(job))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (const double took = millisecondsSince(asked); took > longest) {
        longest = took;
        which = job->label();
        after = wait;
      }
    }
    window.retry();
  }
  std::printf("%-20s %7.0f   %s, stopped after %.0f ms\n", heavy.name.c_str(), longest,
              which.c_str(), after);
  std::fflush(stdout);
}

} // namespace

int main(int count, char** values) {
  const std::string_view what = count > 1 ? values[1] : "";
  const std::string_view name = count > 2 ? values[2] : "";
  if (what != "frames" && what != "stops") {
    std::fputs("usage: window_times frames|stops [NAME]\n", stderr);
    return 2;
  }
  if (what == "frames")
    std::printf("%-20s %7s %7s %7s   %5s %5s %5s %5s   jobs run\n", "ms a frame", "median", "95 %",
                "longest", kPhases[0], kPhases[1], kPhases[2], kPhases[3]);
  else
    std::printf("%-20s %7s   of\n", "ms to the end", "longest");
  for (const HeavyScene& heavy : heavyScenes())
    if (heavy.name.starts_with(name))
      what == "frames" ? measureFrames(heavy) : measureStops(heavy);
  return 0;
}
