#include "app/gui/frame/bars.h"

#include "app/gui/panels/facts_parts.h"
#include "app/gui/results/hashing_facts.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/region.h"
#include "core/figure/kernels_words.h"
#include "core/scene/scene_words.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

// Of the points of the Hashing view's circle.
std::string circleText(const CircleSpec& spec) {
  return groupDigits(spec.rounds) + (spec.rounds == 1 ? " round" : " rounds") + " · seed " +
         groupDigits(static_cast<std::uint64_t>(spec.seed) +
                     static_cast<std::uint64_t>(spec.redraws));
}

// Of the data of the Kernels view.
std::string kernelsText(const KernelsSpec& spec) {
  const bool rank = spec.picture == KernelsPicture::Spectrum;
  const std::string chosen = (rank ? "rank " : "m ") + groupDigits(spec.chosen);
  if (spec.loaded)
    return readsProjections(spec) ? chosen : "the input";
  return "L " + groupDigits(spec.length) + " · d " + groupDigits(spec.d) + " · sigma " +
         shortNumber(spec.sigma, 3) + (readsProjections(spec) ? " · " + chosen : "");
}

std::string counted(Index count, const char* one, const char* more) {
  return groupDigits(count) + " " + (count == 1 ? one : more);
}

std::string timingsText(const TimingsSpec& spec) {
  return "n " + groupDigits(spec.from) + " … " + groupDigits(spec.to) + " · d " +
         groupDigits(spec.d) + " · " + counted(spec.heads, "head", "heads") + " · " +
         counted(spec.threads, "thread", "threads");
}

std::string encodingsText(const EncodingsSpec& spec) {
  return "ℓ1 × ℓ2 = " + groupDigits(spec.l1) + " × " + groupDigits(spec.l2) +
         " · d1 + d2 = " + groupDigits(spec.d1) + " + " + groupDigits(spec.d2);
}

std::string countedPairs(Index pairs) {
  return " · " + groupDigits(pairs) + (pairs == 1 ? " pair · " : " pairs · ");
}

// Of the first mask: its pairs are those of the n beside them, also where another is asked for.
std::string pairsText(const PanelContext& c) {
  const Latest<MaskCounts>& counts = c.results.counts;
  if (!counts)
    return "n " + groupDigits(c.results.lengths.keys);
  const double share = counts->cells > 0 ? static_cast<double>(counts->rows.pairs) /
                                               static_cast<double>(counts->cells)
                                         : 0;
  const std::string text = "n " + groupDigits(counts->n) + countedPairs(counts->rows.pairs) +
                           percent(share) +
                           (counts->base == Base::Causal ? " of causal" : " of full");
  return text + (c.results.masks.problem ? std::string(" · ") + ofLastGood(c.results) : "");
}

// Of the Hashing view, which measures by the pattern's `causal`, as its facts do.
std::string hashingText(const PanelContext& c) {
  if (c.scene.hashing.picture == HashingPicture::Circle)
    return circleText(c.scene.hashing.circle);
  const HashingResults& hashing = c.results.hashing;
  const auto grouped = groupedPairs(hashing.tokens.value.get(), hashing.curves.value.get());
  if (!hashing.groups || !grouped || hashing.problem)
    return pairsText(c);
  return "n " + groupDigits(c.results.lengths.keys) + countedPairs(grouped->pairs) + grouped->share;
}

// Of the Reach view: pairs are counted of the Scene's own pattern alone, and not of panels.
std::string reachText(const PanelContext& c) {
  const ReachSpec& spec = c.scene.reach;
  if (spec.stack.empty() && c.scene.mask.panels.empty())
    return pairsText(c);
  const std::string text =
      "n " + groupDigits(c.results.lengths.keys) + " · " + counted(spec.layers, "layer", "layers");
  const auto other = std::find_if(spec.stack.begin(), spec.stack.end(), [&](const Panel& layer) {
    return layer.pattern != spec.stack.front().pattern;
  });
  if (other == spec.stack.end())
    return text;
  return text + " · " + counted(static_cast<Index>(spec.stack.size()), "pattern", "patterns") +
         " in turn";
}

