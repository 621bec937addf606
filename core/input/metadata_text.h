// One value of a file's metadata: a JSON text, or the plain words that older files have. Every
// function names `subject` in its errors.
#pragma once

#include "core/support/matrix.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace attention {

// The words of a JSON string, or a text that is not JSON; nothing for null. E_TYPE for a number, a
// list or another JSON value.
std::optional<std::string> wordsOf(const std::string& text, const std::string& subject);

// A JSON value of numbers, which Python also writes as NaN and Infinity: E_NONFINITE for these.
// E_TYPE for what is not JSON.
nlohmann::json numbersOf(const std::string& text, const std::string& subject);

// The numbers of layers (or batches): [0, 1, 5], 5, or "0,1,5" of older files; nothing for null.
// E_TYPE: anything else; E_RANGE: below 0, or one twice.
std::vector<Index> layersOf(const std::string& text, const std::string& subject);

// Numbers of heads, a list of integers from 0 on; nothing for other values, as other programs write
// how many heads there are. E_TYPE, E_RANGE.
std::vector<Index> headsOf(const std::string& text, const std::string& subject);

// Token ids, a list of integers from 0 on. E_TYPE, E_RANGE.
std::vector<Index> idsOf(const std::string& text, const std::string& subject);

} // namespace attention
