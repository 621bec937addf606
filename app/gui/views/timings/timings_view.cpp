#include "app/gui/views/timings/timings_view.h"
#include "app/gui/interface/latest.h"
#include "app/gui/pictures/last_good.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/picture_parts.h"
#include "app/gui/pictures/plot_pane.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/analysis/timing/timing_text.h"
#include "core/plot/draw_marks.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attention::gui {
namespace {

constexpr float kCaptionHeight = 26;
constexpr float kTimingsGap = 8;
constexpr float kBetween = 24;         // plots side by side
constexpr float kSecondsShare = 0.62F; // of the height
constexpr float kBroad = 1.9F;         // width over height: seconds beside the others
constexpr float kSecondsWidth = 0.57F; // of the width there
constexpr float kNarrowTimings = 420;  // below seconds: one above the other
constexpr float kSecondsAbove = 0.46F; // of the height there
constexpr float kNear = 14;            // of the pointer to a dot
constexpr float kHintGap = 6;

// A sentence below the plots.
struct Hint {
  std::string words;
  ImVec4 tint;
};

struct Areas {
  Rect title;
  Rect seconds;
  Rect shares; // below it, side by side, or to its right, one above the other
  Rect memory;
  Rect hints;
};

// The plots in `room`, each with a line above it that is not part of it.
void placePlots(const Ui& ui, const Rect& room, Areas& areas) {
  const float caption = ui.px(kCaptionHeight);
  const float between = ui.px(kBetween);
  if (widthOf(room) > kBroad * heightOf(room)) {
    const float middle = room.x0 + widthOf(room) * kSecondsWidth;
    areas.seconds = {room.x0, room.y0 + caption, middle - between / 2, room.y1};
    const Rects right =
        columnOf({middle + between / 2, room.y0, room.x1, room.y1}, 2, ui.px(kTimingsGap));
    areas.shares = right[0];
    areas.memory = right[1];
  } else {
    const bool narrow = widthOf(room) < ui.px(kNarrowTimings);
    const float share = narrow ? kSecondsAbove : kSecondsShare;
    const float middle = room.y0 + (heightOf(room) - ui.px(kTimingsGap)) * share;
    areas.seconds = {room.x0, room.y0 + caption, room.x1, middle};
    const Rect rest{room.x0, middle + ui.px(kTimingsGap), room.x1, room.y1};
    const Rects below = narrow ? columnOf(rest, 2, ui.px(kTimingsGap)) : rowOf(rest, 2, between);
    areas.shares = below[0];
    areas.memory = below[1];
  }
  areas.shares.y0 += caption;
  areas.memory.y0 += caption;
}

Areas areasOf(const ViewContext& context, const std::string& title,
              const std::vector<Hint>& hints) {
  const Ui& ui = context.ui;
  const Rect& all = context.area;
  Areas areas;
  const float left = all.x0 + ui.px(kViewMargin);
  const float right = all.x1 - ui.px(kViewMargin);
  const float top = all.y0 + ui.px(12);
  areas.title = {left, top, right, top + headingHeight(ui, title, right - left)};
  areas.hints = {left, all.y1 - ui.px(10), right, all.y1};
  for (const Hint& hint : hints)
    areas.hints.y0 -= wrappedHeight(ui.fonts.small, hint.words, right - left) + ui.px(kHintGap);
  placePlots(ui, {left, areas.title.y1, right, areas.hints.y0 - ui.px(6)}, areas);
  return areas;
}

class TimingsPane final : public ViewPane {
public:
  void draw(const ViewContext& context) override;

private:
  PlotPane seconds_;
  PlotPane shares_;
  PlotPane memory_;
};

void drawPlotCaption(const Ui& ui, const Rect& below, const std::string& words) {
  const ImVec2 at(below.x0, below.y0 - ui.px(kCaptionHeight));
  drawLine(ui, at, {below.x0, below.x1}, ui.colors().dim, words);
}

// The row with its dot under the pointer, by the value that the plot shows.
const TimingRow* rowUnder(const Timings& timings, const CurvesMark& mark, const Rect& box,
                          const CanvasInput& input, float near, double (*value)(const TimingRow&)) {
  if (!input.hovered)
    return nullptr;
  const Box place{static_cast<double>(box.x0), static_cast<double>(box.y0),
                  static_cast<double>(widthOf(box)), static_cast<double>(heightOf(box))};
  const TimingRow* best = nullptr;
  auto least = static_cast<double>(near);
  for (const TimingRow& row : timings.rows) {
    const Point at = placeOf(mark, place, {static_cast<double>(row.n), value(row)});
    const double distance = std::hypot(at.x - static_cast<double>(input.mouseX),
                                       at.y - static_cast<double>(input.mouseY));
    if (distance > least)
      continue;
    least = distance;
    best = &row;
  }
  return best;
}

// A plot with its caption; `value` tells which of a row's numbers it shows, null: none of them.
struct Shown {
  PlotPane& pane;
  const Plot& plot;
  const char* label;
  const char* caption;
  const char* shortCaption; // where there is no room for that
  double (*value)(const TimingRow&);
};

void drawPlot(const ViewContext& context, const Shown& of, const Rect& area) {
  const Ui& ui = context.ui;
  const auto& timings = context.results.part<TimingsResults>().shown;
  drawPlotCaption(ui, area, firstFitting(ui, widthOf(area), {of.caption, of.shortCaption}));
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  const CanvasInput input = canvas(ui, of.label, ImVec2(widthOf(area), heightOf(area)),
                                   counted(timings->timings.rows.size(), "row"));
  const auto box = of.pane.draw({of.plot, timings.value, of.label}, area, context);
  if (!box || !of.value)
    return;
  const auto* row = rowUnder(timings->timings, std::get<CurvesMark>(of.plot.mark), *box, input,
                             ui.px(kNear), of.value);
  if (row)
    tooltip(ui, rowText(*row, timings->options.names[row->method]));
}

// Whether nothing is measured for the Scene's question: the last good picture stays.
bool isWrong(const Latest<TimingsShown>& timings) {
  return isError(timings.problem) && timings.stale;
}

// The words about the measurement; nothing once it is done and all is well.
std::vector<Hint> stateOf(const ViewContext& context) {
  const UiColors& colors = context.ui.colors();
  const Latest<TimingsShown>& timings = context.results.part<TimingsResults>().shown;
  const TimingNoise& noise = timings->timings.noise;
  const Index discarded = timings->timings.discarded;
  std::vector<Hint> state;
  if (timings.problem && !isWrong(timings)) // which stands in place of the title
    state.push_back({timings.problem->text, colors.dim});
  if (timings.stale)
    state.push_back({kOfLastMeasurement, colors.dim});
  if (noise.noisy)
    state.push_back({"the machine was noisy: " + spreadText(noise), colors.warning});
  else if (timings.pending)
    state.push_back({"measuring while the window is idle; it pauses while you use it", colors.dim});
  else if (discarded > 0 && !timings.problem)
    state.push_back({"measured; " + countText(discarded, "sample") +
                         " that overlapped a frame of the window were taken again",
                     colors.dim});
  if (const std::string omitted = omittedText(timings->timings, timings->options.names);
      !omitted.empty())
    state.push_back({omitted + ": longer runs take more than 100 ms; attnx time can measure them",
                     colors.text});
  if (std::string shares = sharesLeftOutText(timings->timings, timings->options.names);
      !shares.empty())
    state.push_back({std::move(shares), colors.warning});
  return state;
}

// The meaning of the plots' lines, and below it the state of the measurement.
std::vector<Hint> hintsOf(const ViewContext& context, float width) {
  const Ui& ui = context.ui;
  const std::vector<Hint> state = stateOf(context);
  const std::string lines =
      state.empty()
          ? firstFitting(ui, width,
                         {"measured · band: quartiles · dashed: fitted nᵉ · dotted: the cost "
                          "model, scaled to match at the largest n",
                          "measured · band: quartiles · dashed: fitted nᵉ · dotted: cost model",
                          "band: quartiles · dashed: nᵉ · dotted: cost model"})
          : firstFitting(
                ui, width,
                {"band: quartiles · dashed: fitted nᵉ · dotted: the cost model, scaled to match at "
                 "the largest n",
                 "band: quartiles · dashed: nᵉ · dotted: cost model"});
  std::vector<Hint> hints{{lines, ui.colors().dim}};
  hints.insert(hints.end(), state.begin(), state.end());
  return hints;
}

void drawHints(const Ui& ui, const Rect& area, const std::vector<Hint>& hints) {
  ImVec2 at(area.x0, area.y0);
  for (const Hint& hint : hints) {
    const std::string lines = inLines(ui.fonts.small, hint.words, widthOf(area));
    const ImVec2 size = textSize(ui.fonts.small, lines);
    drawText(ui.fonts.small, at, hint.tint, lines);
    recordText(ui, hint.words, at, ImVec2(at.x + size.x, at.y + size.y));
    at.y += size.y + ui.px(kHintGap);
  }
}

void TimingsPane::draw(const ViewContext& context) {
  const auto& timings = context.results.part<TimingsResults>().shown;
  const bool empty = timings && timings->timings.rows.empty() && timings.pending;
  if (!timings || empty)
    return drawUnmade(context, timings.problem, timings.pending ? "warming up …" : "");
  const std::vector<Hint> hints =
      hintsOf(context, widthOf(context.area) - 2 * context.ui.px(kViewMargin));
  const ShownTitle title =
      shownTitle(context, context.results.title, isWrong(timings) ? timings.problem : std::nullopt);
  const Areas areas = areasOf(context, title.words, hints);
  drawShownTitle(context.ui, areas.title, title);
  drawPlot(context,
           {seconds_, timings->seconds, "Seconds", "seconds per run, median", "seconds",
            [](const TimingRow& row) { return row.seconds.median; }},
           areas.seconds);
  drawPlot(context,
           {shares_, timings->shares, "Shares", "% of the FMA peak", "% of peak",
            [](const TimingRow& row) { return abovePeak(row) ? HUGE_VAL : 100 * row.peakShare; }},
           areas.shares);
  drawPlot(context,
           {memory_, timings->memory, "Memory", "bytes by the cost model, not measured",
            "bytes by the cost model", nullptr},
           areas.memory);
  drawHints(context.ui, areas.hints, hints);
  dimLastGood(context, areas.title, title);
}

} // namespace

std::unique_ptr<ViewPane> timingsPane(const std::filesystem::path& /*shaders*/) {
  return std::make_unique<TimingsPane>();
}

} // namespace attention::gui
