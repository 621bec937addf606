#include "app/gui/views/kernels/kernels_view.h"
#include "app/gui/interface/latest.h"
#include "app/gui/pictures/last_good.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/pictures/plot_pointer.h"
#include "app/gui/pictures/raster_image.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"
#include "core/views/kernels/scene_kernels.h"

#include <array>

namespace attention::gui {
namespace {

constexpr std::array kKernelsTabs{
    PictureTab<KernelsPicture>{KernelsPicture::Error, "Errors",
                               "The error against the number of projections m"},
    PictureTab<KernelsPicture>{KernelsPicture::Matrices, "Matrices",
                               "A, its estimate Â, and |A − Â|"},
    PictureTab<KernelsPicture>{
        KernelsPicture::Normalisers, "Normalisers",
        "dᵢ, the sum that each row is divided by so that its weights add up to 1"},
    PictureTab<KernelsPicture>{KernelsPicture::Ratio, "Trig or positive",
                               "Which features err less, by the angle and length of q and k"},
    PictureTab<KernelsPicture>{KernelsPicture::Order, "Order",
                               "Which product is taken first, and its cost"},
    PictureTab<KernelsPicture>{KernelsPicture::Spectrum, "Low rank",
                               "Singular values of A, and what a matrix of rank m can do"}};

constexpr std::array kSmallNames{"exact A", "estimate Â", "error |A − Â|", "normalisers dᵢ"};
constexpr const char* kInputSubject = "input"; // of problems that another input would solve

void choosePicture(ActionSink& actions, KernelsPicture picture) {
  actions.edit("picture", [picture](Scene& s) { s.kernels.picture = picture; });
}

void drawKernelsTabs(const ViewContext& context, const Rect& area) {
  if (const auto picture =
          drawPictureTabs(context.ui, area, kKernelsTabs, context.scene.kernels.picture))
    choosePicture(context.actions, *picture);
}

// "12 of 24 points": a growing curve says how far it is; those of a stack come as a whole.
std::string valueOf(const KernelsShown& shown) {
  if (shown.spec.picture != KernelsPicture::Error)
    return shown.title;
  const KernelSweep& sweep = *shown.answer.sweep;
  if (!sweep.layers.empty())
    return countText(sweep.layers.size(), "point");
  return std::to_string(sweep.result.rows.size()) + " of " +
         countText(sweep.options.curves.size() * sweep.options.projections.size(), "point");
}

std::string cellWords(const KernelMatrices& of, const Hover& hover) {
  const Index i = hover.query.value_or(0);
  const Index j = hover.key.value_or(0);
  const auto number = [&](const std::shared_ptr<const Matrix<float>>& values) {
    return shortNumber(static_cast<double>((*values)(i, j)), 3);
  };
  return "query " + groupDigits(i) + ", key " + groupDigits(j) + ": A " + number(of.exact) +
         ", Â " + number(of.estimate) + ", |A − Â| " + number(of.error);
}

bool covers(const KernelMatrices& of, const Hover& hover) {
  return hover.query && hover.key && *hover.query < of.exact->rows() &&
         *hover.key < of.exact->cols();
}

struct Pointing {
  const ViewContext& context;
  const CanvasInput& input;
  const Rect& box;
  std::optional<Hover>& hover; // the cell of a matrix, where one is under the pointer

  ImVec2 pointer() const { return ImVec2(input.mouseX, input.mouseY); }

  void operator()(const CurvesMark& mark) const {
    if (input.hovered)
      tooltip(context.ui, wordsAt(mark, box, pointer(), context.ui.px(kPointReach)));
  }
  void operator()(const ValuesMark& mark) const {
    if (input.hovered && !hover)
      hover = cellUnder(mark, box, pointer());
    frameCell(context.ui, mark, box, context.hover);
  }
  void operator()(const DiagramMark& mark) const {
    if (const DiagramBox* of = input.hovered ? boxUnder(mark, box, pointer()) : nullptr)
      tooltip(context.ui, of->name + " is " + of->shape);
  }
  void operator()(const auto&) const {}
};

// The note at the foot: the cell under the pointer, else what the picture shows.
std::string captionOf(const ViewContext& context, const KernelsShown& shown) {
  const auto& matrices = shown.answer.matrices;
  const bool cells = shown.spec.picture == KernelsPicture::Matrices;
  if (cells && matrices && covers(*matrices, context.hover))
    return cellWords(*matrices, context.hover);
  return (context.results.part<KernelsResults>().pending() ? "computing … " : "") + shown.caption;
}

// Whether the picture is impossible for the loaded input but possible for another.
bool hasWayOut(const ViewContext& context, const Problem& problem) {
  return context.scene.kernels.loaded && problem.code == ErrorCode::Unsupported && !problem.stopped;
}

// Whether the whole picture of the Scene is there, or the last good one stays.
bool isKernelsWhole(const ViewContext& context) {
  const KernelsResults& kernels = context.results.part<KernelsResults>();
  const bool stays = isError(kernels.problem) && !hasWayOut(context, *kernels.problem);
  return kernels.shown && (!kernels.problem || stays) &&
         kernels.shown->spec.picture == context.scene.kernels.picture;
}

// Offers what the picture can show instead.
void drawWaysOut(const ViewContext& context, const Problem& problem) {
  if (!hasWayOut(context, problem))
    return;
  const Ui& ui = context.ui;
  space(ui, 6);
  if (link(ui, "draw Q, K and V", {"Random ones, as in Performer's figure 4"}))
    context.actions.edit("data", [](Scene& s) { s.kernels.loaded = false; });
  if (problem.subject == kInputSubject &&
      link(ui, "draw a random input", {"Random queries, keys and values, to try it on"}))
    chooseRandomInput(context.actions, RandomInput().generator, kMostKernelsLength);
}

// Shown in the view while there is nothing to draw.
void drawKernelsProblem(const ViewContext& context, const Rect& area) {
  const Ui& ui = context.ui;
  const KernelsResults& kernels = context.results.part<KernelsResults>();
  const Lines lines({area.x0, area.y1 + ui.px(16), area.x1, context.area.y1});
  if (!kernels.problem)
    return caption(ui, "computing …");
  note(ui, *kernels.problem);
  drawWaysOut(context, *kernels.problem);
}

class KernelsPane final : public ViewPane {
public:
  void draw(const ViewContext& context) override;

private:
  std::array<PlotPane, 4> large_;
  std::array<PlotPane, kSmallNames.size()> small_;

