#include "app/gui/views/attention/weights_view.h"
#include "app/gui/interface/latest.h"
#include "app/gui/pictures/last_good.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/pictures/raster_image.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/views/attention/attention_hover.h"
#include "app/gui/views/attention/attention_pictures.h"
#include "app/gui/views/attention/single_picture.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>

namespace attention::gui {
namespace {

constexpr std::size_t kMostPanels = 6;

// Whether there is all of the picture that the Scene asks for, or the last good one stays.
bool isAttentionWhole(const ViewContext& context) {
  const AttentionResults& attention = context.results.part<AttentionResults>();
  return isThere(context, attention) &&
         attention.shown->spec.picture == context.scene.attention.picture;
}

std::string hintOf(const Ui& ui, float width, AttentionPicture picture, bool part) {
  switch (picture) {
  case AttentionPicture::Maps:
    return firstFitting(ui, width,
                        {"scroll zooms · drag pans · click pins a query, Shift+click a key · F "
                         "fits · N / P: next / previous head",
                         "scroll zooms · drag pans · click pins · N / P: next / previous head",
                         "N / P: next / previous head"});
  case AttentionPicture::Heads:
    return firstFitting(
        ui, width,
        {"click a head to open it · N / P: next / previous head", "N / P: next / previous head"});
  default:
    break;
  }
  if (part)
    return firstFitting(
        ui, width,
        {"point at a token to see only its lines · click pins it · scroll moves along the tokens · "
         "N / P: next / previous head",
         "point at a token for its lines · click pins it · scroll moves along the tokens",
         "scroll moves along the tokens"});
  return firstFitting(ui, width,
                      {"point at a token to see only its lines · click pins it · F shows all · N / "
                       "P: next / previous head",
                       "point at a token for its lines · click pins it · F shows all",
                       "F shows all"});
}

class WeightsPane final : public ViewPane {
public:
  void draw(const ViewContext& context) override;

private:
  std::array<PlotPane, kMostPanels> panes_;
  std::array<WholeCellPointer, kMostPanels> pointers_;
  struct Aligned { // curves with their axes below one another
    std::shared_ptr<const AttentionShown> shown;
    std::size_t end = 0; // of the panels with room
    float width = 0;
    PlotLook own; // without what aligns them
    bool operator==(const Aligned&) const = default;
  };
  Aligned aligned_;        // that `look_` was measured for
  float linesRest_ = 0;    // of the wheel over lines
  bool linesMove_ = false; // they are of a part of the tokens
  PlotLook look_;

