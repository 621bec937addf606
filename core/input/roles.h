// Which of several files are the queries, keys and values of one input, by their names.
#pragma once

#include "core/input/input_spec.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace attention {

// The file's absolute path, or the path as it is where the system cannot tell.
std::string absolutePath(const std::filesystem::path& file);

// The files together as q, k and v: q.npy, layer3_key.npy, V.npy. A role is the first or the last
// word of a name (q, query, queries …), or its last letter. Nothing where two have the same role,
// one has none, or queries or keys are missing.
std::optional<FileInput> asRoles(std::span<const std::filesystem::path> files);

// `file` with those that stand beside it under the same name but for the role: q.npy with k.npy and
// v.npy. Nothing where its name has no role, or queries or keys are not there.
std::optional<FileInput> withSiblings(const std::filesystem::path& file);

} // namespace attention
