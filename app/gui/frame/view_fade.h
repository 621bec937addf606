// From one picture to the next: where the Scene changes at once (another pattern, a typed number, a
// step of a lesson, undo), a view whose cells can be followed moves them, and over any other the
// last frame's picture lies and fades. What is dragged, panned or pinned is followed directly, and
// so is a change that comes before the last one has ended.
#pragma once

#include "app/gl/framebuffer.h"
#include "app/gui/interface/view.h"
#include "app/gui/platform/host.h"
#include "app/gui/widgets/widget_log.h"
#include "core/scene/scene.h"

#include <optional>

namespace attention::gui {

constexpr float kFadeSeconds = 0.25F;

class ViewFade {
public:
  // Once per frame, before it is drawn. `settled`: the results belong to the Scene.
  void follow(const Scene& scene, bool settled, const FrameInfo& info);
  // Nothing fades in this frame, and the next change begins from `scene`.
  void skip(const Scene& scene);
  // Within the view's region, once it is drawn; `moves`: the view itself shows how it changed.
  void draw(const Rect& area, const FrameInfo& info, bool moves);
  bool running() const { return before_.has_value(); }
  ViewMotion motion() const;

private:
  bool changes(const Scene& scene);
  void begin(const gl::Framebuffer& last);

  std::optional<Scene> scene_; // of the last frame
  std::optional<gl::Framebuffer> before_;
  std::optional<Rect> area_; // of the view in the last frame
  int changes_ = 0;
  float waited_ = 0; // seconds for the new picture
  float left_ = 0;   // seconds of the fading
};

} // namespace attention::gui
