#include "app/gui/panels/figure_thumbnails.h"

#include "app/gui/views/raster_image.h"
#include "app/gui/widgets/drawing.h"
#include "core/figure/scene_figure.h"
#include "core/figure/scene_timings.h"
#include "core/figure/thumbnail.h"
#include "core/input/assets.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attention::gui {
namespace {

// A few quick runs, measured, are enough for a small picture without numbers.
std::shared_ptr<const Timings> fewTimes(const Scene& scene, const Run& run) {
  const TimingQuestion question = timingQuestion(scene);
  SamplingOptions sampling;
  sampling.samples = 1;
  sampling.seconds = 0.4;
  sampling.longest = 0.02;
  return std::make_shared<const Timings>(
      timingsOf(question, methodsOf(question, run.quiet()), sampling, {}, run));
}

constexpr double kScale = 2; // pixels of the picture a pixel of the screen, for thin lines

} // namespace

std::shared_ptr<const Image> FigureThumbnails::make(const Key& key, const Run& run) {
  SceneFigureOptions options;
  options.input = loadInput(key.scene.input, samplePath, run);
  options.theme = key.theme;
  options.threads = 1;
  if (key.scene.view == View::Timings)
    options.timings = fewTimes(key.scene, run);
  const Figure figure = figureOfScene(key.scene, options, run);
  return std::make_shared<const Image>(thumbnailOf(figure, key.size, kScale, run));
}

void FigureThumbnails::upload(Entry& entry, const std::shared_ptr<const Image>& image) {
  std::vector<std::byte> texels;
  texels.reserve(image->pixels.size() * 4);
  for (const Color& pixel : image->pixels)
    for (const std::uint8_t value : {pixel.r, pixel.g, pixel.b, pixel.a})
      texels.push_back(static_cast<std::byte>(value));
  if (!entry.texture || entry.texture->width() != image->width ||
      entry.texture->height() != image->height)
    entry.texture.emplace(image->width, image->height, gl::TexelFormat::Rgba8,
                          gl::TexelFilter::Linear);
  entry.texture->upload(texels);
  entry.uploaded = image;
}

void FigureThumbnails::draw(const Ui& ui, const ShownFigure& figure, const Rect& area) {
  const ImVec2 from(area.x0, area.y0);
  const ImVec2 to(area.x1, area.y1);
  if (!ImGui::IsRectVisible(from, to))
    return;
  Entry& entry = entries_[figure.name];
  entry.seen = true;
  const Size size{std::max(1.0, std::round(static_cast<double>(area.x1 - area.x0))),
                  std::max(1.0, std::round(static_cast<double>(area.y1 - area.y0)))};
  const Key key{figure.scene, figureTheme(ui.theme), size};
  const Latest<Image> latest = entry.slot.ask(
      pool_, "thumbnail", key, [key](const Run& run) { return make(key, run); }, patience_);
  if (latest.value && latest.value != entry.uploaded)
    upload(entry, latest.value);
  if (entry.texture && !latest.problem) {
    ImGui::GetWindowDrawList()->AddImageRounded(textureHandle(*entry.texture), from, to,
                                                ImVec2(0, 0), ImVec2(1, 1),
                                                IM_COL32(255, 255, 255, 255), ui.px(3));
    return;
  }
  const char* sign = latest.problem ? "?" : "…";
  const ImVec2 words = textSize(ui.fonts.text, sign);
  drawText(ui.fonts.text, ImVec2((from.x + to.x - words.x) / 2, (from.y + to.y - words.y) / 2),
           ui.colors().dim, sign);
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
