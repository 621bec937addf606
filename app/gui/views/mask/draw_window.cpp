// What drawing by hand does to the window: the tools and the pattern below the strokes. The strip
// above the mask presses these, and the palette finds them.
#include "app/gui/frame/workbench.h"
#include "app/gui/views/mask/draw_strip.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/strokes.h"
#include "core/views/shown_patterns.h"

#include <algorithm>

namespace attention::gui {
namespace {

void startFromNothing(Workbench& bench) {
  const Pattern pattern = editedPattern(bench.document.scene());
  const auto* drawn = pattern.as<Drawn>();
  if (drawn && !drawn->on)
    return;
  bench.memory.draw.below = {drawn ? *drawn->on : pattern, bench.document.file(),
                             drawn ? drawn->strokes.get() : std::vector<Stroke>()};
  const Pattern empty = Drawn{{}, drawn ? drawn->strokes : StrokeList()};
  bench.document.apply({"start from nothing", [&](Scene& s) { setEditedPattern(s, empty); }});
}

bool beginsWith(const std::vector<Stroke>& strokes, const std::vector<Stroke>& first) {
  return strokes.size() >= first.size() && std::equal(first.begin(), first.end(), strokes.begin());
}

void startFromPattern(Workbench& bench) {
  const Pattern pattern = editedPattern(bench.document.scene());
  const auto* drawn = pattern.as<Drawn>();
  if (!drawn || drawn->on)
    return;
  const auto& known = bench.memory.draw.below;
  const bool same = known && known->file == bench.document.file() &&
                    beginsWith(drawn->strokes.get(), known->strokes);
  if (!same)
    bench.notices.add(NoteKind::Info,
                      "The pattern below these strokes is not known; it starts from causal");
  const Pattern below = same ? known->pattern : Pattern(Causal{});
  const Pattern whole = drawn->strokes.empty() ? below : Pattern(Drawn{below, drawn->strokes});
  bench.document.apply({"start from the pattern", [&](Scene& s) { setEditedPattern(s, whole); }});
}

// Once more where later strokes have gone above the diagonal: an earlier one is then of no use.
void keepPast(Workbench& bench) {
  Pattern pattern = editedPattern(bench.document.scene());
  if (auto* drawn = pattern.as<Drawn>()) {
    std::vector<Stroke> strokes = drawn->strokes.get();
    std::erase(strokes, removeFuture());
    drawn->strokes = std::move(strokes);
  }
  pattern = withStroke(std::move(pattern), removeFuture());
  bench.document.apply({"keep j ≤ i", [&](Scene& s) { setEditedPattern(s, pattern); }});
}

void openDrawing(Workbench& bench) {
  bench.actions.run("view.mask", bench);
  bench.memory.draw.on = true;
}

bool draws(const Workbench& bench) {
  return bench.memory.draw.on && canDraw(bench.document.scene());
}

// In no menu.
ActionEntry drawing(const std::string& name, std::string label, std::string tooltip,
                    std::function<void(Workbench&)> run) {
  ActionEntry entry{"draw." + name, "",   std::move(label), std::move(tooltip), {},
                    std::move(run), draws};
  entry.group = "Draw";
  return entry;
}

} // namespace

void addDrawActions(ActionTable& table) {
  const Setting<DrawTool>& tools = settingNamed(drawToolSettings(), "tool");
  for (const Choice& tool : tools.choices)
    table.add(drawing(
        tool.value, "Draw with: " + tool.value, tool.meaning,
        [set = tools.set, value = Value{tool.value}](Workbench& b) { set(b.memory.draw, value); }));
  table.add(drawing("add", "Draw: add cells", "Strokes add cells; with Shift they erase them",
                    [](Workbench& b) { b.memory.draw.remove = false; }));
  table.add(drawing("remove", "Draw: erase cells", "Strokes erase cells; with Shift they add them",
                    [](Workbench& b) { b.memory.draw.remove = true; }));
  table.add(drawing("nothing", "Draw: start from nothing",
                    "An empty mask: only the cells you draw are attended", startFromNothing));
  table.add(drawing("pattern", "Draw: start from the pattern",
                    "Strokes change the pattern that was there", startFromPattern));
  table.add(
      drawing("causal", "Draw: keep j ≤ i", "Erases every cell above the diagonal", keepPast));
  ActionEntry open =
      drawing("open", "Draw a mask", "Add cells to a mask and remove them by hand", openDrawing);
  open.enabled = [](const Workbench& b) { return b.document.scene().view != View::Mask; };
  table.add(std::move(open));
}

} // namespace attention::gui
