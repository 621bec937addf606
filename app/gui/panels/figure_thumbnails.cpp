#include "app/gui/panels/figure_thumbnails.h"

#include "app/gui/pictures/raster_image.h"
#include "app/gui/widgets/drawing.h"
#include "core/model/model_input.h"
#include "core/views/scene_thumbnail.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attention::gui {
namespace {

void drawNote(const Ui& ui, const Rect& area, const std::string& note) {
  const std::string words = cutToWidth(ui.fonts.small, note, area.x1 - area.x0);
  const ImVec2 size = textSize(ui.fonts.small, words);
  drawText(ui.fonts.small,
           ImVec2((area.x0 + area.x1 - size.x) / 2, (area.y0 + area.y1 - size.y) / 2),
           ui.colors().dim, words);
}

constexpr double kSharp = 2; // picture pixels per screen pixel, for thin lines

} // namespace

std::shared_ptr<const Image> FigureThumbnails::make(const Key& key, const Run& run) {
  SceneFigureOptions options;
  options.input = openInput(key.scene.input, run);
  options.theme = key.theme;
  options.threads = 1;
  return std::make_shared<const Image>(
      thumbnailOfScene(key.scene, options, key.size, kSharp * key.type, run));
}

void FigureThumbnails::upload(Entry& entry, const Image& image) {
  if (!entry.texture || entry.texture->width() != image.width ||
      entry.texture->height() != image.height)
    entry.texture.emplace(image.width, image.height, gl::TexelFormat::Rgba8,
                          gl::TexelFilter::Linear);
  static_assert(sizeof(Color) == 4); // red, green, blue, opacity, like the texels
  entry.texture->upload(std::as_bytes(std::span(image.pixels)));
}

std::optional<Problem> FigureThumbnails::bring(Entry& entry, const Key& key) {
  if (entry.shown == key) {
    entry.slot.drop(); // of an earlier theme or size
    return std::nullopt;
  }
  const Latest<Image> latest = entry.slot.ask(
      pool_, "thumbnail", key, [key](const Run& run) { return make(key, run); }, patience_);
  if (latest.value && !latest.stale) {
    upload(entry, *latest.value);
    entry.shown = key;
    entry.slot.drop();
  }
  return latest.problem;
}

void FigureThumbnails::draw(const Ui& ui, const ShownFigure& figure, const Rect& area,
                            double type) {
  const ImVec2 from(area.x0, area.y0);
  const ImVec2 to(area.x1, area.y1);
  if (!ImGui::IsRectVisible(from, to))
    return;
  Entry& entry = entries_[figure.name];
  entry.seen = true;
  const Size size{std::max(1.0, std::round(static_cast<double>(area.x1 - area.x0) / type)),
                  std::max(1.0, std::round(static_cast<double>(area.y1 - area.y0) / type))};
  const Key key{figure.scene, figureTheme(ui.theme), size, type};
  const std::optional<Problem> problem = bring(entry, key);
  if (entry.texture && !problem) {
    ImGui::GetWindowDrawList()->AddImageRounded(textureHandle(*entry.texture), from, to,
                                                ImVec2(0, 0), ImVec2(1, 1),
                                                IM_COL32(255, 255, 255, 255), ui.px(3));
    return;
  }
  drawNote(ui, area, problem ? problem->text : "…");
}

void FigureThumbnails::endFrame() {
  for (auto& [name, entry] : entries_)
    if (!std::exchange(entry.seen, false))
      entry.slot.stop();
}

bool FigureThumbnails::pending() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const auto& entry) { return entry.second.slot.pending(); });
}

} // namespace attention::gui
