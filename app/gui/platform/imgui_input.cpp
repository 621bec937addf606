#include "app/gui/platform/imgui_input.h"

#include "app/gui/platform/imgui_compat.h"

#include <cfloat>
#include <imgui_internal.h>

namespace attention::gui {
namespace {

constexpr int number(Key key) {
  return static_cast<int>(key);
}

#if IMGUI_VERSION_NUM >= 18700

ImGuiKey offset(ImGuiKey first, int steps) {
  return static_cast<ImGuiKey>(first + steps);
}

ImGuiKey special(Key key) {
  switch (key) {
  case Key::Space:
    return ImGuiKey_Space;
  case Key::Apostrophe:
    return ImGuiKey_Apostrophe;
  case Key::Comma:
    return ImGuiKey_Comma;
  case Key::Minus:
    return ImGuiKey_Minus;
  case Key::Period:
    return ImGuiKey_Period;
  case Key::Slash:
    return ImGuiKey_Slash;
  case Key::Semicolon:
    return ImGuiKey_Semicolon;
  case Key::Equal:
    return ImGuiKey_Equal;
  case Key::LeftBracket:
    return ImGuiKey_LeftBracket;
  case Key::Backslash:
    return ImGuiKey_Backslash;
  case Key::RightBracket:
    return ImGuiKey_RightBracket;
  case Key::Backquote:
    return ImGuiKey_GraveAccent;
  case Key::Escape:
    return ImGuiKey_Escape;
  case Key::Enter:
    return ImGuiKey_Enter;
  case Key::Tab: // the window has its own order of controls, so ImGui must not see it as Tab
    return ImGuiKey_PrintScreen;
  case Key::Backspace:
    return ImGuiKey_Backspace;
  case Key::Insert:
    return ImGuiKey_Insert;
  case Key::Delete:
    return ImGuiKey_Delete;
  case Key::Right:
    return ImGuiKey_RightArrow;
  case Key::Left:
    return ImGuiKey_LeftArrow;
  case Key::Down:
    return ImGuiKey_DownArrow;
  case Key::Up:
    return ImGuiKey_UpArrow;
  case Key::PageUp:
    return ImGuiKey_PageUp;
  case Key::PageDown:
    return ImGuiKey_PageDown;
  case Key::Home:
    return ImGuiKey_Home;
  case Key::End:
    return ImGuiKey_End;
  case Key::KeypadSubtract:
    return ImGuiKey_KeypadSubtract;
  case Key::KeypadAdd:
    return ImGuiKey_KeypadAdd;
  case Key::KeypadEnter:
    return ImGuiKey_KeypadEnter;
  case Key::LeftShift:
    return ImGuiKey_LeftShift;
  case Key::LeftCtrl:
    return ImGuiKey_LeftCtrl;
  case Key::LeftAlt:
    return ImGuiKey_LeftAlt;
  case Key::LeftSuper:
    return ImGuiKey_LeftSuper;
  case Key::RightShift:
    return ImGuiKey_RightShift;
  case Key::RightCtrl:
    return ImGuiKey_RightCtrl;
  case Key::RightAlt:
    return ImGuiKey_RightAlt;
  case Key::RightSuper:
    return ImGuiKey_RightSuper;
  default:
    return ImGuiKey_None;
  }
}

ImGuiKey native(Key key) {
  const int n = number(key);
  if (key >= Key::A && key <= Key::Z)
    return offset(ImGuiKey_A, n - number(Key::A));
  if (n >= number(Key::Digit0) && n <= number(Key::Digit0) + 9)
    return offset(ImGuiKey_0, n - number(Key::Digit0));
  if (key >= Key::F1 && key <= Key::F12)
    return offset(ImGuiKey_F1, n - number(Key::F1));
  if (n >= number(Key::Keypad0) && n <= number(Key::Keypad0) + 9)
    return offset(ImGuiKey_Keypad0, n - number(Key::Keypad0));
  return special(key);
}

void feedKey(Key key, bool down) {
  ImGuiIO& io = ImGui::GetIO();
  if (native(key) != ImGuiKey_None)
    io.AddKeyEvent(native(key), down);
  if (key == Key::LeftCtrl || key == Key::RightCtrl)
    io.AddKeyEvent(ImGuiMod_Ctrl, down);
  if (key == Key::LeftShift || key == Key::RightShift)
    io.AddKeyEvent(ImGuiMod_Shift, down);
  if (key == Key::LeftAlt || key == Key::RightAlt)
    io.AddKeyEvent(ImGuiMod_Alt, down);
  if (key == Key::LeftSuper || key == Key::RightSuper)
    io.AddKeyEvent(ImGuiMod_Super, down);
}

void feedMouse(float x, float y) {
  ImGui::GetIO().AddMousePosEvent(x, y);
}
void feedButton(int button, bool down) {
  ImGui::GetIO().AddMouseButtonEvent(button, down);
}
void feedScroll(float x, float y) {
  ImGui::GetIO().AddMouseWheelEvent(x, y);
}
void feedFocus(bool focused) {
  ImGui::GetIO().AddFocusEvent(focused);
}

bool pressedNow(Key key, bool repeat) {
  return native(key) != ImGuiKey_None && ImGui::IsKeyPressed(native(key), repeat);
}
bool heldNow(Key key) {
  return native(key) != ImGuiKey_None && ImGui::IsKeyDown(native(key));
}

void setUpKeys(ImGuiIO& io) {
  io.ConfigInputTrickleEventQueue = false;
}

#else

void feedKey(Key key, bool down) {
  ImGuiIO& io = ImGui::GetIO();
  const auto held = [&](Key k) { return io.KeysDown[number(k)]; };
  io.KeysDown[number(key)] = down;
  io.KeyCtrl = held(Key::LeftCtrl) || held(Key::RightCtrl);
  io.KeyShift = held(Key::LeftShift) || held(Key::RightShift);
  io.KeyAlt = held(Key::LeftAlt) || held(Key::RightAlt);
  io.KeySuper = held(Key::LeftSuper) || held(Key::RightSuper);
}

void feedMouse(float x, float y) {
  ImGui::GetIO().MousePos = ImVec2(x, y);
}
void feedButton(int button, bool down) {
  ImGui::GetIO().MouseDown[button] = down;
}
void feedScroll(float x, float y) {
  ImGui::GetIO().MouseWheelH += x;
  ImGui::GetIO().MouseWheel += y;
}
void feedFocus(bool focused) {
  ImGui::GetIO().AddFocusEvent(focused);
}

bool pressedNow(Key key, bool repeat) {
  return ImGui::IsKeyPressed(number(key), repeat);
}
bool heldNow(Key key) {
  return ImGui::IsKeyDown(number(key));
}

void setUpKeys(ImGuiIO& io) {
  const auto map = [&](ImGuiKey name, Key key) { io.KeyMap[name] = number(key); };
  // Tab is not mapped: the window has its own order of controls.
  map(ImGuiKey_LeftArrow, Key::Left);
  map(ImGuiKey_RightArrow, Key::Right);
  map(ImGuiKey_UpArrow, Key::Up);
  map(ImGuiKey_DownArrow, Key::Down);
  map(ImGuiKey_PageUp, Key::PageUp);
  map(ImGuiKey_PageDown, Key::PageDown);
  map(ImGuiKey_Home, Key::Home);
  map(ImGuiKey_End, Key::End);
  map(ImGuiKey_Insert, Key::Insert);
  map(ImGuiKey_Delete, Key::Delete);
  map(ImGuiKey_Backspace, Key::Backspace);
  map(ImGuiKey_Space, Key::Space);
  map(ImGuiKey_Enter, Key::Enter);
  map(ImGuiKey_Escape, Key::Escape);
  map(ImGuiKey_KeyPadEnter, Key::KeypadEnter);
  map(ImGuiKey_A, Key::A);
  for (const char letter : {'C', 'V', 'X', 'Y', 'Z'}) {
    const ImGuiKey name = letter == 'C'   ? ImGuiKey_C
                          : letter == 'V' ? ImGuiKey_V
                          : letter == 'X' ? ImGuiKey_X
                          : letter == 'Y' ? ImGuiKey_Y
                                          : ImGuiKey_Z;
    map(name, static_cast<Key>(letter));
  }
}

#endif

struct Feeder {
  void operator()(const KeyEvent& e) const {
    if (number(e.key) > 0 && number(e.key) < 512)
      feedKey(e.key, e.down);
  }
  void operator()(const CharEvent& e) const { ImGui::GetIO().AddInputCharacter(e.character); }
  void operator()(const MouseMoveEvent& e) const { feedMouse(e.x, e.y); }
  void operator()(const MouseLeaveEvent&) const { feedMouse(-FLT_MAX, -FLT_MAX); }
  void operator()(const MouseButtonEvent& e) const {
    if (e.button >= 0 && e.button < ImGuiMouseButton_COUNT)
      feedButton(e.button, e.down);
  }
  void operator()(const ScrollEvent& e) const { feedScroll(e.x, e.y); }
  void operator()(const FocusEvent& e) const { feedFocus(e.focused); }
  void operator()(const DropEvent&) const {}
  void operator()(const ResizeEvent&) const {}
};

// Keys that mean the same to a reader of shortcuts.
bool eitherPressed(Key key, bool repeat) {
  if (pressedNow(key, repeat))
    return true;
  const int n = number(key);
  if (n >= number(Key::Digit0) && n <= number(Key::Digit0) + 9)
    return pressedNow(static_cast<Key>(n - number(Key::Digit0) + number(Key::Keypad0)), repeat);
  if (key == Key::Enter)
    return pressedNow(Key::KeypadEnter, repeat);
  if (key == Key::Equal)
    return pressedNow(Key::KeypadAdd, repeat);
  return key == Key::Minus && pressedNow(Key::KeypadSubtract, repeat);
}

} // namespace

void setUpInput() {
  ImGuiIO& io = ImGui::GetIO();
  setUpKeys(io);
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
}

void feedInput(std::span<const Event> events) {
  for (const Event& event : events)
    std::visit(Feeder{}, event);
}

bool chordPressed(Chord chord, bool repeat) {
  const ImGuiIO& io = ImGui::GetIO();
  // '+' is Shift and '=' on some keyboards and a key of its own on others.
  const bool shiftFits = io.KeyShift == chord.shift || chord.key == Key::Equal;
  return io.KeyCtrl == chord.ctrl && io.KeyAlt == chord.alt && shiftFits &&
         eitherPressed(chord.key, repeat);
}

bool keyHeld(Key key) {
  return heldNow(key);
}

bool typing() {
  // ImGui still wants text for one frame after Enter or Escape has left the field.
  return ImGui::GetIO().WantTextInput && ImGui::IsAnyItemActive();
}

void keepArrowsForItem() {
  if (ImGui::IsItemFocused())
    ImGui::NavMoveRequestCancel();
}

void keepArrows() {
  dropFirstFocus();
  ImGui::NavMoveRequestCancel();
}

void keepSidewaysForView() {
  const ImGuiDir direction = GImGui->NavMoveDir;
  if (!ImGui::GetIO().NavVisible && (direction == ImGuiDir_Left || direction == ImGuiDir_Right))
    keepArrows();
}

} // namespace attention::gui
