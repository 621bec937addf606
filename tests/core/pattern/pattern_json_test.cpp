#include "core/pattern/mechanism/longformer.h"
#include "core/pattern/pattern_json.h"

#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

using namespace attention;

TEST_CASE("Patterns come back from JSON unchanged", "[json]") {
  const int mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  Dice dice(9000 + 50 * mechanism + GENERATE(range(0, 20)));
  const Pattern pattern = randomPattern(dice, static_cast<std::size_t>(mechanism), 20);
  const std::string text = toJson(pattern).dump();
  INFO(text);
  CHECK(patternFrom(text) == pattern);
  CHECK(toJson(patternFrom(text)).dump() == text);
}

TEST_CASE("Defaults come back from JSON unchanged", "[json]") {
  for (const Pattern& pattern : allMechanisms()) {
    const std::string text = toJson(pattern).dump();
    INFO(text);
    CHECK(patternFrom(text) == pattern);
  }
}

TEST_CASE("Counts and lists of globals are told apart", "[json]") {
  const auto globals = [](const char* params) {
    return patternFrom("longformer", params).as<Longformer>()->globals;
  };
  CHECK(globals(R"({"globals": 5})") == TokenList(Index{5}));
  CHECK(globals(R"({"globals": [0, 5]})") == TokenList(IndexList{0, 5}));
  CHECK(globals("{}") == TokenList(IndexList{0}));
  CHECK(preparedFrom("longformer", R"({"window": 0, "globals": 99})", 8)->pairs() == 64);
}

TEST_CASE("A given mask is described by its rows or its cells", "[json]") {
  const auto pairs = [](const char* mask, Index n) {
    return preparedFrom("given", "{\"mask\": " + std::string(mask) + "}", n)->pairs();
  };
  CHECK(pairs("[[0, 2], [3, 1]]", 9) == 2);
  CHECK(pairs("[[0, 1]]", 9) == 1);
  CHECK(pairs("[[0, 1], [1, 1], [1, 0]]", 2) == 3);
  CHECK(pairs("[[0, 1], [1, 1]]", 2) == 3); // two tokens' rows
  CHECK(pairs("[[0, 1], [1, 1]]", 9) == 2); // two cells of nine tokens
  const Pattern rows = patternFrom("given", R"({"mask": [[1, 1], [1, 0], [0, 1]]})");
  CHECK(prepare(rows, alignedLengths(3, 2, Align::TopLeft))->pairs() == 4);
  CHECK(patternFromJson(toJson(rows)) == rows);
  CHECK(pairs("[[0, 1, 1], [1, 1, 0], [0, 0, 0]]", 3) == 4);
}

TEST_CASE("Both names of attention sinks are the same pattern", "[json]") {
  CHECK(patternFrom("a_shape", R"({"sinks": 2})") == patternFrom("sinks", R"({"sinks": 2})"));
  CHECK(patternFrom("a-shape", "{}") == patternFrom("sinks", "{}"));
}

