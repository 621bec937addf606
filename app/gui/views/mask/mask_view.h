// The Mask view: which query attends to which key, as a picture whose pixels are exact shares at
// every zoom; axes in tokens, legend by part, crosshair, pins, the pinned row and column as strips,
// a minimap when zoomed in, heads and panels as small multiples under one camera, attention weights
// over the mask, and the tokens as pixels of an image (Child et al. 2019, figure 3).
//
// What it keeps between frames are textures, each rebuilt when its raster changes; their cost
// depends on the pixels of the window, never on n.
#pragma once

#include "app/gl/shader_sources.h"
#include "app/gui/interface/view.h"

#include <memory>
#include <optional>

namespace attention::gui {

class ViewStages;
struct PanelContext;

class MaskView final : public ViewPane {
public:
  // The OpenGL context must be current here and wherever the view is drawn or destroyed.
  // Pictures are counted by the shader where there is a graphics processor, else by jobs;
  // `byShader` decides otherwise (tests).
  explicit MaskView(const gl::ShaderSources& shaders, std::optional<bool> byShader = {});
  ~MaskView() override;

  void draw(const ViewContext& context) override;
  void follow(const ViewMotion& motion) override;
  bool moves() const override;
  void leave() override;

private:
  struct State;
  std::unique_ptr<State> state_;
};

std::unique_ptr<ViewStages> maskStages(Results& results);
void drawMaskOptions(const PanelContext& context); // heads, weights, image
void drawMaskFacts(const PanelContext& context);   // the cell, cost, comparison, definition

} // namespace attention::gui
