// An input that is read before the window shows it, since somebody has to know what it is first:
// the window takes it as it was read and does not read it again.
#pragma once

#include "core/input/file_stamp.h"
#include "core/input/input.h"

#include <map>
#include <memory>
#include <string>

namespace attention::gui {

// What reading depends on: layer and head are chosen later, from the same input.
InputSpec asRead(InputSpec spec);

struct ReadInput {
  InputSpec spec;                     // asRead
  std::shared_ptr<const Input> input; // null where nothing was read
  // What its files were just before they were read: whatever changes from then on is news.
  std::map<std::string, FileStamp> stamps;
};

// Throws as loadInput.
ReadInput readInput(const InputSpec& spec, const Run& run = {}, Labels labels = Labels::Required);

} // namespace attention::gui
