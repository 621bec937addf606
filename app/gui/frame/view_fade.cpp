#include "app/gui/frame/view_fade.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/platform/imgui_compat.h"

#include <algorithm>
#include <utility>

namespace attention::gui {
namespace {

constexpr float kMostWait = 0.15F; // seconds for results, then the view fades as it is

} // namespace

bool ViewFade::changes(const Scene& scene) {
  if (!scene_)
    return false;
  Scene last = std::move(*scene_);
  last.pins = scene.pins;
  last.camera = scene.camera;
  return last != scene;
}

void ViewFade::begin(const gl::Framebuffer& last) {
  before_.emplace(last.width(), last.height());
  before_->copy(last);
  ++changes_;
  waited_ = 0;
  left_ = kFadeSeconds;
}

void ViewFade::skip(const Scene& scene) {
  before_.reset();
  scene_ = scene;
}

void ViewFade::follow(const Scene& scene, bool settled, const FrameInfo& info) {
  const bool changed = changes(scene);
  const bool dragged = ImGui::IsMouseDown(ImGuiMouseButton_Left);
  const bool fading = running();
  if (fading && (settled || waited_ >= kMostWait))
    left_ -= info.step;
  else
    waited_ += info.step;
  if (changed || left_ <= 0)
    before_.reset();
  if (changed && !fading && !dragged && info.last != nullptr)
    begin(*info.last);
  scene_ = scene;
}

// Slow at both ends.
ViewMotion ViewFade::motion() const {
  const float t = before_ ? 1 - std::clamp(left_ / kFadeSeconds, 0.0F, 1.0F) : 1;
  return {changes_, t * t * (3 - 2 * t)};
}

void ViewFade::draw(const Rect& area, const FrameInfo& info, bool moves) {
  const bool moved = std::exchange(area_, area) != area;
  if (!before_)
    return;
  if (moved)
    return before_.reset();
  if (moves)
    return;
  // The picture's first row is its lowest.
  const auto across = [&](float x) { return x / info.width; };
  const auto up = [&](float y) { return 1 - y / info.height; };
  const float opacity = left_ / kFadeSeconds;
  // Above what regions within the view draw.
  ImGui::GetForegroundDrawList()->AddImage(
      textureHandle(before_->texture()), ImVec2(area.x0, area.y0), ImVec2(area.x1, area.y1),
      ImVec2(across(area.x0), up(area.y0)), ImVec2(across(area.x1), up(area.y1)),
      ImGui::GetColorU32(ImVec4(1, 1, 1, opacity)));
}

} // namespace attention::gui
