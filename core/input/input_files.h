// Loading an Input from files: which of several files and arrays is which, and whether their shapes
// fit together.
#pragma once

#include "core/input/array_file.h"
#include "core/input/input.h"
#include "core/input/input_spec.h"

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace attention {

// Checks that exactly one of the sets of files is named, and completely. E_TYPE.
void checkFiles(const FileInput& files);

// Everything except separate token labels, the description and the check of the model head. `batch`
// is the layer or batch that the spec chooses.
Input inputOfFiles(const FileInput& files, Index batch, const Run& run = {});

// E_RANGE where `heads`, as somebody states them, are not those that the files have.
void requireHeads(const Input& input, Index heads);

// Whether a file of arrays has queries under the names that the loader knows: q, qk, layer.0.q …,
// or x with its weights.
bool holdsQueries(const ArrayFile& file);

// ---- whether arrays fit together: used by the loader only ----

// Takes q, k and v, one each or one per layer; sets n_q, n_k, d, dv, heads, kvHeads, batches.
void setStored(Input& input, Stored arrays);

// Takes embeddings [n, D] or item `batch` of [batch, n, D], and weights q, k, v; wo may be null.
void setProjected(Input& input, const Tensor& x, const std::array<Tensor, 3>& weights,
                  const Tensor* wo, Index heads, Index batch, const Run& run = {});

// Checks ready attention weights against q and k, or sets the lengths from them; none is fine.
void setWeightShapes(Input& input);

// Takes the values of ready attention weights, whose lengths are set: a row for each key; a head of
// values may belong to several of weights. E_SHAPE, E_TYPE.
void setWeightValues(Input& input, Tensor values);

// `a.npz: array "k" has shape (…), array "q" has (…): <rule>`, E_SHAPE.
[[noreturn]] void throwShapes(const Tensor& wrong, const Tensor& other, const std::string& rule);

// ---- which of several files are queries, keys and values, by their names ----

// The file's absolute path, or the unchanged path where the system cannot tell.
std::string absolutePath(const std::filesystem::path& file);

// Several files as q, k and v: q.npy, layer3_key.npy, V.npy. A role is the first or the last word
// of a name (q, query, queries …), or its last letter. Nothing where two have the same role, one
// has no role, or queries or keys are missing.
std::optional<FileInput> asRoles(std::span<const std::filesystem::path> files);

// `file` with those beside it that have the same name except for the role: q.npy with k.npy and
// v.npy. Nothing if its name has no role, or queries or keys are missing.
std::optional<FileInput> withSiblings(const std::filesystem::path& file);

} // namespace attention
