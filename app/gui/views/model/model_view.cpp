#include "app/gui/views/model/model_view.h"

#include "app/gui/pictures/last_good.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/pictures/running_text_pane.h"
#include "app/gui/views/model/model_results.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"
#include "core/plot/draw_marks.h"
#include "core/plot/plane.h"
#include "core/support/number_text.h"
#include "core/views/model/variant_names.h"

#include <algorithm>
#include <array>
#include <limits>

namespace attention::gui {
namespace {

constexpr float kHeading = 22; // above a plot
constexpr float kGap = 18;     // between plots
constexpr float kWide = 760;   // the points stand beside the curves where there is as much
constexpr float kBeside = 560; // or as much in a room that is not as high as this:
constexpr float kHigh = 620;
constexpr float kFrontShare = 0.42F;
constexpr float kFrontShareNarrow = 0.44F;
constexpr float kLeastCosts = 400; // of the view
constexpr float kLeastStacked = 760;
constexpr float kLeastText = 200;
constexpr float kLeastSweep = 260;
constexpr float kLeastLayers = 420;
constexpr float kTableLine = 21; // the height of a line of the table that is easily read
constexpr float kMostTable = 0.4F;

constexpr std::array kModelTabs{
    PictureTab<ModelPicture>{ModelPicture::Costs, "Costs",
                             "What each variant costs the model on the text"},
    PictureTab<ModelPicture>{ModelPicture::Text, "Text",
                             "The words that the chosen variant makes hard to predict"},
    PictureTab<ModelPicture>{ModelPicture::Sweep, "Sweep",
                             "Which layers or heads matter, and how large a window must be"},
    PictureTab<ModelPicture>{ModelPicture::Layers, "Layers",
                             "The masks of all layers and heads of the chosen variant"}};

struct CostsAreas {
  Rect front;
  Rect along; // without a width: there is none
  Rect table;
};

// Whether the points stand beside the curves, not above them.
bool standsBeside(const Ui& ui, float width, float height) {
  return width >= ui.px(kWide) || (width >= ui.px(kBeside) && height < ui.px(kHigh));
}

CostsAreas areasOf(const Ui& ui, const Rect& room, const CostsShown& shown) {
  CostsAreas areas;
  const auto lines = static_cast<float>(shown.costs.rows.size() + 1);
  const float table = std::min(lines * ui.px(kTableLine), heightOf(room) * kMostTable);
  areas.table = {room.x0, room.y1 - table, room.x1, room.y1};
  const Rect plots{room.x0, room.y0, room.x1, areas.table.y0 - ui.px(kGap)};
  areas.front = plots;
  if (shown.along && standsBeside(ui, widthOf(room), heightOf(room))) {
    const bool narrow = widthOf(room) < ui.px(kWide);
    const float middle = plots.x0 + widthOf(plots) * (narrow ? kFrontShareNarrow : kFrontShare);
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

void offerDownload(const ViewContext& context) {
  if (button(context.ui, "Download SmolLM2…", {kDownloadTip}))
    context.actions.run("model.download");
}

// What to do where no model is named and the shipped results are of another text.
void drawInvitation(const ViewContext& context, const Rect& from) {
  const Ui& ui = context.ui;
  const Lines lines({from.x0, from.y1, from.x1, context.area.y1});
  words(ui, "Drop a model (a .gguf file or a Hugging Face folder) on the window to see what other "
            "masks cost it on this text.");
  space(ui, 8);
  offerDownload(context);
  ImGui::SameLine();
  if (button(ui, "Open a model…", {"Choose a .gguf file, or a folder's config.json"}))
    context.actions.run("model.open");
}

void drawWaiting(const ViewContext& context, const Rect& from,
                 const std::optional<Problem>& problem, const std::string& work) {
  const Lines lines({from.x0, from.y1, from.x1, context.area.y1});
  if (!problem)
    return caption(context.ui, work.empty() ? "computing …" : work);
  note(context.ui, *problem);
  const bool missing = context.results.part<ModelResults>().model.problem.has_value();
  if (missing && context.scene.model.model == kShippedModel)
    offerDownload(context);
}

// The head whose mask is under the pointer, or nearest to it in the gap between some.
std::optional<std::size_t> tileUnder(const TilesMark& mark, const Rect& box,
                                     const CanvasInput& input) {
  constexpr double kReach = 0.3; // beyond a tile, of its side
  const attention::Box area{static_cast<double>(box.x0), static_cast<double>(box.y0),
                            static_cast<double>(widthOf(box)), static_cast<double>(heightOf(box))};
  const Point pointer{static_cast<double>(input.mouseX), static_cast<double>(input.mouseY)};
  std::optional<std::size_t> under;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < mark.tiles.size(); ++k) {
    const attention::Box at = tileBox(mark, area, k);
    const double away = distanceToBox(pointer, at);
    if (away >= least || away > kReach * at.width)
      continue;
    least = away;
    under = k;
  }
  return under;
}

// The heads that a click on one gives the pattern: with Shift the whole layer, with Ctrl those that
// share its key/value head.
std::string clickedHeads(const Model& model, Index head, const CanvasInput& input) {
  if (input.shift)
    return "all";
  return input.ctrl && model.kvHeads < model.heads ? groupOf(model, head) : std::to_string(head);
}

// What the caption of the masks says in the window. A presentation shows them as they are.
std::string layersCaption(const ViewContext& context, const std::string& caption) {
  return context.presented ? caption
                           : "Click a head to give it the pattern of the sidebar, Shift+click its "
                             "layer. " +
                                 caption;
}

// ", Ctrl+click the 3 heads that share its keys and values"; empty where all heads have their own.
std::string groupHint(const Model& model) {
  return model.kvHeads < model.heads
             ? ", Ctrl+click the " + counted(model.heads / model.kvHeads, "head") +
                   " that share its keys and values"
             : std::string();
}

// A click gives heads the pattern of the sidebar.
void pointAtHeads(const ViewContext& context, const TilesMark& mark, const Rect& box,
                  const CanvasInput& input) {
  const auto tile = tileUnder(mark, box, input);
  if (!tile)
    return;
  const Latest<Model>& model = context.results.part<ModelResults>().model;
  if (!model)
    return;
  const auto [layer, head] = placeOfTile(*model, static_cast<Index>(*tile));
  if (std::ssize(mark.tiles) != std::ssize(model->layers) * model->heads)
    return; // the picture is still that of another model
  tooltip(context.ui, "layer " + groupedDigits(layer) + ", head " + groupedDigits(head) +
                          ": click gives it the pattern of the sidebar" + groupHint(*model) +
                          ", Shift+click the whole layer");
  if (input.clicked)
    context.actions.edit("apply a pattern",
                         [at = layer, heads = clickedHeads(*model, head, input)](Scene& s) {
                           giveHeadsNamed(s.model, s.pattern, at, heads);
                         });
}

class ModelPane final : public ViewPane {
public:
  void draw(const ViewContext& context) override;
  float leastHeight(const ViewContext& context) const override;

private:
  PlotPane front_;
  PlotPane along_;
  PlotPane table_;
  PlotPane sweep_;
  PlotPane layers_;
  RunningTextPane text_;

  void drawPlot(const ViewContext& context, PlotPane& pane, const ShownPlot& of, const Rect& area,
                const std::string& value);
  void drawCosts(const ViewContext& context, const Rect& room, const Latest<CostsShown>& costs);
  void drawHurt(const ViewContext& context, const Rect& room, const Latest<HurtShown>& hurt);
  void drawSweep(const ViewContext& context, const Rect& room, const Latest<SweepShown>& swept);
  void drawRoom(const ViewContext& context, const Rect& room, const ModelResults& results);
};

void ModelPane::drawPlot(const ViewContext& context, PlotPane& pane, const ShownPlot& of,
                         const Rect& area, const std::string& value) {
  const Ui& ui = context.ui;
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const CanvasInput input = canvas(ui, of.slot, ImVec2(widthOf(area), heightOf(area)), value);
  const auto box = pane.draw(of, area, context);
  if (!box || !input.hovered || context.blocked)
    return;
  if (const auto* curves = std::get_if<CurvesMark>(&of.plot.mark))
    tooltip(ui, wordsAt(*curves, *box, ImVec2(input.mouseX, input.mouseY), ui.px(kPointReach)));
  if (const auto* tiles = std::get_if<TilesMark>(&of.plot.mark))
    pointAtHeads(context, *tiles, *box, input);
}

void ModelPane::drawCosts(const ViewContext& context, const Rect& room,
                          const Latest<CostsShown>& costs) {
  const Ui& ui = context.ui;
  const CostsShown& shown = *costs;
  CostsAreas areas = areasOf(ui, room, shown);
  const bool begun = shown.costs.rows.empty(); // the first tokens are all there is
  if (begun)
    areas.along = {room.x0, room.y0 + ui.px(kHeading), room.x1, room.y1};
  const auto heading = [&](const Rect& below, const char* words) {
    drawLineIn(ui, {below.x0, below.y0 - ui.px(kHeading), below.x1, below.y0}, words);
  };
  const std::string rows = countText(shown.costs.rows.size(), "row");
  if (!begun) {
    heading(areas.front,
            shown.costs.encoder ? "change against attended pairs" : "loss against attended pairs");
    drawPlot(context, front_, {shown.front, costs.value, "Front"}, areas.front, rows);
  }
  if (shown.along) {
    heading(areas.along, "loss along the text");
    drawPlot(context, along_, {*shown.along, costs.value, "Along"}, areas.along, rows);
  }
  if (!begun)
    drawPlot(context, table_, {shown.table, costs.value, "Table"}, areas.table, rows);
}

void ModelPane::drawHurt(const ViewContext& context, const Rect& room,
                         const Latest<HurtShown>& hurt) {
  const auto pointed = text_.draw(context, hurt.value, hurt->mark, room, "Hurt text");
  if (pointed.token)
    tooltip(context.ui, wordsOfHurt(hurt->of->costs, hurt->row, *pointed.token));
}

void ModelPane::drawSweep(const ViewContext& context, const Rect& room,
                          const Latest<SweepShown>& swept) {
  Rect plot = room;
  if (!swept->lacking.empty()) {
    const Lines lines(room);
    words(context.ui, swept->lacking);
    if (!swept->answer.costs.partly) { // else the model is there, and computes
      space(context.ui, 8);
      offerDownload(context);
    }
    plot.y0 = ImGui::GetCursorScreenPos().y + context.ui.px(kGap);
  }
  if (swept->drawn)
    drawPlot(context, sweep_, {swept->plot, swept.value, "Points"}, plot,
             countText(swept->answer.costs.rows.size(), "row"));
}

void ModelPane::drawRoom(const ViewContext& context, const Rect& room,
                         const ModelResults& results) {
  switch (context.scene.model.picture) {
  case ModelPicture::Costs:
    return drawCosts(context, room, results.costs);
  case ModelPicture::Text:
    return drawHurt(context, room, results.hurt);
  case ModelPicture::Sweep:
    return drawSweep(context, room, results.sweep);
  case ModelPicture::Layers:
    return drawPlot(context, layers_, {results.layers->plot, results.layers.value, "Masks"}, room,
                    results.layers->title);
  }
}

float ModelPane::leastHeight(const ViewContext& context) const {
  const Ui& ui = context.ui;
  switch (context.scene.model.picture) {
  case ModelPicture::Text:
    return ui.px(kLeastText);
  case ModelPicture::Sweep:
    return ui.px(kLeastSweep);
  case ModelPicture::Layers:
    return ui.px(kLeastLayers);
  case ModelPicture::Costs:
    break;
  }
  const float width = widthOf(context.area) - 2 * ui.px(kViewMargin);
  return ui.px(width >= ui.px(kBeside) ? kLeastCosts : kLeastStacked);
}

void ModelPane::draw(const ViewContext& context) {
  const Ui& ui = context.ui;
  const ModelResults& results = context.results.part<ModelResults>();
  const ModelPicture picture = context.scene.model.picture;
  const auto problem = problemOf(results, picture);
  const std::string work = workOf(results, picture);
  const ModelPictureShown shown = shownOf(results, picture);
  const ShownTitle title = shownTitle(context, context.results.title, problem);
  const std::string told =
      picture == ModelPicture::Layers ? layersCaption(context, shown.caption) : shown.caption;
  const std::string caption = pictureCaption(context, work.empty() ? told : work);
  const PictureFrame frame = pictureFrame(ui, areaOfPictures(context),
                                          {shown.there ? title.words : std::string(), caption});
  if (!context.presented)
    if (const auto chosen = drawPictureTabs(ui, frame.tabs, kModelTabs, picture))
      context.actions.edit("picture", [chosen](Scene& s) { s.model.picture = *chosen; });
  const bool opened = results.model && !results.model.stale;
  if (context.scene.model.model.empty() && !opened && !results.model.pending && !problem)
    return drawInvitation(context, frame.tabs);
  // What was shown last is then the text of another model.
  const bool textOfNone = picture == ModelPicture::Text && problem && results.costs &&
                          !results.costs.stale && results.costs->costs.encoder;
  if (!shown.there || textOfNone)
    return drawWaiting(context, frame.tabs, problem, work);
  drawShownTitle(ui, frame.title, title);
  drawRoom(context, frame.room, results);
  drawCaptionIn(ui, frame.caption, caption);
  dimLastGood(context, frame.title, title);
}

} // namespace

std::unique_ptr<ViewPane> modelPane(const std::filesystem::path& /*shaders*/) {
  return std::make_unique<ModelPane>();
}

} // namespace attention::gui
