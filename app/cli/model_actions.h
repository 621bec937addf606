// What attnx model does with a MODEL, one function per action.
#pragma once

#include "app/cli/command.h"

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

} // namespace attention::cli
