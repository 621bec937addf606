#include "app/gui/views/choosing/choosing_view.h"
#include "app/gui/interface/latest.h"
#include "app/gui/pictures/last_good.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/pictures/raster_image.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/views/choosing/choosing_layout.h"
#include "app/gui/views/choosing/choosing_pointer.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>

namespace attention::gui {
namespace {

constexpr std::array kChoosingTabs{
    PictureTab<ChoosingPicture>{ChoosingPicture::Scores, "Scores",
                                "Score, choose, attend: what a query ranks, takes and reads"},
    PictureTab<ChoosingPicture>{
        ChoosingPicture::Cache, "Cache",
        "A cache step by step: which keys it holds, why, and when each is evicted"},
    PictureTab<ChoosingPicture>{
        ChoosingPicture::Budget, "Budget",
        "What is kept of attention against the budget, next to the best possible choice"},
    PictureTab<ChoosingPicture>{
        ChoosingPicture::Sorting, "Sorting",
        "Tokens sorted by group, chunks and look-back, and the matrix before and after"},
    PictureTab<ChoosingPicture>{
        ChoosingPicture::Matrices, "Matrices",
        "The mask in the original order and sorted; each round by itself and all together"},
    PictureTab<ChoosingPicture>{
        ChoosingPicture::Captured, "Captured",
        "Captured mass and recall against hash rounds, or against clusters"},
    PictureTab<ChoosingPicture>{
        ChoosingPicture::Circle, "Circle",
        "Angular hashing in the plane: points on a circle, random sectors"}};

constexpr std::size_t kMostPlots = 2 * static_cast<std::size_t>(kMostCircles) + 1;
constexpr std::size_t kMostSmallPlots = 8;
constexpr float kLeastChoice = 660; // height at scale 1 of matrices, a row and their words

void choosePicture(ActionSink& actions, ChoosingPicture picture) {
  actions.edit("picture", [picture](Scene& s) { s.choosing.picture = picture; });
}

void drawChoosingTabs(const ViewContext& context, const Rect& area) {
  if (const auto picture =
          drawPictureTabs(context.ui, area, kChoosingTabs, context.scene.choosing.picture))
    choosePicture(context.actions, *picture);
}

// "2 of 8 points": growing curves say how far they are.
std::string curvesValue(const ChoosingResults& choosing) {
  if (const auto& budget = choosing.budget)
    return std::to_string(budget->points.size()) + " of " +
           countText(budget->values.size(), "point");
  const auto& curves = choosing.curves;
  return curves ? std::to_string(curves->points.size()) + " of " +
                      countText(curves->counts.size(), "point")
                : "no points";
}

void offerTokens(const ViewContext& context) {
  if (link(context.ui, "draw random tokens", {"Random queries, keys and values, to try it on"}))
    chooseRandomInput(context.actions, "clustered", kMostHashedTokens);
}

// Shown when more tokens are requested than the input has.
void offerLength(const ViewContext& context) {
  const auto& input = context.results.input;
  if (!input || !input->hasQkv() || context.results.lengths.keys <= input->keys)
    return;
  const std::string words = "use the input's " + counted(input->keys, "token");
  if (link(context.ui, words.c_str(), {"Same number of queries and keys as the input"}))
    context.actions.edit("length", [](Scene& s) { s.length = LengthSpec(); });
}

// Shown when the mask is rectangular, which another pattern would not change.
void offerSquare(const ViewContext& context) {
  const Lengths& lengths = context.results.lengths;
  words(context.ui, (isChoice(context.scene.choosing.picture)
                         ? std::string("Choices are shown for as many queries as keys")
                         : std::string("Each token is sorted as a query and a key at once")) +
                        ", but the mask has " + counted(lengths.queries, "query") + " and " +
                        counted(lengths.keys, "key") + ".");
  if (!context.scene.length.queries) {
    if (context.results.input) // to which the rectangle belongs
      offerTokens(context);
    return;
  }
  if (link(context.ui, "use as many queries as keys", {"The square mask of all tokens"}))
    context.actions.edit("queries", [](Scene& s) { s.length.queries.reset(); });
}

// What the picture cannot show of the pattern, and which patterns it can; `drawn`: on the input.
std::string unsuitedWords(const Scene& scene, bool drawn) {
  const std::string title = description(scene.pattern).title;
  const std::string these =
      drawn ? ". These patterns do; they are drawn on the first tokens of your input."
            : ". These patterns do:";
  switch (scene.choosing.picture) {
  case ChoosingPicture::Scores:
    return title + " does not rank blocks or keys" + these;
  case ChoosingPicture::Budget:
    return title + " does not choose blocks or keys" + these;
  case ChoosingPicture::Cache:
    return title + " does not evict keys. This pattern does" +
           (drawn ? "; it is drawn on the first tokens of your input." : ":");
  default:
    return title + " does not put tokens into groups" + these;
  }
}

// Another picture, where that one suits the pattern.
void offerPicture(const ViewContext& context) {
  const ChoosingPicture picture = pictureFor(context.scene.pattern);
  if (!suits(picture, context.scene.pattern))
    return;
  const std::string words = "show the picture of " + description(context.scene.pattern).title;
  if (link(context.ui, words.c_str(), {"The picture that suits the pattern"}))
    choosePicture(context.actions, picture);
}

// Below `tabs`; returns what is left for patterns that the picture suits, where it does not suit
// the Scene's.
std::optional<Rect> drawProblem(const ViewContext& context, const Rect& tabs) {
  const Ui& ui = context.ui;
  const ChoosingResults& choosing = context.results.part<ChoosingResults>();
  const Lines lines({tabs.x0, tabs.y1 + ui.px(16), tabs.x1, context.area.y1});
  const WidgetScope scope(ui.log, "Way out");
  const auto& input = context.results.input;
  if (!context.results.lengths.square() &&
      context.scene.choosing.picture != ChoosingPicture::Circle) {
    offerSquare(context);
    return std::nullopt;
  }
  if (!hasGroups(context.scene)) {
    words(ui, unsuitedWords(context.scene, input && input->hasQkv()));
    offerPicture(context);
    if (!input.pending && !input.problem && (!input || !input->hasQkv()))
      offerTokens(context);
    return Rect{tabs.x0, ImGui::GetCursorScreenPos().y, tabs.x1, context.area.y1};
  }
  if (!choosing.problem) {
    caption(ui, "computing …");
    return std::nullopt;
  }
  note(ui, *choosing.problem);
  space(ui, 6);
  offerLength(context);
  if (choosing.needsInput && !input.problem &&
      context.scene.choosing.picture != ChoosingPicture::Circle) // which reads no input
    offerTokens(context);
  return std::nullopt;
}

void setMoment(const ViewContext& context, double moment) {
  context.actions.push(
      EditScene{"sorting", [moment](Scene& s) { s.choosing.moment = moment; }, "sorting"});
}

void drawControls(const ViewContext& context, const Rect& area) {
  const Ui& ui = context.ui;
  double moment = context.scene.choosing.moment;
  drawWalk(context, {area.x0, area.y0 + ui.px(14), area.x1, area.y1},
           {{"choosing.play", "Sort the tokens, one group after another (Space)"},
            {"choosing.back", "One fewer group (←)", moment > 0},
            {"choosing.forward", "One more group (→)", moment < 1}},
           controlsInTwoRows(ui, widthOf(area)));
  SliderSpec spec;
  spec.tooltip = "How far the sorting has come: 0 is the original order, 1 is sorted by group";
  const Edit edit = sliderReal(ui, "sorted", moment, 0, 1, spec);
  if (edit.changed)
    setMoment(context, std::clamp(moment, 0.0, 1.0));
  if (edit.finished)
    context.actions.push(EndGesture{});
}

class ChoosingPane final : public ViewPane {
public:
  void draw(const ViewContext& context) override;
  float leastHeight(const ViewContext& context) const override;
  std::optional<Rect> roomForOffers() const override { return offers_; }

private:
  PlotPane sorting_;
  PlotPane captured_;
  std::array<PlotPane, kMostPlots> large_;
  std::array<PlotPane, kMostSmallPlots> small_;

