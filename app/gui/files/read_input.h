// An input that is read before the window shows it, to find out what it is; the window takes it as
// read and does not read it again.
#pragma once

#include "core/input/file_stamp.h"
#include "core/input/input.h"
#include "core/scene/scene.h"

#include <map>
#include <memory>
#include <string>

namespace attention::gui {

// What reading depends on: layer and head are chosen later, from the same input.
InputSpec asRead(InputSpec spec);

struct ReadInput {
  InputSpec spec;                     // asRead
  std::shared_ptr<const Input> input; // null if nothing was read
  // The stamps of its files just before they were read: any later change is reported.
  std::map<std::string, FileStamp> stamps;
};

// Gives the Scene another input, the whole of it in sight; the same input with another layer or
// head keeps the camera.
void takeInput(Scene& scene, const InputSpec& next);

// Throws as loadInput.
ReadInput readInput(const InputSpec& spec, const Run& run = {}, Labels labels = Labels::Required);

} // namespace attention::gui
