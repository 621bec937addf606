// Curves and graphs of layers as files.
#include "tests/app/cli/run_cli.h"

#include "tests/core/figure/png_pixels.h"

#include <fstream>

using namespace attention;
using namespace attention::cli;

namespace {

std::string textOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool holds(const std::string& path, const std::string& text) {
  return textOf(path).find(text) != std::string::npos;
}

} // namespace

TEST_CASE("reach writes its layers as a graph and its growth as a curve", "[cli]") {
  const TemporaryFolder folder;
  const std::string tex = folder.file("graph.tex");
  const std::string window = "reach local --window 4 --causal true --layers 4 ";
  REQUIRE(attnx(window + "--n 24 --path 20,8 --what graph -o " + tex).code == 0);
  CHECK(holds(tex, "What token 20 sees through 4 layers of Local, window 4"));
  CHECK(holds(tex, "{layer 4}"));
  for (const char* ending : {".png", ".svg", ".pdf"})
    CHECK(attnx(window + "--n 24 --what graph --theme dark -o " + folder.file("g") + ending).code ==
          0);
  // Growth follows closed forms beyond the lengths for which matrices exist.
  const std::string growth = folder.file("growth.tex");
  REQUIRE(attnx(window + "--n 1000000 --what growth -o " + growth).code == 0);
  CHECK(holds(growth, "share of visible tokens reached"));
  const std::string table = folder.file("growth.csv");
  REQUIRE(attnx(window + "--n 24 --what growth -o " + table).code == 0);
  CHECK(textOf(table).find("stack,layer,pairs,fraction_full,fraction_causal\n"
                           "Local; window 4; causal,1,90,0.1") == 0);
  CHECK(attnx(window + "--n 24 --what hops -o " + folder.file("hops.svg")).code == 0);
}

TEST_CASE("graphs of layers state their limits before any work starts", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = " --what graph -o " + folder.file("g.svg");
  CHECK(attnx("reach causal --n 257 --layers 2" + out).err ==
        "attnx: E_RANGE: the graph shows up to 256 tokens; n is 257\n");
  CHECK(attnx("reach causal --n 12 --layers 25" + out).err ==
        "attnx: E_RANGE: the graph shows up to 24 layers; layers is 25\n");
  CHECK(attnx("reach causal --n 12 --what graph -o " + folder.file("g.npy"))
            .err.find("E_UNSUPPORTED") != std::string::npos);
  CHECK(attnx("reach causal --n 12 --what all").err ==
        "attnx: E_RANGE: what is all; it must be reach, hops, graph or growth\n");
  CHECK(folder.empty());
}

TEST_CASE("kernel-error draws its curves", "[cli]") {
  const TemporaryFolder folder;
  const std::string tex = folder.file("error.tex");
  REQUIRE(
      attnx("kernel-error --random gaussian --n 24 --d 4 --m 4,8,16 --repeats 3 -o " + tex).code ==
      0);
  CHECK(holds(tex, "positive, orthogonal"));
  CHECK(holds(tex, "all-zero output"));
  CHECK(holds(tex, "gaussian, n 24"));
}

TEST_CASE("every command that draws a picture obeys its size and its theme", "[cli]") {
  const TemporaryFolder folder;
  const std::string line = GENERATE(
      "reach causal --n 12", "reach causal --n 12 --what hops", "reach causal --n 12 --what graph",
      "reach causal --n 12 --what growth", "mask causal --n 12",
      "kernel-error --random gaussian --n 12 --d 4 --m 4,8 --repeats 2",
      "time causal --n 16,32 --samples 2", "figure child-2019-fig3");
  INFO(line);
  const auto drawn = [&](const std::string& flags) {
    const std::string file = folder.file("p.png");
    const Said said = attnx(line + " " + flags + " -o " + file);
    INFO(said.err);
    REQUIRE(said.code == 0);
    return pixelsOf(textOf(file));
  };
  const Image light = drawn("--size 640x480");
  CHECK(light.width == 640);
  CHECK(light.height == 480);
  // No query attends to the key in the upper right corner.
  const auto corner = [](const Image& image) {
    return int{image.pixels[placeOf(image, image.width - 1, 0)].r};
  };
  CHECK(corner(light) > 200);
  CHECK(corner(drawn("--theme dark --size 640x480")) < 64);
}

TEST_CASE("flags of pictures are refused for files of numbers by every command", "[cli]") {
  const TemporaryFolder folder;
  const std::string line =
      GENERATE("reach causal --n 12", "reach causal --n 12 --what hops", "mask causal --n 12",
               "kernel-error --random gaussian --n 12 --d 4 --m 4,8 --repeats 2",
               "time causal --n 16,32 --samples 2", "figure child-2019-fig3");
  const auto refused = [&](const std::string& flags, const std::string& file) {
    return attnx(line + " " + flags + " -o " + folder.file(file)).err;
  };
  INFO(line);
  CHECK(refused("--size 64x64", "a.csv") ==
        "attnx: E_UNSUPPORTED: size is given for .csv; it must be given with a picture\n");
  CHECK(refused("--theme dark", "a.csv") ==
        "attnx: E_UNSUPPORTED: theme is given for .csv; it must be given with a picture\n");
  CHECK(refused("--standalone", "a.svg") ==
        "attnx: E_UNSUPPORTED: standalone is given for .svg; it must be given with .tex\n");
  CHECK(refused("--text text", "a.csv") ==
        "attnx: E_UNSUPPORTED: text is given for .csv; it must be given with -o FILE.svg\n");
  CHECK(folder.empty());
}
