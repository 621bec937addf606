// What attnx model does with a MODEL, one function per action, and a flag that they share.
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "core/model/variant.h"
#include "core/support/run.h"

#include <filesystem>

namespace attention::cli {

int modelTokens(const Arguments& arguments, const std::filesystem::path& model,
                const Context& context);
int modelLoss(const Arguments& arguments, const std::filesystem::path& model,
              const Context& context);
int modelRun(const Arguments& arguments, const std::filesystem::path& model,
             const Context& context);
int modelCapture(const Arguments& arguments, const std::filesystem::path& model,
                 const Context& context);

// --variants: a file of masks for a model; none where the flag is absent. Files that patterns name
// are relative to the file. E_IO; what variantsFromJson and resolveFiles throw.
std::vector<ModelVariant> variantsFrom(const Arguments& arguments, const Model& model,
                                       const Run& run);

// A note on standard error of a variant under which tokens of a decoder see later ones, which its
// own mask hides: such a loss is not that of predicting.
void noteLaterTokens(const ModelVariant& variant, const Model& model, Index n,
                     const Context& context);

} // namespace attention::cli
