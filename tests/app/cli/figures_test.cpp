// The list of published figures on the command line.
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/cli/run_cli.h"

#include "core/export/embedded_scene.h"
#include "core/input/npy_writer.h"
#include "core/scene/scene_json.h"

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace attention;
using namespace attention::cli;

namespace {

// NAME, tab, title.
std::vector<std::pair<std::string, std::string>> listed() {
  const Said said = attnx("figure --list");
  REQUIRE(said.code == 0);
  std::vector<std::pair<std::string, std::string>> figures;
  std::istringstream lines(said.out);
  for (std::string line; std::getline(lines, line);) {
    const auto tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    figures.emplace_back(line.substr(0, tab), line.substr(tab + 1));
  }
  return figures;
}

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("The list of figures has one line per figure with its name, a tab and its title",
          "[cli]") {
  const auto figures = listed();
  CHECK(figures.size() >= 39);
  for (const auto& [name, title] : figures) {
    INFO(name);
    CHECK(name.find(' ') == std::string::npos);
    CHECK(title.find('\t') == std::string::npos);
    CHECK_FALSE(title.empty());
  }
  const std::pair<std::string, std::string> known{
      "child-2019-fig3",
      "Sparse Transformer: two factorized attention schemes beside full attention"};
  CHECK(std::count(figures.begin(), figures.end(), known) == 1);
}

TEST_CASE("A published figure carries its scene with its paper and its parts", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("figure.svg");
  const Said said = attnx("figure bigbird-2020-fig1 -o " + file);
  REQUIRE(said.err.empty());
  const std::optional<ReadScene> read = sceneInFile(file);
  REQUIRE(read);
  const Scene* scene = &read->scene;
  CHECK(scene->paper == "BigBird (Zaheer et al. 2020)");
  REQUIRE(scene->mask.panels.size() == 4);
  CHECK(scene->mask.panels[0].parts.front() == PartLook{"random, r = [2](of[0].random_blocks)", 2});
}

TEST_CASE("A picture is drawn again from the scene that it carries", "[cli]") {
  const TemporaryFolder folder;
  // Pixels: cairo numbers the images of SVG files through the whole process.
  const std::string direct = folder.file("direct.png");
  REQUIRE(attnx("figure bigbird-2020-fig1 -o " + direct).code == 0);
  for (const char* name : {"picture.png", "picture.pdf", "picture.svg"}) {
    const std::string picture = folder.file(name);
    REQUIRE(attnx("figure bigbird-2020-fig1 -o " + picture).code == 0);
    const std::string again = folder.file("again.png");
    const Said said = attnx("figure " + picture + " -o " + again);
    CHECK(said.err.empty());
    REQUIRE(said.code == 0);
    CHECK(contentOf(again) == contentOf(direct));
  }
  const std::string bare = folder.file("bare.svg");
  std::ofstream(bare) << "<svg/>\n";
  const Said refused = attnx("figure " + bare + " -o " + folder.file("x.png"));
  CHECK(refused.code == 2);
  CHECK(refused.err == "attnx: E_TYPE: bare.svg holds no scene; only pictures that this program "
                       "exported with their scene do\n");
  CHECK(attnx("figure " + folder.file("none.png") + " -o " + folder.file("x.png")).code == 1);
}

TEST_CASE("A scene given as JSON is drawn like one from a file", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("circle.svg");
  Scene scene;
  scene.view = View::Choosing;
  scene.choosing.picture = ChoosingPicture::Circle;
  scene.choosing.circle.seed = 4;
  const Said said = attnx({"figure", toJson(scene).dump(), "-o", file});
  CHECK(said.err.empty());
  REQUIRE(said.code == 0);
  const std::optional<ReadScene> drawn = sceneInFile(file);
  REQUIRE(drawn);
  CHECK(drawn->scene == scene);
  CHECK(attnx({"figure", "{\"type\": 3}", "-o", file}).code == 2);
}

TEST_CASE("A scene without lengths has those of its input, as in the window", "[cli]") {
  const TemporaryFolder folder;
  RandomInput random; // as of a step of decoding
  random.n = 6;
  random.keys = 10;
  random.d = 4;
  Scene scene;
  scene.view = View::Attention;
  scene.pattern = Strided{};
  scene.input.source = random;
  const auto wrong = [&](const char* name) {
    return attnx({"figure", toJson(scene).dump(), "-o", folder.file(name)}).err;
  };
  CHECK(wrong("attention.svg").empty());
  scene.view = View::Choosing;
  scene.pattern = Lsh{};
  CHECK(wrong("hashing.svg").find("the mask must be square") != std::string::npos);
}

TEST_CASE("Figures are listed or drawn, never both", "[cli]") {
  for (const char* flag : {"list", "lessons", "all"})
    CHECK(attnx("figure child-2019-fig3 -o no.png --" + std::string(flag)).code == 2);
  CHECK(attnx("figure child-2019-fig3 --list").err ==
        "attnx: E_TYPE: child-2019-fig3 is given with --list; one of the two must be left out\n");
  CHECK(attnx("figure child-2019-fig3 --all -o figures").err ==
        "attnx: E_TYPE: child-2019-fig3 is given with --all; one of the two must be left out\n");
  CHECK(attnx("figure --list --lessons").err ==
        "attnx: E_TYPE: --lessons is given with --list; one of the two must be left out\n");
  CHECK_FALSE(std::filesystem::exists("no.png"));
}

TEST_CASE("A scene whose input has changed since it was saved says so", "[cli]") {
  const TemporaryFolder folder;
  const std::string q = folder.file("q.npy");
  const std::string k = folder.file("k.npy");
  writeNpy(q, Matrix<double>(4, 2, std::vector<double>(8, 0.5)));
  writeNpy(k, Matrix<double>(4, 2, {1, 2, 3, 4, 5, 6, 7, 8}));
  const std::string picture = folder.file("mask.svg");
  const std::string page = folder.file("mask.html");
  const std::string mask = "mask topk --p.k 2 --q " + q + " --k " + k + " -o ";
  REQUIRE(attnx(mask + picture).code == 0);
  REQUIRE(attnx(mask + page).code == 0);
  const std::string saved = folder.file("saved.json");
  std::ofstream(saved) << toText(sceneInFile(picture)->scene);
  const std::vector<std::string> lines{"figure " + picture + " -o " + folder.file("a.png"),
                                       "figure " + page + " -o " + folder.file("a.html"),
                                       "figure " + saved + " -o " + folder.file("a.csv"),
                                       "animate " + saved + " --sweep n --from 2 --to 3 -o " +
                                           folder.file("a.gif")};
  for (const std::string& line : lines)
    CHECK(attnx(line).err == "");
  writeNpy(k, Matrix<double>(4, 2, {8, 7, 6, 5, 4, 3, 2, 1}));
  for (const std::string& line : lines)
    CHECK(attnx(line).err == "attnx: note: " + k + " has changed since the scene was saved\n");
  // What was drawn from the new file remembers that one.
  CHECK(attnx("figure " + folder.file("a.png") + " -o " + folder.file("b.png")).err == "");
}
