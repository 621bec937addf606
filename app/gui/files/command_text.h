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

} // namespace attention::gui
