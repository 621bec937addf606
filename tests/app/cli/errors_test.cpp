#include "tests/app/cli/run_cli.h"

using namespace attention::cli;

namespace {

struct WrongUse {
  std::string line;
  std::string err;
};

} // namespace

TEST_CASE("Wrong use is one sentence with the code and nothing on standard output", "[cli]") {
  const auto wrong = GENERATE(
      WrongUse{"info strided --n 64 --stride 0", "E_RANGE: stride is 0; allowed is an integer ≥ 1"},
      WrongUse{"info full --n 0", "E_N: n is 0; allowed is an integer ≥ 1"},
      WrongUse{"info full --n 2.5", "E_N: n is \"2.5\"; allowed is an integer ≥ 1"},
      WrongUse{"info full", "E_N: n is missing; allowed is --n with an integer ≥ 1"},
      WrongUse{"info stridde --n 4",
               "E_UNKNOWN: mechanism \"stridde\" is unknown; the nearest is strided"},
      WrongUse{"info strided --n 4 --strid 2",
               "E_UNKNOWN: flag --strid is unknown; the nearest is --stride"},
      WrongUse{"info strided --n 4 --stride two",
               "E_TYPE: stride is \"two\"; allowed is an integer"},
      WrongUse{"info strided --n 4 --stride", "E_TYPE: --stride is given without a value"},
      WrongUse{"info strided --n 4 --head 3", "E_RANGE: head is 3; allowed is one of 1, 2, union"},
      WrongUse{"info", "E_TYPE: the pattern is missing; allowed is a mechanism's name or "
                       "--pattern-json"},
      WrongUse{"inof full --n 4", "E_UNKNOWN: command \"inof\" is unknown; the nearest is info"},
      WrongUse{"count full --n 4 --rect 0,1,2",
               "E_TYPE: rect has 3 numbers; allowed is i0,i1,j0,j1"},
      WrongUse{"why full --n 4 --at 4,0", "E_RANGE: i is 4; allowed is an integer from 0 to 3"},
      WrongUse{"info fixed --n 8 --stride 4 --c 5",
               "E_RANGE: c is 5; allowed is an integer from 1 to 4"},
      WrongUse{"info full --n-q 3 --n-k 4",
               "E_SHAPE: n-q is 3 and n-k is 4; different lengths need --align top-left or "
               "bottom-right"},
      WrongUse{"info full --n 1073741825",
               "E_RANGE: n is 1073741825; allowed is at most 2^30 = 1073741824"},
      WrongUse{"info full --n 4 --threads 1025",
               "E_RANGE: threads is 1025; allowed is an integer from 0 (all) to 1024"},
      WrongUse{"count full --n 4 --threads -1",
               "E_RANGE: threads is -1; allowed is an integer from 0 (all) to 1024"},
      WrongUse{"attend full --json --random gaussian --n 4 --threads -1",
               "E_RANGE: threads is -1; allowed is an integer from 0 (all) to 1024"},
      WrongUse{"completion tcsh", "E_RANGE: shell is \"tcsh\"; allowed is bash, zsh or fish"});
  const Said said = attnx(wrong.line);
  INFO(wrong.line);
  CHECK(said.code == 2);
  CHECK(said.out.empty());
  CHECK(said.err == "attnx: " + wrong.err + "\n");
}

TEST_CASE("Failures of the system exit with 1", "[cli]") {
  const Said said = attnx("info --pattern-json @/nowhere/at/all.json --n 4");
  CHECK(said.code == 1);
  CHECK(said.err ==
        "attnx: E_IO: cannot read /nowhere/at/all.json: it is missing, empty or unreadable\n");
}

TEST_CASE("JSON patterns are checked like flags", "[cli]") {
  const auto err = [](const std::string& json) {
    return attnx({"info", "--pattern-json", json, "--n", "8"}).err;
  };
  CHECK(err(R"({"mechanism": "local", "params": {"window": 1e999}})") ==
        "attnx: E_TYPE: pattern holds a number beyond the range of float64; allowed are finite "
        "numbers\n");
  CHECK(err(R"({"mechanism": "compose", "params": {"op": null, "of": [{"mechanism": "full"}]}})") ==
        "attnx: E_TYPE: op is missing; compose requires it\n");
  CHECK(err("{") == "attnx: E_TYPE: pattern is not JSON: it goes wrong at byte 2\n");
  CHECK(err(R"({"mechanism": "strided", "params": {"stride": 1.5}})") ==
        "attnx: E_TYPE: stride is 1.5; allowed is an integer\n");
  CHECK(err(R"({"mechanism": "strided", "parms": {}})") ==
        "attnx: E_UNKNOWN: field \"parms\" of a pattern is unknown; allowed are mechanism, "
        "params\n");
}
