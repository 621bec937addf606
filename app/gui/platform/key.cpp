#include "app/gui/platform/key.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace attention::gui {
namespace {

struct NamedKey {
  std::string_view name;
  Key key;
};

// The first name of a key is the one that toString returns.
constexpr std::array<NamedKey, 38> kNames{{
    {"Space", Key::Space},
    {"'", Key::Apostrophe},
    {",", Key::Comma},
    {"-", Key::Minus},
    {".", Key::Period},
    {"/", Key::Slash},
    {";", Key::Semicolon},
    {"+", Key::Equal},
    {"=", Key::Equal},
    {"[", Key::LeftBracket},
    {"\\", Key::Backslash},
    {"]", Key::RightBracket},
    {"`", Key::Backquote},
    {"Esc", Key::Escape},
    {"Escape", Key::Escape},
    {"Enter", Key::Enter},
    {"Return", Key::Enter},
    {"Tab", Key::Tab},
    {"Backspace", Key::Backspace},
    {"Insert", Key::Insert},
    {"Delete", Key::Delete},
    {"Del", Key::Delete},
    {"Right", Key::Right},
    {"Left", Key::Left},
    {"Down", Key::Down},
    {"Up", Key::Up},
    {"PageUp", Key::PageUp},
    {"PageDown", Key::PageDown},
    {"Home", Key::Home},
    {"End", Key::End},
    {"Shift", Key::LeftShift},
    {"Ctrl", Key::LeftCtrl},
    {"Alt", Key::LeftAlt},
    {"Super", Key::LeftSuper},
    {"KeypadEnter", Key::KeypadEnter},
    {"KeypadAdd", Key::KeypadAdd},
    {"KeypadSubtract", Key::KeypadSubtract},
    {"Keypad0", Key::Keypad0},
}};

bool equalIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

// "F1" … "F12".
std::optional<Key> functionKey(std::string_view name) {
  if (name.size() < 2 || name.size() > 3 || (name[0] != 'F' && name[0] != 'f'))
    return std::nullopt;
  int number = 0;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9')
      return std::nullopt;
    number = 10 * number + (c - '0');
  }
  if (number < 1 || number > 12)
    return std::nullopt;
  return static_cast<Key>(static_cast<int>(Key::F1) + number - 1);
}

std::optional<Key> keyNamed(std::string_view name) {
  if (name.size() == 1 && std::isalnum(static_cast<unsigned char>(name[0])) != 0)
    return static_cast<Key>(std::toupper(static_cast<unsigned char>(name[0])));
  for (const NamedKey& entry : kNames)
    if (equalIgnoringCase(entry.name, name))
      return entry.key;
  return functionKey(name);
}

std::string nameOf(Key key) {
  const int number = static_cast<int>(key);
  for (const NamedKey& entry : kNames)
    if (entry.key == key)
      return std::string(entry.name);
  if (number >= static_cast<int>(Key::F1) && number <= static_cast<int>(Key::F12))
    return "F" + std::to_string(number - static_cast<int>(Key::F1) + 1);
  const bool letterOrDigit =
      (number >= static_cast<int>(Key::A) && number <= static_cast<int>(Key::Z)) ||
      (number >= '0' && number <= '9');
  return letterOrDigit ? std::string(1, static_cast<char>(number)) : std::string();
}

} // namespace

std::optional<Chord> parseChord(std::string_view text) {
  Chord chord;
  // The last character is always part of the key, so that "Ctrl++" is Ctrl and +.
  for (std::size_t plus = text.find('+'); plus != std::string_view::npos && plus + 1 < text.size();
       plus = text.find('+')) {
    const std::string_view modifier = text.substr(0, plus);
    if (equalIgnoringCase(modifier, "Ctrl"))
      chord.ctrl = true;
    else if (equalIgnoringCase(modifier, "Shift"))
      chord.shift = true;
    else if (equalIgnoringCase(modifier, "Alt"))
      chord.alt = true;
    else
      return std::nullopt;
    text.remove_prefix(plus + 1);
  }
  if (text == "?") {
    chord.key = Key::Slash;
    chord.shift = true;
    return chord;
  }
  const std::optional<Key> key = keyNamed(text);
  if (!key)
    return std::nullopt;
  chord.key = *key;
  return chord;
}

std::string toString(Chord chord) {
  const bool question = chord.key == Key::Slash && chord.shift;
  std::string text;
  if (chord.ctrl)
    text += "Ctrl+";
  if (chord.shift && !question)
    text += "Shift+";
  if (chord.alt)
    text += "Alt+";
  return text + (question ? "?" : nameOf(chord.key));
}

bool isModifier(Key key) {
  return key >= Key::LeftShift && key <= Key::RightSuper;
}

} // namespace attention::gui
