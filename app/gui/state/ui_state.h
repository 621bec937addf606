// What the window remembers besides the document: what is folded, theme, type size, recent files
// and patterns. Saved apart from the Scene, and not undone.
#pragma once

#include "app/gui/widgets/theme.h"
#include "core/pattern/pattern.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

enum class SidebarTab { Patterns, Figures };

struct UiState {
  ThemeKind theme = ThemeKind::Dark;
  ThemeKind presentTheme = ThemeKind::Light; // of presentations: projectors wash out dark ones
  float scale = 1;                           // of type and spacing
  int width = 1440;                          // of the window, at scale 1
  int height = 900;
  std::optional<int> x; // of the window's upper left corner, in screen coordinates
  std::optional<int> y;
  bool sidebar = true;
  bool inspector = true;
  SidebarTab tab = SidebarTab::Patterns;
  std::vector<std::string> recentFiles; // scenes and inputs, the newest first
  std::vector<Pattern> recentPatterns;  // the newest first, one per mechanism
  std::string folder;                   // of the file dialog
  bool toured = false;                  // the tour of a first start was shown
  bool motion = true;                   // one picture fades into the next
  bool operator==(const UiState&) const = default;
};

constexpr std::size_t kMostRecent = 8;

// Puts `file` at the head of the recent files.
void rememberFile(UiState& state, const std::string& file);
// Puts `pattern` at the head of the recent patterns, in place of another of its mechanism.
void rememberPattern(UiState& state, const Pattern& pattern);

nlohmann::ordered_json toJson(const UiState& state);
// What is missing or wrong keeps its default: a damaged settings file must not prevent a start.
UiState uiStateFromJson(const nlohmann::ordered_json& json);

} // namespace attention::gui
