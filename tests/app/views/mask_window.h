// The Mask view in a window without a display: a Scene, results made on the spot, and the actions
// that the view emits, applied as the application does.
#pragma once

#include "app/gui/pictures/mask_camera.h"
#include "app/gui/platform/host.h"
#include "app/gui/views/mask/mask_view.h"
#include "app/gui/widgets/theme.h"
#include "core/pattern/pattern.h"
#include "core/plot/color.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace attention::gui {

// Rasters computed while the view waits for them; with `late`, the last good ones are given and
// marked as old.
class InstantRasters final : public Rasters {
public:
  Latest<CoverageRaster> coverage(std::string_view slot, const CoverageKey& key) override;
  Latest<WeightsRaster> weights(std::string_view slot, const WeightsKey& key) override;
  // Masks have no plots.
  Latest<PlotImages> images(std::string_view, const std::shared_ptr<const PlotLayout>&) override {
    return {};
  }

  bool late = false;
  int computed = 0; // coverages made so far

private:
  std::map<std::string, std::shared_ptr<const CoverageRaster>, std::less<>> coverages_;
  std::map<std::string, std::shared_ptr<const WeightsRaster>, std::less<>> weights_;
};

class MaskWindow {
public:
  MaskWindow(int width, int height, ThemeKind kind = ThemeKind::Dark, bool byShader = false,
             float uiScale = 1);

  // Prepares the Scene's pattern (and panels) for its lengths.
  void prepare();
  // One frame; applies what the view emits.
  void frame();
  // Frames until no events wait, and one more.
  void settle();
  // Moves the pointer, then presses and releases the left button there.
  void click(float x, float y, bool shift = false);
  void scroll(float x, float y, float notches);
  void press(Chord chord);

  // The matrix's rectangle, in points.
  Rect matrix(const std::string& label = "Mask") const;
  gl::Pixels pixels() const { return host_.pixels(); }
  EventQueue& events() { return host_.events(); }
  const WidgetLog& log() const { return log_; }
  // Whether these words are on the screen.
  bool says(std::string_view words) const;

  Scene scene;
  Results results;
  Hover hover;
  InstantRasters rasters;
  std::vector<Action> actions; // of the last frame

private:
  void draw(const FrameInfo& info);
  void apply(const Action& action);

  Host host_;
  Theme theme_;
  WidgetLog log_;
  std::unique_ptr<ViewPane> view_; // before the host goes
};

// A window of 760 × 800 points with strided attention over n tokens in it.
MaskWindow stridedWindow(Index n, ThemeKind kind = ThemeKind::Dark);

// Where the cells of the only matrix lie.
MaskFrame frameIn(const MaskWindow& window);
// The middle of a cell, in points.
ImVec2 middle(const MaskWindow& window, Index query, Index key);
void clickCell(MaskWindow& window, Index query, Index key, bool shift = false);

// Pixels in `room` that differ from the background in the corner.
int marked(const MaskWindow& window, const Rect& room);

// The colour of a pixel as 0xRRGGBB.
unsigned colorAt(const gl::Pixels& pixels, float x, float y);
unsigned rgb(const Color& color);

} // namespace attention::gui
