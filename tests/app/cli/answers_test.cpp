#include "app/cli/report.h"
#include "core/pattern/mechanism/factor.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/cli/run_cli.h"

#include "core/export/embedded_scene.h"
#include "core/pattern/pattern.h"

#include <fstream>

using namespace attention;
using namespace attention::cli;

TEST_CASE("info gives pairs, density and cost as one JSON object", "[cli]") {
  const Said said = attnx("info strided --n 16777216 --json");
  REQUIRE(said.code == 0);
  const auto json = said.json();
  CHECK(json["pairs"] == 103062439936);
  CHECK(json["row_min"] == 1);
  CHECK(json["exact"] == true);
  CHECK(json["full"]["pairs"] == 281474976710656);
  CHECK(json["empty_rows"] == 0);
  CHECK(json["density"].get<double>() == Approx(103062439936.0 / 281474976710656.0));
}

TEST_CASE("info gives the row of a pattern in the table of complexity and path length", "[cli]") {
  const auto full = attnx("info full --n 64 --json").json();
  CHECK(full["complexity"] == "O(n² d)");
  CHECK(full["max_path"] == 1);
  // A closed form at any length, otherwise a search up to 1024 tokens.
  CHECK(attnx("info local --window 4 --causal true --n 1000000 --json").json()["max_path"] ==
        333333);
  CHECK(attnx("info strided --stride 8 --n 64 --json").json()["max_path"] == 2);
  for (const char* known : {"strided", "fixed", "longformer", "bigbird"})
    CHECK(attnx(std::string("info ") + known + " --n 16777216")
              .out.find("longest path  2 layers, over connected pairs") != std::string::npos);
  const std::string unknown = "info vertical_slash --vertical 0 --slash 0,7 --n 1000000 ";
  CHECK(attnx(unknown + "--json").json()["max_path"].is_null());
  CHECK(attnx(unknown).out.find("longest path  not known; attnx reach follows one token") !=
        std::string::npos);
  CHECK(attnx("info causal --n-q 4 --n-k 8 --align top-left --json").json()["max_path"].is_null());
  CHECK(attnx("info full --n 64").out.find("longest path  1 layer, over connected pairs") !=
        std::string::npos);
}

TEST_CASE("info of several heads gives all of them together and each by itself", "[cli]") {
  const auto json =
      attnx("info fixed --n 64 --stride 16 --c 2 --heads 3 --num-subblocks 3 --json").json();
  const auto one = attnx("info fixed --n 64 --stride 16 --c 2 --json").json();
  REQUIRE(json["heads"].size() == 3);
  for (const auto& [key, value] : one.items())
    CHECK(json.contains(key));
  std::int64_t pairs = 0;
  for (const auto& head : json["heads"])
    pairs += head["pairs"].get<std::int64_t>();
  CHECK(json["pairs"] == pairs);
  CHECK(json["full"]["pairs"] == 3 * 64 * 64);
  CHECK(json["density"].get<double>() == Approx(static_cast<double>(pairs) / (3 * 64 * 64)));
  CHECK(json["flops"].get<double>() < json["full"]["flops"].get<double>());
  CHECK(json["row_max"] >= json["row_min"]);
  CHECK(json["exact"] == true);
}

TEST_CASE("A mask file is named with an at sign or without", "[cli]") {
  const TemporaryFolder folder;
  const std::string mask = folder.file("m.npy");
  REQUIRE(attnx("mask strided --stride 3 --n 9 -o " + mask).code == 0);
  const Said plain = attnx("info given --n 9 --json --mask " + mask);
  REQUIRE(plain.code == 0);
  CHECK(attnx("info given --n 9 --json --mask @" + mask).out == plain.out);
}

TEST_CASE("The picture of one head carries the pattern of that head", "[cli]") {
  const TemporaryFolder folder;
  const std::string picture = folder.file("m.png");
  REQUIRE(attnx("mask strided --n 16 --heads 1 --head-mode alternate -o " + picture).code == 0);
  const auto read = sceneInFile(picture);
  REQUIRE(read);
  const Scene* scene = &read->scene;
  CHECK(scene->pattern.as<Strided>()->head == Factor::First);
}

