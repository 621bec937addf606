#include "app/gui/overlays/overlays.h"

#include "app/gui/files/exporting.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/widgets/drawing.h"

#include <algorithm>

namespace attention::gui {
namespace {

struct Box {
  float width; // at scale 1
  float height;
  const char* scope;
  ImGuiWindowFlags flags = 0;
};

struct BoxOf {
  Box operator()(std::monostate) const { return {0, 0, ""}; }
  Box operator()(const GalleryState&) const { return {940, 780, "Gallery"}; }
  // Arrows move its choice, not the focus.
  Box operator()(const PaletteState&) const {
    return {620, 460, "Palette", ImGuiWindowFlags_NoNav};
  }
  Box operator()(const KeysState&) const { return {720, 800, "Keys"}; }
  Box operator()(const AboutState&) const { return {560, 380, "About"}; }
  // Arrows go through it.
  Box operator()(const TourState&) const { return {340, 176, "Tour", ImGuiWindowFlags_NoNav}; }
  Box operator()(const CodeState&) const { return {820, 640, "Code"}; }
  Box operator()(const FileDialogState&) const { return {720, 540, "File dialog"}; }
  Box operator()(const AnimationState&) const { return {560, 660, "Animation"}; }
  Box operator()(const QuestionState&) const { return {520, 220, "Question"}; }
};

// The dimmed window behind the box; true when it was clicked.
bool drawBackdrop() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0, 0, 0, 0.55F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("##backdrop", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  const bool clicked = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  return clicked;
}

void beginBox(const Ui& ui, const Box& box, const TourState* tour) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(box.width), screen.x - ui.px(32));
  const float height = std::min(ui.px(box.height), screen.y - ui.px(32));
  if (tour)
    ImGui::SetNextWindowPos(tourCorner(ui, *tour, ImVec2(width, height)));
  else
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y * 0.48F), ImGuiCond_Always,
                            ImVec2(0.5F, 0.5F));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(18), ui.px(16)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colors().panel);
  ImGui::Begin(("##" + std::string(box.scope)).c_str(), nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | box.flags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

} // namespace

std::string_view overlayScope(const Overlay& overlay) {
  return std::visit(BoxOf{}, overlay).scope;
}

void drawOverlay(Workbench& bench, const PanelContext& c) {
  if (!isOpen(bench.overlay))
    return;
  const bool beside = drawBackdrop();
  const Box box = std::visit(BoxOf{}, bench.overlay);
  beginBox(c.ui, box, std::get_if<TourState>(&bench.overlay));
  const WidgetScope scope(c.ui.log, box.scope);
  OverlayStep step = OverlayStep::Stay;
  if (auto* gallery = std::get_if<GalleryState>(&bench.overlay))
    step = drawGallery(*gallery, c);
  else if (auto* palette = std::get_if<PaletteState>(&bench.overlay))
    step = drawPalette(*palette, bench, c);
  else if (std::holds_alternative<KeysState>(bench.overlay))
    step = drawKeys(bench, c);
  else if (std::holds_alternative<AboutState>(bench.overlay))
    step = drawAbout(c);
  else if (auto* tour = std::get_if<TourState>(&bench.overlay))
    step = drawTour(*tour, c);
  else if (const auto* code = std::get_if<CodeState>(&bench.overlay))
    step = drawCode(*code, c);
  bool write = false;
  auto* animation = std::get_if<AnimationState>(&bench.overlay);
  if (animation)
    step = drawAnimation(*animation, c, write);
  bool agreed = false;
  const auto* question = std::get_if<QuestionState>(&bench.overlay);
  if (question)
    step = drawQuestion(*question, c, agreed);
  std::vector<std::filesystem::path> chosen;
  auto* dialog = std::get_if<FileDialogState>(&bench.overlay);
  if (dialog)
    step = drawFileDialog(*dialog, c, chosen);
  ImGui::End();
  const bool close = step == OverlayStep::Close || beside || chordPressed({Key::Escape});
  if (!chosen.empty()) {
    const auto use = dialog->chosen;
    const auto useAll = dialog->chosenAll;
    bench.overlay = {};
    if (useAll)
      useAll(bench, std::move(chosen));
    else
      use(bench, chosen.front());
  } else if (agreed) {
    const auto begin = question->agreed;
    bench.overlay = {};
    begin(bench);
  } else if (write) {
    askAnimation(bench, AnimationState(*animation));
  } else if (close) {
    bench.overlay = {};
  }
}

} // namespace attention::gui
