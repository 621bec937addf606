// Shipped scenes with few tokens, inputs of every kind, and the words of a shell's line.
#pragma once

#include "tests/app/cli/run_cli.h"

#include "app/gui/files/command_text.h"
#include "core/figure/scene_attention.h"
#include "core/figure/scene_kernels.h"

namespace attention::cli {

// The words of a line for a POSIX shell that quotes with ' alone.
std::vector<std::string> wordsOfShell(const std::string& line);

std::string textOf(const std::string& file);

struct NamedScene {
  std::string name;
  Scene scene;
};
// Figures and steps of lessons, cut so that anything is computed at once.
std::vector<NamedScene> shippedScenes();

struct NamedInput {
  std::string name;
  std::optional<InputSpec> spec; // nothing: the scene's own
};
// The scene's own, none, a sample, random ones, and every form of files in the folder.
std::vector<NamedInput> kindsOfInput(const TemporaryFolder& folder);

// A Scene as the window has it.
struct ShownScene {
  Scene scene;
  std::shared_ptr<const Input> input;
  Lengths lengths;

  ModelHead head() const { return {input, scene.input.batch, scene.input.head}; }
  bool covered() const;
};
ShownScene shownOf(Scene scene, View view, const NamedInput& kind);

} // namespace attention::cli
