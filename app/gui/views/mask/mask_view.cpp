#include "app/gui/views/mask/mask_view.h"

#include "app/gui/interface/latest.h"
#include "app/gui/pictures/mask_pointer.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/views/mask/draw_strip.h"
#include "app/gui/views/mask/mask_legend.h"
#include "app/gui/views/mask/mask_marks.h"
#include "app/gui/views/mask/mask_motion.h"
#include "app/gui/views/mask/mask_pictures.h"
#include "app/gui/views/mask/mask_screen.h"
#include "app/gui/views/mask/mask_strips.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/branch_layers.h"
#include "core/views/compare/scene_compare.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

// Rows and columns with an order of their own are named at each matrix.
void takeOwnLabels(const MaskScreen& screen, std::size_t tile, AxesSpec& axes) {
  const Ui& ui = screen.context.ui;
  const ShownMask& mask = screen.masks.tiles[tile];
  if (!wordsFit(ui, screen.frames[tile]))
    return;
  const ImVec2 room = roomOfLabels(ui, mask.queries, mask.keys);
  if (!mask.queries.empty()) {
    axes.queries = true;
    axes.queryWords = mask.queries;
    axes.left = room.x;
  }
  if (!mask.keys.empty()) {
    axes.keys = true;
    axes.keyWords = mask.keys;
    axes.above = room.y;
  }
}

// Which cells are shown, and what can be done with them.
std::string lastLine(const MaskScreen& screen, float width) {
  const ViewContext& context = screen.context;
  const Ui& ui = context.ui;
  std::string part;
  if (showsPart(context))
    part = shownCellsText(visibleCells(screen.frames.front(), screen.lengths()), screen.lengths());
  if (!showsHint(context))
    return part;
  if (lacksWeights(context))
    return "attention weights need an input that covers the mask";
  if (screen.drawsByHand())
    return hintForDrawing(ui, width, context.draw.kind);
  if (part.empty())
    return hintFor(ui, width);
  const std::string both = part + " · ";
  const std::string line = both + hintFor(ui, width - textSize(ui.fonts.small, both).x);
  return textSize(ui.fonts.small, line).x <= width ? line : part;
}

// What stands around the picture of a matrix: axes with numbers or words.
AxesSpec axesOfTile(const MaskScreen& screen, std::size_t tile) {
  const Ui& ui = screen.context.ui;
  const MaskLayout& layout = screen.layout;
  AxesSpec axes;
  axes.keys = tile < layout.columns;
  axes.queries = tile % layout.columns == 0;
  if (tile + 1 < std::min(layout.columns, screen.frames.size()))
    axes.keysRight = keysLeft(ui, screen.frames[tile + 1], screen.lengths()) - ui.px(4);
  axes.keyWords = screen.words;
  if (screen.lengths().square())
    axes.queryWords = screen.words;
  axes.left = layout.block.x0 - screen.context.area.x0 - ui.px(kLeftOfWords);
  axes.above = layout.block.y0 - screen.context.area.y0 - ui.px(kAboveWords);
  takeOwnLabels(screen, tile, axes);
  return axes;
}

// Of the lines below the matrices: up to an image beside them that is higher.
LineRoom roomBelow(const MaskScreen& screen) {
  const Ui& ui = screen.context.ui;
  const MaskLayout& layout = screen.layout;
  LineRoom room{screen.context.area.x0 + ui.px(14), screen.context.area.x1 - ui.px(14)};
  if (layout.images.size() == 1 && !screen.roomApart() &&
      layout.images.front().y0 < layout.block.y1 && layout.images.front().y1 > layout.captionTop)
    room.right = layout.images.front().x0 - ui.px(14);
  return room;
}

// A compared pattern's hue, which it also has in the difference.
ImVec4 titleColor(const MaskScreen& screen, std::size_t tile) {
  const Ui& ui = screen.context.ui;
  const bool compared =
      showsDifference(screen.context.scene) && tile + 1 < screen.masks.tiles.size();
  if (!compared)
    return ui.colors().text;
  const FigureColors& colors = figureColors(figureTheme(ui.theme));
  return toFloats(readable(colors.series[tile % colors.series.size()], colors.ground), 1);
}

class MaskPane final : public ViewPane {
public:
  explicit MaskPane(const gl::ShaderSources& shaders, bool byShader)
      : pictures_(shaders, byShader) {}

  void draw(const ViewContext& context) override;
  void follow(const ViewMotion& motion) override { motion_.follow(motion); }
  bool moves() const override { return motion_.running(); }
  bool leave() override;

private:
  const Masks& drawn(const ViewContext& context);
  void drawAll(const MaskScreen& screen);
  void drawMatrix(const MaskScreen& screen, std::size_t tile);
  void drawLegends(const MaskScreen& screen, std::size_t tile, const Standing& standing) const;
  static void drawTitle(const MaskScreen& screen, std::size_t tile);
  void drawImages(const MaskScreen& screen);
  void drawBelow(const MaskScreen& screen);

