// What attnx figure writes beside pictures: numbers, words as text, and which characters no font
// has.
#include "tests/app/cli/copied_command.h"

namespace attention::cli {
namespace {

std::string sceneWith(const std::string& label) {
  return R"({"type": "attention-explorer scene", "version": 1, "view": "mask",
             "pattern": {"mechanism": "causal", "params": {}}, "length": {"n": 2},
             "labels": ["a", ")" +
         label + R"("]})";
}

} // namespace

TEST_CASE("figure writes the numbers behind a picture", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("pairs.csv");
  REQUIRE(attnx({"figure", sceneWith("b"), "-o", file}).code == 0);
  CHECK(textOf(file) == "i,j\n0,0\n1,0\n1,1\n");
  REQUIRE(attnx({"figure", "performer-2021-fig2", "-o", file}).code == 0);
  CHECK(textOf(file).find('\n') != std::string::npos);
  const Said refused = attnx({"figure", sceneWith("b"), "--theme", "dark", "-o", file});
  CHECK(refused.code == 2);
  CHECK(refused.err.find("E_UNSUPPORTED: theme is given for .csv") != std::string::npos);
  CHECK(attnx({"figure", "reformer-2020-axial", "-o", folder.file("e.mtx")}).code == 2);
}

TEST_CASE("figure names the characters that no font has, once for each file", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("picture.svg");
  const Said drawn = attnx({"figure", sceneWith("日本語"), "-o", file});
  CHECK(drawn.code == 0);
  CHECK(drawn.err.empty());
  const Said lacking = attnx({"figure", sceneWith("\U000F1234"), "-o", file});
  CHECK(lacking.code == 0);
  CHECK(lacking.err == "attnx: " + file +
                           ": no font on this system has U+F1234 (install one that does, such as "
                           "Noto); they are drawn as boxes\n");
}

TEST_CASE("Words in an SVG are outlines, or text on request", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("picture.svg");
  const auto write = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"figure", sceneWith("שלום"), "-o", file};
    words.insert(words.end(), more.begin(), more.end());
    return attnx(words);
  };
  REQUIRE(write({}).code == 0);
  CHECK(textOf(file).find("<text") == std::string::npos);
  REQUIRE(write({"--text", "outlines"}).code == 0);
  CHECK(textOf(file).find("<text") == std::string::npos);
  REQUIRE(write({"--text", "text"}).code == 0);
  CHECK(textOf(file).find(">שלום</text>") != std::string::npos);
  CHECK(attnx("mask causal --n 8 --text text -o " + file).code == 0);
  CHECK(textOf(file).find(">key j</text>") != std::string::npos);
  CHECK(attnx("reach causal --n 8 --layers 2 --what graph --text text -o " + file).code == 0);
  CHECK(textOf(file).find("<text") != std::string::npos);
  CHECK(write({"--text", "curves"}).err.find("E_RANGE: text") != std::string::npos);
  CHECK(attnx("mask causal --n 8 --text text -o " + folder.file("m.png"))
            .err.find("E_UNSUPPORTED: text is given for .png") != std::string::npos);
}

TEST_CASE("info --measure adds to its counts what a pattern keeps of an input", "[cli]") {
  const std::string line = "info strided --stride 4 --measure --random gaussian --n 24 --d 8 "
                           "--heads 2 --seed 3 --head-index 1 --json";
  const auto json = attnx(line).json();
  const auto row = attnx("compare strided --stride 4 --random gaussian --n 24 --d 8 --heads 2 "
                         "--seed 3 --head-index 1 --json")
                       .json()["rows"][0];
  CHECK(json["pairs"] == row["pairs"]);
  CHECK(json["base"] == row["base"]);
  CHECK(json["captured_mass"].get<double>() ==
        Approx(row["captured_mass"].get<double>()).epsilon(1e-5));
  CHECK(json["entropy"].get<double>() == Approx(row["entropy"].get<double>()).epsilon(1e-5));
  CHECK(json["output_error"]["max_abs"].get<double>() ==
        Approx(row["output_error"]["max_abs"].get<double>()).epsilon(1e-4));
  CHECK(attnx(line + " --base full").json()["base"] == "full");
  CHECK(attnx("info strided --n 24 --base full").err.find("E_TYPE: base") != std::string::npos);
  CHECK(attnx("info strided --n 24 --measure").err.find("the input is missing") !=
        std::string::npos);
}

} // namespace attention::cli
