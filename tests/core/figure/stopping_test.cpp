// What is computed for the views ends without a result when it is told to stop: the window's jobs
// and the files made of the same Scenes.
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/moba.h"
#include "core/pattern/mechanism/sliding_window.h"
#include "core/support/error.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/scene_input.h"

#include <stop_token>

using namespace attention;

namespace {

// With an input and everything that a picture of any view reads, all small.
Scene smallScene(View view) {
  Scene scene;
  scene.view = view;
  scene.mask.weights = WeightsShown::Maximum; // only the mask is made by painters
  scene.pattern = SlidingWindow{};
  RandomInput random;
  random.n = 48;
  random.d = 8;
  random.heads = 2;
  scene.input.source = random;
  scene.length.n = 48;
  scene.kernels.length = 48;
  scene.kernels.d = 8;
  scene.kernels.repeats = 2;
  scene.kernels.projections = {8, 16};
  scene.kernels.chosen = 16;
  scene.choosing.most = 3;
  scene.timings.from = 16;
  scene.timings.to = 32;
  return scene;
}

Scene hashing(ChoosingPicture picture) {
  Scene scene = smallScene(View::Choosing);
  Lsh lsh;
  lsh.chunk = 8;
  scene.pattern = lsh;
  scene.choosing.picture = picture;
  return scene;
}

Scene choosing(ChoosingPicture picture) {
  Scene scene = hashing(picture);
  scene.pattern = Moba{4, 2};
  return scene;
}

Scene kernels(KernelsPicture picture) {
  Scene scene = smallScene(View::Kernels);
  scene.kernels.picture = picture;
  return scene;
}

Scene attentionOf(AttentionPicture picture) {
  Scene scene = smallScene(View::Attention);
  scene.attention.picture = picture;
  return scene;
}

// On one thread, where reports come in a fixed order. Returns how many there were.
int drawnWith(const Scene& scene, const SceneFigureOptions& options, int stopAt) {
  SceneFigureOptions alone = options;
  alone.threads = 1;
  std::stop_source stop;
  int reports = 0;
  Run run{stop.get_token(), [&](double) {
            if (++reports == stopAt)
              stop.request_stop();
          }};
  run.threads = 1;
  figureOfScene(scene, alone, run);
  return reports;
}

} // namespace

TEST_CASE("a view that is told to stop makes no picture", "[threads]") {
  const Scene scene =
      GENERATE(smallScene(View::Mask), smallScene(View::Reach), attentionOf(AttentionPicture::Maps),
               attentionOf(AttentionPicture::Heads), kernels(KernelsPicture::Error),
               kernels(KernelsPicture::Matrices), kernels(KernelsPicture::Normalisers),
               kernels(KernelsPicture::Spectrum), hashing(ChoosingPicture::Sorting),
               choosing(ChoosingPicture::Scores), choosing(ChoosingPicture::Budget),
               hashing(ChoosingPicture::Matrices), hashing(ChoosingPicture::Captured),
               hashing(ChoosingPicture::Circle), smallScene(View::Timings),
               smallScene(View::Encodings), smallScene(View::Compare));
  INFO(kViewNames[static_cast<std::size_t>(scene.view)]);
  const SceneFigureOptions options = optionsWithInput(scene);
  CHECK_FALSE(figureOfScene(scene, options).panels.empty());
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(figureOfScene(scene, options, Run{stop.get_token(), {}}), Stopped);
  // In the middle too: at every report of progress except the last, which nothing need follow.
  const int reports = drawnWith(scene, options, 0);
  INFO(reports << " reports");
  CHECK((reports > 1 || scene.view == View::Encodings)); // its tables are there at once
  for (int k = 1; k < reports; k += 1 + reports / 8) {
    INFO("stopped at report " << k);
    CHECK_THROWS_AS(drawnWith(scene, options, k), Stopped);
  }
}
