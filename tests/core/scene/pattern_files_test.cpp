#include "core/input/npy_writer.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/given_mask.h"
#include "core/pattern/mechanism/strided.h"
#include "core/scene/pattern_files.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/views/mask/export_mask.h"
#include "core/views/mask/shown_masks.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"

using namespace attention;

namespace {

GivenMask given(const std::string& file) {
  GivenMask mask;
  mask.mask = MaskSource{file, 0, 0, {}, {}};
  return mask;
}

} // namespace

TEST_CASE("a given mask from a file has the cells of the file and keeps its name") {
  const TestFolder folder;
  const std::string ending = GENERATE(".npy", ".mtx", ".csv");
  const auto strided = prepare(Strided{}, squareLengths(9));
  exportMask(strided, folder / ("mask" + ending));
  const Pattern read = resolveFiles(given("mask" + ending), folder / "");
  CHECK(read.as<GivenMask>()->mask->file == "mask" + ending);
  const auto prepared = prepare(read, squareLengths(9));
  for (Index i = 0; i < 9; ++i)
    for (Index j = 0; j < 9; ++j)
      CHECK(prepared->contains(i, j) == strided->contains(i, j));
}

TEST_CASE("masks inside nested compositions are read too") {
  const TestFolder folder;
  exportMask(prepare(Causal{}, squareLengths(6)), folder / "mask.npy");
  const Compose inner(Operation::Complement, {given("mask.npy")});
  const Pattern read = resolveFiles(Compose(Operation::Union, {inner, Strided{}}), folder / "");
  CHECK(prepare(read, squareLengths(6))->contains(0, 5));
}

TEST_CASE("a mask file that is missing or of another size is an error") {
  const TestFolder folder;
  CHECK_THROWS_AS(resolveFiles(given("none.npy"), folder / ""), Error);
  exportMask(prepare(Causal{}, squareLengths(6)), folder / "mask.npy");
  const Pattern read = resolveFiles(given("mask.npy"), folder / "");
  CHECK_THROWS_AS(prepare(read, squareLengths(7)), Error);
}

TEST_CASE("a given mask takes memory for its runs, not for its cells") {
  const TestFolder folder;
  exportMask(prepare(Causal{}, squareLengths(2048)), folder / "mask.npy");
  const Pattern read = resolveFiles(given("mask.npy"), folder / "");
  const MaskSource& mask = *read.as<GivenMask>()->mask;
  CHECK(mask.runs.size() == 2048);
  CHECK(mask.pairs.empty());
  CHECK(prepare(read, squareLengths(2048))->pairs() == triangle(2048));
}

TEST_CASE("the runs of a mask file must lie within the lengths") {
  const TestFolder folder;
  std::ofstream(folder / "mask.csv") << "i,j\n0,1\n9,3\n";
  const Pattern read = resolveFiles(given("mask.csv"), folder / "");
  CHECK(prepare(read, squareLengths(10))->pairs() == 2);
  CHECK_THROWS_AS(prepare(read, squareLengths(9)), Error);
}

TEST_CASE("extensions in capitals name the same formats") {
  const TestFolder folder;
  exportMask(prepare(Causal{}, squareLengths(6)), folder / "mask.npy");
  std::filesystem::rename(folder / "mask.npy", folder / "MASK.NPY");
  CHECK(prepare(resolveFiles(given("MASK.NPY"), folder / ""), squareLengths(6))->pairs() == 21);
}

TEST_CASE("relative names in a scene are those of files beside the scene") {
  const TestFolder folder;
  Scene scene;
  scene.pattern = Compose(Operation::Complement, {given("mask.npy")});
  scene.mask.panels.push_back({"a", given("/else/where.npy")});
  FileInput files;
  files.input = "data/q.npz";
  scene.input.source = files;
  scene.input.tokens = "words.txt";
  writeScene(scene, folder / "scene.json");
  const Scene read = readScene(folder / "scene.json").scene;
  const auto beside = [&](const char* name) { return (folder / name).string(); };
  const auto& inner = read.pattern.as<Compose>()->of.front();
  CHECK(inner.as<GivenMask>()->mask->file == beside("mask.npy"));
  CHECK(read.mask.panels.front().pattern.as<GivenMask>()->mask->file == "/else/where.npy");
  CHECK(std::get<FileInput>(read.input.source).input == beside("data/q.npz"));
  CHECK(std::get<FileInput>(read.input.source).qk.empty());
  CHECK(read.input.tokens == beside("words.txt"));
}

