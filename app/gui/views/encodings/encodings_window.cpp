// The Encodings view in the window.
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

std::unique_ptr<ViewPane> makePane(const std::filesystem::path&) {
  return std::make_unique<EncodingsView>();
}

std::string commandOf(const CommandScene& shown) {
  const EncodingsSpec& spec = shown.scene.encodings;
  const auto flagOf = [](const char* name, const auto& value) {
    return std::string(" --") + name + " " + value;
  };
  std::string text = "attnx axial" + flagOf("l1", std::to_string(spec.l1)) +
                     flagOf("l2", std::to_string(spec.l2)) + flagOf("d1", std::to_string(spec.d1)) +
                     flagOf("d2", std::to_string(spec.d2)) +
                     flagOf("reading", std::string(name(spec.reading)));
  if (spec.n)
    text += flagOf("n", std::to_string(*spec.n)) + " --truncate";
  text += flagOf("tables", std::string(kAxialTablesNames[static_cast<std::size_t>(spec.tables)]));
  if (spec.tables == AxialTables::Normal)
    text += flagOf("seed", std::to_string(spec.seed));
  return text + flagOf("at", std::to_string(positionOf(spec))) + " -o encodings.npy";
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
          .pane = makePane,
          .options = drawEncodingsOptions,
          .facts = drawEncodingsFacts,
          .sizes = sizesOf,
          .source = encodingsSource,
          .command = commandOf,
          .hasSteps = always,
          .step = stepPosition};
}

} // namespace attention::gui
