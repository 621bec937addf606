// Every kind of input and of mask file that the window can show, small: what the copied command is
// tried on.
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
  // What else a scene has with this input: as many tokens as it, another alignment, a mask of a
  // file as its pattern.
  std::function<void(Scene&)> with = {};
};

// The scene's own, none, a sample, random ones, and every form of files, which are written into the
// folder.
std::vector<NamedInput> kindsOfInput(const TemporaryFolder& folder);

} // namespace attention::cli
