// What a tokenizer.json may say, and what is refused with the name of the field.
#include "core/model/tokenizer_json.h"

#include "core/model/tokenizer.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"

#include <nlohmann/json.hpp>

using namespace attention;
using nlohmann::json;

namespace {

// A byte pair encoding of a few letters, with the changes of `patch` (RFC 7386).
std::string tokenizerText(const json& patch) {
  json whole = json::parse(R"({
    "version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": null,
    "post_processor": null,
    "model": {"type": "BPE", "unk_token": "?", "merges": [["a", "b"], ["ab", "c"]],
              "vocab": {"?": 0, "a": 1, "b": 2, "c": 3, "ab": 4, "abc": 5, " ": 6, "-": 7,
                        "A": 8, "e": 9, "é": 10}}})");
  whole.merge_patch(patch);
  return whole.dump();
}

std::vector<std::string> piecesOf(const json& patch, const std::string& text) {
  return Tokenizer(tokenizerFromJson(tokenizerText(patch), "t.json")).encode(text, false).pieces;
}

std::string problemOf(const json& patch) {
  return codeAndSubject([&] { tokenizerFromJson(tokenizerText(patch), "t.json"); });
}

json splitBy(const char* behaviour) {
  return {{"pre_tokenizer",
           {{"type", "Split"},
            {"pattern", {{"String", "-"}}},
            {"behavior", behaviour},
            {"invert", false}}}};
}

json mergeOf(const char* left, const char* right) {
  return json::array({json::array({left, right})});
}

using Pieces = std::vector<std::string>;

} // namespace

TEST_CASE("pairs are merged by rank, and characters without a piece are unknown", "[model]") {
  CHECK(piecesOf(json::object(), "abcab") == Pieces{"abc", "ab"});
  CHECK(piecesOf(json::object(), "xabxx") == Pieces{"?", "ab", "?", "?"});
  CHECK(piecesOf({{"model", {{"fuse_unk", true}}}}, "xabxx") == Pieces{"?", "ab", "?"});
  CHECK(piecesOf({{"model", {{"unk_token", nullptr}}}}, "xabxx") == Pieces{"ab"});
  CHECK(piecesOf({{"model", {{"merges", {"a b"}}}}}, "abc") == Pieces{"ab", "c"});
}

TEST_CASE("a split keeps, removes or joins its matches", "[model]") {
  CHECK(piecesOf(splitBy("Removed"), "ab--c") == Pieces{"ab", "c"});
  CHECK(piecesOf(splitBy("Isolated"), "ab-c") == Pieces{"ab", "-", "c"});
  json merges = splitBy("MergedWithNext");
  merges["model"]["vocab"] = {{"-c", 11}, {"ab-", 12}, {"--", 13}};
  merges["model"]["ignore_merges"] = true;
  CHECK(piecesOf(merges, "ab-c") == Pieces{"ab", "-c"});
  merges["pre_tokenizer"]["behavior"] = "MergedWithPrevious";
  CHECK(piecesOf(merges, "ab-c") == Pieces{"ab-", "c"});
  merges["pre_tokenizer"]["behavior"] = "Contiguous";
  CHECK(piecesOf(merges, "ab--c") == Pieces{"ab", "--", "c"});
}

TEST_CASE("normalisers change the text in their order", "[model]") {
  const json steps = {
      {"normalizer",
       {{"type", "Sequence"},
        {"normalizers",
         {{{"type", "NFD"}}, {{"type", "StripAccents"}}, {{"type", "Lowercase"}}}}}}};
  CHECK(piecesOf(steps, "ÉA") == Pieces{"e", "a"});
  CHECK(piecesOf({{"normalizer", {{"type", "NFC"}}}}, "e\u0301") == Pieces{"é"});
}

