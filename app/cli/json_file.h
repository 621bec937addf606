// Objects as .json files, replaced only by complete new ones.
#pragma once

#include "app/cli/report.h"

#include <filesystem>

namespace attention::cli {

// One object with line breaks. E_IO.
void writeJson(const std::filesystem::path& path, const Json& json);

} // namespace attention::cli