  PlotLook curvesLook(const Ui& ui, const std::shared_ptr<const AttentionShown>& shown,
                      const AttentionAreas& areas);
  void drawPanels(const ViewContext& context, const AttentionAreas& areas, Hover& hover);
  void pointAt(const ViewContext& context, std::size_t place, const CanvasInput& input,
               const Rect& box, Hover& hover);
};

std::string nameOf(const FigurePanel& panel, std::size_t place, std::size_t maps) {
  if (place < maps)
    return "Map " + std::to_string(place + 1);
  if (std::holds_alternative<CurvesMark>(panel.plots.front().mark))
    return "Curve " + std::to_string(place - maps + 1);
  return std::holds_alternative<LinksMark>(panel.plots.front().mark) ? "Token lines" : "Heads";
}

// Whether the curves stand one above the other, with the x axis that they share below the lowest.
bool curvesInColumn(const AttentionShown& shown, const AttentionAreas& areas) {
  const std::size_t end = std::min(shown.panels.size(), areas.panels.size());
  return end >= shown.maps + 2 && areas.panels[shown.maps].x0 == areas.panels[shown.maps + 1].x0;
}

// What a script may check.
std::string valueOf(const AttentionShown& shown) {
  if (shown.answer.sketches)
    return countText(shown.answer.sketches->made.size(), "head");
  const auto& mark = shown.panels.front().plots.front().mark;
  if (const auto* lines = std::get_if<LinksMark>(&mark))
    return countText(lines->links.size(), "line");
  if (const auto* values = std::get_if<ValuesMark>(&mark))
    return canvasValue(values->cells);
  return {};
}

void WeightsPane::pointAt(const ViewContext& context, std::size_t place, const CanvasInput& input,
                          const Rect& box, Hover& hover) {
  const FigurePanel& panel = context.results.part<AttentionResults>().shown->panels[place];
  const auto& mark = panel.plots.front().mark;
  if (const auto* values = std::get_if<ValuesMark>(&mark)) {
    if (const auto cell = pointers_[place].point(context, input, *values, box))
      hover = *cell;
    else if (const Hover at = pointAtSums(context, input, *values, box); at.key)
      hover = at;
    frameCell(context.ui, *values, box, context.hover);
    if (place == 0 && !context.blocked && ImGui::IsWindowFocused() && !typing())
      pointers_[place].press(context, *values, box);
  } else if (const auto* curves = std::get_if<CurvesMark>(&mark)) {
    const Hover at = pointAtCurves(context, input, *curves, panel.title, box);
    hover = at.query ? at : hover;
    markQuery(context.ui, *curves, box, context.hover);
  } else if (const auto* links = std::get_if<LinksMark>(&mark)) {
    hover = pointAtLines(context, input, *links, box, linesRest_);
  } else if (const auto* tiles = std::get_if<TilesMark>(&mark)) {
    pointAtHeads(context, input, *tiles, box);
  }
}

// Curves one above the other have their axes below one another. Measured where something of it
// changed.
PlotLook WeightsPane::curvesLook(const Ui& ui, const std::shared_ptr<const AttentionShown>& shown,
                                 const AttentionAreas& areas) {
  const PlotLook own{plotType(ui.fonts), figureTheme(ui.theme)};
  const std::size_t first = shown->maps;
  const std::size_t end = std::min(shown->panels.size(), areas.panels.size());
  if (!curvesInColumn(*shown, areas))
    return own;
  const Aligned now{shown, end, widthOf(areas.panels[first]), own};
  if (aligned_ == now)
    return look_;
  std::vector<const Plot*> curves;
  for (std::size_t k = first; k < end; ++k)
    curves.push_back(&shown->panels[k].plots.front());
  aligned_ = now;
  look_ = alignedLook(curves, static_cast<double>(now.width), own, windowMeasure(ui.fonts));
  return look_;
}

void WeightsPane::drawPanels(const ViewContext& context, const AttentionAreas& areas,
                             Hover& hover) {
  const Ui& ui = context.ui;
  const auto& shown = context.results.part<AttentionResults>().shown;
  const std::size_t count = std::min(shown->panels.size(), kMostPanels);
  const PlotLook plotLook = curvesLook(ui, shown.value, areas);
  const bool column = curvesInColumn(*shown, areas);
  for (std::size_t k = 0; k < count; ++k) {
    const FigurePanel& panel = shown->panels[k];
    Rect area = areas.panels[k];
    const Rect title = area;
    if (!panel.title.empty())
      area.y0 += panelTitle(ui);
    if (widthOf(area) < 1 || heightOf(area) < 1)
      continue;
    const std::string name = nameOf(panel, k, shown->maps);
    const bool across = !column || k + 1 == count;
    const auto box = panes_[k].draw({panel.plots.front(), shown.value, "attention " + name,
                                     plotLook.left, plotLook.right, across},
                                    area, context);
    if (!box)
      continue; // no room: no heading either
    const auto* links = std::get_if<LinksMark>(&panel.plots.front().mark);
    linesMove_ = links && showsPart(pageOfLines(context, *links, *box), context.results.lengths);
    ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
    const CanvasInput input =
        canvas(ui, name, ImVec2(widthOf(area), heightOf(area)), valueOf(*shown),
               k < shown->maps || linesMove_ ? Wheel::Zooms : Wheel::Scrolls);
    if (!panel.title.empty())
      drawLineIn(ui, title, panel.title);
    pointAt(context, k, input, *box, hover);
  }
}

void WeightsPane::draw(const ViewContext& context) {
  const AttentionResults& attention = context.results.part<AttentionResults>();
  const auto& shown = attention.shown;
  const bool whole = isAttentionWhole(context);
  const AttentionShown nothing;
  const auto legend =
      whole ? attentionLegend(shown->spec, shown->answer, figureTheme(context.ui.theme))
            : std::vector<LegendEntry>();
  const AttentionShown& of = whole ? *shown : nothing;
  const ShownTitle title = shownTitle(context, of.title, attention.problem);
  const AttentionAreas areas =
      attentionAreas(context.ui, areaOfPictures(context, panelTitle(context.ui)), of,
                     {title.words, pictureCaption(context, of.caption), legend});
  if (!context.presented)
    drawAttentionTabs(context, areas.frame.tabs);
  if (!whole)
    return drawPictureProblem(context, areas.frame.tabs, attention.problem);
  drawShownTitle(context.ui, areas.frame.title, title);
  Hover hover;
  drawPanels(context, areas, hover);
  drawSwatches(context.ui, areas.frame.legend, context.ui.px(kLineHeight), legend);
  drawCaptionIn(context.ui, areas.frame.caption,
                pictureCaption(context, attentionWords(context, *shown)));
  if (!context.presented)
    drawLineIn(context.ui, areas.hint,
               hintOf(context.ui, widthOf(areas.hint), shown->spec.picture, linesMove_));
  dimLastGood(context, areas.frame.title, title);
  if (!context.blocked && hover != context.hover)
    context.actions.push(hover);
}

} // namespace

std::unique_ptr<ViewPane> weightsPane() {
  return std::make_unique<WeightsPane>();
}

} // namespace attention::gui
