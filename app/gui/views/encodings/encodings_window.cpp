// The Encodings view in the window.
#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/encodings/encodings_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <memory>

namespace attention::gui {
namespace {

std::string commandOf(const CommandScene& shown) {
  const EncodingsSpec& spec = shown.scene.encodings;
  const AxialShape usual;
  std::string text = "attnx axial" + numberFlag("l1", spec.l1, usual.l1) +
                     numberFlag("l2", spec.l2, usual.l2) + numberFlag("d1", spec.d1, usual.d1) +
                     numberFlag("d2", spec.d2, usual.d2);
  if (spec.reading != usual.reading)
    text += " --reading " + std::string(name(spec.reading));
  if (spec.n)
    text += " --n " + std::to_string(*spec.n) + " --truncate";
  if (spec.tables != AxialTables::Normal)
    text += " --tables " + std::string(kAxialTablesNames[static_cast<std::size_t>(spec.tables)]);
  else
    text += numberFlag("seed", spec.seed, Index{0});
  return text + " --at " + std::to_string(positionOf(spec)) + " -o encodings.npy";
}

std::string sizesOf(const PanelContext& context) {
  const EncodingsSpec& spec = context.scene.encodings;
  return "ℓ1 × ℓ2 = " + groupDigits(spec.l1) + " × " + groupDigits(spec.l2) +
         " · d1 + d2 = " + groupDigits(spec.d1) + " + " + groupDigits(spec.d2);
}

void stepPosition(Workbench& bench, int by) {
  const EncodingsSpec& spec = bench.document.scene().encodings;
  const Index next = std::clamp<Index>(positionOf(spec) + by, 0, positionsOf(spec) - 1);
  bench.document.apply({"position", [next](Scene& s) { s.encodings.position = next; }});
}

} // namespace

WindowView encodingsWindow() {
  return {.view = View::Encodings,
          .label = "Encodings",
          .action = "view.encodings",
          .tooltip = "Axial positional encodings: two small tables that stand for a large one",
          .key = Key::Digit7,
          .leastHeight = 440,
          .leastHeightNarrow = 790,
          .stages = encodingsStages,
          .pane = encodingsPane,
          .options = drawEncodingsOptions,
          .facts = drawEncodingsFacts,
          .sizes = sizesOf,
          .source = encodingsSource,
          .command = commandOf,
          .hasSteps = always,
          .step = stepPosition};
}

} // namespace attention::gui
