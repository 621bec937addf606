#include "app/gui/views/mask_view.h"

#include "app/gui/platform/imgui_input.h"
#include "app/gui/views/mask_axes.h"
#include "app/gui/views/mask_layout.h"
#include "app/gui/views/mask_legend.h"
#include "app/gui/views/mask_marks.h"
#include "app/gui/views/mask_minimap.h"
#include "app/gui/views/mask_pointer.h"
#include "app/gui/views/mask_strips.h"
#include "app/gui/views/mask_words.h"
#include "app/gui/views/paint.h"
#include "app/gui/views/raster_picture.h"
#include "app/gui/views/token_image.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"

#include <algorithm>
#include <string>
#include <vector>

namespace attention::gui {
namespace {

// What one matrix shows beside its picture.
struct Standing {
  bool sampled = false;
  bool late = false; // a newer raster is being made
  double progress = 0;
  std::optional<float> largestWeight;
  std::string problem; // why there is no newer picture
};

std::span<const std::string> tokensOf(const ViewContext& context) {
  const auto& input = context.results.input;
  return input && context.results.inputCovers ? std::span<const std::string>(input->tokens)
                                              : std::span<const std::string>();
}

bool contains(const Rect& r, float x, float y) {
  return r.x0 <= x && x < r.x1 && r.y0 <= y && y < r.y1;
}

} // namespace

struct MaskView::State {
  State(const gl::ShaderSources& shaders, bool byShader) {
    if (byShader)
      shader.emplace(shaders);
  }

  // One frame of it: the parts below share what the frame is made of.
  struct Frame {
    const ViewContext& context;
    const Masks& masks;
    MaskLayout layout;
    std::vector<MaskFrame> frames; // one a matrix
    std::optional<ImageShape> image;
    float density = 1;
    std::span<const std::string> words = {}; // token labels of the axes; empty: numbers
  };

  Frame makeFrame(const ViewContext& context) const;
  static void layOut(Frame& frame, std::span<const std::string> words);
  void takeInput(const Frame& frame);
  static std::optional<Cell> pointIn(const Frame& frame, std::size_t tile,
                                     const std::optional<Rect>& map);
  static std::optional<Index> pointAtImage(const Frame& frame, std::size_t tile);
  static Rect imageOf(const Frame& frame, std::size_t tile);
  Standing showPicture(const Frame& frame, std::size_t tile);
  bool showWeights(const Frame& frame, std::size_t tile, const TexelAxes& axes, Standing& standing);
  void drawMatrix(const Frame& frame, std::size_t tile);
  void drawLegends(const Frame& frame, std::size_t tile, const Standing& standing);
  void drawBelow(const Frame& frame);
  void drawAll(const Frame& frame);

