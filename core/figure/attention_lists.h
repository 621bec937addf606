// The numbers behind the pictures of the Attention view, for files.
#pragma once

#include "core/figure/attention_figure.h"
#include "core/figure/csv_table.h"

#include <filesystem>

namespace attention {

// A row per query: captured mass, output error, entropies and its strongest key; a row per head; or
// a row per line that is drawn. `answer` must be complete. O(n² d) for the strongest keys.
CsvTable attentionTable(const AttentionSpec& spec, const AttentionAnswer& answer,
                        const AttentionLook& look, const Run& run = {});

// Float64: full, pattern and difference as 3 × queries × keys of the cells that the maps hold;
// sketches as batches × heads × pixels × pixels; the weights of lines, queries × keys. Replaces
// `path` only by a complete file. E_IO.
void writeAttentionNpy(const AttentionSpec& spec, const AttentionAnswer& answer,
                       const AttentionLook& look, const std::filesystem::path& path);

} // namespace attention
