// What drawing by hand does to the window: the tools and the pattern below the strokes. The strip
// above the mask presses these, and the palette finds them.
#include "app/gui/frame/workbench.h"
#include "app/gui/views/mask/draw_strip.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/strokes.h"
#include "core/views/shown_patterns.h"

namespace attention::gui {
namespace {

void startFromNothing(Workbench& bench) {
  const Pattern pattern = editedPattern(bench.document.scene());
  const auto* drawn = pattern.as<Drawn>();
  if (drawn && !drawn->on)
    return;
  bench.memory.draw.below = drawn ? *drawn->on : pattern;
  const Pattern empty = Drawn{{}, drawn ? drawn->strokes : StrokeList()};
  bench.document.apply({"start from nothing", [&](Scene& s) { setEditedPattern(s, empty); }});
}

void startFromPattern(Workbench& bench) {
  const Pattern pattern = editedPattern(bench.document.scene());
  const auto* drawn = pattern.as<Drawn>();
  if (!drawn || drawn->on)
    return;
  const Pattern below = bench.memory.draw.below.value_or(Pattern(Causal{}));
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
                    "An empty mask: only what is drawn is attended", startFromNothing));
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
