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

// Its content describes the thing under the pointer, and is shorter once the pointer has gone. It
// keeps the height that it had while the pointer was in the view or here, so that no control below
// moves away from an approaching pointer.
class Steady {
public:
  // `what`: tells the pictures of one view apart, whose facts are of different heights.
  explicit Steady(const PanelContext& context, int what = 0);
  ~Steady();
  Steady(Steady&&) = delete;

private:
  float& most_; // the height that it had, for this picture and width
  float top_;
};

// Under their heading.
void drawFacts(const Ui& ui, const Facts& facts);
// Below them: whether there is more to come, or was, until somebody stopped it.
void drawUnderWay(const Ui& ui, bool pending, bool stopped);

// "Read this" above the sentences, and what they are about where it needs saying ("of head 0");
// nothing if there are none.
void drawReadThis(const Ui& ui, const std::vector<std::string>& sentences,
                  const std::string& of = {});

// "Figure", or "Scene" where there is no source: title, caption and source of the Scene, where they
// describe the view.
void drawSceneWords(const PanelContext& context);

// Under "Definition".
void drawDefinition(const PanelContext& context, const Definition& definition);

// Costs and definition belong to one pattern: the first mask or the lowest layer where a picture
// shows several, which is then named: "of the first mask, Strided"; else empty.
Pattern firstPattern(const Scene& scene);
std::string whichOfSeveral(const PanelContext& context);
void drawDefinition(const PanelContext& context);

// Whose counts and measures these are when they outlive their pattern, or an input that cannot be
// read or computed with: "of the last good pattern".
const char* ofLastGood(const Results& results);

// "n 128 · 1 024 pairs · 12.4 % of causal" of the first mask: its pairs belong to the n beside
// them, even where another n is requested. Of several it ends with "head 0" or "(a)".
// countedPairs: its middle part, " · 1 024 pairs · ".
std::string pairsText(const PanelContext& context);
std::string countedPairs(Index pairs);

// Whether the cell's query attends to its key, and through which part; `of` comes before it: "(a)".
void drawVerdict(const Ui& ui, const CellFacts& cell, const std::string& of = {});
// Its tokens' words and its weight, where known.
void drawTokens(const Ui& ui, const CellFacts& cell);

} // namespace attention::gui
