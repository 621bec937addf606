// Files of strings with the ids and pieces that another library gives.
#pragma once

#include "core/input/mapped_file.h"
#include "core/model/tokenizer.h"
#include "tests/catch.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace attention::test {

inline std::filesystem::path goldenModels() {
  return std::filesystem::path(ATTENTION_TEST_DATA) / "golden/models";
}

inline nlohmann::json jsonOf(const std::filesystem::path& path) {
  return nlohmann::json::parse(textOfFile(path));
}

// Checks every string; `pieces` and `special` where the file has them.
inline void checkTokens(const Tokenizer& tokenizer, const nlohmann::json& expected) {
  REQUIRE(expected.size() >= 18);
  for (const auto& row : expected) {
    const auto text = row["text"].get<std::string>();
    INFO(row["text"]);
    const Encoding tokens = tokenizer.encode(text, false);
    CHECK(tokens.ids == row["ids"].get<std::vector<Index>>());
    if (row.contains("pieces"))
      CHECK(tokens.pieces == row["pieces"].get<std::vector<std::string>>());
    if (row.contains("special"))
      CHECK(tokenizer.encode(text, true).ids == row["special"].get<std::vector<Index>>());
  }
}

} // namespace attention::test
