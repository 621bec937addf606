// Completion scripts: what bash offers after some words, and that the other shells know the same.
#include "tests/app/cli/run_cli.h"

#include <cstdio>
#include <fstream>

using namespace attention::cli;

namespace {

// The lines that bash offers for a word, which may be empty: the last word or an earlier one.
std::vector<std::string> offered(const std::vector<std::string>& words,
                                 std::optional<std::size_t> at = {}) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("script")) << attnx("completion bash").out;
  std::ofstream test(folder.file("test"));
  test << "source '" << folder.file("script") << "'\ncd '" << folder.file("") << "'\nCOMP_WORDS=(";
  for (const std::string& word : words)
    test << '\'' << word << "' ";
  test << ")\nCOMP_CWORD=" << at.value_or(words.size() - 1)
       << "\n_attnx\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
  test.close();
  std::vector<std::string> lines;
  FILE* bash = ::popen(("bash '" + folder.file("test") + "' 2>&1").c_str(), "r");
  REQUIRE(bash != nullptr);
  char line[1024];
  while (std::fgets(line, sizeof line, bash))
    lines.emplace_back(line, std::string(line).find('\n'));
  CHECK(::pclose(bash) == 0);
  return lines;
}

using Words = std::vector<std::string>;

bool offers(const Words& offered, const std::string& word) {
  return std::find(offered.begin(), offered.end(), word) != offered.end();
}

} // namespace

TEST_CASE("bash offers the choices of a flag and nothing else", "[cli]") {
  CHECK(offered({"attnx", "mask", "graph", "--kind", ""}) ==
        Words{"edges", "ring", "grid", "small_world", "random"});
  CHECK(offered({"attnx", "mask", "topk", "--metric", ""}) == Words{"dot", "cosine", "euclidean"});
  CHECK(offered({"attnx", "mask", "topk", "--metric", "e"}) == Words{"euclidean"});
  CHECK(offered({"attnx", "ma", "full", "--n", "4"}, 1) == Words{"mask"});
  CHECK(offered({"attnx", "mask", "topk", "--metric", "e", "--n", "4"}, 4) == Words{"euclidean"});
  CHECK(offered({"attnx", "mask", "topk", "--metric", "="}) == Words{"dot", "cosine", "euclidean"});
  CHECK(offered({"attnx", "attend", "lsh", "--combine", ""}) == Words{"union", "count", "mean"});
  CHECK(offered({"attnx", "lsh", "--combine", "c"}) == Words{"count"});
  CHECK(offered({"attnx", "mask", "strided", "--head", ""}) == Words{"1", "2", "union"});
  CHECK(offered({"attnx", "attend", "strided", "--p.head", "u"}) == Words{"union"});
  CHECK(offered({"attnx", "attend", "full", "--dtype", ""}) == Words{"float32", "float64"});
  CHECK(offered({"attnx", "kernel", "--kernel", ""}) ==
        Words{"softmax", "gaussian", "elu1", "relu"});
  CHECK(offered({"attnx", "reach", "full", "--what", "h"}) == Words{"hops"});
}

TEST_CASE("bash offers the choices of the nearest pattern", "[cli]") {
  CHECK(offered({"attnx", "diff", "strided", "--with", "longformer", "--reading", ""}) ==
        Words{"total", "one_sided"});
  CHECK(offered({"attnx", "diff", "longformer", "--with", "strided", "--reading", ""}) ==
        Words{"paper", "code"});
  CHECK(offered({"attnx", "axial", "--reading", ""}) == Words{"docs", "code"});
  CHECK(offered({"attnx", "mask", "--preset", "mistral-p"}) == Words{"mistral-paper"});
  CHECK(offered({"attnx", "diff", "full", "--with", "sliding_"}) == Words{"sliding_window"});
}

TEST_CASE("bash offers no mechanism where a number or a file stands", "[cli]") {
  CHECK(offered({"attnx", "mask", "strided", "--stride", "s"}) == Words{"script"}); // a file here
  CHECK(offered({"attnx", "mask", "strided", "-o", "te"}) == Words{"test"});
  const Words first = offered({"attnx", "mask", ""});
  CHECK(offers(first, "strided"));
  CHECK(offers(first, "--n"));
  CHECK(offers(offered({"attnx", "mask", "full", "--causal", ""}), "--n")); // a switch
  CHECK(offers(offered({"attnx", ""}), "kernel-error"));
  CHECK(offered({"attnx", "time", "full", "hyper"}) == Words{"hyperbolic"});
  CHECK(offers(offered({"attnx", "time", "full", ""}), "strided"));
}

TEST_CASE("the scripts for zsh and fish know commands and patterns and choices", "[cli]") {
  for (const char* shell : {"zsh", "fish"}) {
    const std::string script = attnx(std::string("completion ") + shell).out;
    for (const char* word : {"kernel-error", "sliding_window", "small_world", "float64"})
      CHECK(script.find(word) != std::string::npos);
  }
}
