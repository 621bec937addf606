#include "app/gui/panels/facts_parts.h"
#include "app/gui/views/encodings/encodings_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"
#include "core/views/encodings/scene_encodings.h"

#include <algorithm>
#include <array>

namespace attention::gui {
namespace {

void positionFacts(const PanelContext& c, const AxialShape& shape) {
  const Ui& ui = c.ui;
  sectionHeading(ui, "Position");
  Index position = positionOf(c.scene.encodings);
  const Index last = shape.length() - 1;
  const Edit edit = sliderInt(
      ui, "position j", position, 0, std::max<Index>(1, last),
      {{}, "The position to trace through both tables; a click in a picture chooses one too"});
  if (edit.changed)
    c.actions.push(EditScene{"position", [position](Scene& s) { s.encodings.position = position; },
                             "position"});
  if (edit.finished)
    c.actions.push(EndGesture{});
  const auto [a, b] = axialRows(shape, positionOf(c.scene.encodings));
  valueRow(ui, "row of E1", groupDigits(a), "Its first d1 numbers");
  valueRow(ui, "row of E2", groupDigits(b), "Its last d2 numbers");
}

void countFacts(const PanelContext& c, const AxialShape& shape) {
  const Ui& ui = c.ui;
  const AxialParameters numbers = axialParameters(shape);
  space(ui, 6);
  sectionHeading(ui, "Numbers stored");
  valueRow(ui, "E1 and E2", groupDigits(numbers.axial), "ℓ1 d1 + ℓ2 d2");
  valueRow(ui, "one row per position", groupDigits(numbers.full),
           "ℓ1 ℓ2 (d1 + d2), of all positions of the grid");
  numberBar(ui, "share",
            percent(static_cast<double>(numbers.axial) / static_cast<double>(numbers.full)),
            static_cast<double>(numbers.axial) / static_cast<double>(numbers.full),
            "Numbers in the two tables, divided by those in one table with a row per position");
}

constexpr std::array kDocsFormulas{"E[j] = [E1[j mod ℓ1], E2[⌊j / ℓ1⌋]]",
                                   "ℓ1 d1 + ℓ2 d2  instead of  ℓ1 ℓ2 (d1 + d2)"};
constexpr std::array kCodeFormulas{"E[j] = [E1[⌊j / ℓ2⌋], E2[j mod ℓ2]]",
                                   "ℓ1 d1 + ℓ2 d2  instead of  ℓ1 ℓ2 (d1 + d2)"};

Definition definitionOf(AxialReading reading) {
  return {
      reading == AxialReading::Docs ? kDocsFormulas : kCodeFormulas,
      "Positions lie on a grid of ℓ1 × ℓ2, and each takes one row of each table. Hugging Face's "
      "documentation and code differ in which of the two changes from one position to the next.",
      "Kitaev et al. 2020 (Reformer); Ho et al. 2019"};
}

} // namespace

std::string encodingsSource(const Scene& scene) {
  return definitionOf(scene.encodings.reading).source;
}

void drawEncodingsFacts(const PanelContext& c) {
  const auto& encodings = c.results.part<EncodingsResults>().shown;
  if (encodings && !encodings.stale && !encodings.problem) {
    positionFacts(c, encodings->answer.shape);
    countFacts(c, encodings->answer.shape);
    EncodingsAnswer at = encodings->answer;
    at.spec.position = c.scene.encodings.position;
    drawReadThis(c.ui, readingOf(at));
  }
  space(c.ui, 6);
  drawDefinition(c, definitionOf(c.scene.encodings.reading));
}

} // namespace attention::gui