  std::shared_ptr<const Masks> layeredOf_;
  std::vector<std::string> hidden_; // of their layers
  Masks layered_;                   // these, with the others
  MaskPictures pictures_;
  MaskMotion motion_;
  StripPictures strips_;
  RasterPicture minimap_;
  std::vector<RasterPicture> images_;
  StrokesByHand strokes_;
  float lateFor_ = 0; // seconds that the shown rasters have been old
  bool anyLate_ = false;
};

// Of the same masks the same ones, which rasters are named by. What is compared is masks alone.
const Masks& MaskPane::drawn(const ViewContext& context) {
  const std::shared_ptr<const Masks>& masks = context.results.masks.value;
  if (showsDifference(context.scene))
    return *masks;
  const std::vector<std::string>& now = context.scene.mask.hidden;
  if (layeredOf_ != masks || hidden_ != now) {
    layeredOf_ = masks;
    hidden_ = now;
    layered_ = *masks;
    for (ShownMask& tile : layered_.tiles)
      tile.prepared = layersOf(tile.prepared, hidden_);
  }
  return layered_;
}

void MaskPane::drawLegends(const MaskScreen& screen, std::size_t tile,
                           const Standing& standing) const {
  const Ui& ui = screen.context.ui;
  const MaskFrame& f = screen.frames[tile];
  const Rect matrix = maskOutline(f, screen.lengths());
  if (standing.largestWeight) {
    const TexelKind kind = axesOf(f, screen.lengths(), screen.density).keys.kind;
    drawWeightsLegend(ui, matrix,
                      {weightsTitle(currentWeights(screen.context.scene), kind),
                       *standing.largestWeight, screen.legends[tile]});
  } else if (screen.cornerLegends) {
    drawCornerLegend(ui, matrix, screen.legends[tile]);
  } else {
    drawSwatches(ui, screen.legendPlace(tile), lineBelow(ui), screen.legends[tile]);
  }
  if (!standing.problem.empty()) {
    drawBadge(ui, matrix, standing.problem);
    return;
  }
  std::string badge = standing.sampled ? "sampled" : "";
  if (standing.group > 1)
    badge += (badge.empty() ? "" : " · ") + std::string("a square is ") +
             groupDigits(standing.group) + " × " + groupDigits(standing.group) + " tiles";
  if (standing.late && lateFor_ > 0.25F) {
    badge += badge.empty() ? "updating…" : " · updating…";
    if (standing.progress > 0 && standing.progress < 1)
      badge += " " + std::to_string(static_cast<int>(standing.progress * 100)) + " %";
  }
  if (!badge.empty())
    drawBadge(ui, matrix, badge);
}

void MaskPane::drawMatrix(const MaskScreen& screen, std::size_t tile) {
  const ViewContext& context = screen.context;
  const Ui& ui = context.ui;
  const MaskFrame& f = screen.frames[tile];
  const Lengths& lengths = screen.lengths();
  Standing standing = pictures_.ask(screen, tile);
  if (motion_.moves(tile))
    motion_.draw(f, tile);
  else
    pictures_.paint(screen, tile);
  drawGaps(ui, f, lengths, screen.density);
  if (currentTiles(context.scene)) {
    const TilesStanding tiles = drawTiles(screen, tile);
    standing.late |= tiles.late;
    standing.sampled |= tiles.sampled;
    standing.group = tiles.group;
  }
  anyLate_ |= standing.late;
  drawOutline(ui, f, lengths);
  if (tile == 0) // which is checked
    drawFirstFuture(context, f, lengths);
  strokes_.draw(ui, f, lengths);
  drawPins(ui, f, lengths, context.scene.pins, !standing.largestWeight);
  const Hover& hover = context.hover;
  const bool pointed =
      hover.query && hover.key && *hover.query < lengths.queries && *hover.key < lengths.keys;
  AxesSpec axes = axesOfTile(screen, tile);
  if (pointed && screen.frames.size() == 1 && screen.words.empty())
    axes.pointed = Cell{*hover.query, *hover.key};
  drawAxes(ui, f, lengths, axes);
  drawLegends(screen, tile, standing);
  if (pointed)
    drawCrosshair(ui, f, lengths, {*hover.query, *hover.key});
  drawTitle(screen, tile);
}

void MaskPane::drawTitle(const MaskScreen& screen, std::size_t tile) {
  const Ui& ui = screen.context.ui;
  const Rect& area = screen.frames[tile].area;
  const std::string title = titleBelow(screen, tile, screen.wordsRight(tile) - area.x0);
  const ImVec2 at(area.x0, area.y1 + screen.layout.wordsTop);
  float y = at.y;
  for (std::size_t from = 0; from < title.size(); y += lineBelow(ui)) {
    const std::size_t end = std::min(title.find('\n', from), title.size());
    drawText(ui.fonts.small, ImVec2(at.x, std::round(y)), titleColor(screen, tile),
             title.substr(from, end - from));
    from = end + 1;
  }
  if (!title.empty())
    recordText(ui, screen.masks.tiles[tile].title, at, ImVec2(screen.wordsRight(tile), y));
}

