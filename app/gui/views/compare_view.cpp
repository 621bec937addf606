#include "app/gui/views/compare_view.h"

#include "app/gui/views/mask_view.h"
#include "app/gui/views/mask_words.h"
#include "app/gui/views/paint.h"
#include "app/gui/views/picture_parts.h"
#include "app/gui/views/plot_hover.h"
#include "app/gui/views/plot_pane.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/words.h"

#include <algorithm>
#include <array>

namespace attention::gui {
namespace {

constexpr float kMargin = 26; // at scale 1, as all that follow
constexpr float kHeadingHeight = 26;
constexpr float kGap = 30;
constexpr float kPlotsShare = 0.36F; // of the height, at least
constexpr float kShownShare = 0.52F; // of an audience's, whose type is large
constexpr float kBesideMasks = 130;  // of the masks' height: axes, titles, what is pointed at
constexpr float kLeastPlots = 130;   // of their height: less, and the masks have it all
constexpr float kLeastWide = 280;    // of a plot: less, and they stand one above the other
constexpr float kReach = 14;         // pixels within which a point is pointed at

constexpr std::array kHeadings{"captured mass of ", "output error from "};
constexpr std::array kNames{"Mass", "Error"};

struct Areas {
  Rect masks;
  std::array<Rect, kHeadings.size()> plots{}; // without a height: left out
};

Areas areasOf(const ViewContext& context) {
  const Ui& ui = context.ui;
  const Rect& all = context.area;
  Areas areas{all};
  // Masks stand in a row and are square: what a row leaves belongs to the plots.
  const auto masks = static_cast<float>(comparedOf(context.scene.compare).size() + 1);
  const float row = widthOf(all) / masks + ui.px(kBesideMasks);
  const float share = context.presented ? kShownShare : kPlotsShare;
  const float height = std::max(heightOf(all) * share, heightOf(all) - row);
  if (height - ui.px(kHeadingHeight) < ui.px(kLeastPlots))
    return areas;
  areas.masks.y1 = all.y1 - height;
  const float left = all.x0 + ui.px(kMargin);
  const float right = all.x1 - ui.px(kMargin);
  const float wide = (right - left - ui.px(kGap)) / 2;
  const float top = areas.masks.y1 + ui.px(kHeadingHeight);
  const float bottom = all.y1 - ui.px(8);
  areas.plots = {Rect{left, top, left + wide, bottom}, Rect{right - wide, top, right, bottom}};
  const float half = (bottom - top - ui.px(kHeadingHeight + 8)) / 2;
  if (wide < ui.px(kLeastWide) && half >= ui.px(kLeastPlots))
    areas.plots = {Rect{left, top, right, top + half}, Rect{left, bottom - half, right, bottom}};
  return areas;
}

void drawNote(const ViewContext& context, const Rect& area) {
  const Latest<ScoresShown>& scores = context.results.scores;
  const std::string words =
      scores.problem ? "the score board: " + scores.problem->text : "scoring the mechanisms …";
  const Lines lines({area.x0, area.y0, context.area.x1 - context.ui.px(kMargin), area.y1});
  caption(context.ui, words);
}

} // namespace

struct CompareView::State {
  explicit State(const gl::ShaderSources& shaders) : masks(shaders) {}

  void drawPlots(const ViewContext& context, const Areas& areas);

  MaskView masks;
  std::array<PlotPane, kHeadings.size()> plots;
};

void CompareView::State::drawPlots(const ViewContext& context, const Areas& areas) {
  const Ui& ui = context.ui;
  const Latest<ScoresShown>& scores = context.results.scores;
  const std::array<const Plot*, kHeadings.size()> shown{&scores->mass, &scores->error};
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const Rect& area = areas.plots[k];
    drawLine(ui, ImVec2(area.x0, area.y0 - ui.px(kHeadingHeight)), {area.x0, area.x1},
             ui.colors().dim, kHeadings[k] + baseText(scores->lines) + " against cost");
    ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
    const CanvasInput input = canvas(ui, kNames[k], ImVec2(widthOf(area), heightOf(area)),
                                     std::to_string(scores->lines.size()) + " mechanisms");
    const auto box = plots[k].draw({*shown[k], scores.value, kNames[k]}, area, context);
    if (box && input.hovered && !context.blocked)
      tooltip(ui, wordsAt(std::get<CurvesMark>(shown[k]->mark), *box,
                          ImVec2(input.mouseX, input.mouseY), ui.px(kReach)));
  }
}

CompareView::CompareView(const gl::ShaderSources& shaders)
    : state_(std::make_unique<State>(shaders)) {}
CompareView::~CompareView() = default;

void CompareView::draw(const ViewContext& context) {
  const Areas areas = areasOf(context);
  ViewContext masks = context;
  masks.area = areas.masks;
  state_->masks.draw(masks);
  if (heightOf(areas.plots.front()) <= 0)
    return;
  if (context.results.scores && !context.results.scores.stale)
    state_->drawPlots(context, areas);
  else
    drawNote(context, areas.plots.front());
}

} // namespace attention::gui
