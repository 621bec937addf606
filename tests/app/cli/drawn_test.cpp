// What is drawn by hand, on the command line.
#include "tests/app/cli/run_cli.h"
#include "tests/catch.h"

#include <fstream>

using namespace attention::cli;

namespace {

const std::string kStrokes =
    R"([{"shape": "column", "at": [2]}, {"add": false, "shape": "cells", "at": [[5, 5]]}])";

} // namespace

TEST_CASE("Strokes and what they are drawn on are flags", "[cli][drawn]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("strokes.json")) << kStrokes;
  const auto count = [&](const std::string& on, const std::string& strokes) {
    return attnx({"count", "drawn", "--on", on, "--strokes", strokes, "--n", "8"}).out;
  };
  const std::string causal = R"({"mechanism": "causal"})";
  CHECK(count(causal, kStrokes).find("37") != std::string::npos); // 36 + 2 − 1
  CHECK(count("causal", kStrokes) == count(causal, kStrokes));    // a name alone
  CHECK(count("causal", "@" + folder.file("strokes.json")) == count(causal, kStrokes));
  CHECK(attnx({"why", "drawn", "--on", "causal", "--strokes", kStrokes, "--n", "8", "--at", "5,5"})
            .out.find("removed by hand") != std::string::npos);
  CHECK(attnx({"why", "drawn", "--strokes", kStrokes, "--n", "8", "--at", "0,2"})
            .out.find("added by hand") != std::string::npos);
}

TEST_CASE("Wrong strokes and patterns below them end in one sentence", "[cli][drawn]") {
  const auto err = [](const std::string& flag, const std::string& value) {
    return attnx({"info", "drawn", flag, value, "--n", "8"}).err;
  };
  CHECK(err("--strokes", R"([{"shape": "row", "at": [1, 2]}])") ==
        "attnx: E_TYPE: strokes[0].at is [1, 2]; it must be [i] or [i, j0, j1] with 0 ≤ i and 0 ≤ "
        "j0 ≤ j1\n");
  CHECK(err("--strokes", "cells") ==
        "attnx: E_TYPE: strokes is not JSON: it goes wrong at byte 1\n");
  CHECK(err("--on", "causl") ==
        "attnx: E_UNKNOWN: mechanism \"causl\" is unknown; the nearest is causal\n");
  CHECK(attnx({"code", "drawn", "--on", "causal", "--strokes", kStrokes, "--n", "64", "--to",
               "deepspeed"})
            .err ==
        "attnx: E_UNSUPPORTED: drawn has no DeepSpeed SparsityConfig: only full, fixed, "
        "block_local and bigbird patterns have one; --to flex and --to xformers can "
        "rebuild every mask\n");
}

TEST_CASE("Code of what is drawn reads like the strokes", "[cli][drawn]") {
  const std::string strokes =
      R"([{"shape": "column", "at": [2], "repeat": 16}, {"add": false, "shape": "diagonal", "at": [0]}])";
  const std::string flex =
      attnx({"code", "drawn", "--on", "causal", "--strokes", strokes, "--n", "64", "--to", "flex"})
          .out;
  CHECK(flex.find("# drawn on causal, 2 strokes: 64 queries, 64 keys\n") != std::string::npos);
  CHECK(flex.find("(j - 2) % 16 == 0") != std::string::npos);
  CHECK(flex.find("i != j") != std::string::npos);
}

TEST_CASE("Patterns list what drawn takes", "[cli][drawn]") {
  const std::string all = attnx("patterns").out;
  CHECK(all.find("\n  --on pattern  The pattern under your strokes") != std::string::npos);
  CHECK(all.find("\n  --strokes strokes (") != std::string::npos);
}