TEST_CASE("Sampled counts name their rows and seed", "[cli]") {
  const std::vector<std::string> asked{"info", "expr",    "--expr", "(i + j) % 5 == 0 && i != j",
                                       "--n",  "1048576", "--json", "--sample-seed",
                                       "3"};
  const auto json = attnx(asked).json();
  CHECK(json["exact"] == false);
  CHECK(json["sample_seed"] == 3);
  CHECK(json["sampled_rows"] == 256); // 2^28 cells
  CHECK(json["density"].get<double>() == Approx(0.2).epsilon(0.01));
  CHECK_FALSE(attnx("info strided --n 1048576 --json").json().contains("sampled_rows"));
}

TEST_CASE("A sampled picture says so and an exact one does not", "[cli]") {
  const TemporaryFolder folder;
  const std::string picture = folder.file("m.png");
  const auto textOf = [&] {
    std::ifstream file(picture, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string both =
      R"({"mechanism":"compose","params":{"op":"intersection","of":[)"
      R"({"mechanism":"bigbird"},{"mechanism":"local","params":{"window":9000}}]}})";
  const Said sampled = attnx("mask " + both + " --n 16400 --size 8x8 -o " + picture);
  REQUIRE(sampled.code == 0);
  CHECK(sampled.err.find("m.png is sampled") != std::string::npos);
  CHECK(textOf().find("sampled, not exact: one row drawn from each of equal stretches") !=
        std::string::npos);
  const Said exact = attnx("mask causal --n 16400 --size 8x8 -o " + picture);
  CHECK(exact.err.empty());
  CHECK(textOf().find("sampled") == std::string::npos);
}

TEST_CASE("count answers for a rectangle and cuts it to the mask", "[cli]") {
  CHECK(attnx("count causal --n 10 --rect 0,10,0,10 --json").json()["count"] == 55);
  const auto json = attnx("count strided --n 64 --stride 8 --rect 8,16,0,8 --json").json();
  CHECK(json["count"] == 36);
  CHECK(json["cells"] == 64);
  CHECK(json["coverage"] == 0.5625);
  CHECK(attnx("count full --n 4 --rect 2,9,3,9 --json").json()["cells"] == 2);
  CHECK(attnx("count full --n 4 --rect 3,3,0,4 --json").json()["coverage"] == 0);
}

TEST_CASE("A comma makes a list of one index where a bare number is a count", "[cli]") {
  const auto pairs = [](const std::string& globals) {
    return attnx("count longformer --window 0 --globals " + globals +
                 " --n 40 --rect 0,40,0,40 --json")
        .json()["count"];
  };
  CHECK(pairs("34,") == 40 + 2 * 39);    // the diagonal, row 34, column 34
  CHECK(pairs("34") == 40 * 40 - 6 * 5); // all but the six last tokens among themselves
  CHECK(attnx("info longformer --globals 3,, --n 8").code == 2);
}

TEST_CASE("Items of a list are separated by commas, spaces or line ends", "[cli]") {
  const TemporaryFolder folder;
  const auto file = [&](const std::string& text) {
    std::ofstream(folder.file("list.txt")) << text;
    return "@" + folder.file("list.txt");
  };
  const auto pairs = [](std::vector<std::string> words) {
    words.insert(words.end(), {"--n", "12", "--json"});
    const Said said = attnx(words);
    INFO(said.err);
    REQUIRE(said.code == 0);
    return said.json()["pairs"];
  };
  const auto expected = pairs({"info", "longformer", "--window", "2", "--globals", "0,5,9"});
  for (const char* text : {"0\n5\n9\n", "0 5 9", "0, 5,\r\n9", "[0, 5, 9]"}) {
    CHECK(pairs({"info", "longformer", "--window", "2", "--globals", file(text)}) == expected);
    CHECK(pairs({"info", "longformer", "--window", "2", "--globals", text}) == expected);
  }
  for (const char* text : {"0-1,2-5", "0-1\n2-5\n", "0 1\n2 5\n", "0,1\n2,5", "[[0,1],[2,5]]"})
    CHECK(pairs({"info", "given", "--mask", "0-1,2-5"}) ==
          pairs({"info", "graph", "--edges", file(text), "--self-loops", "false", "--directed",
                 "true"}));
  CHECK(pairs({"info", "given", "--mask", "[[0,1],[2,5]]"}) == 2);
  std::string chain = "1-0"; // longer than a file name may be
  for (int token = 2; token < 100; ++token)
    chain += "," + std::to_string(token) + "-" + std::to_string(token - 1);
  CHECK(attnx({"info", "given", "--mask", chain, "--n", "100", "--json"}).json()["pairs"] == 99);
  CHECK(pairs({"info", "expr", "--expr", "--i == j"}) == 12);
  CHECK(attnx("info graph --edges 0,1,2,5 --n 12").code == 2);
}

TEST_CASE("why names the part and the rule", "[cli]") {
  const auto yes = attnx("why strided --n 128 --stride 11 --at 97,64 --json").json();
  CHECK(yes["attends"] == true);
  CHECK(yes["part"] == "A²");
  CHECK(yes["text"] == "(97 − 64) mod 11 = 0");
  const Said no = attnx("why strided --n 128 --stride 11 --at 97,65 --json");
  CHECK(no.code == 0);
  CHECK(no.json()["attends"] == false);
  CHECK(no.json()["part"].is_null());
}

TEST_CASE("diff counts the pairs that only one of two patterns has", "[cli]") {
  const auto json = attnx("diff local --window 4 --causal true --with sliding_window --left 4 "
                          "--right 0 --n 12 --json")
                        .json();
  CHECK(json["only_first"] == 0);
  CHECK(json["only_second"] == 8);
  CHECK(json["first_row"] == 4);
  CHECK(json["both"] == 42);
  CHECK(attnx("diff full --with full --n 5 --json").json()["first_row"].is_null());
}

TEST_CASE("The ranges of all parameters have numbers, and hold the defaults", "[cli]") {
  int ranges = 0;
  const auto json = attnx("patterns --json").json();
  for (const auto& pattern : json["patterns"])
    for (const auto& p : pattern["parameters"]) {
      const std::string range = p.value("range", "");
      INFO(pattern["name"] << " " << p["name"] << ": " << range << ", " << p["default"]);
      const std::size_t dots = range.find(" … ");
      const double least = range.starts_with("≥ ") ? std::stod(range.substr(4))
                           : dots != range.npos    ? std::stod(range)
                                                   : 0;
      if (dots != range.npos)
        CHECK(least <= std::stod(range.substr(dots + 5)));
      if (p["default"].is_number() && (dots != range.npos || range.starts_with("≥ ")))
        CHECK(p["default"].get<double>() >= least);
      ranges += range.empty() ? 0 : 1;
      if (pattern["name"] == "cache" && p["name"] == "window")
        CHECK(p["default_with"] == "policy snapkv");
    }
  CHECK(ranges > 60);
  const std::string text = attnx("patterns").out;
  CHECK(
      text.find("--kernel int (an odd integer of at least 1)  Neighbours whose weights are pooled; "
                "default 5 with policy snapkv") != text.npos);
}

TEST_CASE("Flags belong to the nearest pattern to their left", "[cli]") {
  const auto json = attnx("diff local --window 2 --with local --window 3 --n 9 --json").json();
  CHECK(json["only_first"] == 0);
  CHECK(json["only_second"].get<int>() > 0);
  const Said inlineJson = attnx({"diff", "causal", "--n", "6", "--with",
                                 R"({"mechanism": "full", "params": {"causal": true}})", "--json"});
  CHECK(inlineJson.json()["iou"] == 1);
}

TEST_CASE("The long form reaches the parameter of the pattern", "[cli]") {
  const Said shortForm = attnx("count bigbird --n 512 --block-size 16 --seed 7 --json");
  const Said longForm = attnx("count bigbird --n 512 --p.block_size 16 --p.seed=7 --json");
  REQUIRE(shortForm.code == 0);
  CHECK(shortForm.out == longForm.out);
}

TEST_CASE("Patterns are listed with parameters in text and JSON", "[cli]") {
  const auto json = attnx("patterns --json").json();
  CHECK(json["patterns"].size() == allMechanisms().size());
  CHECK(json["patterns"][0]["name"] == "full");
  CHECK(attnx("patterns").out.find("--stride int (≥ 1)") != std::string::npos);
}

TEST_CASE("Help describes flags in one column", "[cli]") {
  const std::string help = attnx("time --help").out;
  const auto columnOf = [&](const std::string& words) {
    const std::size_t at = help.find(words);
    REQUIRE(at != std::string::npos);
    const std::size_t line = help.rfind('\n', at) + 1;
    return letters(help.substr(line, at - line));
  };
  CHECK(columnOf("lengths\n") == columnOf("width of a head")); // not ASCII: --n N,N,…
}

TEST_CASE("Help and version answer", "[cli]") {
  CHECK(attnx("--help").out.find("completion") != std::string::npos);
  CHECK(attnx("mask --help").out.find("--rect") == std::string::npos);
  CHECK(attnx("count --help").out.find("--rect") != std::string::npos);
  CHECK(attnx("--version").out.rfind("attnx ", 0) == 0);
}
