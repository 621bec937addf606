// Writes .npz archives, which NumPy reads back with numpy.load: a .npy member per array, stored
// without compression.
#pragma once

#include "core/support/integers.h"

#include <filesystem>
#include <span>
#include <string>

namespace attention {

struct NpzMember {
  std::string name; // without .npy
  std::string bytes;
};

// Replaces `path` only by a complete archive. E_IO.
void writeNpz(const std::filesystem::path& path, std::span<const NpzMember> members);

// A .npy file in memory: T as in npy_writer.h; without a shape the single value.
template <class T>
std::string npyBytes(std::span<const Index> shape, std::span<const T> values);

} // namespace attention