  void drawSorting(const ViewContext& context, const ChoosingAreas& areas,
                   std::optional<Hover>& hover);
  void drawPanels(const ViewContext& context, const ChoosingAreas& areas,
                  std::optional<Hover>& hover);
  // Whether there is room for it.
  bool drawPlot(const ViewContext& context, std::size_t panel, std::size_t plot, const Rect& area,
                std::optional<Hover>& hover);
  void drawCaptured(const ViewContext& context, const Rect& area);
  void drawSmall(const ViewContext& context, const ChoosingAreas& areas);
  std::size_t place_ = 0; // among the large plots of this frame
  std::optional<Rect> offers_;
};

void ChoosingPane::drawSorting(const ViewContext& context, const ChoosingAreas& areas,
                               std::optional<Hover>& hover) {
  const Ui& ui = context.ui;
  const auto& shown = context.results.part<ChoosingResults>().sorting;
  const Rect& area = areas.sorting;
  if (!shown)
    return;
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const CanvasInput input =
      canvas(ui, "Token strip", ImVec2(widthOf(area), heightOf(area)),
             "round " + std::to_string(shown->round) + ", moment " + fixed(shown->moment, 2));
  if (const auto box = sorting_.draw({shown->plot, shown.value, "sorting"}, area, context))
    pointAtSorting(context, *box, input, hover);
  if (!context.presented)
    drawControls(context, areas.controls);
}

bool ChoosingPane::drawPlot(const ViewContext& context, std::size_t panel, std::size_t plot,
                            const Rect& area, std::optional<Hover>& hover) {
  const Ui& ui = context.ui;
  const auto& shown = context.results.part<ChoosingResults>().shown;
  const Plot& of = shown->panels[panel].plots[plot];
  const ChoosingPicture picture = shown->spec.picture;
  const bool curves = picture == ChoosingPicture::Captured || picture == ChoosingPicture::Budget;
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const std::string name = "Plot " + std::to_string(place_ + 1);
  const CanvasInput input =
      canvas(ui, name, ImVec2(widthOf(area), heightOf(area)),
             curves ? curvesValue(context.results.part<ChoosingResults>()) : shown->title);
  const auto box = large_[place_++].draw({of, shown.value, "choosing " + name}, area, context);
  if (!box)
    return false;
  if (shown->answer.chosen) {
    pointAtChoice(context, of, *box, input, hover);
  } else if (const auto* mark = std::get_if<CurvesMark>(&of.mark)) {
    if (input.hovered)
      tooltip(ui, wordsAt(*mark, *box, ImVec2(input.mouseX, input.mouseY), ui.px(kPointReach)));
  } else if (picture == ChoosingPicture::Circle) {
    pointAtCircle(context, *box, input, panel, plot);
  } else if (panel < 2) {
    pointAtMatrix(context, *box, input, panel == 1, hover);
  }
  return true;
}

void ChoosingPane::drawPanels(const ViewContext& context, const ChoosingAreas& areas,
                              std::optional<Hover>& hover) {
  const auto& panels = context.results.part<ChoosingResults>().shown->panels;
  place_ = 0;
  for (std::size_t k = 0; k < std::min(panels.size(), areas.plots.size()); ++k) {
    bool drawn = false;
    for (std::size_t p = 0; p < panels[k].plots.size() && place_ < large_.size(); ++p)
      drawn = drawPlot(context, k, p, areas.plots[k][p], hover) || drawn;
    if (drawn && !panels[k].title.empty())
      drawLineIn(context.ui, areas.panels[k],
                 panelHeading(context.ui, panels[k], widthOf(areas.panels[k])));
  }
}

// Beside the matrices below the sorting; a click opens it large.
void ChoosingPane::drawCaptured(const ViewContext& context, const Rect& area) {
  const Ui& ui = context.ui;
  if (widthOf(area) <= 0)
    return;
  const auto& plot = context.results.part<ChoosingResults>().captured;
  const char* heading = "what is kept of attention";
  const Rect below{area.x0, area.y0 + ui.px(24), area.x1, area.y1};
  const auto& problem = context.results.part<ChoosingResults>().curves.problem;
  if (!plot) {
    drawLineIn(ui, area, heading);
    return drawLineIn(ui, below, problem ? problem->text : "computing …");
  }
  ImGui::SetCursorScreenPos(ImVec2(below.x0, below.y0));
  const CanvasInput input = canvas(ui, "small captured", ImVec2(widthOf(below), heightOf(below)),
                                   curvesValue(context.results.part<ChoosingResults>()));
  const auto box = captured_.draw({*plot, plot.value, "captured"}, below, context);
  if (!box)
    return;
  drawLineIn(ui, area, heading);
  if (!input.hovered)
    return;
  const std::string words = wordsAt(std::get<CurvesMark>(plot->mark), *box,
                                    ImVec2(input.mouseX, input.mouseY), ui.px(kPointReach));
  tooltip(ui, words.empty() ? "Click to see it large" : words);
  if (input.clicked)
    choosePicture(context.actions, ChoosingPicture::Captured);
}

// Each round and all of them: a click shows it large.
void ChoosingPane::drawSmall(const ViewContext& context, const ChoosingAreas& areas) {
  const Ui& ui = context.ui;
  const auto& shown = context.results.part<ChoosingResults>().shown;
  const ChoosingSpec& spec = context.scene.choosing;
  for (std::size_t k = 0; k < std::min(areas.small.size(), small_.size()); ++k) {
    const Rect& area = areas.small[k];
    const SmallPicture& of = shown->small[k];
    drawLine(ui, ImVec2(area.x0, area.y0 - ui.px(22)), {area.x0, area.x1}, ui.colors().dim,
             of.title);
    ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
    const std::string name = "small " + of.title;
    const CanvasInput input = canvas(ui, name, ImVec2(widthOf(area), heightOf(area)));
    const auto box = small_[k].draw({of.plot, shown.value, "choosing " + name}, area, context);
    const bool chosen =
        spec.joined ? of.joined : !of.joined && static_cast<Index>(*of.round) == spec.round;
    if (box && chosen)
      gui::box(*box, color(ui.colors().accent), ui.px(2));
    if (input.hovered)
      tooltip(ui, "Click to see it large");
    if (input.clicked)
      context.actions.edit("round", [of = of.round, joined = of.joined](Scene& s) {
        s.choosing.joined = joined;
        s.choosing.round = of ? static_cast<Index>(*of) : s.choosing.round;
      });
  }
}

// Whether the whole picture of the Scene is there, or the last good one stays.
bool isChoosingWhole(const ViewContext& context) {
  const ChoosingResults& choosing = context.results.part<ChoosingResults>();
  const bool stays = isError(choosing.problem) && !choosing.needsInput;
  return choosing.shown && (!choosing.problem || stays) && hasGroups(context.scene) &&
         choosing.shown->spec.picture == context.scene.choosing.picture;
}

std::vector<LegendEntry> legendOf(const ViewContext& context, const ChoosingShown& shown) {
  return choosingLegend(shown.spec, shown.answer, figureTheme(context.ui.theme));
}

float ChoosingPane::leastHeight(const ViewContext& context) const {
  if (isChoosingWhole(context) && context.results.part<ChoosingResults>().shown->answer.chosen)
    return context.ui.px(kLeastChoice);
  if (!isChoosingWhole(context) || context.scene.choosing.picture != ChoosingPicture::Sorting)
    return 0;
  const ChoosingShown& shown = *context.results.part<ChoosingResults>().shown;
  const auto legend = legendOf(context, shown);
  const ShownTitle title =
      shownTitle(context, shown.title, context.results.part<ChoosingResults>().problem);
  return leastSorting(context.ui, context.area,
                      {title.words, pictureCaption(context, shown.caption), legend});
}

void ChoosingPane::draw(const ViewContext& context) {
  const ChoosingResults& choosing = context.results.part<ChoosingResults>();
  const auto& shown = choosing.shown;
  const bool whole = isChoosingWhole(context);
  const ChoosingShown nothing;
  const auto legend = whole ? legendOf(context, *shown) : std::vector<LegendEntry>();
  const ChoosingShown& of = whole ? *shown : nothing;
  const ShownTitle title = shownTitle(context, of.title, choosing.problem);
  const ChoosingAreas areas =
      choosingAreas(context.ui, areaOfPictures(context), of,
                    {title.words, pictureCaption(context, of.caption), legend}, !context.presented);
  if (!context.presented)
    drawChoosingTabs(context, areas.frame.tabs);
  offers_ = whole ? std::nullopt : drawProblem(context, areas.frame.tabs);
  if (!whole)
    return;
  drawShownTitle(context.ui, areas.frame.title, title);
  std::optional<Hover> hover;
  const bool sorting = shown->spec.picture == ChoosingPicture::Sorting;
  if (sorting)
    drawSorting(context, areas, hover);
  drawPanels(context, areas, hover);
  if (shown->answer.chosen && !context.presented)
    drawQueryWalk(context, areas.controls);
  if (sorting)
    drawCaptured(context, areas.captured);
  drawSmall(context, areas);
  drawSwatches(context.ui, areas.frame.legend, context.ui.px(kLineHeight), legend);
  const auto token = tokenShown(context);
  const bool tells = token && context.hover.query;
  drawCaptionIn(
      context.ui, areas.frame.caption,
      tells ? tokenWords(context, *token)
            : pictureCaption(context, (choosing.pending() ? "computing … " : "") + shown->caption));
  dimLastGood(context, areas.frame.title, title);
  if (!context.blocked && hover.value_or(Hover()) != context.hover)
    context.actions.push(hover.value_or(Hover()));
  if (context.blocked)
    return;
  if (shown->answer.chosen && !ImGui::GetIO().NavVisible)
    keepArrows(); // they walk, unless somebody goes through the controls
  else
    keepSidewaysForView();
}

} // namespace

std::unique_ptr<ViewPane> choosingPane(const std::filesystem::path& /*shaders*/) {
  return std::make_unique<ChoosingPane>();
}

} // namespace attention::gui
