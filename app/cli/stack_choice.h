// A model whose layers are known: by its name, or by its config.json.
#pragma once

#include "core/analysis/stack/stack.h"

#include <string>

namespace attention::cli {

// `word`: a name of attnx stack --list, a config.json, or a folder with one. E_UNKNOWN; E_IO; and
// what stackFromConfig throws, with the file's name.
Stack stackNamed(const std::string& word);

} // namespace attention::cli
