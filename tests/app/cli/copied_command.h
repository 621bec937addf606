// Shipped scenes with few tokens on inputs of every kind, and the words of a shell's line.
#pragma once

#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "core/views/attention/scene_attention.h"
#include "tests/app/cli/copied_inputs.h"

namespace attention::cli {

// The words of a line for a POSIX shell that quotes with ' alone.
std::vector<std::string> wordsOfShell(const std::string& line);

std::string textOf(const std::string& file);

struct NamedScene {
  std::string name;
  Scene scene;
};
// Figures and steps of lessons, made small so that everything is computed at once, and pictures of
// the view that none of them has.
std::vector<NamedScene> scenesOf(View view);

// A Scene as the window has it.
struct ShownScene {
  Scene scene;
  std::shared_ptr<const Input> input;
  Lengths lengths;

  ModelHead head() const { return modelHead(scene, input); }
  bool covered() const;
};
ShownScene shownOf(Scene scene, View view, const NamedInput& kind);

} // namespace attention::cli
