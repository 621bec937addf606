// Every kind of input and of mask file that the window can show, small: to try the copied command
// on.
#pragma once

#include "tests/app/cli/run_cli.h"

#include "core/scene/scene.h"

#include <functional>

namespace attention::cli {

struct NamedInput {
  std::string name;
  std::optional<InputSpec> spec; // nothing: the scene's own
  // A name in the copied command that belongs to no other kind: of a file, of a generator.
  std::string mark;
  // What else a scene with this input needs: its number of tokens, another alignment, a mask from a
  // file as its pattern.
  std::function<void(Scene&)> with = {};
};

// The scene's own, none, a sample, random ones, and every form of file, written into the folder.
std::vector<NamedInput> kindsOfInput(const TemporaryFolder& folder);

} // namespace attention::cli
