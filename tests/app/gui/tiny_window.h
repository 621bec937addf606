// A small window with one control of each kind, played without a display through the application's
// host.
#pragma once

#include "app/gui/platform/host.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/script/script_runner.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/canvas.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/fields.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/sliders.h"
#include "app/gui/widgets/words.h"

#include <array>
#include <string>
#include <vector>

namespace attention::gui {

struct TinyWindow {
  Host host = Host::headless({"", 640, 900, 1});
  WidgetLog log;
  Theme theme = makeTheme(ThemeKind::Dark);

  int presses = 0;
  int linkPresses = 0;
  int opened = 0;
  bool causal = false;
  bool pinned = false;
  int factor = 0;
  int reading = 1;
  int row = -1;
  std::int64_t stride = 11;
  std::int64_t length = 128;
  double sigma = 1;
  int strideSteps = 0; // undo steps that the stride's slider has made
  bool typedStride = false;
  std::string name = "old";
  int entered = 0;
  int canvasClicks = 0;
  int canvasDoubleClicks = 0;
  float panned = 0;
  float scrolled = 0;
  bool shiftClick = false;
  bool busy = false;
  std::vector<std::string> dropped;

  void menuBar(const Ui& ui) {
    if (!ImGui::BeginMenuBar())
      return;
    if (beginMenu(ui, "File")) {
      opened += menuItem(ui, "Open…", {"Ctrl+O", "Opens a file"}) ? 1 : 0;
      menuItem(ui, "Nothing", {.enabled = false});
      endMenu(ui);
    }
    ImGui::EndMenuBar();
  }

  void controls(const Ui& ui) {
    const WidgetScope scope(ui.log, "Sidebar");
    sectionHeading(ui, "parameters", "reset");
    const Edit edit = sliderInt(ui, "stride ℓ", stride, 1, 64, {"snap √n", "the stride ℓ"});
    strideSteps += edit.finished ? 1 : 0;
    typedStride = typedStride || edit.typed;
    sliderInt(ui, "length n", length, 1, 16777216, {.logarithmic = true});
    sliderReal(ui, "sigma", sigma, 0, 4);
    const std::array<ChoiceItem, 3> factors{
        {{"A¹", "", true}, {"A²", "", true}, {"A¹ ∪ A²", "", true}}};
    choice(ui, "factor", factor, factors);
    const std::array<ChoiceItem, 2> readings{{{"paper", "", true}, {"code", "", true}}};
    combo(ui, "reading", reading, readings);
    checkbox(ui, "causal", causal);
    inputText(ui, "name", name).entered ? ++entered : 0;
  }

  void buttons(const Ui& ui) {
    presses += button(ui, "Press", {"Presses"}) ? 1 : 0;
    ImGui::SameLine();
    button(ui, "Never", {"", false});
    ImGui::SameLine();
    toggle(ui, "Pin", pinned);
    ImGui::SameLine();
    iconButton(ui, "Fold", "◀");
    linkPresses += link(ui, "more##1") ? 1 : 0;
    ImGui::SameLine();
    linkPresses += link(ui, "more##2") ? 10 : 0;
    for (int i = 0; i < 2; ++i)
      if (listItem(ui, i == 0 ? "first row" : "second row", row == i, "detail"))
        row = i;
  }

  void results(const Ui& ui) {
    const Card card(ui, "cost");
    valueRow(ui, "captured mass", "0.87");
    numberBar(ui, "pairs", groupDigits(std::int64_t{2035}), 0.246);
    note(ui, NoteKind::Error, "n is 0; it must be an integer of at least 1");
  }

  void picture(const Ui& ui) {
    const CanvasInput in =
        canvas(ui, "Mask", ImVec2(200, 100), std::to_string(canvasClicks), Wheel::Zooms);
    canvasClicks += in.clicked ? 1 : 0;
    canvasDoubleClicks += in.doubleClicked ? 1 : 0;
    shiftClick = shiftClick || (in.clicked && in.shift);
    panned += in.dragX;
    scrolled += in.scroll;
  }

  void draw(const FrameInfo& info) {
    log.beginFrame();
    applyTheme(theme, info.scale);
    const Ui ui{log, theme, host.fonts(), info.scale};
    dropped.insert(dropped.end(), info.dropped.begin(), info.dropped.end());
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(300, info.height));
    ImGui::Begin("tiny", nullptr, ImGuiWindowFlags_MenuBar | ImGuiWindowFlags_NoTitleBar);
    menuBar(ui);
    controls(ui);
    buttons(ui);
    results(ui);
    picture(ui);
    ImGui::End();
  }

  void frame() {
    host.frame([&](const FrameInfo& info) { draw(info); });
  }

  // Failures as lines.
  std::vector<std::string> play(const std::string& script) {
    ScriptWorld world;
    world.framesToWait = 10;
    world.busy = [&] { return busy; };
    world.document = [&] {
      return nlohmann::json{{"stride", stride}, {"pattern", {{"name", name}, {"list", {1, 2}}}}};
    };
    world.resize = [&](int width, int height) { host.resize(width, height); };
    ScriptRunner runner(parseScript(script), world);
    for (int i = 0; i < 5000 && runner.beforeFrame(log, host.events()); ++i)
      frame();
    std::vector<std::string> messages;
    for (const ScriptFailure& failure : runner.failures())
      messages.push_back(failure.message);
    if (!runner.done())
      messages.emplace_back("the script did not end");
    return messages;
  }
};

} // namespace attention::gui
