// What the inspectors of all views share: lines of facts, what to see in the picture, and the
// formulas behind it with their source.
#pragma once

#include "app/gui/interface/fact.h"
#include "app/gui/panels/panel.h"

#include <span>
#include <string>
#include <vector>

namespace attention::gui {

// Formulas of a picture, words about them, and where they come from.
struct Definition {
  std::span<const char* const> formulas;
  const char* words;
  const char* source;
};

// What stands in it tells of the thing under the pointer, and says less once the pointer has gone.
// It stays as high as it has been while the pointer was in the view or here, so that no control
// below moves away from a pointer that is on its way there.
class Steady {
public:
  explicit Steady(const PanelContext& context);
  ~Steady();
  Steady(Steady&&) = delete;

private:
  float& most_; // the height that it had, of this view and width
  float top_;
};

// Under a heading of its own.
void drawFacts(const Ui& ui, const std::string& heading, const std::vector<Fact>& facts);

// "Read this" over the sentences; nothing where there are none.
void drawReadThis(const Ui& ui, const std::vector<std::string>& sentences);

// "Figure", or "Scene" where there is no source: title, caption and source of the Scene, where they
// speak of the view.
void drawSceneWords(const PanelContext& context);

// Under "Definition".
void drawDefinition(const PanelContext& context, const Definition& definition);

// Costs and definition are of one pattern: of the first mask or the lowest layer where a picture
// shows several, which is told then.
Pattern firstPattern(const Scene& scene);
void tellWhich(const PanelContext& context);
void drawDefinition(const PanelContext& context);

// What counts and measures are of that outlive the pattern they were made for, or the input where
// that cannot be read or computed with: "of the last good pattern".
const char* ofLastGood(const Results& results);

// "n 128 · 1 024 pairs · 12.4 % of causal" of the first mask: its pairs are those of the n beside
// them, also where another is asked for; and the middle of it.
std::string pairsText(const PanelContext& context);
std::string countedPairs(Index pairs);

// Whether the cell's query attends to its key, and through which part; `of` before it: "(a)".
void drawVerdict(const Ui& ui, const CellFacts& cell, const std::string& of = {});
// The words of its tokens and its weight, where they are known.
void drawTokens(const Ui& ui, const CellFacts& cell);

} // namespace attention::gui
