// Paints a display list in the window: the third painter, on ImGui's draw list.
#pragma once

#include "app/gui/widgets/ui.h"
#include "core/plot/layout.h"

#include <map>
#include <memory>
#include <span>

namespace attention::gl {
class Texture;
}

namespace attention::gui {

// Widths of words in the window's fonts, for layout(). The fonts must outlive it.
TextMeasure windowMeasure(const Fonts& fonts);

// The type size of a plot: layout() measures the em, ImGui the line.
double plotType(const Fonts& fonts);

// Keeps the textures of pictures between frames; the OpenGL context must be current in paint and
// where it is destroyed.
class FigurePainter {
public:
  FigurePainter();
  ~FigurePainter();

  // Draws the list with its corner at `at` into the current window; its pictures without an image
  // take those of `images` in turn, and are left out when there are no more. The caller draws the
  // background.
  void paint(const DisplayList& list, std::span<const std::shared_ptr<const Image>> images,
             ImVec2 at, const Ui& ui);

private:
  struct Shown;
  void drawPicture(const std::shared_ptr<const Image>& image, const Box& box, ImVec2 at);
  std::map<const Image*, Shown> pictures_;
};

} // namespace attention::gui
