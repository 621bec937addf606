// The Model view: what other masks of its heads cost a real model, as points against the pairs that
// they keep, as curves along the text and as a table; the text with the words that suffer; sweeps;
// and the masks of all layers and heads.
#pragma once

#include "app/gui/interface/view.h"

#include <memory>

namespace attention::gui {

class ViewStages;
struct PanelContext;

// What the button that downloads SmolLM2 says of itself.
constexpr const char* kDownloadTip =
    "Downloads SmolLM2-135M-Instruct (93 MB, Apache-2.0) after asking, to compute variants of your "
    "own";

std::unique_ptr<ViewPane> modelPane(const std::filesystem::path& shaders);
std::unique_ptr<ViewStages> modelStages(Results& results);
void drawModelViewOptions(const PanelContext& context); // the model, its text
void drawVariantOptions(const PanelContext& context);   // the variants and their rules
void drawModelViewFacts(const PanelContext& context);   // what to see, numbers of the model

} // namespace attention::gui
