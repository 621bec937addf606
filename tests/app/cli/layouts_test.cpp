// Mechanisms that lay tokens out, on the command line: lists per axis, spans, paths, head and
// heads.
#include "tests/app/cli/run_cli.h"
#include "tests/catch.h"

using namespace attention::cli;

namespace {

std::string pairsOf(std::vector<std::string> words) {
  words.insert(words.begin(), "info");
  const std::string out = attnx(words).out;
  const auto at = out.find("pairs");
  return at == out.npos ? out : out.substr(at, out.find('\n', at) - at);
}

} // namespace

TEST_CASE("Values of axes are one for all, or a list", "[cli][layouts]") {
  const auto pairs = [](const std::vector<std::string>& flags) {
    std::vector<std::string> words{"neighborhood", "--shape", "6,8", "--n", "48"};
    words.insert(words.end(), flags.begin(), flags.end());
    return pairsOf(words);
  };
  CHECK(pairs({"--kernel", "3"}) == pairs({"--kernel", "3,3"}));
  CHECK(pairs({"--kernel", "3,5"}) != pairs({"--kernel", "3,3"}));
  CHECK(pairs({"--kernel", "3", "--causal"}) == pairs({"--kernel", "3", "--causal", "true,true"}));
  CHECK(pairs({"--kernel", "3", "--causal", "false"}) == pairs({"--kernel", "3"}));
  CHECK(pairs({"--kernel", "3", "--causal", "true,false"}) != pairs({"--kernel", "3"}));
  CHECK(attnx({"info", "neighborhood", "--shape", "6,8", "--kernel", "3,", "--n", "48"})
            .err.starts_with("attnx: E_SHAPE: kernel has 1 value; it must have one, or one for "
                             "each of the 2 axes of shape"));
  CHECK(attnx({"info", "neighborhood", "--shape", "6,8", "--kernel", "3", "--causal", "1,0", "--n",
               "48"})
            .err == "attnx: E_TYPE: causal is \"1\"; it must be true or false\n");
}

TEST_CASE("Spans are pairs, paths are lists with dashes", "[cli][layouts]") {
  const std::string json = R"({"mechanism": "spans", "params": {"spans": [[2, 3], [6, 2]]}})";
  CHECK(pairsOf({"spans", "--spans", "2-3,6-2", "--n", "9"}) ==
        pairsOf({"--pattern-json", json, "--n", "9"}));
  const std::string tree = R"({"mechanism": "tree", "params": {"paths": [[0], [1], [0, 0]]}})";
  CHECK(pairsOf({"tree", "--paths", "0,1,0-0", "--n", "4"}) ==
        pairsOf({"--pattern-json", tree, "--n", "4"}));
  CHECK(pairsOf({"tree", "--parents", "-1,0,0,1", "--n", "4"}) ==
        pairsOf({"--pattern-json", tree, "--n", "4"}));
  CHECK(attnx({"info", "tree", "--paths", "0,1-x", "--n", "4"}).err ==
        "attnx: E_TYPE: paths is \"x\"; it must be an integer\n");
}

TEST_CASE("Head and heads of LongNet are the pattern's with the long form", "[cli][layouts]") {
  const auto at = [](const std::string& head) {
    return attnx({"why", "dilated_segments", "--segments", "8", "--dilations", "4", "--p.head",
                  head, "--p.heads", "4", "--n", "16", "--at", "2,6"})
        .out;
  };
  CHECK(at("2").find("both in segment 0 of 8") != std::string::npos);
  CHECK(at("1").find("both in segment") == std::string::npos);
}

TEST_CASE("Code of layouts is a formula of their parameters", "[cli][layouts]") {
  const auto flex = [](std::vector<std::string> words) {
    words.insert(words.begin(), "code");
    words.insert(words.end(), {"--to", "flex"});
    return attnx(words).out;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(flex({"block_diffusion", "--block-size", "4", "--n", "24"}), "j % 12 // 4"));
  CHECK(has(flex({"neighborhood", "--shape", "6,8", "--kernel", "3", "--n", "48"}), "i // 8"));
  CHECK(has(flex({"dilated_segments", "--segments", "8", "--dilations", "2", "--n", "16"}),
            "i // 8 == j // 8"));
}