TEST_CASE("matrices in files are read like masks, from beside the scene") {
  const TestFolder folder;
  writeNpy<double>(folder / "c.npy", Matrix<double>(2, 3, {1, 2, 3, 4, 5, 6}));
  Cluster cluster;
  cluster.centroids = MatrixSource{"c.npy", {}, {}};
  const auto centroidsOf = [](const Pattern& pattern) { return *pattern.as<Cluster>()->centroids; };
  const MatrixSource read = centroidsOf(resolveFiles(cluster, folder / ""));
  CHECK(read.file == "c.npy");
  CHECK(read.shape == IndexList{2, 3});
  CHECK(read.values == SharedList<double>{1, 2, 3, 4, 5, 6});
  Scene scene;
  scene.pattern = cluster;
  writeScene(scene, folder / "scene.json");
  CHECK(centroidsOf(readScene(folder / "scene.json").scene.pattern).file ==
        (folder / "c.npy").string());
}

TEST_CASE("patterns without files are not changed") {
  const Pattern pattern = Compose(Operation::Union, {Strided{}, Fixed{}});
  CHECK(resolveFiles(pattern) == pattern);
}

TEST_CASE("each head shows its own mask of a file with one per head") {
  const TestFolder folder;
  std::vector<float> cells; // mask m has the cells j ≤ i − m
  for (Index m = 0; m < 3; ++m)
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 6; ++j)
        cells.push_back(j <= i - m ? 1.0F : 0.0F);
  const std::vector<Index> shape{3, 6, 6};
  writeNpy<float>(folder / "heads.npy", shape, std::span<const float>(cells));
  Scene scene;
  scene.pattern = given((folder / "heads.npy").string() + "[head=1]");
  CHECK(shownMasks(scene, squareLengths(6), nullptr).headsInFile == 3);
  scene.mask.heads.shown = HeadsShown::SideBySide;
  scene.mask.heads.heads = 3;
  const ShownMasks shown = shownMasks(scene, squareLengths(6), nullptr);
  REQUIRE(shown.masks.size() == 3);
  for (Index head = 0; head < 3; ++head) {
    const ShownMask& mask = shown.masks[static_cast<std::size_t>(head)];
    CHECK(mask.title == "head " + std::to_string(head));
    CHECK(mask.prepared->pairs() == triangle(6 - head));
  }
  scene.mask.heads.shown = HeadsShown::Merged;
  const ShownMasks merged = shownMasks(scene, squareLengths(6), nullptr);
  REQUIRE(merged.masks.size() == 1);
  CHECK(merged.masks[0].prepared->pairs() == 21);
  // A mask that is the same for all heads stays one picture.
  scene.pattern = given((folder / "heads.npy").string() + "[batch=2]");
  scene.mask.heads.shown = HeadsShown::SideBySide;
  const ShownMasks same = shownMasks(scene, squareLengths(6), nullptr);
  CHECK(same.headsInFile == 0);
  REQUIRE(same.masks.size() == 1);
  CHECK(same.masks[0].prepared->pairs() == triangle(4));
}

TEST_CASE("a composition is made of masks if all of its operands are") {
  CHECK(isMadeOfMasks(given("a.npy")));
  CHECK_FALSE(isMadeOfMasks(Causal{}));
  const Pattern masks = Compose(Operation::Union, {given("a.npy"), given("b.npy")});
  CHECK(isMadeOfMasks(masks));
  CHECK(isMadeOfMasks(Compose(Operation::Complement, {masks})));
  CHECK_FALSE(isMadeOfMasks(Compose(Operation::Union, {Causal{}, given("a.npy")})));
  CHECK_FALSE(isMadeOfMasks(Compose(Operation::Union, {given("a.npy"), Causal{}})));
}
