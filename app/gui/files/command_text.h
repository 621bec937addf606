// The attnx command line that gives what is shown: its numbers where a command has them, else the
// picture's numbers as a table.
#pragma once

#include "core/input/input.h"
#include "core/scene/scene.h"

#include <string>

namespace attention::gui {

// "attnx info strided --p.stride 8 --n 144", "attnx reach local --p.window 4 --n 24 --layers 4",
// "attnx figure '{…}' -o kernels.csv". For the lengths that the Scene has with its input, which may
// be null (not loaded, or none).
std::string commandText(const Scene& scene, const Lengths& lengths, const Input* input = nullptr);

// ---- its parts, from which views make their commands ----

// The Scene, its lengths and its input, which may be null.
struct CommandScene {
  const Scene& scene;
  Lengths lengths;
  const Input* input = nullptr;

  bool hasInput() const; // flags describe the input as shown
  bool isCut() const { return input && lengths.keys != input->keys; }
};

// The numbers of the picture as a table, from the parts of the Scene that its view reads: "attnx
// figure '{…}'".
std::string tableText(const Scene& scene);
// The lengths where there is no input; else the input and the lengths to which it is cut.
std::string lengthFlags(const CommandScene& shown);
std::string inputFlags(const CommandScene& shown);
// The pattern as it reads after the flags of the input. A mask file with several masks and a name
// that chooses none means its first mask here, but the head's own mask after an input.
Pattern besideInput(const CommandScene& shown, const Pattern& pattern);
// "attnx info": counts of a pattern, and what it keeps of the head where the input covers it. The
// input's flags come before the patterns, which would otherwise take those that they know too
// (--seed).
std::string infoText(const CommandScene& shown, const Pattern& pattern,
                     const std::string& base = {});

} // namespace attention::gui
