// What attnx stack says about the layers of a model, as JSON and as lines.
#pragma once

#include "app/cli/report.h"
#include "core/analysis/stack/models.h"

#include <iosfwd>

namespace attention::cli {

// The layers in the form of the reference cases; the cache with the widths of every layer, and
// without bytes where they are not known.
Json stackJson(const Stack& stack, const KvQuestion& question);
// One line for each kind of layer, with the runs that it has.
void printStack(std::ostream& out, const Stack& stack, const KvQuestion& question);

// All models of the table.
Json modelsJson();
void printModels(std::ostream& out);

} // namespace attention::cli
