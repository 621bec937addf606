#include "app/gui/state/ui_state.h"

#include "core/pattern/pattern_json.h"
#include "core/support/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>

namespace attention::gui {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
void read(const Json& json, const char* name, T& value, bool (Json::*isRight)() const noexcept) {
  const auto found = json.find(name);
  if (found != json.end() && ((*found).*isRight)())
    value = found->get<T>();
}

// Both, or none. A place that no screen has is corrected when the window opens.
void readPosition(const Json& json, UiState& state) {
  constexpr int kFar = 1 << 20;
  const auto x = json.find("x");
  const auto y = json.find("y");
  if (x == json.end() || y == json.end() || !x->is_number_integer() || !y->is_number_integer())
    return;
  state.x = static_cast<int>(std::clamp<std::int64_t>(x->get<std::int64_t>(), -kFar, kFar));
  state.y = static_cast<int>(std::clamp<std::int64_t>(y->get<std::int64_t>(), -kFar, kFar));
}

void readFiles(const Json& json, std::vector<std::string>& files) {
  const auto found = json.find("recent_files");
  if (found == json.end() || !found->is_array())
    return;
  for (const Json& file : *found)
    if (file.is_string() && files.size() < kMostRecent)
      files.push_back(file.get<std::string>());
}

void readPatterns(const Json& json, std::vector<Pattern>& patterns) {
  const auto found = json.find("recent_patterns");
  if (found == json.end() || !found->is_array())
    return;
  for (const Json& pattern : *found) {
    try {
      if (patterns.size() < kMostRecent)
        patterns.push_back(patternFromJson(pattern));
    } catch (const Error&) {
      continue; // of another version
    }
  }
}

} // namespace

void rememberFile(UiState& state, const std::string& file) {
  auto& files = state.recentFiles;
  files.erase(std::remove(files.begin(), files.end(), file), files.end());
  files.insert(files.begin(), file);
  files.resize(std::min(files.size(), kMostRecent));
}

void rememberPattern(UiState& state, const Pattern& pattern) {
  auto& patterns = state.recentPatterns;
  patterns.erase(std::remove_if(patterns.begin(), patterns.end(),
                                [&](const Pattern& p) { return sameMechanism(p, pattern); }),
                 patterns.end());
  patterns.insert(patterns.begin(), pattern);
  if (patterns.size() > kMostRecent)
    patterns.resize(kMostRecent);
}

Json toJson(const UiState& state) {
  Json json{{"type", "attention-explorer window"},
            {"theme", state.theme == ThemeKind::Dark ? "dark" : "light"},
            {"present_theme", state.presentTheme == ThemeKind::Dark ? "dark" : "light"},
            {"scale", state.scale},
            {"width", state.width},
            {"height", state.height},
            {"sidebar", state.sidebar},
            {"inspector", state.inspector},
            {"figures", state.tab == SidebarTab::Figures},
            {"recent_files", state.recentFiles},
            {"recent_patterns", Json::array()},
            {"folder", state.folder},
            {"toured", state.toured},
            {"motion", state.motion}};
  if (state.x && state.y) {
    json["x"] = *state.x;
    json["y"] = *state.y;
  }
  for (const Pattern& pattern : state.recentPatterns)
    json["recent_patterns"].push_back(toJson(pattern));
  return json;
}

UiState uiStateFromJson(const Json& json) {
  UiState state;
  if (!json.is_object())
    return state;
  std::string theme;
  std::string presentTheme;
  bool figures = false;
  read(json, "theme", theme, &Json::is_string);
  read(json, "present_theme", presentTheme, &Json::is_string);
  read(json, "scale", state.scale, &Json::is_number);
  read(json, "width", state.width, &Json::is_number_integer);
  read(json, "height", state.height, &Json::is_number_integer);
  read(json, "sidebar", state.sidebar, &Json::is_boolean);
  read(json, "inspector", state.inspector, &Json::is_boolean);
  read(json, "figures", figures, &Json::is_boolean);
  read(json, "folder", state.folder, &Json::is_string);
  state.toured = true; // in a file of an earlier version, which does not say
  read(json, "toured", state.toured, &Json::is_boolean);
  read(json, "motion", state.motion, &Json::is_boolean);
  readPosition(json, state);
  readFiles(json, state.recentFiles);
  readPatterns(json, state.recentPatterns);
  state.theme = theme == "light" ? ThemeKind::Light : ThemeKind::Dark;
  state.presentTheme = presentTheme == "dark" ? ThemeKind::Dark : ThemeKind::Light;
  state.tab = figures ? SidebarTab::Figures : SidebarTab::Patterns;
  state.scale = std::clamp(state.scale, 0.5F, 4.0F);
  state.width = std::clamp(state.width, 640, 16384);
  state.height = std::clamp(state.height, 480, 16384);
  return state;
}

} // namespace attention::gui
