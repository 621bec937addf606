// A small typed input: words, each with a query, a key and a value. It is stored in the Scene
// itself, not in a file.
//
//   {"words": ["a", "b"], "q": [[1, 0], [0, 1]], "k": [[1, 0], [1, 1]], "v": [[2], [3]]}
#pragma once

#include "core/support/matrix.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace attention {

struct TypedInput {
  std::vector<std::string> words;
  Matrix<double> q; // words × d
  Matrix<double> k; // words × d
  Matrix<double> v; // words × d_v
  bool operator==(const TypedInput&) const = default;
};

constexpr Index kMostTypedWords = 1024;
constexpr Index kMostTypedNumbers = 256; // numbers of a row

// Throws if something is wrong, naming "`subject`.q": E_RANGE (no word or too many, none or too
// many numbers, a word of more than kMaxLabel bytes), E_SHAPE (rows that are not one for each word,
// keys of another width than the queries), E_NONFINITE.
void checkTyped(const TypedInput& input, const std::string& subject);

// The four fields of `json`, checked; others are ignored. E_TYPE: not an object, a field that is
// missing or not a list of rows of numbers; E_SHAPE: rows of different lengths; and what checkTyped
// throws.
TypedInput typedInput(const nlohmann::json& json, const std::string& subject);
// The same from a text that holds nothing else: E_UNKNOWN for other fields, E_TYPE if it is not
// JSON.
TypedInput typedInputOf(const std::string& text, const std::string& subject);

nlohmann::json toJson(const TypedInput& input);

// Four words with d = 2, of which "sat" gives most weight to "cat": what an editor begins with.
TypedInput exampleOfTyped();

} // namespace attention
