#include "app/gui/views/model/model_view.h"

#include "app/gui/pictures/last_good.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/views/model/model_results.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>

namespace attention::gui {
namespace {

constexpr float kHeading = 22; // above a plot
constexpr float kGap = 18;     // between plots
constexpr float kWide = 760;   // the points stand beside the curves where there is as much
constexpr float kFrontShare = 0.42F;
constexpr float kLeast = 480; // of the view
constexpr float kLeastStacked = 760;
constexpr float kTableLine = 21; // the height of a line of the table that is easily read
constexpr float kMostTable = 0.4F;

constexpr std::array kModelTabs{
    PictureTab<ModelPicture>{ModelPicture::Costs, "Costs",
                             "What each variant costs the model on the text"},
    PictureTab<ModelPicture>{ModelPicture::Layers, "Layers",
                             "The masks of all layers and heads of the chosen variant"}};

struct CostsAreas {
  Rect front;
  Rect along; // without a width: there is none
  Rect table;
};

CostsAreas areasOf(const Ui& ui, const Rect& room, const CostsShown& shown) {
  CostsAreas areas;
  const auto lines = static_cast<float>(rowsOf(shown.costs).size() + 1);
  const float table = std::min(lines * ui.px(kTableLine), heightOf(room) * kMostTable);
  areas.table = {room.x0, room.y1 - table, room.x1, room.y1};
  const Rect plots{room.x0, room.y0, room.x1, areas.table.y0 - ui.px(kGap)};
  areas.front = plots;
  if (shown.along && widthOf(room) >= ui.px(kWide)) {
    const float middle = plots.x0 + widthOf(plots) * kFrontShare;
    areas.front.x1 = middle - ui.px(kGap) / 2;
    areas.along = {middle + ui.px(kGap) / 2, plots.y0, plots.x1, plots.y1};
  } else if (shown.along) {
    const float middle = (plots.y0 + plots.y1) / 2;
    areas.front.y1 = middle - ui.px(kGap) / 2;
    areas.along = {plots.x0, middle + ui.px(kGap) / 2, plots.x1, plots.y1};
  }
  areas.front.y0 += ui.px(kHeading);
  areas.along.y0 += ui.px(kHeading);
  return areas;
}

// What to do where no model is open, in a sentence, and a command that brings one.
void drawInvitation(const ViewContext& context, const Rect& from) {
  const Ui& ui = context.ui;
  const Lines lines({from.x0, from.y1, from.x1, context.area.y1});
  words(ui, "Drop a model (a .gguf file or a Hugging Face folder) on the window to see what other "
            "masks cost it.");
  space(ui, 8);
  caption(ui, "This command, run in the source folder, downloads SmolLM2 (135 million parameters, "
              "93 MB, Apache-2.0); the program itself downloads nothing:");
  code(ui, "tools/get_model.sh");
  space(ui, 4);
  if (button(ui, "Copy the command", {"Copy tools/get_model.sh, to run it in a terminal"}))
    context.actions.run("model.copyBringing");
  ImGui::SameLine();
  if (button(ui, "Open a model…", {"Choose a .gguf file, or a folder's config.json"}))
    context.actions.run("model.open");
}

void drawWaiting(const ViewContext& context, const Rect& from,
                 const std::optional<Problem>& problem, const std::string& work) {
  const Lines lines({from.x0, from.y1, from.x1, context.area.y1});
  if (problem)
    note(context.ui, *problem);
  else
    caption(context.ui, work.empty() ? "computing …" : work);
}

} // namespace

struct ModelView::State {
  PlotPane front;
  PlotPane along;
  PlotPane table;
  PlotPane layers;