TEST_CASE("a template stands around the text, and says where the text stands", "[model]") {
  const auto idsOf = [](const char* single, bool special) {
    const json patch = {
        {"post_processor",
         {{"type", "TemplateProcessing"},
          {"single", json::parse(single)},
          {"special_tokens",
           {{"?", {{"id", "?"}, {"ids", {0, 16777215}}, {"tokens", {"?", "??"}}}}}}}}};
    return Tokenizer(tokenizerFromJson(tokenizerText(patch), "t.json")).encode("abc", special).ids;
  };
  constexpr const char* kBoth = R"([{"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "?"}}])";
  CHECK(idsOf(kBoth, true) == std::vector<Index>{5, 0, 16777215});
  CHECK(idsOf(kBoth, false) == std::vector<Index>{5});
  CHECK(idsOf("[]", true).empty());
}

TEST_CASE("what a tokenizer.json has that is not known is refused by name", "[model]") {
  CHECK(problemOf({{"normalizer", {{"type", "Precompiled"}}}}) ==
        "E_UNSUPPORTED t.json: normalizer.type");
  CHECK(problemOf({{"pre_tokenizer", {{"type", "UnicodeScripts"}}}}) ==
        "E_UNSUPPORTED t.json: pre_tokenizer.type");
  CHECK(problemOf({{"post_processor", {{"type", "Other"}}}}) ==
        "E_UNSUPPORTED t.json: post_processor.type");
  CHECK(problemOf({{"model", {{"type", "WordLevel"}}}}) == "E_UNSUPPORTED t.json: model.type");
  CHECK(problemOf({{"model", {{"dropout", 0.1}}}}) == "E_UNSUPPORTED t.json: model.dropout");
  CHECK(problemOf({{"version", "2.0"}}) == "E_UNSUPPORTED t.json: version");
  CHECK(problemOf(splitBy("Sideways")) == "E_UNSUPPORTED t.json: pre_tokenizer.behavior");
}

TEST_CASE("a damaged tokenizer.json ends in a sentence about the field", "[model]") {
  CHECK(problemOf({{"model", nullptr}}) == "E_TYPE t.json: model");
  CHECK(problemOf({{"model", {{"vocab", 3}}}}) == "E_TYPE t.json: model.vocab");
  CHECK(problemOf({{"model", {{"vocab", {{"a", "x"}}}}}}) == "E_TYPE t.json: model.vocab.\"a\"");
  CHECK(problemOf({{"model", {{"vocab", {{"a", -1}}}}}}) == "E_RANGE t.json: model.vocab");
  CHECK(problemOf({{"model", {{"vocab", {{"a", 1e9}}}}}}) == "E_TYPE t.json: model.vocab.\"a\"");
  CHECK(problemOf({{"model", {{"vocab", {{"a", 1000000000}}}}}}) == "E_RANGE t.json: model.vocab");
  CHECK(problemOf({{"model", {{"merges", mergeOf("a", "z")}}}}) ==
        "E_UNKNOWN t.json: model.merges");
  CHECK(problemOf({{"model", {{"merges", mergeOf("b", "c")}}}}) ==
        "E_UNKNOWN t.json: model.merges");
  CHECK(problemOf({{"model", {{"merges", {"a b c"}}}}}) == "E_TYPE t.json: model.merges");
  CHECK(problemOf({{"added_tokens", {{{"content", 3}}}}}) ==
        "E_TYPE t.json: added_tokens[0].content");
  CHECK(problemOf({{"model", {{"type", "Unigram"}, {"vocab", nullptr}}}}) ==
        "E_TYPE t.json: model.vocab");
}

TEST_CASE("an expression that would mean something else is refused", "[model]") {
  for (const char* expression : {"[a&&b]", "[a[b]]", R"(\h)", R"([\W])", "(?m:a)", "a{2}+", "a{,2}",
                                 "(", R"(\p{Nothing})"}) {
    INFO(expression);
    CHECK(problemOf({{"pre_tokenizer",
                      {{"type", "Split"},
                       {"pattern", {{"Regex", expression}}},
                       {"behavior", "Isolated"},
                       {"invert", false}}}}) == "E_EXPR t.json: pre_tokenizer.pattern");
  }
}

TEST_CASE("a search that takes too many steps ends in a sentence", "[model]") {
  const json slow = {
      {"normalizer", {{"type", "Replace"}, {"pattern", {{"Regex", "(a+)+$"}}}, {"content", ""}}}};
  const Tokenizer tokenizer(tokenizerFromJson(tokenizerText(slow), "t.json"));
  CHECK(codeAndSubject([&] { tokenizer.encode(std::string(60, 'a') + "b", false); }) ==
        "E_EXPR t.json: normalizer.pattern");
}