void MaskPane::drawImages(const MaskScreen& screen) {
  const ImageGround ground(screen.context.ui, screen.roomApart());
  images_.resize(screen.layout.images.size());
  for (std::size_t k = 0; k < images_.size(); ++k)
    drawTokenImage(screen.context, screen.masks.tiles[k], "image " + std::to_string(k),
                   imagePlace(screen, k), *screen.image, screen.density, images_[k]);
  if (images_.size() == 1)
    drawImageCaptions(screen.context, screen.layout.images.front(), imagePlace(screen, 0),
                      *screen.image);
}

void MaskPane::drawBelow(const MaskScreen& screen) {
  const ViewContext& context = screen.context;
  const Ui& ui = context.ui;
  const MaskLayout& layout = screen.layout;
  const LineRoom room = roomBelow(screen);
  const float x = layout.block.x0;
  const float width = room.right - std::max(x, room.left); // words are aligned with the matrices
  const std::string words = stripCaption(context, screen.masks, width);
  drawLine(ui, ImVec2(x, layout.captionTop), room,
           words.empty() ? ui.colors().dim : ui.colors().text,
           words.empty() && !context.presented ? "point at a query to see its keys" : words);
  if (layout.images.size() > 1) {
    const bool beside = layout.images.front().y0 < layout.matrices.front().y1;
    drawLine(ui, ImVec2(x, layout.imageCaptionTop), room, ui.colors().dim,
             (beside ? "beside" : "below") + std::string(" each matrix its tokens as ") +
                 groupDigits(screen.image->first) + " × " + groupDigits(screen.image->second) +
                 " pixels · " + imageWords(context, *screen.image));
  }
  if (screen.masks.tiles.size() == 1) {
    const ShownMask& tile = screen.masks.tiles.front();
    // An empty strip tells an audience nothing.
    if (!context.presented || shownQuery(context.scene.pins, context.hover, screen.lengths()))
      drawRowStrip(context, tile, screen.frames.front(), layout.strip, screen.density, strips_.row);
    drawKeyStrip(context, tile, screen.frames.front(), layout.column, screen.density,
                 strips_.column);
  }
  if (const std::string line = lastLine(screen, width); !line.empty())
    drawLine(ui, ImVec2(x, layout.hintTop), room, ui.colors().dim, line);
}

void MaskPane::drawAll(const MaskScreen& screen) {
  const ViewContext& context = screen.context;
  takeInput(screen, strokes_);
  motion_.show(screen);
  pictures_.resize(screen.masks.tiles.size());
  anyLate_ = false;
  for (std::size_t k = 0; k < screen.frames.size(); ++k)
    drawMatrix(screen, k);
  lateFor_ = anyLate_ ? lateFor_ + context.step : 0;
  const MaskLayout& layout = screen.layout;
  const Rect matrices{layout.block.x0, layout.block.y0, layout.block.x1, layout.matrices.back().y1};
  if (screen.words.empty())
    drawAxisTitles(context.ui, matrices, layout.titleLeft, layout.titleTop);
  else
    drawCornerTitles(context.ui, matrices,
                     context.area.y0 + drawPressRoom(context).value_or(ImVec2()).y);
  const auto map = minimapArea(context.ui, screen.frames.front(), screen.lengths());
  if (map)
    drawMinimap(context, screen.masks.tiles.front(), screen.frames.front(), *map, screen.density,
                minimap_);
  drawImages(screen);
  drawBelow(screen);
}

bool MaskPane::leave() {
  motion_ = {};
  return true;
}

void MaskPane::draw(const ViewContext& context) {
  const auto& masks = context.results.masks;
  if (masks) {
    ViewContext below = context;
    below.area.y0 = drawCheckAnswer(context);
    return drawAll(maskScreen(below, drawn(below)));
  }
  const Ui& ui = context.ui;
  const float margin = ui.px(18);
  ImGui::SetCursorScreenPos(ImVec2(context.area.x0, context.area.y0 + ui.px(14)));
  ImGui::Indent(margin); // of the wrapped lines too
  if (masks.problem)
    note(ui, *masks.problem);
  else
    caption(ui, "preparing the pattern…");
  ImGui::Unindent(margin);
}

} // namespace

std::unique_ptr<ViewPane> maskPane(const gl::ShaderSources& shaders, std::optional<bool> byShader) {
  return std::make_unique<MaskPane>(shaders, byShader.value_or(!softwareRenderer()));
}

} // namespace attention::gui
