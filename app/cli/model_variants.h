// --variants: a file of masks for a model.
#pragma once

#include "app/cli/arguments.h"
#include "core/model/variant.h"
#include "core/support/run.h"

namespace attention::cli {

// None where the flag is absent. Files that patterns name are relative to the file. E_IO; what
// variantsFromJson and resolveFiles throw.
std::vector<ModelVariant> variantsFrom(const Arguments& arguments, const Model& model,
                                       const Run& run);

} // namespace attention::cli
