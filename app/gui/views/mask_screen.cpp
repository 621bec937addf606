#include "app/gui/views/mask_screen.h"

#include "app/gui/views/mask_axes.h"

#include <algorithm>

namespace attention::gui {
namespace {

std::span<const std::string> tokensOf(const ViewContext& context) {
  const auto& input = context.results.input;
  if (input && context.results.inputCovers && !input->tokens.empty())
    return input->tokens;
  const std::vector<std::string>& labels = context.scene.labels;
  if (static_cast<Index>(labels.size()) >= context.results.lengths.keys)
    return labels;
  return {};
}

MaskLayoutSpec layoutSpec(const MaskScreen& screen) {
  const Masks& masks = screen.masks;
  const Ui& ui = screen.context.ui;
  MaskLayoutSpec spec{
      screen.context.area,      masks.lengths, masks.tiles.size(), false, 0, 0, screen.image,
      !screen.context.presented};
  spec.titles = std::any_of(masks.tiles.begin(), masks.tiles.end(),
                            [](const ShownMask& tile) { return !tile.title.empty(); });
  spec.axisWidth = axisWidth(ui, masks.lengths);
  spec.axisHeight = axisHeight(ui);
  return spec;
}

} // namespace

MaskScreen maskScreen(const ViewContext& context) {
  const Masks& masks = *context.results.masks;
  MaskScreen screen{context,
                    masks,
                    {},
                    {},
                    shownImage(context.scene, masks.lengths),
                    ImGui::GetIO().DisplayFramebufferScale.x};
  screen.layout = layoutMask(context.ui, layoutSpec(screen));
  for (const Rect& area : screen.layout.matrices)
    screen.frames.push_back(frameOf(masks.lengths, context.scene.camera, area));
  if (wordsFit(context.ui, screen.frames.front()))
    screen.words = tokensOf(context);
  return screen;
}

Rect imagePlace(const MaskScreen& screen, std::size_t tile) {
  const auto& rooms = screen.layout.images;
  return rooms.size() == 1 ? imageArea(screen.context.ui, rooms[tile], *screen.image) : rooms[tile];
}

} // namespace attention::gui
