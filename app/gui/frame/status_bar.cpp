#include "app/gui/frame/bars.h"

#include "app/gui/interface/window_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/region.h"
#include "core/views/scene_words.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

std::string countsText(const PanelContext& c, float framesPerSecond) {
  return windowView(c.scene.view).sizes(c) + " · " + std::to_string(std::lround(framesPerSecond)) +
         " fps";
}

// After a stop request, it runs until it notices.
std::string jobText(const Job& job, std::size_t others) {
  std::string text = (job.stopped() ? "stopping: " : "") + job.label();
  if (others > 0)
    text += " and " + std::to_string(others) + " more";
  return text;
}

// Returns where it ends.
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
