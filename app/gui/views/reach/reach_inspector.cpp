#include "app/gui/panels/facts_parts.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/reach/reach_results.h"
#include "app/gui/views/reach/reach_view.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/pattern.h"
#include "core/pattern/pattern_title.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention::gui {
namespace {

// Tokens that the chosen one may see: those up to itself in a causal stack.
Index visible(const ReachAnswer& answer, Index token) {
  return answer.growth.front().causal ? token + 1 : answer.stack.n();
}

void tokenFacts(const PanelContext& c, const ReachAnswer& answer, const ReachToken& token) {
  const Ui& ui = c.ui;
  const ReachOfToken& of = token.facts;
  sectionHeading(ui, "Token " + groupDigits(of.token));
  const std::string layers = token.shown ? std::to_string(*token.shown) + " of " : std::string();
  valueRow(ui, "sees after " + layers + countText(answer.layers, "layer"),
           groupDigits(token.shown ? token.graph.seen : of.seen.back()) + " of " +
               groupDigits(visible(answer, of.token)),
           "Of the inputs that this output is allowed to see, how many reach it through the layers "
           "shown");
  valueRow(ui, "reaches token 0 in",
           of.neededFor0 ? countText(*of.neededFor0, "layer")
                         : "more than " + countText(answer.layers, "layer"));
}

// The complexities of the stack's patterns, each once.
std::vector<std::string> complexities(const Scene& scene) {
  if (scene.reach.stack.empty())
    return {description(scene.pattern).complexity};
  std::vector<std::string> all;
  for (const Panel& layer : scene.reach.stack)
    if (const std::string& of = description(layer.pattern).complexity;
        std::find(all.begin(), all.end(), of) == all.end())
      all.push_back(of);
  return all;
}

// A row of table 1 of Vaswani et al. 2017.
void tableFacts(const PanelContext& c, const ReachAnswer& answer) {
  const Ui& ui = c.ui;
  space(ui, 6);
  sectionHeading(ui, "As in Vaswani 2017, table 1");
  for (const std::string& complexity : complexities(c.scene))
    valueRow(ui, "complexity per layer", complexity,
             "How the operations of one layer grow: n tokens, heads of width d");
  valueRow(ui, "longest path",
           answer.longest ? countText(*answer.longest, "layer") : "not computed",
           "The most layers that any token needs to reach another; it is not computed for long "
           "stacks of several patterns");
}

// The layers above the path's, in which the token stays in place.
void standingFact(const PanelContext& c, const ReachAnswer& answer, const ReachOfToken& of) {
  const Index used = static_cast<Index>(of.path.size()) - 1;
  if (!answer.stack.residual || used == answer.layers)
    return;
  const std::string top = std::to_string(answer.layers);
  valueRow(c.ui,
           used + 1 == answer.layers ? "layer " + top
                                     : "layers " + top + " – " + std::to_string(used + 1),
           "stays at " + groupDigits(of.token),
           "The residual connection carries the token unchanged through " +
               std::string(used + 1 == answer.layers ? "this layer" : "these layers") +
               (used == 0 ? ""
                          : "; the path needs only the " +
                                std::string(used == 1 ? "layer" : "layers") + " below"));
}

// The token may belong to previous layers, which were longer.
bool isLost(const ReachAnswer& answer, Index query, Index key) {
  return answer.lost && std::max(query, key) < answer.stack.n() && answer.lost->pairs(query, key);
}

std::string lostPath(Index layers) {
  return "none through all layers: " + countText(layers, "layer") +
         (layers == 1 ? " reaches" : " reach") + " it, but the full stack loses it again";
}

void pathFacts(const PanelContext& c, const ReachAnswer& answer, const ReachOfToken& of) {
  const Ui& ui = c.ui;
  if (!of.other) {
    caption(ui, "Shift+click a token for a shortest path to it.");
    return;
  }
  space(ui, 6);
  sectionHeading(ui, "A shortest path " + groupDigits(of.token) + " → " + groupDigits(*of.other));
  const bool lost = isLost(answer, of.token, *of.other);
  if (of.path.empty())
    return caption(ui, answer.growth.front().causal && *of.other > of.token
                           ? "none: every layer is causal, and that token comes later"
                       : lost ? lostPath((*answer.hops)(of.token, *of.other))
                              : "none within these layers");
  standingFact(c, answer, of);
  Index layer = static_cast<Index>(of.path.size()) - 1;
  for (std::size_t k = 1; k < of.path.size(); ++k, --layer)
    valueRow(ui, "layer " + std::to_string(layer),
             groupDigits(of.path[k - 1]) + " → " + groupDigits(of.path[k]));
}

void formFacts(const PanelContext& c, const ReachAnswer& answer) {
  if (!answer.form)
    return;
  const Ui& ui = c.ui;
  space(ui, 6);
  sectionHeading(ui, "Closed form");
  const Card card(ui, "closed form");
  words(ui, titleText(*answer.form));
  for (const std::string& line : definitionOf(*answer.form))
    code(ui, line);
  caption(ui, answer.layers == 1
                  ? std::string("the mask of the one layer")
                  : "the mask of all " + countText(answer.layers, "layer") + " together");
}

} // namespace

void drawReachFacts(const PanelContext& c) {
  const Latest<ReachLayers>& reach = c.results.part<ReachResults>().layers;
  const Latest<ReachToken>& token = c.results.part<ReachResults>().token;
  drawModelFacts(c);
  if (!reach || !token)
    return sectionHeading(c.ui, "Token");
  if (isError(reach.problem)) { // which the view reports
    caption(c.ui, "This picture shows earlier parameters.");
    space(c.ui, 6);
    return drawDefinition(c);
  }
  tokenFacts(c, reach->answer, *token);
  tableFacts(c, reach->answer);
  pathFacts(c, reach->answer, token->facts);
  std::vector<std::string> sentences = reach->reading;
  if (const auto& models = c.results.part<ReachResults>().models; isWhole(models))
    for (std::string& sentence : readingOf(*models))
      sentences.push_back(std::move(sentence));
  drawReadThis(c.ui, sentences);
  formFacts(c, reach->answer);
  space(c.ui, 6);
  drawDefinition(c);
}

} // namespace attention::gui
