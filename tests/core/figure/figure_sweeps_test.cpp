// What the shipped figures offer to move is possible from the first frame to the last.
#include "core/scene/animation.h"
#include "core/scene/figures.h"
#include "core/scene/shown_masks.h"
#include "core/scene/shown_patterns.h"
#include "tests/catch.h"
#include "tests/core/figure/scene_input.h"

#include <algorithm>

using namespace attention;

namespace {

struct Figured {
  std::string name;
  Scene scene;
  std::shared_ptr<const Input> input;
  Index n; // of its sweeps
};

Lengths lengthsIn(const Scene& scene, const Input* input) {
  return lengthsOf(scene.length, input ? input->keys : 0);
}

// All that are not measured.
std::vector<Figured> sweptFigures() {
  const std::filesystem::path assets = std::filesystem::path(ATTENTION_SOURCE_DIR) / "assets";
  std::vector<Figured> all;
  for (const ShippedFigure& shipped : listFigures(assets)) {
    Figured figure{shipped.name, findFigure(assets, shipped.name), {}, 0};
    if (figure.scene.view == View::Timings)
      continue;
    figure.input = loadedInput(figure.scene);
    figure.n = sweptLength(figure.scene, lengthsIn(figure.scene, figure.input.get()).keys);
    all.push_back(std::move(figure));
  }
  return all;
}

// Of the masks that the frame is made of, whatever its view is.
void prepareMasks(Scene frame, const Input* input) {
  const Lengths lengths = lengthsIn(frame, input);
  if (imageInForce(frame))
    imageShape(frame.mask.image, lengths.keys);
  if (frame.view != View::Mask && frame.view != View::Compare) {
    frame.mask.panels = drawnPatterns(frame);
    frame.view = View::Mask;
  }
  shownMasks(frame, lengths, input);
}

} // namespace

TEST_CASE("Every frame of every sweep that a published figure offers is possible", "[animation]") {
  for (const Figured& figure : sweptFigures())
    for (const std::string& name : sweepsOf(figure.scene, figure.n)) {
      INFO(figure.name << " " << name);
      const Frames frames = framesOf(figure.scene, {name}, figure.n);
      CHECK(frames.scenes.size() > 1);
      CHECK(frames.scenes.size() <= 60);
      if (readsPattern(figure.scene))
        for (const Scene& frame : frames.scenes)
          CHECK_NOTHROW(prepareMasks(frame, figure.input.get()));
    }
}
