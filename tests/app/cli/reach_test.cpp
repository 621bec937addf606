#include "tests/app/cli/run_cli.h"

#include "core/input/array_file.h"
#include "core/input/tensor.h"

#include <fstream>

using namespace attention;
using namespace attention::cli;

namespace {

std::string textOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

TEST_CASE("reach gives the pairs and fractions of every layer", "[cli]") {
  const auto json = attnx("reach strided --stride 4 --head 1 --then strided --stride 4 --head 2 "
                          "--n 16 --layers 2 --json")
                        .json();
  CHECK(json["pairs"] == 136);
  CHECK(json["fraction_full"] == 0.53125);
  CHECK(json["fraction_causal"] == 1);
  CHECK(json["max_path"] == 2);
  CHECK(json["path"].is_null());
  REQUIRE(json["layers"].size() == 2);
  CHECK(json["layers"][0]["layer"] == 1);
  CHECK(json["layers"][0]["pairs"] == 70);
  CHECK(json["layers"][1]["pairs"] == 136);
}

TEST_CASE("reach is smaller without the residual connection and in another order", "[cli]") {
  const std::string h1 = "fixed --stride 6 --c 1 --head 1";
  const std::string h2 = "fixed --stride 6 --c 1 --head 2";
  const auto pairs = [](const std::string& line) {
    return attnx("reach " + line + " --n 36 --json").json()["pairs"].get<int>();
  };
  CHECK(pairs(h1 + " --then " + h2) == 666);
  CHECK(pairs(h1 + " --then " + h2 + " --no-residual") == 576);
  CHECK(pairs(h2 + " --then " + h1) == 216);
  CHECK(pairs(h2 + " --then " + h1 + " --layers 3") == 666);
}

TEST_CASE("a picture of hops marks pairs that are lost again and the numbers keep them", "[cli]") {
  const TemporaryFolder folder;
  const std::string line = "reach fixed --stride 6 --c 1 --head 1 --then fixed --stride 6 --c 1 "
                           "--head 2 --n 12 --what hops -o ";
  const std::string files[] = {folder.file("with.tex"), folder.file("without.tex")};
  REQUIRE(attnx(line + files[0]).code == 0);
  REQUIRE(attnx(line + files[1] + " --no-residual").code == 0);
  CHECK(textOf(files[0]).find("lost again") == std::string::npos);
  CHECK(textOf(files[1]).find("lost again") != std::string::npos);
  REQUIRE(attnx(line + folder.file("h.csv") + " --no-residual").code == 0);
  CHECK(textOf(folder.file("h.csv")).find("\n3,2,1\n") != std::string::npos);
}

TEST_CASE("reach finds a shortest path, or says that there is none", "[cli]") {
  const std::string window = "reach local --window 4 --causal true --n 20 --json ";
  const auto path = attnx(window + "--layers 3 --path 9,2").json()["path"];
  REQUIRE(path.size() == 4);
  CHECK(path[0] == 9);
  CHECK(path[3] == 2);
  CHECK(attnx(window + "--layers 2 --path 9,2").json()["path"].is_null());
  CHECK(attnx(window + "--layers 2").json()["max_path"] == 7);
  CHECK(attnx("reach local --window 4 --causal true --n 20 --layers 3 --path 9,2")
            .out.find("3 layers, from the top") != std::string::npos);
}

TEST_CASE("without residual connections a path goes through every layer", "[cli]") {
  // One back, then one or two back: two layers reach two or three back, and neither reaches further
  // by itself.
  const std::string steps = "reach vertical_slash --vertical 8 --slash 1 --then vertical_slash "
                            "--vertical 8 --slash 1,2 --n 9 --no-residual --json --layers 2 ";
  const auto path = [&](const std::string& ends) {
    return attnx(steps + "--path " + ends).json()["path"];
  };
  CHECK(path("5,3") == nlohmann::json({5, 4, 3}));
  CHECK(path("5,2") == nlohmann::json({5, 3, 2}));
  CHECK(path("5,4").is_null()); // the lower layer by itself would do, but it is not all layers
  const Said text = attnx(steps.substr(0, steps.find("--json")) + "--layers 2 --path 5,3");
  CHECK(text.out.find("path of all layers") != std::string::npos);
  CHECK(attnx("reach local --window 3 --causal true --n 9 --no-residual --layers 3 --path 5,4 "
              "--json")
            .json()["path"] == nlohmann::json({5, 4})); // hops: the same layer again and again
}

TEST_CASE("reach and hops are written as arrays and lists and pictures", "[cli]") {
  const TemporaryFolder folder;
  const std::string line = "reach sliding_window --left 2 --right 2 --n 20 --layers 3 ";
  REQUIRE(attnx(line + "-o " + folder.file("r.npy")).code == 0);
  REQUIRE(attnx(line + "--what hops -o " + folder.file("h.npy")).code == 0);
  const auto reach = readArrays(folder.file("r.npy")).arrays.front().tensor;
  const auto hops = readArrays(folder.file("h.npy")).arrays.front().tensor;
  CHECK(textOf(folder.file("h.npy")).find("<i4") != std::string::npos);
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < 20; ++j) {
      const Index apart = std::abs(i - j);
      REQUIRE(number(reach, i * 20 + j) == (apart <= 6 ? 1 : 0));
      REQUIRE(number(hops, i * 20 + j) == static_cast<double>((apart + 1) / 2));
    }
  REQUIRE(attnx("reach causal --n 3 --what hops -o " + folder.file("h.csv")).code == 0);
  CHECK(textOf(folder.file("h.csv")) == "i,j,hops\n0,0,0\n1,0,1\n1,1,0\n2,0,1\n2,1,1\n2,2,0\n");
  for (const char* what : {"reach", "hops"}) {
    const std::string file = folder.file(std::string(what) + ".png");
    REQUIRE(attnx(line + "--what " + what + " -o " + file).code == 0);
    CHECK(textOf(file).substr(1, 3) == "PNG");
  }
}