// What the picture is of: the pattern's pairs where the view reads it.
std::string sizesText(const PanelContext& c) {
  switch (c.scene.view) {
  case View::Reach:
    return reachText(c);
  case View::Kernels:
    return kernelsText(c.scene.kernels);
  case View::Timings:
    return timingsText(c.scene.timings);
  case View::Encodings:
    return encodingsText(c.scene.encodings);
  case View::Hashing:
    return hashingText(c);
  default:
    return pairsText(c);
  }
}

std::string countsText(const PanelContext& c, float framesPerSecond) {
  return sizesText(c) + " · " + std::to_string(std::lround(framesPerSecond)) + " fps";
}

// Told to stop, it runs until it notices.
std::string jobText(const Job& job, std::size_t others) {
  std::string text = (job.stopped() ? "stopping: " : "") + job.label();
  if (others > 0)
    text += " and " + std::to_string(others) + " more";
  return text;
}

// Gives where it ends.
float drawJob(const PanelContext& c, const Job& job, const std::string& text, float line) {
  const Ui& ui = c.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawText(ui.fonts.small, at, ui.colors().text, text);
  const float begin = at.x + textSize(ui.fonts.small, text).x + ui.px(12);
  const float middle = at.y + line / 2;
  const float width = ui.px(140);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(ImVec2(begin, middle - ui.px(3)), ImVec2(begin + width, middle + ui.px(3)),
                     color(ui.colors().track), ui.px(3));
  const float filled = width * static_cast<float>(job.progress());
  list.AddRectFilled(ImVec2(begin, middle - ui.px(3)), ImVec2(begin + filled, middle + ui.px(3)),
                     color(ui.colors().accent), ui.px(3));
  recordText(ui, text, at, ImVec2(begin + width, at.y + line), percent(job.progress()));
  ImGui::SetCursorScreenPos(ImVec2(begin + width + ui.px(12), at.y - ui.px(3)));
  constexpr const char* kStop = "Esc stops it";
  if (!job.stopped() && link(ui, kStop, {"Stop the running jobs; the last good picture stays"}))
    c.actions.run("jobs.stop");
  return begin + width + ui.px(12) + textSize(ui.fonts.text, kStop).x;
}

} // namespace

void drawStatusBar(const Workbench& bench, const PanelContext& c, const Rect& area,
                   float framesPerSecond) {
  const Ui& ui = c.ui;
  const Region region(ui, "Status", area, ui.colors().panel,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const float line = fontSize(ui.fonts.small);
  const ImVec2 start(area.x0 + ui.px(18), (area.y0 + area.y1 - line) / 2);
  const std::string counts = countsText(c, framesPerSecond);
  const float x = area.x1 - ui.px(18) - textSize(ui.fonts.small, counts).x;
  const auto drawCounts = [&] {
    drawText(ui.fonts.small, ImVec2(x, start.y), ui.colors().dim, counts);
    recordText(ui, "counts", ImVec2(x, start.y), ImVec2(area.x1, start.y + line), counts);
  };
  ImGui::SetCursorScreenPos(start);
  const auto jobs = bench.pool.active();
  if (!jobs.empty()) {
    const auto first =
        std::find_if(jobs.begin(), jobs.end(), [](const auto& job) { return !job->stopped(); });
    const Job& job = first == jobs.end() ? *jobs.front() : **first;
    const float end = drawJob(c, job, jobText(job, jobs.size() - 1), line);
    if (end + ui.px(12) < x) // else the job has the bar
      drawCounts();
    return;
  }
  drawCounts();
  const std::string title = wordsOf(c.scene).title; // of a figure, whichever view it is in
  const std::string text =
      cutToWidth(ui.fonts.small, title.empty() ? "Ready" : title, x - start.x - ui.px(24));
  drawText(ui.fonts.small, start, ui.colors().dim, text);
  const ImVec2 size = textSize(ui.fonts.small, text);
  recordText(ui, "Ready", start, ImVec2(start.x + size.x, start.y + size.y), text);
}

} // namespace attention::gui