TEST_CASE("a text that is no UTF-8, or needs an unknown token that is missing, is refused",
          "[model]") {
  const Tokenizer tokenizer(
      tokenizerFromJson(tokenizerText({{"model", {{"unk_token", "nobody"}}}}), "t.json"));
  CHECK(codeAndSubject([&] { tokenizer.encode("a\xFF", false); }) == "E_TYPE text");
  CHECK(codeAndSubject([&] { tokenizer.encode("\xED\xA0\x80", false); }) == "E_TYPE text");
  CHECK(codeAndSubject([&] { tokenizer.encode("x", false); }) == "E_UNKNOWN unk_token");
  CHECK(tokenizer.encode("ab", false).ids == std::vector<Index>{4});
}

TEST_CASE("fields that are wrong are named with their places", "[model]") {
  const auto unigram = [](const json& more) {
    json model = {{"type", "Unigram"}, {"vocab", json::array({json::array({"a", -1.0})})}};
    model.merge_patch(more);
    return problemOf({{"model", model}});
  };
  CHECK(unigram(json::object()).empty());
  CHECK(unigram({{"unk_id", 99999}}) == "E_RANGE t.json: model.unk_id");
  CHECK(unigram({{"unk_id", -1}}) == "E_RANGE t.json: model.unk_id");
  CHECK(unigram({{"vocab", json::array({json::array({"a", -1.0}), json::array({"se"})})}}) ==
        "E_TYPE t.json: model.vocab[1]");
  const auto added = [](int id) {
    return problemOf({{"added_tokens", {{{"content", "x"}, {"id", id}}}}});
  };
  CHECK(added(-7) == "E_RANGE t.json: added_tokens[0].id");
  CHECK(added(7).empty());
}

TEST_CASE("steps that make a text grow without bound are refused by their names", "[model]") {
  const auto refused = [](const json& patch, const std::string& text) {
    const Tokenizer tokenizer(tokenizerFromJson(tokenizerText(patch), "t.json"));
    try {
      tokenizer.encode(text, false);
    } catch (const Error& error) {
      return error.text();
    }
    return std::string();
  };
  const auto replace = [](const std::string& by) {
    return json{{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", by}};
  };
  const auto steps = [](const char* list, const char* members, const std::vector<json>& all) {
    return json{{list, {{"type", "Sequence"}, {members, all}}}};
  };
  const json bomb = replace(std::string(1000, 'a'));
  CHECK(refused(steps("normalizer", "normalizers", {bomb, bomb, bomb}), "aa") ==
        "E_RANGE: step 2 of the normalizer, Replace, makes the text too long; it must stay within "
        "32 times its length and 4096 bytes");
  CHECK(refused(steps("normalizer", "normalizers", {bomb}), "aa").empty());
  CHECK(refused({{"normalizer", {{"type", "Prepend"}, {"prepend", std::string(5000, 'b')}}}}, "a")
            .find("step 1 of the normalizer, Prepend") != std::string::npos);
  // Parts between added tokens share the room of the whole text.
  json parts = steps("normalizer", "normalizers", {bomb});
  parts["added_tokens"] = {{{"content", "-"}, {"normalized", false}}};
  std::string text;
  for (int k = 0; k < 100; ++k)
    text += "a-";
  CHECK(refused(parts, "a-a-").empty());
  CHECK(refused(parts, text).starts_with("E_RANGE: step 1 of the normalizer"));
  const json bytes = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
  CHECK(refused(steps("pre_tokenizer", "pretokenizers", std::vector<json>(40, bytes)), "é")
            .find(" of the pre_tokenizer, ByteLevel, makes the text too long") !=
        std::string::npos);
  // One character of NFKD's longest expansion, written as letters for bytes.
  const json longest = {{"normalizer", {{"type", "NFKD"}}}, {"pre_tokenizer", bytes}};
  std::string signs;
  for (int k = 0; k < 1000; ++k)
    signs += "\uFDFA";
  CHECK(refused(longest, signs).empty());
}
