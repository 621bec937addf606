// How results are printed: a few aligned lines for people, one JSON object for programs.
#pragma once

#include "core/analysis/metrics.h"

#include <filesystem>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace attention::cli {

using Json = nlohmann::ordered_json;

// Names on the left, values to their right.
using Lines = std::vector<std::pair<std::string, std::string>>;
void print(std::ostream& out, const Lines& lines);

// How many characters the text has; those outside ASCII take several bytes each.
std::size_t letters(const std::string& text);

// Lines of as many cells each, the first one the headings, in columns aligned on the left.
using Cells = std::vector<std::string>;
void printAligned(std::ostream& out, const std::vector<Cells>& lines);

// One object on one line.
void print(std::ostream& out, const Json& json);

// The shortest text that reads back as the same real; null where it is not finite, which no number
// in JSON is.
Json jsonNumber(double value);
// Null where there is none.
template <class T>
Json orNull(const std::optional<T>& value) {
  if constexpr (std::is_same_v<T, double>)
    return value ? jsonNumber(*value) : Json(nullptr);
  else
    return value ? Json(*value) : Json(nullptr);
}

// output_error: its relative_frobenius and max_abs, or null.
Json errorJson(const std::optional<OutputError>& error);
// "0.12 relative, 0.5 largest".
std::string errorText(const OutputError& error);

// Six significant digits, in the C locale; whole counts up to 2^63 are written out.
std::string textNumber(double value);

// "3, 17 and 5 more": the first eight.
std::string someOf(const std::vector<std::string>& names);

// As a .json file, replaced only by a complete new one: one object with line breaks. E_IO.
void writeJson(const std::filesystem::path& path, const Json& json);

} // namespace attention::cli
