// The attnx command line that gives what is shown: its numbers where a command has them, else the
// picture's numbers as a table.
#pragma once

#include "core/input/input.h"
#include "core/scene/scene.h"

#include <string>

namespace attention::gui {

// "attnx info strided --p.stride 8 --n 144", "attnx reach local --p.window 4 --n 24 --layers 4",
// "attnx figure '{…}' -o kernels.csv". For the lengths that the Scene has with its input, which may
// be null: not loaded, or none.
std::string commandText(const Scene& scene, const Lengths& lengths, const Input* input = nullptr);

// ---- its parts, of which views make theirs ----

// The Scene, its lengths and its input, which may be null.
struct CommandScene {
  const Scene& scene;
  Lengths lengths;
  const Input* input = nullptr;

  bool hasInput() const; // flags give the input as it is shown
  bool isCut() const { return input && lengths.keys != input->keys; }
};

// The numbers of the picture as a table, of what its view reads of the Scene: "attnx figure '{…}'".
std::string tableText(const Scene& scene);
// Lengths without an input; or the input, and to what it is cut.
std::string lengthFlags(const CommandScene& shown);
std::string inputFlags(const CommandScene& shown);
// The pattern as flags behind those of the input tell it. A mask file that has several masks and
// whose name chooses none means its first one here, and the head's own there.
Pattern besideInput(const CommandScene& shown, const Pattern& pattern);
// "attnx info": counts of a pattern, and what it keeps of the head where the input covers it. The
// input's flags stand before patterns, which would take those that they know too (--seed).
std::string infoText(const CommandScene& shown, const Pattern& pattern,
                     const std::string& base = {});

} // namespace attention::gui
