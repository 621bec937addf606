// How patterns name the mask of a file.
#pragma once

#include "core/support/integers.h"

#include <optional>
#include <string>

namespace attention {

// Which mask is meant in a file that has one for each layer (or batch) and head; by default the
// first.
struct MaskPlane {
  std::optional<Index> batch;
  std::optional<Index> head;
  bool operator==(const MaskPlane&) const = default;
};

// A mask as patterns name it: the file, followed by the choice of one of its masks in brackets:
// "heads.npy[batch=1,head=3]", "heads.npy[head=3]"; "layer" is another word for "batch".
struct MaskReference {
  std::string file;
  MaskPlane plane;
};
MaskReference maskReference(const std::string& text);
std::string textOf(const MaskReference& reference);
// In words: "heads.npy, layer 1, head 3", without the file's folder.
std::string titleOf(const MaskReference& reference);

} // namespace attention
