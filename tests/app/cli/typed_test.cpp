// --typed: a small example on the command line, for every command that takes an input.
#include "tests/app/cli/run_cli.h"

#include <fstream>

namespace attention::cli {
namespace {

const std::string kCat = R"({"words": ["the", "cat", "sat"], "q": [[1, 0], [0, 2], [1, 2]],)"
                         R"( "k": [[2, 1], [0, 1], [-1, 0]], "v": [[3, 0], [5, 1], [7, -1]]})";

Said withTyped(const std::string& line, const std::string& typed = kCat) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;)
    words.push_back(word);
  words.insert(words.end(), {"--typed", typed});
  return attnx(words);
}

} // namespace

TEST_CASE("every command that takes an input takes a typed one", "[cli]") {
  for (const char* line :
       {"attend causal --json", "compare causal --json", "kernel --kernel elu1 --json",
        "kernel-error --m 4 --repeats 1 --json", "lowrank --json", "heads --json",
        "steps full --query 0 --json", "info causal --measure --json", "why topk --k 1 --at 0,0",
        "count topk --k 1 --rect 0,2,0,2", "reach full --rollout --json",
        "code topk --k 1 --to numpy"}) {
    const Said said = withTyped(line);
    INFO(line << ": " << said.err);
    CHECK(said.code == 0);
    CHECK_FALSE(said.out.empty());
  }
  const TemporaryFolder folder;
  std::ofstream(folder.file("cat.json")) << kCat;
  CHECK(withTyped("heads --json", "@" + folder.file("cat.json")).out ==
        withTyped("heads --json").out);
}

TEST_CASE("a mask of a typed input carries it in its picture", "[cli]") {
  const TemporaryFolder folder;
  REQUIRE(withTyped("mask topk --k 1 -o " + folder.file("m.svg")).code == 0);
  const Said again = attnx("figure " + folder.file("m.svg") + " -o " + folder.file("m.csv"));
  INFO(again.err);
  CHECK(again.code == 0);
  std::ifstream file(folder.file("m.csv"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(text == "i,j\n0,0\n1,0\n2,0\n");
}

TEST_CASE("an error in a typed input is reported in one sentence", "[cli]") {
  const auto error = [](const std::string& typed) {
    const Said said = withTyped("heads", typed);
    CHECK(said.code == 2);
    return said.err;
  };
  CHECK(error(R"({"words": ["a"], "q": [[1]], "k": [[1]]})") ==
        "attnx: E_TYPE: typed.v is missing; it must be a list with a row of numbers for each "
        "word\n");
  CHECK(error("{").starts_with("attnx: E_TYPE: typed"));
  CHECK(withTyped("heads", "@no-such-file.json").err.starts_with("attnx: E_IO"));
  CHECK(withTyped("heads --random gaussian")
            .err.starts_with("attnx: E_TYPE: several inputs are given"));
  CHECK(withTyped("heads --seed 3").err ==
        "attnx: E_TYPE: seed is given, which an input from --typed does not read\n");
  CHECK(withTyped("heads --batch 1").err.starts_with("attnx: E_RANGE: batch is 1"));
}

} // namespace attention::cli