  void drawPanels(const ViewContext& context, const KernelsAreas& areas,
                  std::optional<Hover>& hover);
  void drawPlot(const ViewContext& context, std::size_t place, const Plot& plot, const Rect& area,
                std::optional<Hover>& hover);
  void drawSmall(const ViewContext& context, const KernelsAreas& areas);
};

void KernelsPane::drawPlot(const ViewContext& context, std::size_t place, const Plot& plot,
                           const Rect& area, std::optional<Hover>& hover) {
  const Ui& ui = context.ui;
  const auto& shown = context.results.part<KernelsResults>().shown;
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const std::string name = "Plot " + std::to_string(place + 1);
  const CanvasInput input =
      canvas(ui, name, ImVec2(widthOf(area), heightOf(area)), valueOf(*shown));
  if (const auto box = large_[place].draw({plot, shown.value, "kernels " + name}, area, context))
    std::visit(Pointing{context, input, *box, hover}, plot.mark);
}

void KernelsPane::drawPanels(const ViewContext& context, const KernelsAreas& areas,
                             std::optional<Hover>& hover) {
  const std::vector<FigurePanel>& panels = context.results.part<KernelsResults>().shown->panels;
  std::size_t place = 0;
  for (std::size_t k = 0; k < panels.size(); ++k) {
    if (!panels[k].title.empty())
      drawLineIn(context.ui, areas.panels[k], panels[k].title);
    for (std::size_t p = 0; p < panels[k].plots.size() && place < large_.size(); ++p)
      drawPlot(context, place++, panels[k].plots[p], areas.plots[k][p], hover);
  }
}

// Small pictures that open as large ones.
void KernelsPane::drawSmall(const ViewContext& context, const KernelsAreas& areas) {
  const Ui& ui = context.ui;
  const auto& shown = context.results.part<KernelsResults>().shown;
  if (areas.small.empty())
    return;
  const KernelMatrices& of = *shown->answer.matrices;
  const std::array<std::string, 4> titles = matrixTitles(shown->spec);
  for (std::size_t k = 0; k < areas.small.size(); ++k) {
    const Rect& area = areas.small[k];
    const bool bars = k + 1 == areas.small.size();
    drawLine(ui, ImVec2(area.x0, area.y0 - ui.px(22)), {area.x0, area.x1}, ui.colors().dim,
             titles[k]);
    ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
    const CanvasInput input =
        canvas(ui, std::string("small ") + kSmallNames[k], ImVec2(widthOf(area), heightOf(area)));
    small_[k].draw({shown->small[k], shown.value, kSmallNames[k]}, area, context);
    if (input.hovered)
      tooltip(ui, "Click to see it large");
    if (input.clicked)
      choosePicture(context.actions, bars ? KernelsPicture::Normalisers : KernelsPicture::Matrices);
  }
  const std::string m = of.projections > 0 ? " · m = " + groupDigits(of.projections) : "";
  const float x = areas.small.back().x0;
  drawLineIn(ui, {areas.note.x0, areas.note.y0, x - ui.px(8), areas.note.y1}, of.label + m);
  drawLine(ui, ImVec2(x, areas.note.y0), {x, areas.note.x1},
           of.negativeRows + of.zeroRows > 0 ? ui.colors().bad : ui.colors().dim,
           shown->normalisers);
}

void KernelsPane::draw(const ViewContext& context) {
  const KernelsResults& kernels = context.results.part<KernelsResults>();
  const auto& shown = kernels.shown;
  const bool whole = isKernelsWhole(context);
  const KernelsShown nothing;
  const FigureTheme theme = figureTheme(context.ui.theme);
  const auto legend =
      whole ? kernelsLegend(shown->spec, shown->answer, theme) : std::vector<LegendEntry>();
  const KernelsShown& of = whole ? *shown : nothing;
  const ShownTitle title = shownTitle(context, of.title, kernels.problem);
  const KernelsAreas areas =
      kernelsAreas(context.ui, areaOfPictures(context), of,
                   {title.words, pictureCaption(context, of.caption), legend});
  if (!context.presented)
    drawKernelsTabs(context, areas.frame.tabs);
  if (!whole)
    return drawKernelsProblem(context, areas.frame.tabs);
  drawShownTitle(context.ui, areas.frame.title, title);
  std::optional<Hover> hover;
  drawPanels(context, areas, hover);
  drawSmall(context, areas);
  drawSwatches(context.ui, areas.frame.legend, context.ui.px(kLineHeight), legend);
  drawCaptionIn(context.ui, areas.frame.caption,
                pictureCaption(context, captionOf(context, *shown)));
  dimLastGood(context, areas.frame.title, title);
  if (!context.blocked && hover.value_or(Hover()) != context.hover)
    context.actions.push(hover.value_or(Hover()));
  if (!context.blocked)
    keepSidewaysForView();
}

} // namespace

std::unique_ptr<ViewPane> kernelsPane(const std::filesystem::path& /*shaders*/) {
  return std::make_unique<KernelsPane>();
}

} // namespace attention::gui
