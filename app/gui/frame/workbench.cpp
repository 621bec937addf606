#include "app/gui/frame/workbench.h"

#include "core/input/assets.h"
#include "core/views/shown_patterns.h"

#include <algorithm>

namespace attention::gui {
namespace {

struct Apply {
  Workbench& bench;

  void operator()(const SetCamera& action) const { bench.document.setCamera(action.camera); }
  void operator()(const SetPins& action) const {
    bench.document.setPins(action.pins, action.gesture);
  }
  void operator()(const Hover& action) const { bench.hover = action; }
  void operator()(const EditScene& action) const {
    const Pattern before = editedPattern(bench.document.scene());
    if (bench.document.apply(action))
      bench.engine.edited();
    if (!sameMechanism(editedPattern(bench.document.scene()), before))
      rememberPattern(bench.ui, before);
  }
  void operator()(const EndGesture&) const { bench.document.endGesture(); }
  void operator()(const RunAction& action) const { bench.actions.run(action.id, bench); }
};

// Where there is room for only one.
void showOneSide(Workbench& bench, Workbench::Side side, bool shown) {
  if (shown)
    bench.slimSide = side;
  else if (bench.slimSide == side)
    bench.slimSide = Workbench::Side::None;
}

} // namespace

Workbench::Workbench(JobPool& jobs, Scene scene, UiState habits)
    : pool(jobs), document(std::move(scene)), ui(std::move(habits)),
      engine(jobs, [](const std::string& name) { return samplePath(name); }), rasters(jobs),
      tasks(jobs), watch(jobs.wake()) {
  addPresentActions(actions);
  addFileActions(actions);
  addExportActions(actions);
  addEditActions(actions);
  addViewActions(actions);
  addHelpActions(actions);
  addQuitAction(actions);
}

void showInspector(Workbench& bench, bool shown) {
  if (bench.slim)
    showOneSide(bench, Workbench::Side::Inspector, shown);
  else
    (bench.narrow ? bench.inspectorNarrow : bench.ui.inspector) = shown;
}

void showSidebar(Workbench& bench, bool shown) {
  if (bench.slim)
    showOneSide(bench, Workbench::Side::Sidebar, shown);
  else
    bench.ui.sidebar = shown;
}

void stepPinnedQuery(Workbench& bench, int by) {
  const Index last = bench.engine.results().lengths.queries - 1;
  if (last < 0)
    return;
  Pins pins = bench.document.scene().pins;
  pins.query = std::clamp<Index>(pins.query ? *pins.query + by : by > 0 ? 0 : last, 0, last);
  bench.document.setPins(pins, "arrows");
}

void apply(Workbench& bench, const std::vector<Action>& actions) {
  for (const Action& action : actions)
    std::visit(Apply{bench}, action);
}

void takeRead(Workbench& bench, const ReadInput& read) {
  bench.engine.take(read);
  bench.watch.know(read.stamps);
}

void reloadFiles(Workbench& bench) {
  bench.watch.accept();
  bench.engine.reload();
  ++bench.reloads;
}

} // namespace attention::gui
