#include "app/gui/panels/view_panels.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr Index kMostRows = 256; // that sliders give; typed numbers may be larger
constexpr Index kMostWidth = 512;
constexpr Index kMostSeed = 100;

struct Range {
  Index least;
  Index most;
  bool logarithmic = true;
};

void slider(const PanelContext& c, const char* label, Index EncodingsSpec::*field,
            const Range& range, const char* tooltip) {
  Index value = c.scene.encodings.*field;
  SliderSpec spec;
  spec.tooltip = tooltip;
  spec.logarithmic = range.logarithmic;
  const Edit edit = sliderInt(c.ui, label, value, range.least, range.most, spec);
  if (edit.changed)
    c.actions.push(
        EditScene{label, [field, value](Scene& s) { s.encodings.*field = value; }, label});
  if (edit.finished)
    c.actions.push(EndGesture{});
}

// Fewer positions than l1 l2, as models with shorter inputs take.
void lengthOptions(const PanelContext& c) {
  const EncodingsSpec& spec = c.scene.encodings;
  const Index all = gridOf(spec);
  bool cut = spec.n.has_value();
  if (checkbox(c.ui, "only the first n", cut,
               {"Use only the first n of the ℓ1 · ℓ2 positions, as shorter inputs do"}))
    c.actions.edit("positions", [cut, all](Scene& s) {
      s.encodings.n = cut ? std::optional<Index>(std::max<Index>(1, all / 2)) : std::nullopt;
    });
  if (!spec.n)
    return;
  Index n = *spec.n;
  const Edit edit = sliderInt(c.ui, "positions n", n, 1, std::max<Index>(2, all),
                              {{}, "How many of the ℓ1 · ℓ2 positions are used, from the first"});
  if (edit.changed)
    c.actions.push(EditScene{"positions", [n](Scene& s) { s.encodings.n = n; }, "encodings.n"});
  if (edit.finished)
    c.actions.push(EndGesture{});
}

void readingChoice(const PanelContext& c) {
  int reading = static_cast<int>(c.scene.encodings.reading);
  const std::vector<ChoiceItem> items{
      {"docs", "E[j] = [E1[j mod l1], E2[⌊j / l1⌋]], as Hugging Face's documentation says"},
      {"code", "E[j] = [E1[⌊j / l2⌋], E2[j mod l2]], as its code and trax compute"}};
  if (choice(c.ui, "reading", reading, items))
    c.actions.edit("reading", [reading](Scene& s) {
      s.encodings.reading = static_cast<AxialReading>(reading);
    });
}

void tablesChoice(const PanelContext& c) {
  int tables = static_cast<int>(c.scene.encodings.tables);
  const std::vector<ChoiceItem> items{
      {"normal", "Drawn from N(0, 1), as before training"},
      {"sinusoidal", "Sines and cosines of the row (Vaswani et al. 2017, section 3.5)"}};
  if (choice(c.ui, "tables", tables, items))
    c.actions.edit("tables",
                   [tables](Scene& s) { s.encodings.tables = static_cast<AxialTables>(tables); });
  if (c.scene.encodings.tables == AxialTables::Normal)
    slider(c, "seed", &EncodingsSpec::seed, {0, kMostSeed, false}, "Seed of E1 and E2");
}

} // namespace

void drawEncodingsOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Encodings");
  sectionHeading(c.ui, "Tables");
  slider(c, "ℓ1", &EncodingsSpec::l1, {1, kMostRows}, "Rows of E1");
  slider(c, "ℓ2", &EncodingsSpec::l2, {1, kMostRows}, "Rows of E2");
  slider(c, "d1", &EncodingsSpec::d1, {1, kMostWidth}, "Width of E1: its share of an encoding");
  slider(c, "d2", &EncodingsSpec::d2, {1, kMostWidth}, "Width of E2: its share of an encoding");
  lengthOptions(c);
  readingChoice(c);
  tablesChoice(c);
  if (button(c.ui, "Hugging Face's sizes",
             {"ℓ1 = ℓ2 = 64, d1 = 64, d2 = 192: Reformer's defaults", true, -1}))
    c.actions.edit("sizes", [](Scene& s) {
      const AxialShape usual;
      s.encodings.l1 = usual.l1;
      s.encodings.l2 = usual.l2;
      s.encodings.d1 = usual.d1;
      s.encodings.d2 = usual.d2;
      s.encodings.n.reset();
    });
}

} // namespace attention::gui
