// The Text picture of the Attention view: the running text, shaded by what a token gives or
// receives.
#pragma once

#include "app/gui/interface/latest.h"
#include "app/gui/interface/view.h"
#include "core/views/text/scene_text.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

class ViewStages;
struct PanelContext;

struct TextShown {
  std::string title;
  std::string caption;
  RunningTextMark mark; // from its first token on
  TextShades shades;
  std::vector<std::string> labels; // of the tokens, or empty
  std::optional<Index> hidden;     // by the pattern, with the most weight
  std::string hiddenName;
  std::vector<std::string> reading;
};

struct TextResults {
  Latest<TextWeights> weights;
  Latest<TextShown> shown;
  std::optional<Problem> problem = {};

  bool pending() const { return weights.pending || shown.pending; }
};

std::unique_ptr<ViewPane> textPane();
std::unique_ptr<ViewStages> textStages(Results& results);
void drawTextOptions(const PanelContext& context);
void drawTextFacts(const PanelContext& context);

} // namespace attention::gui
