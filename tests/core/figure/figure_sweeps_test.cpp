// The sweeps that the shipped figures offer are possible from the first frame to the last.
#include "core/scene/figures.h"
#include "core/views/animation.h"
#include "core/views/mask/shown_masks.h"
#include "core/views/scene_words.h"
#include "core/views/shown_patterns.h"
#include "tests/catch.h"
#include "tests/core/figure/scene_input.h"

#include <algorithm>

using namespace attention;

namespace {

const std::filesystem::path kAssets = std::filesystem::path(ATTENTION_SOURCE_DIR) / "assets";

struct Figured {
  std::string name;
  Scene scene;
  std::shared_ptr<const Input> input;
  Index n; // of its sweeps
};

Lengths lengthsIn(const Scene& scene, const Input* input) {
  return lengthsOf(scene.length, input ? input->keys : 0);
}

// All except measured ones.
std::vector<Figured> sweptFigures() {
  std::vector<Figured> all;
  for (const ShippedFigure& shipped : listFigures(kAssets)) {
    Figured figure{shipped.name, findFigure(kAssets, shipped.name), {}, 0};
    if (figure.scene.view == View::Timings)
      continue;
    figure.input = loadedInput(figure.scene);
    figure.n = sweptLength(figure.scene, lengthsIn(figure.scene, figure.input.get()).keys);
    all.push_back(std::move(figure));
  }
  return all;
}

// For the masks of the frame, whatever its view is.
void prepareMasks(Scene frame, const Input* input) {
  const Lengths lengths = lengthsIn(frame, input);
  if (currentImage(frame))
    imageShape(frame.mask.image, lengths.keys);
  if (frame.view != View::Mask && frame.view != View::Compare) {
    frame.mask.panels = drawnPatterns(frame);
    frame.view = View::Mask;
  }
  shownMasks(frame, lengths, input);
}

// Titles of the panels or layers with the labels of their parts, in the frame of that value.
std::string wordsAt(const std::string& figure, const std::string& sweep, double value) {
  const Scene scene = findFigure(kAssets, figure);
  const Frames frames = framesOf(scene, {sweep, value, value}, *scene.length.n);
  const Scene& frame = frames.scenes.front();
  std::string words = wordsOf(frame).title;
  if (frame.view == View::Reach)
    for (const std::string& title : titlesOf(drawnPatterns(frame)))
      words += "|" + title;
  else
    for (const ShownMask& mask : shownMasks(frame, squareLengths(*scene.length.n), nullptr).masks)
      words += "|" + letteredTitle(mask) + ": " + mask.prepared->parts().front().label;
  return words;
}

} // namespace

TEST_CASE("Titles and labels of a published figure stay true when it is swept", "[animation]") {
  using Catch::Matchers::EndsWith;
  CHECK_THAT(wordsAt("wavenet-2016-fig2", "dilation", 3), EndsWith("|dilation 3"));
  CHECK_THAT(wordsAt("mistral-2023-context", "window", 6), EndsWith("|window 6"));
  CHECK_THAT(wordsAt("longformer-2020-reach-dilated", "dilation", 4),
             EndsWith("|window 4, dilation 4"));
  CHECK_THAT(wordsAt("bigbird-2020-fig1", "window_blocks", 5), EndsWith("window, w = 5"));
  CHECK(wordsAt("routing-2020-fig1", "stride", 3).find(": every 3rd token|") != std::string::npos);
  const std::string windows = wordsAt("conventions-window", "window", 6);
  CHECK(windows.starts_with("What “a window of 6” means, by source|(a) Child et al., the text: 5"));
  CHECK(windows.find("4 keys") == std::string::npos);
}

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
