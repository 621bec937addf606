// The Reach view (S10): the layers of a stack as a graph with what influences the chosen token lit,
// play and step, the share reached against layers, and the matrix of hops.
#pragma once

#include "app/gui/interface/view.h"

#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

constexpr Index kGraphOffered = 24; // tokens of a graph whose edges can be told apart

std::unique_ptr<ViewPane> reachPane(const std::filesystem::path& shaders);
std::unique_ptr<ViewStages> reachStages(Results& results);
void drawReachOptions(const PanelContext& context); // layers, and what is compared with them
void drawModelOptions(const PanelContext& context); // the list of real models
void drawModelFacts(const PanelContext& context);
void drawReachFacts(const PanelContext& context); // the chosen token, its path, the closed form

} // namespace attention::gui
