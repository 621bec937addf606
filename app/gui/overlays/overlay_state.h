// What lies on top of the window: at most one overlay, with what has been typed into it so far.
#pragma once

#include "core/views/animation.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace attention::gui {

struct Masks;
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

// Five things that are worth knowing, pointed at one by one: a first start begins with it.
struct TourState {
  std::size_t stop = 0;
};

struct FileEntry {
  std::string name;
  bool folder = false;
};

// The mask as source code, for a library.
struct CodeState {
  std::size_t library = 0; // its place in codeTargets
  std::string text = {};   // written by a task
  std::string problem = {};
  bool pending = true;
  std::shared_ptr<const Masks> of = {}; // what it is written from, once that is there
};

// A file to open, or a name to save under.
struct FileDialogState {
  std::string title;
  bool saving = false;
  std::vector<std::string> endings; // ".json"; empty: all files
  bool allFiles = false;            // the filter is off
  std::filesystem::path folder;
  std::string name;         // typed: a file's name, or a path
  bool makesFolder = false; // what is saved is a folder of files
  bool confirmReplace = false;
  bool takesKeys = false; // the field of the name, when it is drawn next
  std::string problem;
  std::vector<FileEntry> listed; // of `listedFolder`, read when the folder changes
  std::filesystem::path listedFolder;
  std::function<void(Workbench&, const std::filesystem::path&)> chosen;
  // Instead, where several files may be opened together: those picked in the list by Ctrl+click.
  std::function<void(Workbench&, std::vector<std::filesystem::path>)> chosenAll;
  std::vector<std::string> picked;
};

// What moves in the scene, how, and in which format it is written.
struct AnimationState {
  std::vector<std::string> names; // what may move
  int of = 0;
  std::string from; // as typed; empty: as it moves by itself; likewise the next two
  std::string to;
  std::string step;
  double seconds = 0.5; // per frame
  int form = 0;
  bool ffmpeg = false; // MP4 can be written
  // What that makes, or what is wrong; updated when a choice changes.
  std::string made;
  std::shared_ptr<const Frames> frames;
  std::string problem;
  bool checked = false;
  // The preview.
  std::size_t previewed = 0; // of the frames
  float since = 0;           // seconds since it was drawn first
};

// Something that is not done unasked.
struct QuestionState {
  std::string title;
  std::vector<std::string> words; // a paragraph each
  std::string yes;                // the button that agrees
  std::function<void(Workbench&)> agreed;
};

using Overlay = std::variant<std::monostate, GalleryState, PaletteState, KeysState, AboutState,
                             TourState, CodeState, FileDialogState, AnimationState, QuestionState>;

inline bool isOpen(const Overlay& overlay) {
  return !std::holds_alternative<std::monostate>(overlay);
}

} // namespace attention::gui
