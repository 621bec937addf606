// The text that a model is given, or token ids instead of one, from files.
#pragma once

#include "core/model/model.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention {

// The bytes of a file as they are: a mark of the byte order is part of the text. E_IO; E_TYPE names
// the file where it is not UTF-8.
std::string readModelText(const std::filesystem::path& file);

// Token ids from a .npy file, a JSON list, or numbers between white space. E_TYPE, E_SHAPE,
// E_RANGE, E_IO.
std::vector<Index> readTokenIds(const std::string& file);

// The numbers of a JSON file that is a list of whole numbers and nothing else, whatever they are;
// else nothing. E_IO.
std::optional<std::vector<Index>> findTokenIds(const std::filesystem::path& file);

// E_RANGE where a tokenizer gives an id that the model does not have: they do not belong together.
void requireKnown(const Model& model, std::span<const Index> ids);

} // namespace attention