TEST_CASE("Wrong patterns give the error code of the specification", "[json]") {
  struct Case {
    const char* mechanism;
    const char* params;
    const char* code;
  };
  const Case c = GENERATE(
      Case{"strided", R"({"stride": 0})", "E_RANGE"}, Case{"strided", R"({"head": 3})", "E_RANGE"},
      Case{"strided", R"({"head": 1.5})", "E_RANGE"},
      Case{"strided", R"({"head": [1]})", "E_RANGE"},
      Case{"strided", R"({"strid": 2})", "E_UNKNOWN"}, Case{"nosuch", "{}", "E_UNKNOWN"},
      Case{"fixed", R"({"stride": 4, "c": 5})", "E_RANGE"},
      Case{"fixed", R"({"stride": 4, "c": 0})", "E_RANGE"},
      Case{"fixed", R"({"stride": 4, "c": 2, "subblock": 2})", "E_RANGE"},
      Case{"local", R"({"window": -1})", "E_RANGE"}, Case{"local", R"({"window": 2.5})", "E_TYPE"},
      Case{"local", R"({"window": 2.0})", "E_TYPE"}, Case{"local", R"({"causal": 1})", "E_TYPE"},
      Case{"local", R"({"edge": "cut"})", "E_RANGE"}, Case{"local", R"({"edge": 1})", "E_TYPE"},
      Case{"local", R"({"window": 18446744073709551615})", "E_RANGE"},
      Case{"local", R"({"window": 18446744073709551616})", "E_RANGE"},
      Case{"bigbird", R"({"seed": 18446744073709551616})", "E_RANGE"},
      Case{"bigbird", R"({"seed": -9223372036854775809})", "E_RANGE"},
      Case{"sliding_window", R"({"left": -2})", "E_RANGE"},
      Case{"dilated", R"({"dilation": 0})", "E_RANGE"},
      Case{"block_local", R"({"block_size": 0})", "E_RANGE"},
      Case{"longformer", R"({"window": 3})", "E_RANGE"},
      Case{"longformer", R"({"globals": [8]})", "E_RANGE"},
      Case{"longformer", R"({"globals": -1})", "E_RANGE"},
      Case{"longformer", R"({"globals": 1.5})", "E_TYPE"},
      Case{"longformer", R"({"globals": [true]})", "E_TYPE"},
      Case{"longformer", R"({"dilation": [1, 2]})", "E_TYPE"},
      Case{"bigbird", R"({"window_blocks": 2})", "E_RANGE"},
      Case{"bigbird", R"({"seed": -1})", "E_RANGE"},
      Case{"bigbird", R"({"reading": "eval"})", "E_RANGE"},
      Case{"bigbird", R"({"reading": "hf_eval", "global_first": 0})", "E_RANGE"},
      Case{"bigbird", R"({"reading": "hf_eval", "random_blocks": 1025})", "E_RANGE"},
      Case{"bigbird", R"({"head": 4294967296})", "E_RANGE"},
      Case{"graph", R"({"edges": [[0, 8]]})", "E_RANGE"},
      Case{"graph", R"({"edges": [[0]]})", "E_TYPE"},
      Case{"graph", R"({"kind": "grid", "rows": 3})", "E_RANGE"},
      Case{"graph", R"({"kind": "grid", "rows": 2, "cols": 2})", "E_RANGE"},
      Case{"graph", R"({"kind": "grid", "neighborhood": 6})", "E_RANGE"},
      Case{"graph", R"({"kind": "small_world", "k": 4})", "E_RANGE"},
      Case{"graph", R"({"kind": "random", "p": 1.5})", "E_RANGE"},
      Case{"vertical_slash", R"({"vertical": [8]})", "E_RANGE"},
      Case{"vertical_slash", R"({"slash": [-1]})", "E_RANGE"},
      Case{"vertical_slash", R"({"vertical": 3})", "E_TYPE"}, Case{"prefix_lm", "{}", "E_TYPE"},
      Case{"prefix_lm", R"({"prefix": -1})", "E_RANGE"}, Case{"document", "{}", "E_TYPE"},
      Case{"document", R"({"lengths": [3, 4]})", "E_RANGE"},
      Case{"document", R"({"lengths": [9, -1]})", "E_RANGE"},
      Case{"document", R"({"lengths": [9223372036854775807, 9223372036854775807]})", "E_RANGE"},
      Case{"document", R"({"ids": [1, 2]})", "E_SHAPE"},
      Case{"document", R"({"lengths": [8], "ids": [0, 0, 0, 0, 0, 0, 0, 0]})", "E_TYPE"},
      Case{"expr", "{}", "E_TYPE"}, Case{"expr", R"({"expr": "i <"})", "E_EXPR"},
      Case{"expr", R"({"expr": "a", "vars": {"a": 1.5}})", "E_TYPE"},
      Case{"expr", R"({"expr": "i", "vars": {"i": 1}})", "E_RANGE"},
      Case{"compose", R"({"op": "union", "of": []})", "E_TYPE"},
      Case{"compose", R"({"of": [{"mechanism": "full"}]})", "E_TYPE"},
      Case{"compose", R"({"op": "union"})", "E_TYPE"},
      Case{"compose", R"({"op": "xor", "of": [{"mechanism": "full"}]})", "E_RANGE"},
      Case{"compose",
           R"({"op": "complement", "of": [{"mechanism": "full"}, {"mechanism": "full"}]})",
           "E_RANGE"},
      Case{"compose",
           R"({"op": "union", "of": [{"mechanism": "strided", "params": {"stride": 0}}]})",
           "E_RANGE"},
      Case{"given", "{}", "E_TYPE"}, Case{"given", R"({"mask": "m.npy"})", "E_TYPE"},
      Case{"given", R"({"mask": []})", "E_SHAPE"},
      Case{"given", R"({"mask": [[1, 0, 1]]})", "E_SHAPE"},
      Case{"given", R"({"mask": [[1, 8]]})", "E_RANGE"},
      Case{"given", R"({"mask": [[2]]})", "E_TYPE"},
      Case{"given", R"({"mask": {"pairs": [[0, 8]]}})", "E_RANGE"});
  INFO(c.mechanism << " " << c.params);
  CHECK(codeOf([&] { preparedFrom(c.mechanism, c.params, 8); }) == c.code);
}

