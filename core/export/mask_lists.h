// A mask written out as numbers: a boolean array, or a list of its attended pairs.
#pragma once

#include "core/pattern/prepared.h"
#include "core/support/run.h"

#include <filesystem>
#include <memory>
#include <span>

namespace attention {

// The most attended pairs of a mask written as .csv, .mtx or .tex (command line contract,
// 'Limits').
constexpr Index kMaxMaskEntries = 10'000'000;

// The attended pairs; E_RANGE, which names `ending` (".csv"), where there are more than
// kMaxMaskEntries.
Index requireFewEntries(const Prepared& pattern, const std::string& ending, int threads = 1,
                        const Run& run = {});

// Bool; n_q × n_k, or [masks, n_q, n_k] for several masks of the same lengths; at most
// kMaxMaskCells cells (E_RANGE).
void writeMaskNpy(std::span<const std::shared_ptr<const Prepared>> masks,
                  const std::filesystem::path& path, const Run& run = {});

// The heading i,j, then one line per pair, 0-based, sorted by query and then by key.
void writeMaskCsv(const Prepared& pattern, const std::filesystem::path& path, int threads = 1,
                  const Run& run = {});

// Matrix Market, coordinate pattern general, 1-based.
void writeMaskMtx(const Prepared& pattern, const std::filesystem::path& path, int threads = 1,
                  const Run& run = {});

} // namespace attention