  void drawPlot(const ViewContext& context, PlotPane& pane, const ShownPlot& of, const Rect& area,
                const std::string& value);
  void drawCosts(const ViewContext& context, const Rect& room, const Latest<CostsShown>& costs);
  void drawLayers(const ViewContext& context, const Rect& room, const Latest<LayersShown>& layers);
};

void ModelView::State::drawPlot(const ViewContext& context, PlotPane& pane, const ShownPlot& of,
                                const Rect& area, const std::string& value) {
  const Ui& ui = context.ui;
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const CanvasInput input = canvas(ui, of.slot, ImVec2(widthOf(area), heightOf(area)), value);
  const auto box = pane.draw(of, area, context);
  const auto* curves = std::get_if<CurvesMark>(&of.plot.mark);
  if (box && curves && input.hovered && !context.blocked)
    tooltip(ui, wordsAt(*curves, *box, ImVec2(input.mouseX, input.mouseY), ui.px(kPointReach)));
}

void ModelView::State::drawCosts(const ViewContext& context, const Rect& room,
                                 const Latest<CostsShown>& costs) {
  const Ui& ui = context.ui;
  const CostsShown& shown = *costs;
  const CostsAreas areas = areasOf(ui, room, shown);
  const auto heading = [&](const Rect& below, const char* words) {
    drawLineIn(ui, {below.x0, below.y0 - ui.px(kHeading), below.x1, below.y0}, words);
  };
  const bool encoder = shown.costs.base->model->encoder;
  const std::string rows = countText(rowsOf(shown.costs).size(), "row");
  heading(areas.front, encoder ? "change against attended pairs" : "loss against attended pairs");
  drawPlot(context, front, {shown.front, costs.value, "Front"}, areas.front, rows);
  if (shown.along) {
    heading(areas.along, "loss along the text");
    drawPlot(context, along, {*shown.along, costs.value, "Along"}, areas.along, rows);
  }
  drawPlot(context, table, {shown.table, costs.value, "Table"}, areas.table, rows);
}

void ModelView::State::drawLayers(const ViewContext& context, const Rect& room,
                                  const Latest<LayersShown>& of) {
  drawPlot(context, layers, {of->plot, of.value, "Masks"}, room, of->title);
}

ModelView::ModelView() : state_(std::make_unique<State>()) {}
ModelView::~ModelView() = default;

void ModelView::leave() {
  state_ = std::make_unique<State>();
}

float ModelView::leastHeight(const ViewContext& context) const {
  const bool stacked = widthOf(context.area) - 2 * context.ui.px(kViewMargin) <
                       context.ui.px(kWide); // points above curves
  const bool costs =
      context.scene.model.picture == ModelPicture::Costs && !context.scene.model.model.empty();
  return context.ui.px(costs && stacked ? kLeastStacked : kLeast);
}

void ModelView::draw(const ViewContext& context) {
  const Ui& ui = context.ui;
  const ModelResults& results = context.results.part<ModelResults>();
  const ModelPicture picture = context.scene.model.picture;
  const bool layers = picture == ModelPicture::Layers;
  const auto problem = problemOf(results, picture);
  const std::string work = workOf(results, picture);
  const bool there = layers ? bool(results.layers) : bool(results.costs);
  const std::string words =
      there ? (layers ? results.layers->caption : results.costs->caption) : std::string();
  const ShownTitle title = shownTitle(context, context.results.title, problem);
  const std::string caption = pictureCaption(context, work.empty() ? words : work);
  const PictureFrame frame =
      pictureFrame(ui, areaOfPictures(context), {there ? title.words : std::string(), caption});
  if (!context.presented)
    if (const auto chosen = drawPictureTabs(ui, frame.tabs, kModelTabs, picture))
      context.actions.edit("picture", [chosen](Scene& s) { s.model.picture = *chosen; });
  if (context.scene.model.model.empty() && !problem)
    return drawInvitation(context, frame.tabs);
  if (!there)
    return drawWaiting(context, frame.tabs, problem, work);
  drawShownTitle(ui, frame.title, title);
  if (layers)
    state_->drawLayers(context, frame.room, results.layers);
  else
    state_->drawCosts(context, frame.room, results.costs);
  drawCaptionIn(ui, frame.caption, caption);
  dimLastGood(context, frame.title, title);
}

} // namespace attention::gui