TEST_CASE("Invalid lengths give E_N", "[json]") {
  CHECK(codeOf([] { squareLengths(0); }) == "E_N");
  CHECK(codeOf([] { squareLengths(kMaxLength + 1); }) == "E_RANGE");
}

TEST_CASE("Hostile JSON gives one sentence", "[json]") {
  const auto code = [](const std::string& text) { return codeOf([&] { patternFrom(text); }); };
  CHECK(code("") == "E_TYPE");
  CHECK(code("[]") == "E_TYPE");
  CHECK(code("{") == "E_TYPE");
  CHECK(code(R"({"mechanism": 5})") == "E_TYPE");
  CHECK(code(R"({"mechanism": "full", "parms": {}})") == "E_UNKNOWN");
  CHECK(code(R"({"mechanism": "full", "params": []})") == "E_TYPE");
  CHECK(code(R"({"mechanism": "fulll"})") == "E_UNKNOWN");
  CHECK(code("{\"mechanism\": \"\xff\"}") == "E_TYPE");
  std::string deep = R"({"mechanism": "full"})";
  for (int k = 0; k < 40; ++k)
    deep = R"({"mechanism": "compose", "params": {"op": "union", "of": [)" + deep + "]}}";
  CHECK(code(deep) != "none");
  CHECK(code(std::string(1 << 20, '[')) != "none");
  CHECK(messageOf([] { patternFrom("strided", R"({"strid": 2})"); }) ==
        "parameter of strided \"strid\" is unknown; the nearest is stride");
  CHECK(messageOf([] { preparedFrom("longformer", R"({"window": 3})", 8); }) ==
        "window is 3; it must be an even integer of at least 0 (w/2 on each side)");
}

TEST_CASE("Huge parameters make trivial patterns and overflow nothing", "[json]") {
  const std::string huge = "9223372036854775807";
  const auto pairs = [&](const std::string& name, const std::string& params) {
    std::string text = params;
    for (auto at = text.find('H'); at != std::string::npos; at = text.find('H'))
      text.replace(at, 1, huge);
    return preparedFrom(name, text, 9)->pairs();
  };
  CHECK(pairs("local", R"({"window": H, "count": "previous"})") == 81);
  CHECK(pairs("local", R"({"window": H, "edge": "shift"})") == 81);
  CHECK(pairs("sliding_window", R"({"left": H})") == 81);
  CHECK(pairs("dilated", R"({"left": H, "dilation": H})") == 9);
  CHECK(pairs("dilated", R"({"left": H, "dilation": 1})") == 81);
  CHECK(pairs("block_local", R"({"block_size": H, "before": H, "after": H})") == 81);
  CHECK(pairs("block_local", R"({"block_size": 2, "before": H, "after": H, "wrap": true})") == 81);
  CHECK(pairs("strided", R"({"stride": H})") == 45);
  CHECK(pairs("fixed", R"({"stride": H, "c": H})") == 45);
  CHECK(pairs("fixed", R"({"stride": H, "c": 1})") == 45);
  CHECK(pairs("longformer", R"({"window": H, "reading": "one_sided", "globals": H})") == 81);
  CHECK(pairs("longformer", R"({"window": 2, "dilation": H, "globals": []})") == 9);
  CHECK(pairs("bigbird", R"({"block_size": H, "window_blocks": H, "random_blocks": H})") == 81);
  CHECK(pairs("bigbird", R"({"block_size": 2, "global_first": H, "global_last": H})") == 81);
  CHECK(pairs("bigbird", R"({"block_size": H, "random_blocks": 5, "reading": "hf_eval"})") == 81);
  CHECK(pairs("sinks", R"({"sinks": H, "window": H, "reading": "inclusive"})") == 45);
  CHECK(pairs("graph", R"({"kind": "ring", "k": H})") == 81);
  CHECK(pairs("vertical_slash", R"({"slash": [0, H]})") == 9);
  CHECK(pairs("prefix_lm", R"({"prefix": H})") == 81);
  CHECK(pairs("document", R"({"lengths": [9], "prefix": H})") == 81);
  CHECK(pairs("document", R"({"lengths": [9], "prefix": -3})") == 45);
  CHECK(pairs("compose", R"({"op": "intersection", "of": [
    {"mechanism": "dilated", "params": {"left": H, "dilation": 4294967295}},
    {"mechanism": "dilated", "params": {"left": H, "dilation": 4294967291}}]})") == 9);
}
