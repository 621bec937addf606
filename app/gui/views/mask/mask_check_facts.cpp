#include "app/gui/interface/latest.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/views/mask/mask_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention::gui {
namespace {

void drawNames(const Ui& ui, const CheckedMask& checked) {
  constexpr std::size_t kMostAlso = 3;
  constexpr std::size_t kMostModels = 4;
  const Card card(ui, "check");
  code(ui, nameText(checked));
  if (const auto& matches = checked.check.matches; matches && matches->size() > 1) {
    std::string also = "also ";
    for (std::size_t k = 1; k < std::min(matches->size(), kMostAlso + 1); ++k)
      also += (k == 1 ? "" : "; ") + textOf((*matches)[k]);
    caption(ui, also);
  }
  std::string models;
  for (std::size_t k = 0; k < std::min(checked.models.size(), kMostModels); ++k)
    models += (k == 0 ? "as in " : ", ") + modelText(checked.models[k]);
  if (checked.models.size() > kMostModels)
    models += " and " + counted(checked.models.size() - kMostModels, "other model");
  if (!models.empty())
    caption(ui, models);
}

void drawReport(const Ui& ui, const MaskReport& report) {
  valueRow(ui, "keys in the future", countedFrom(report.futureCells, report.firstFuture),
           "Cells whose key comes after the query's token, and the first of them (query, key): a "
           "decoder must have none");
  valueRow(ui, "empty rows", indicesText(report.emptyRows),
           "Queries that attend to nothing: many libraries return NaN for them");
  valueRow(ui, "unused keys", indicesText(report.unusedKeys), "Keys that no query attends to");
  valueRow(ui, "queries that do not see themselves", indicesText(report.rowsWithoutSelf),
           "Queries that do not attend to their own token");
  if (report.constantTile > 1)
    valueRow(ui, "constant tiles",
             groupDigits(report.constantTile) + " × " + groupDigits(report.constantTile),
             "The largest tiles in which all cells are equal: a block-sparse kernel with them "
             "wastes nothing");
  if (report.asymmetricPairs && report.futureCells > 0)
    valueRow(ui, "asymmetric pairs", countedFrom(*report.asymmetricPairs, report.firstAsymmetric),
             "Pairs of tokens where only one attends to the other");
}

// Both in Compare, cell by cell.
void compareWith(Scene& scene, const Panel& layer) {
  scene.view = View::Compare;
  scene.compare.patterns = {{"the mask", scene.pattern}, layer};
  scene.compare.first = 0;
  scene.compare.second = 1;
  scene.compare.chosen = 0;
  scene.compare.matchPairs = false;
  scene.camera.reset();
}

void drawDifference(const PanelContext& c, const CheckedMask& checked) {
  const Ui& ui = c.ui;
  const auto& difference = checked.check.against;
  if (!difference)
    return;
  space(ui, 4);
  groupHeading(ui, "against " + checked.against);
  if (!difference->firstRow)
    return note(ui, NoteKind::Good, "equal, cell by cell");
  valueRow(ui, "only in this mask", groupDigits(difference->onlyFirst),
           "Cells that the model's layer lacks");
  valueRow(ui, "only in the model", groupDigits(difference->onlySecond),
           "Cells of the model's layer that this mask lacks");
  valueRow(ui, "first difference",
           "(" + groupDigits(*difference->firstRow) + ", " +
               groupDigits(difference->firstKey.value_or(0)) + ")",
           "The first cell (query, key) that only one of them has");
  if (checked.layer &&
      link(ui, "draw the difference", {"Both masks and their difference, in Compare"}))
    c.actions.edit("compare", [layer = Panel{checked.against, *checked.layer}](Scene& scene) {
      compareWith(scene, layer);
    });
}

} // namespace

void drawCheckFacts(const PanelContext& c) {
  if (!c.scene.mask.check.shown)
    return;
  const Latest<CheckedMask>& check = c.results.part<MaskFindings>().check;
  sectionHeading(c.ui, "Check");
  if (isThere(c.ui, check, "checking the mask …")) {
    drawNames(c.ui, *check);
    drawReport(c.ui, check->check.report);
    drawDifference(c, *check);
  }
  space(c.ui, 6);
}

} // namespace attention::gui