TEST_CASE("beyond whole matrices reach answers by closed forms or for one token", "[cli]") {
  const auto window =
      attnx("reach local --window 4096 --causal true --n 1048576 --layers 32 --json").json();
  CHECK(window["layers"].size() == 32);
  CHECK(window["closed_form"]["params"]["left"] == 131040);
  CHECK(window["max_path"] == 257);
  const auto strided = attnx("reach strided --n 1048576 --layers 3 --json").json();
  CHECK(strided["fraction_causal"] == 1);
  CHECK(strided["max_path"] == 2);
  const auto token =
      attnx("reach local --window 3 --causal true --n 100000 --layers 2 --token 50000 --json")
          .json();
  CHECK(token["layers"][1]["influenced_by"] == 5);
  CHECK(token["layers"][1]["influences"] == 5);
}

TEST_CASE("wrong use of reach is one sentence", "[cli]") {
  const auto err = [](const std::string& line) {
    const Said said = attnx(line);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    return said.err;
  };
  CHECK(err("reach full --n 4 --layers -1") ==
        "attnx: E_RANGE: layers is -1; it must be an integer from 0 to 1000000\n");
  CHECK(err("reach full --n 4 --what hop") ==
        "attnx: E_RANGE: what is hop; it must be reach, hops, graph or growth\n");
  CHECK(err("reach full --n 4 --path 1") == "attnx: E_TYPE: path has 1 number; it must be i,j\n");
  CHECK(err("reach full --n 4 --path 1,4") ==
        "attnx: E_RANGE: j is 4; it must be an integer from 0 to 3\n");
  CHECK(err("reach dilated --then strided --n 65536").find("--token T follows one token") !=
        std::string::npos);
  CHECK(err("reach full --n 4 --what hops -o h.mtx").find("E_UNSUPPORTED") != std::string::npos);
}
