#include "core/views/scene_figure.h"

#include "core/export/csv_table.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/views/view_unit.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

using namespace attention;

namespace {

Scene windowScene(View view) {
  Scene scene;
  scene.view = view;
  scene.pattern = patternFromJson(nlohmann::json{
      {"mechanism", "local"}, {"params", {{"window", 3}, {"causal", true}}}}); // i − j ≤ 2
  scene.length.n = 6;
  scene.reach.layers = 2;
  scene.timings.from = 8;
  scene.timings.to = 16;
  scene.timings.d = 4;
  return scene;
}

std::vector<std::int32_t> numbersIn(const std::filesystem::path& path) {
  const std::string bytes = textOf(path).substr(128); // after the header
  std::vector<std::int32_t> numbers(bytes.size() / sizeof(std::int32_t));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(std::int32_t));
  return numbers;
}

} // namespace

TEST_CASE("a view writes each of its forms and refuses the others by name") {
  const View view = GENERATE(View::Mask, View::Reach, View::Timings, View::Encodings);
  const TestFolder folder;
  const Scene scene = windowScene(view);
  for (const DataForm& form : unitOf(view).forms) {
    const auto file = folder / ("data" + std::string(form.ending));
    writeSceneData(scene, {}, file);
    CHECK(std::filesystem::file_size(file) > 0);
  }
  const long written = folder.entries();
  CHECK(written == static_cast<long>(unitOf(view).forms.size()));
  CHECK_THROWS_AS(writeSceneData(scene, {}, folder / "data.txt"), Error);
  if (view != View::Mask)
    CHECK_THROWS_AS(writeSceneData(scene, {}, folder / "other.mtx"), Error);
  CHECK(folder.entries() == written);
}

TEST_CASE("the reach of a Scene is written as its hops and its growth") {
  const TestFolder folder;
  const Scene scene = windowScene(View::Reach);
  writeSceneData(scene, {}, folder / "hops.npy");
  const auto hops = numbersIn(folder / "hops.npy");
  REQUIRE(hops.size() == 36);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 6; ++j)
      CHECK(hops[static_cast<std::size_t>(6 * i + j)] == (j > i ? -1 : (i - j + 1) / 2));
  const std::string growth = "stack,layer,pairs,fraction_full,fraction_causal\n"
                             "Local; window 3; causal,1,15,0.4166666666666667,0.7142857142857143\n"
                             "Local; window 3; causal,2,20,0.5555555555555556,0.9523809523809523\n";
  CHECK(sceneDataText(scene, {}) == growth);
  writeSceneData(scene, {}, folder / "growth.csv");
  CHECK(textOf(folder / "growth.csv") == growth);
}

TEST_CASE("the data of a mask as text are the attended pairs of its first panel") {
  Scene scene = windowScene(View::Mask);
  scene.length.n = 2;
  CHECK(sceneDataText(scene, {}) == "i,j\n0,0\n1,0\n1,1\n");
  scene.mask.panels = {{"", Full{}}, {"", Causal{}}};
  CHECK(sceneDataText(scene, {}) == "i,j\n0,0\n0,1\n1,0\n1,1\n");
}

TEST_CASE("cells of a table are quoted where they would be read as something else") {
  const CsvTable table{{"a", "b"}, {{"1", "x, y"}, {"say \"no\"", "two\nlines"}}};
  CHECK(textOf(table) == "a,b\n1,\"x, y\"\n\"say \"\"no\"\"\",\"two\nlines\"\n");
  CHECK(csvNumber(0.1) == "0.1");
  CHECK(csvNumber(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(csvNumber(std::numeric_limits<double>::quiet_NaN()) == "NaN");
}
