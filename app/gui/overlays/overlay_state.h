// What lies on top of the window: at most one overlay, with what was typed into it so far.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace attention::gui {

struct Workbench;

struct GalleryState {
  std::string search;
};

struct PaletteState {
  std::string search;
  int selected = 0;
};

struct KeysState {};
struct AboutState {};

struct FileEntry {
  std::string name;
  bool folder = false;
};

// A file to open, or a name to save under.
struct FileDialogState {
  std::string title;
  bool saving = false;
  std::vector<std::string> endings; // ".json"; empty: all files
  bool allFiles = false;            // the filter is off
  std::filesystem::path folder;
  std::string name; // typed: a file's name, or a path
  bool confirmReplace = false;
  std::string problem;
  std::vector<FileEntry> listed; // of `listedFolder`, read when the folder changes
  std::filesystem::path listedFolder;
  std::function<void(Workbench&, const std::filesystem::path&)> chosen;
};

using Overlay = std::variant<std::monostate, GalleryState, PaletteState, KeysState, AboutState,
                             FileDialogState>;

inline bool isOpen(const Overlay& overlay) {
  return !std::holds_alternative<std::monostate>(overlay);
}

} // namespace attention::gui
