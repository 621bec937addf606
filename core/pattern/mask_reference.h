// How patterns name the mask of a file.
#pragma once

#include "core/support/integers.h"

#include <optional>
#include <string>

namespace attention {

// Which mask of a file that has one for each layer (or batch) and head; where none is chosen, the
// first.
struct MaskPlane {
  std::optional<Index> batch;
  std::optional<Index> head;
  bool operator==(const MaskPlane&) const = default;
};

// A mask as patterns name it: the file, and in brackets behind it which of its masks is meant:
// "heads.npy[batch=1,head=3]", "heads.npy[head=3]".
struct MaskReference {
  std::string file;
  MaskPlane plane;
};
MaskReference maskReference(const std::string& text);
std::string textOf(const MaskReference& reference);
// As people read it: "heads.npy, layer 1, head 3", without the file's folder.
std::string titleOf(const MaskReference& reference);

} // namespace attention
