#include "app/gui/overlays/overlays.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/words.h"
#include "core/code/source.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr std::size_t kMostShown = 20000; // characters: longer sources list cells
constexpr float kLibraryName = 40;        // points at scale 1
constexpr float kBelowSource = 44;

void chooseLibrary(const CodeState& state, const PanelContext& c) {
  std::vector<ChoiceItem> items;
  for (const CodeTargetName& library : codeTargets())
    items.push_back({std::string(library.title), "Source code that rebuilds the mask"});
  ChoiceSpec spec;
  spec.labelWidth = c.ui.px(kLibraryName);
  spec.tooltip = "The library that the code is for";
  int selected = static_cast<int>(state.library);
  if (combo(c.ui, "for", selected, items, spec))
    c.actions.run("code.show." +
                  std::string(codeTargets()[static_cast<std::size_t>(selected)].name));
}

// All of it, or its first lines and how many follow.
void drawSource(const CodeState& state, const PanelContext& c) {
  if (state.pending)
    return caption(c.ui, "writing …");
  if (!state.problem.empty())
    return note(c.ui, NoteKind::Error, state.problem);
  if (state.text.size() <= kMostShown)
    return code(c.ui, state.text);
  const std::size_t end = state.text.rfind('\n', kMostShown);
  const std::size_t shown = end == std::string::npos ? kMostShown : end;
  code(c.ui, std::string_view(state.text).substr(0, shown));
  caption(c.ui, "… " +
                    counted(std::count(state.text.begin() + static_cast<std::ptrdiff_t>(shown),
                                       state.text.end(), '\n'),
                            "line") +
                    " more, which are copied and saved too");
}

} // namespace

OverlayStep drawCode(const CodeState& state, const PanelContext& c) {
  chooseLibrary(state, c);
  beginChild("source", ImVec2(0, -c.ui.px(kBelowSource)), true);
  drawSource(state, c);
  ImGui::EndChild();
  const bool whole = !state.pending && !state.text.empty();
  if (button(c.ui, "Copy", {"All of it, to the clipboard", whole}))
    c.actions.run("code.copy");
  ImGui::SameLine();
  if (button(c.ui, "Save…", {"All of it, to a file", whole}))
    c.actions.run("code.save");
  ImGui::SameLine();
  return button(c.ui, "Close", {"Back to the view (Esc)"}) ? OverlayStep::Close : OverlayStep::Stay;
}

} // namespace attention::gui
