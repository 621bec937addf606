// Keys by name, and chords such as Ctrl+Shift+Z. The numbers are GLFW's, so that events need no
// translation; letters and digits are their ASCII codes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attention::gui {

// clang-format off
enum class Key : int {
  None = 0,
  Space = 32,
  Apostrophe = 39,
  Comma = 44,
  Minus = 45,
  Period = 46,
  Slash = 47,
  Digit0 = 48, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9,
  Semicolon = 59,
  Equal = 61,
  A = 65, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z,
  LeftBracket = 91,
  Backslash = 92,
  RightBracket = 93,
  Backquote = 96,
  Escape = 256,
  Enter = 257,
  Tab = 258,
  Backspace = 259,
  Insert = 260,
  Delete = 261,
  Right = 262,
  Left = 263,
  Down = 264,
  Up = 265,
  PageUp = 266,
  PageDown = 267,
  Home = 268,
  End = 269,
  F1 = 290, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12,
  Keypad0 = 320, // to Keypad9 = 329
  KeypadSubtract = 333,
  KeypadAdd = 334,
  KeypadEnter = 335,
  LeftShift = 340,
  LeftCtrl = 341,
  LeftAlt = 342,
  LeftSuper = 343,
  RightShift = 344,
  RightCtrl = 345,
  RightAlt = 346,
  RightSuper = 347,
};
// clang-format on

// A key with the modifiers that must be held and no others.
struct Chord {
  Key key = Key::None;
  bool ctrl = false;
  bool shift = false;
  bool alt = false;

  bool operator==(const Chord&) const = default;
};

// "Ctrl+Shift+Z", "F5", "\\", "?", "Ctrl++", "Left", "Enter"; case does not matter. Nothing if the
// text names no key.
std::optional<Chord> parseChord(std::string_view text);
// The chord as parseChord reads it.
std::string toString(Chord chord);
// Whether the key is Shift, Ctrl, Alt or Super.
bool isModifier(Key key);

} // namespace attention::gui