  std::optional<MaskShader> shader; // only where there is a graphics processor
  std::vector<RasterPicture> pictures;
  StripPictures strips;
  RasterPicture minimap;
  std::vector<RasterPicture> images;
  float lateFor = 0; // seconds that the shown rasters have been old
  bool anyLate = false;
};

MaskView::MaskView(const gl::ShaderSources& shaders, std::optional<bool> byShader)
    : state_(std::make_unique<State>(shaders, byShader.value_or(!softwareRenderer()))) {}
MaskView::~MaskView() = default;

MaskView::State::Frame MaskView::State::makeFrame(const ViewContext& context) const {
  const Masks& masks = *context.results.masks;
  Frame frame{context,
              masks,
              {},
              {},
              shownImage(context.scene, masks.lengths),
              ImGui::GetIO().DisplayFramebufferScale.x};
  const std::span<const std::string> words = tokensOf(context);
  layOut(frame, words);
  // Numbers need less room than words: where words are not shown the picture takes it.
  if (!words.empty() && !wordsFit(context.ui, frame.frames.front()))
    layOut(frame, {});
  return frame;
}

void MaskView::State::layOut(Frame& frame, std::span<const std::string> words) {
  const Masks& masks = frame.masks;
  const ViewContext& context = frame.context;
  MaskLayoutSpec spec{context.area, masks.lengths, masks.tiles.size(), false, 0, 0, frame.image};
  spec.titles = std::any_of(masks.tiles.begin(), masks.tiles.end(),
                            [](const MaskTile& tile) { return !tile.title.empty(); });
  spec.axisWidth = axisWidth(context.ui, masks.lengths, !words.empty() && masks.lengths.square());
  spec.axisHeight = axisHeight(context.ui, !words.empty());
  frame.words = words;
  frame.layout = layoutMask(context.ui, spec);
  frame.frames.clear();
  for (const Rect& area : frame.layout.matrices)
    frame.frames.push_back(frameOf(masks.lengths, context.scene.camera, area));
}

// The cell of a matrix under the pointer; what the minimap lies over is the minimap's.
std::optional<Cell> MaskView::State::pointIn(const Frame& frame, std::size_t tile,
                                             const std::optional<Rect>& map) {
  const MaskFrame& f = frame.frames[tile];
  const Lengths& lengths = frame.masks.lengths;
  ImGui::SetCursorScreenPos(ImVec2(f.area.x0, f.area.y0));
  const CanvasInput input =
      canvas(frame.context.ui, canvasLabel(frame.masks, tile),
             ImVec2(widthOf(f.area), heightOf(f.area)), canvasValue(visibleCells(f, lengths)));
  if (map && !input.dragging && contains(*map, input.mouseX, input.mouseY))
    return std::nullopt;
  return pointAtMatrix(frame.context, input, f, lengths);
}

// The token of an image under the pointer; a click pins it as the query.
std::optional<Index> MaskView::State::pointAtImage(const Frame& frame, std::size_t tile) {
  const ViewContext& context = frame.context;
  const Rect area = imageOf(frame, tile);
  const CanvasInput input =
      imageInput(context.ui, canvasLabel(frame.masks, tile, "Image"), area, *frame.image);
  const auto token =
      input.hovered ? tokenAt(area, *frame.image, input.mouseX, input.mouseY) : std::nullopt;
  if (token && input.clicked)
    context.actions.push(SetPins{{*token, context.scene.pins.key}});
  return token;
}

// Where an image lies: a single one has captions in its room.
Rect MaskView::State::imageOf(const Frame& frame, std::size_t tile) {
  const Rect& room = frame.layout.images[tile];
  return frame.layout.images.size() == 1 ? imageArea(frame.context.ui, room, *frame.image) : room;
}

void MaskView::State::takeInput(const Frame& frame) {
  const ViewContext& context = frame.context;
  const Lengths& lengths = frame.masks.lengths;
  Hover hover;
  const auto map = minimapArea(context.ui, frame.frames.front(), lengths);
  for (std::size_t k = 0; k < frame.frames.size(); ++k)
    if (const auto cell = pointIn(frame, k, map))
      hover = {cell->query, cell->key};
  if (map)
    pointAtMinimap(context, minimapInput(context.ui, *map), *map, frame.frames.front(), lengths);
  for (std::size_t k = 0; k < frame.layout.images.size(); ++k)
    if (const auto token = pointAtImage(frame, k))
      hover = {*token, std::nullopt};
  if (context.blocked)
    return;
  if (hover != context.hover)
    context.actions.push(hover);
  if (ImGui::IsWindowFocused() && !typing())
    pressKeys(context, frame.frames.front(), lengths);
}

bool MaskView::State::showWeights(const Frame& frame, std::size_t tile, const TexelAxes& axes,
                                  Standing& standing) {
  const ViewContext& context = frame.context;
  const auto& attention = context.results.attention;
  const WeightsShown shown = context.scene.mask.weights;
  if (shown == WeightsShown::Off || tile != 0 || !attention || !context.results.inputCovers ||
      attention->prepared->lengths() != frame.masks.lengths)
    return false;
  const Reduction reduction = shown == WeightsShown::Sum ? Reduction::Sum : Reduction::Maximum;
  const auto raster =
      context.rasters.weights("weights 0", {attention.value, axes.lattice(), reduction});
  standing.late |= attention.stale || raster.stale || raster.pending;
  standing.progress = raster.progress;
  standing.problem = raster.problem ? raster.problem->text : "";
  if (!raster)
    return false;
  standing.largestWeight = raster->largest;
  pictures[tile].show(raster, axes, figureTheme(context.ui.theme));
  return true;
}

Standing MaskView::State::showPicture(const Frame& frame, std::size_t tile) {
  const ViewContext& context = frame.context;
  const auto& prepared = frame.masks.tiles[tile].prepared;
  const FigureTheme theme = figureTheme(context.ui.theme);
  const TexelAxes axes = axesOf(frame.frames[tile], frame.masks.lengths, frame.density);
  Standing standing;
  standing.late = context.results.masks.stale;
  if (showWeights(frame, tile, axes, standing))
    return standing;
  if (shader && axes.keys.kind == TexelKind::Pixels &&
      MaskShader::serves(*prepared, axes.lattice())) {
    pictures[tile].show(*shader, prepared, axes, theme);
    return standing;
  }
  const auto raster =
      context.rasters.coverage("mask " + std::to_string(tile), {prepared, axes.lattice()});
  pictures[tile].show(raster, axes, theme);
  standing.late |= raster.stale || raster.pending;
  standing.progress = raster.progress;
  standing.sampled = raster && !raster->coverage.exact;
  standing.problem = raster.problem ? raster.problem->text : "";
  return standing;
}

void MaskView::State::drawLegends(const Frame& frame, std::size_t tile, const Standing& standing) {
  const Ui& ui = frame.context.ui;
  const MaskFrame& f = frame.frames[tile];
  const Rect matrix = maskOutline(f, frame.masks.lengths);
  if (standing.largestWeight) {
    const TexelKind kind = axesOf(f, frame.masks.lengths, frame.density).keys.kind;
    drawWeightsLegend(ui, matrix, weightsTitle(frame.context.scene.mask.weights, kind),
                      *standing.largestWeight);
  } else if (tile == 0 || !sameParts(frame.masks.tiles[tile], frame.masks.tiles.front())) {
    drawPartsLegend(ui, matrix, *frame.masks.tiles[tile].prepared);
  }
  if (!standing.problem.empty()) {
    drawBadge(ui, matrix, standing.problem);
    return;
  }
  std::string badge = standing.sampled ? "sampled" : "";
  if (standing.late && lateFor > 0.25F) {
    badge += badge.empty() ? "updating…" : " · updating…";
    if (standing.progress > 0 && standing.progress < 1)
      badge += " " + std::to_string(static_cast<int>(standing.progress * 100)) + " %";
  }
  if (!badge.empty())
    drawBadge(ui, matrix, badge);
}

void MaskView::State::drawMatrix(const Frame& frame, std::size_t tile) {
  const ViewContext& context = frame.context;
  const Ui& ui = context.ui;
  const MaskFrame& f = frame.frames[tile];
  const Lengths& lengths = frame.masks.lengths;
  Standing standing = showPicture(frame, tile);
  if (const auto& problem = context.results.masks.problem)
    standing.problem = "the last good picture: " + problem->text;
  anyLate |= standing.late;
  pictures[tile].draw(f, frame.density);
  drawGaps(ui, f, lengths, frame.density);
  drawOutline(ui, f, lengths);
  drawPins(ui, f, lengths, context.scene.pins);
  AxesSpec axes;
  axes.keys = tile < frame.layout.columns;
  axes.queries = tile % frame.layout.columns == 0;
  axes.keysBeyond = tile + 1 == std::min(frame.layout.columns, frame.frames.size());
  axes.words = frame.words;
  axes.queryWords = lengths.square();
  drawAxes(ui, f, lengths, axes);
  drawLegends(frame, tile, standing);
  const Hover& hover = context.hover;
  if (hover.query && hover.key && *hover.query < lengths.queries && *hover.key < lengths.keys) {
    drawCrosshair(ui, f, lengths, {*hover.query, *hover.key});
    if (frame.frames.size() == 1 && axes.words.empty())
      drawAxisMarks(ui, f, lengths, {*hover.query, *hover.key});
  }
  const std::string& title = frame.masks.tiles[tile].title;
  if (!title.empty())
    drawLine(ui, ImVec2(f.area.x0, f.area.y1 + ui.px(5)), {f.area.x0, f.area.x1}, ui.colors().text,
             title);
}

void MaskView::State::drawBelow(const Frame& frame) {
  const ViewContext& context = frame.context;
  const Ui& ui = context.ui;
  const MaskLayout& layout = frame.layout;
  const LineRoom room{context.area.x0 + ui.px(14), context.area.x1 - ui.px(14)};
  const float x = layout.block.x0;
  const std::string words = stripCaption(context, frame.masks);
  drawLine(ui, ImVec2(x, layout.captionTop), room,
           words.empty() ? ui.colors().dim : ui.colors().text,
           words.empty() ? "point at a query to see its keys" : words);
  if (layout.images.size() > 1)
    drawLine(ui, ImVec2(x, layout.imageCaptionTop), room, ui.colors().dim,
             "below each matrix its tokens as " + groupDigits(frame.image->first) + " × " +
                 groupDigits(frame.image->second) + " pixels · " +
                 imageWords(context, *frame.image));
  if (frame.masks.tiles.size() == 1) {
    const MaskTile& tile = frame.masks.tiles.front();
    drawRowStrip(context, tile, frame.frames.front(), layout.strip, frame.density, strips.row);
    drawKeyStrip(context, tile, frame.frames.front(), layout.column, frame.density, strips.column);
  }
  const bool noWeights = context.scene.mask.weights != WeightsShown::Off &&
                         (!context.results.attention || !context.results.inputCovers);
  drawLine(ui, ImVec2(x, layout.hintTop), room, ui.colors().dim,
           noWeights ? "attention weights need an input that covers the mask"
                     : hintFor(ui, room.right - room.left));
}

void MaskView::State::drawAll(const Frame& frame) {
  const ViewContext& context = frame.context;
  takeInput(frame);
  pictures.resize(frame.masks.tiles.size());
  anyLate = false;
  for (std::size_t k = 0; k < frame.frames.size(); ++k)
    drawMatrix(frame, k);
  lateFor = anyLate ? lateFor + context.step : 0;
  const MaskLayout& layout = frame.layout;
  const Rect matrices{layout.block.x0, layout.block.y0, layout.block.x1, layout.matrices.back().y1};
  drawAxisTitles(context.ui, matrices, frame.layout.titleLeft, frame.layout.titleTop);
  const MaskTile& first = frame.masks.tiles.front();
  const auto map = minimapArea(context.ui, frame.frames.front(), frame.masks.lengths);
  if (map)
    drawMinimap(context, first, frame.frames.front(), *map, frame.density, minimap);
  images.resize(frame.layout.images.size());
  for (std::size_t k = 0; k < images.size(); ++k)
    drawTokenImage(context, frame.masks.tiles[k], "image " + std::to_string(k), imageOf(frame, k),
                   *frame.image, frame.density, images[k]);
  if (images.size() == 1)
    drawImageCaptions(context, frame.layout.images.front(), imageOf(frame, 0), *frame.image);
  drawBelow(frame);
}

void MaskView::draw(const ViewContext& context) {
  const auto& masks = context.results.masks;
  if (masks)
    return state_->drawAll(state_->makeFrame(context));
  const Ui& ui = context.ui;
  ImGui::SetCursorScreenPos(ImVec2(context.area.x0 + ui.px(18), context.area.y0 + ui.px(14)));
  if (masks.problem)
    note(ui, NoteKind::Error, masks.problem->text);
  else
    caption(ui, "preparing the pattern…");
}

} // namespace attention::gui
