// A raster as a texture that lies on a frame: rebuilt when its counts, weights or colours change;
// otherwise only moved. While a newer raster is being made, the last one is drawn where its cells
// now lie.
#pragma once

#include "app/gl/framebuffer.h"
#include "app/gl/texture.h"
#include "app/gui/interface/rasters.h"
#include "app/gui/pictures/mask_camera.h"
#include "app/gui/pictures/mask_shader.h"
#include "app/gui/pictures/raster_image.h"
#include "app/gui/pictures/texel_axis.h"

#include <memory>
#include <optional>

namespace attention::gui {

struct TexelAxes {
  TexelAxis rows;
  TexelAxis keys;
  Lattice lattice() const { return {rows.edges, keys.edges}; }
  bool operator==(const TexelAxes&) const = default;
};

// The texels of the visible part of a mask; `density` is pixels per point.
TexelAxes axesOf(const MaskFrame& frame, const Lengths& lengths, float density);

class RasterPicture {
public:
  enum class Look {
    Matrix, // on the view's background
    Strip,  // on the colour of empty pixels, with every key visible
  };

  explicit RasterPicture(Look look = Look::Matrix) : look_(look) {}

  // Sets what is drawn from now on; without a value, what was drawn before.
  void show(const Latest<CoverageRaster>& raster, const TexelAxes& axes, FigureTheme theme);
  void show(const Latest<WeightsRaster>& raster, const TexelAxes& axes, FigureTheme theme);
  // The same by the shader; the lattice must be one that it can count.
  void show(MaskShader& shader, const std::shared_ptr<const Prepared>& prepared,
            const TexelAxes& axes, FigureTheme theme);
  // A finished picture of the whole mask; `source` tells whether it differs from the one before.
  void show(const std::shared_ptr<const void>& source, const gl::Pixels& image, FigureTheme theme);

  bool empty() const { return !texture_ && !target_; }
  // Whether `source` in this theme is what is shown.
  bool shows(const std::shared_ptr<const void>& source, FigureTheme theme) const {
    return source == source_ && theme == theme_;
  }

  // Into the window's draw list: over the frame, clipped to its area.
  void draw(const MaskFrame& frame, float density) const;
  // One row of cells over `strip`, below the frame: its keys stand under the frame's.
  void drawRow(const MaskFrame& frame, float density, const Rect& strip) const;
  // One column of cells over `strip`, beside the frame.
  void drawColumn(const MaskFrame& frame, float density, const Rect& strip) const;
  // Stretched over `area`.
  void drawOver(const Rect& area) const;

private:
  struct Span {
    double begin = 0; // cells
    double end = 0;
  };

  struct Place {
    float from = 0; // points
    float to = 0;
  };

  template <class Raster>
  void showRaster(const Latest<Raster>& raster, const TexelAxes& axes, FigureTheme theme);
  void take(const gl::Pixels& image, const TexelAxes& axes, const Lattice& lattice, bool cells);
  Place keysPlace(const MaskFrame& frame, float density) const;
  Place rowsPlace(const MaskFrame& frame, float density) const;
  void drawAt(const Place& x, const Place& y, const Rect& clip) const;
  ImTextureID handle() const;
  void drawImage(ImVec2 from, ImVec2 to) const;

  Look look_;
  std::optional<gl::Texture> texture_;
  bool sharp_ = false; // whether a texel of texture_ is a cell
  std::optional<gl::Framebuffer> target_;
  std::shared_ptr<const void> source_;
  FigureTheme theme_ = FigureTheme::Dark;
  TexelAxes axes_; // of the texture, where known
  Span rows_;
  Span keys_;
};

} // namespace attention::gui
