// What files are opened as: masks, the three files of an input, layouts of axes, and what is said.
#include "app/gui/files/opening.h"
#include "core/input/input_files.h"
#include "tests/app/gui/shell_window.h"
#include "tests/core/input/npz_for_tests.h"

#include "core/support/error.h"

#include <limits>

namespace attention::gui {
namespace {

namespace fs = std::filesystem;

void drop(TestWindow& window, const fs::path& file) {
  window.play("drop " + quoted(file) + "\nframes 3\nwait\n");
}

template <class T>
std::string values(const std::vector<Index>& shape, const std::function<T(Index)>& value) {
  Index count = 1;
  for (const Index length : shape)
    count *= length;
  std::vector<T> all;
  for (Index k = 0; k < count; ++k)
    all.push_back(value(k));
  return test::raw(all);
}

void writeFloats(const fs::path& file, const std::vector<Index>& shape,
                 const std::function<float(Index)>& value) {
  Index count = 1;
  for (const Index length : shape)
    count *= length;
  std::vector<float> all;
  for (Index k = 0; k < count; ++k)
    all.push_back(value(k));
  writeNpy<float>(file, shape, std::span<const float>(all));
}

float drawn(Index k) {
  return static_cast<float>(k * 7919 % 31) / 15.0F - 1.0F;
}

bool isGiven(const TestWindow& window) {
  return description(window.scene().pattern).name == "given";
}

const FileInput& filesOf(const TestWindow& window) {
  REQUIRE(std::holds_alternative<FileInput>(window.scene().input.source));
  return std::get<FileInput>(window.scene().input.source);
}

TEST_CASE("Arrays that are masks are opened as masks", "[shell][mask]") {
  const TemporaryFolder folder;
  const auto causal = [](Index k) { return k % 8 <= k / 8 % 8; };
  writeFloats(folder / "float.npy", {8, 8}, [&](Index k) { return causal(k) ? 1.0F : 0.0F; });
  const float forbidden = -std::numeric_limits<float>::infinity();
  writeFloats(folder / "add.npy", {1, 1, 8, 8},
              [&](Index k) { return causal(k) ? 0.0F : forbidden; });
  const std::string integers =
      values<std::int64_t>({8, 8}, [&](Index k) { return causal(k) ? 1 : 0; });
  writeText(folder / "int64.npy", test::npy("<i8", "(8, 8)", integers));
  writeText(folder / "one.npz", test::npzOf({{"arr_0.npy", test::npy("<i8", "(8, 8)", integers)}}));
  std::string rows;
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 8; ++j)
      rows += std::string(j <= i ? "1" : "0") + (j == 7 ? "\n" : ",");
  writeText(folder / "dense.csv", rows);
  for (const char* name : {"float.npy", "add.npy", "int64.npy", "one.npz", "dense.csv"}) {
    INFO(name);
    TestWindow window;
    drop(window, folder / name);
    CHECK(isGiven(window));
    REQUIRE(window.results().counts);
    CHECK(window.results().counts->rows.pairs == 36);
    CHECK(window.results().lengths.keys == 8);
    CHECK_FALSE(window.results().input);
  }
}

TEST_CASE("A square array whose rows may be weights is read as such, another one as Q, K, V",
          "[shell]") {
  const TemporaryFolder folder;
  writeFloats(folder / "weights.npy", {8, 8}, [](Index) { return 0.125F; });
  TestWindow window;
  drop(window, folder / "weights.npy");
  CHECK_FALSE(isGiven(window));
  CHECK(filesOf(window).attention == (folder / "weights.npy").string());
  CHECK(window.says("weights.npy was read as attention weights: it is square, nothing in it is "
                    "negative, and no row sums to more than 1."));
  writeFloats(folder / "square.npy", {8, 8}, drawn);
  drop(window, folder / "square.npy");
  CHECK(filesOf(window).qk == (folder / "square.npy").string());
  CHECK(filesOf(window).attention.empty());
  CHECK(window.says("One array is used for all three of Q, K and V."));
  CHECK_FALSE(window.says("must not be negative"));
  CHECK_FALSE(window.says("read as attention weights"));
  writeFloats(folder / "x.npy", {12, 4}, drawn);
  drop(window, folder / "x.npy");
  CHECK(filesOf(window).qk == (folder / "x.npy").string());
  CHECK(window.says("One array is used for all three of Q, K and V."));
}

TEST_CASE("A file of queries is opened together with the keys and values beside it", "[shell]") {
  const TemporaryFolder folder;
  for (const char* role : {"q", "k", "v"})
    writeFloats(folder / (std::string(role) + ".npy"), {12, 4}, drawn);
  const char* opened = GENERATE("q.npy", "k.npy", "v.npy");
  TestWindow window;
  drop(window, folder / opened);
  CHECK(filesOf(window).q == (folder / "q.npy").string());
  CHECK(filesOf(window).k == (folder / "k.npy").string());
  CHECK(filesOf(window).v == (folder / "v.npy").string());
  CHECK_FALSE(window.says("One array is taken"));
  CHECK(window.results().lengths.keys == 12);
}

TEST_CASE("A file opens at its first layer and head, and the next one where that was", "[shell]") {
  const TemporaryFolder folder;
  for (const char* name : {"one.npy", "two.npy"})
    writeFloats(folder / name, {3, 4, 8, 2}, drawn);
  Scene scene = aliceScene(); // the sample at layer 2, head 3
  scene.input.source = AssetInput{"minilm_alice"};
  scene.input.batch = 2;
  scene.input.head = 3;
  TestWindow window(scene);
  drop(window, folder / "one.npy");
  CHECK(window.scene().input.batch == 0);
  CHECK(window.scene().input.head == 0);
  window.bench().document.apply({"head", [](Scene& s) { s.input.batch = 1, s.input.head = 2; }});
  drop(window, folder / "two.npy");
  CHECK(window.scene().input.batch == 1);
  CHECK(window.scene().input.head == 2);
}

TEST_CASE("The roles of files are in their names", "[shell]") {
  const TemporaryFolder folder;
  const auto touch = [&](const std::string& name) { writeText(folder / name, "1,2\n"); };
  for (const char* name : {"layer3_q.npy", "layer3_k.npy", "layer3_v.npy", "Query.csv", "Key.csv",
                           "q-head0.npy", "k-head0.npy", "mask.npy", "masv.npy"})
    touch(name);
  const auto siblings = [&](const std::string& name) { return withSiblings(folder / name); };
  REQUIRE(siblings("layer3_v.npy"));
  CHECK(siblings("layer3_v.npy")->q == (folder / "layer3_q.npy").string());
  REQUIRE(siblings("Key.csv"));
  CHECK(siblings("Key.csv")->q == (folder / "Query.csv").string());
  CHECK(siblings("Key.csv")->v.empty());
  REQUIRE(siblings("k-head0.npy"));
  CHECK(siblings("k-head0.npy")->q == (folder / "q-head0.npy").string());
  CHECK_FALSE(siblings("mask.npy")); // a word that only ends in k
  fs::remove(folder / "layer3_k.npy");
  CHECK_FALSE(siblings("layer3_q.npy"));
  const auto together = [&](const std::vector<std::string>& names) {
    std::vector<fs::path> files;
    for (const std::string& name : names)
      files.push_back(folder / name);
    return asRoles(files);
  };
  REQUIRE(together({"myq.npy", "myv.npy", "myk.npy"}));
  CHECK(together({"myq.npy", "myv.npy", "myk.npy"})->k == (folder / "myk.npy").string());
  CHECK(together({"values.npz", "keys.npz", "queries.npz"})->v == (folder / "values.npz").string());
  CHECK(together({"q.npy", "k.npy"}));
  CHECK_FALSE(together({"q.npy", "v.npy"}));
  CHECK_FALSE(together({"q.npy", "q2_q.npy", "k.npy"}));
  CHECK_FALSE(together({"q.npy", "k.npy", "notes.npy"}));
}

TEST_CASE("The dialog opens several files picked with Ctrl+click", "[shell]") {
  const TemporaryFolder folder;
  for (const char* role : {"a_q", "b_k", "c_v"})
    writeFloats(folder / (std::string(role) + ".npy"), {12, 4}, drawn);
  UiState habits;
  habits.folder = folder.path().string();
  TestWindow window(smallScene(), {}, habits);
  window.play("key Ctrl+O\nframes 3\nclick \"files/a_q.npy\"\nctrl-click \"files/b_k.npy\"\n"
              "ctrl-click \"files/c_v.npy\"\nframes 2\n");
  CHECK(window.says("3 files will be opened together"));
  window.play("ctrl-click \"files/c_v.npy\"\nframes 2\n");
  CHECK(window.says("2 files will be opened together"));
  window.play(
      "ctrl-click \"files/c_v.npy\"\nframes 2\nclick \"File dialog/Open\"\nframes 3\nwait\n");
  CHECK(filesOf(window).q == (folder / "a_q.npy").string());
  CHECK(filesOf(window).v == (folder / "c_v.npy").string());
  // A plain click picks one file again.
  window.play("key Ctrl+O\nframes 3\nclick \"files/a_q.npy\"\nctrl-click \"files/b_k.npy\"\n"
              "click \"files/c_v.npy\"\nframes 2\n");
  CHECK_FALSE(window.says("files are opened together"));
}

TEST_CASE("Heads that outnumber tokens give a note, and the order of axes is a choice",
          "[shell][layout]") {
  const TemporaryFolder folder;
  for (const char* role : {"q", "k", "v"})
    writeFloats(folder / (std::string(role) + ".npy"), {1, 24, 3, 4}, drawn);
  TestWindow window;
  drop(window, folder / "q.npy");
  CHECK(window.results().lengths.keys == 3);
  CHECK(window.says("24 heads of 3 tokens were read; with the axes “tokens, heads”, chosen below, "
                    "there are 3 heads of 24 tokens."));
  CHECK_FALSE(window.says("--input-layout"));
  window.play("click \"Input/axes/tokens, heads\"\nframes 3\nwait\n");
  CHECK(filesOf(window).layout == "bnhd");
  CHECK(window.results().lengths.keys == 24);
  REQUIRE(window.results().input);
  CHECK(window.results().input->heads == 3);
  CHECK_FALSE(window.says("tokens were read"));
  window.play("click \"Input/axes/heads, tokens\"\nframes 3\nwait\n");
  CHECK(window.results().lengths.keys == 3);
}

TEST_CASE("Of several masks in a file the one of the chosen head is shown", "[shell][mask]") {
  const TemporaryFolder folder;
  for (const char* role : {"q", "k", "v"})
    writeFloats(folder / (std::string(role) + ".npy"), {3, 8, 4}, drawn);
  writeFloats(folder / "heads.npy", {3, 8, 8},
              [](Index k) { return k % 8 <= k / 8 % 8 - k / 64 ? 1.0F : 0.0F; });
  TestWindow window;
  drop(window, folder / "q.npy");
  window.play("click \"model head/2\"\nframes 3\nwait\n");
  drop(window, folder / "heads.npy");
  REQUIRE(isGiven(window));
  REQUIRE(window.results().counts);
  CHECK(window.results().counts->rows.pairs == 21);
  window.play("click \"model head/1\"\nframes 3\nwait\n");
  CHECK(window.results().counts->rows.pairs == 28);
  CHECK(window.says("heads.npy, head 1"));
  window.play("key Ctrl+Z\nframes 3\nwait\n");
  CHECK(window.results().counts->rows.pairs == 21);
  // Side by side all are shown, each its own.
  window.play("click \"View options/heads\"\nframes 3\nwait\n");
  CHECK(window.scene().mask.heads.heads == 3);
  const auto& tiles = window.results().masks->tiles;
  REQUIRE(tiles.size() == 3);
  CHECK(tiles[0].prepared->pairs() == 36);
  CHECK(tiles[1].prepared->pairs() == 28);
  CHECK(tiles[2].prepared->pairs() == 21);
  CHECK_FALSE(window.says("All heads are the same"));
}

TEST_CASE("A mask beside another array opens as commands read it", "[shell][mask]") {
  const TemporaryFolder folder;
  const std::string cells = values<std::uint8_t>({6, 6}, [](Index k) { return k % 6 <= k / 6; });
  const std::string numbers = values<float>({6}, drawn);
  for (const char* beside : {"x", "layers", "weights"}) {
    INFO(beside);
    writeText(folder / "m.npz",
              test::npzOf({{"mask.npy", test::npy("|u1", "(6, 6)", cells)},
                           {std::string(beside) + ".npy", test::npy("<f4", "(6,)", numbers)}}));
    TestWindow window;
    drop(window, folder / "m.npz");
    REQUIRE(isGiven(window));
    REQUIRE(window.results().counts);
    CHECK(window.results().counts->rows.pairs == 21);
    CHECK(window.results().lengths.keys == 6);
  }
}

TEST_CASE("Pairs of another number of tokens close the sample, and n comes from them",
          "[shell][mask]") {
  const TemporaryFolder folder;
  writeText(folder / "few.csv", "i,j\n0,0\n3,1\n");
  writeText(folder / "many.csv", "i,j\n0,0\n300,1\n");
  writeText(folder / "two.csv", "1,0\n1,1\n");
  TestWindow window(aliceScene());
  window.play("wait\n");
  const Pattern before = window.scene().pattern;
  drop(window, folder / "two.csv");
  CHECK(window.scene().pattern == before);
  CHECK(window.says("may be pairs or the rows of a mask"));
  drop(window, folder / "few.csv");
  REQUIRE(isGiven(window));
  CHECK(window.says("The sample was closed: it has 144 tokens, and the mask is of 4. few.csv lists "
                    "pairs, which do not say how many tokens there are: n comes from their largest "
                    "index."));
  CHECK_FALSE(window.results().input);
  REQUIRE(window.results().counts);
  CHECK(window.results().counts->rows.pairs == 2);
  CHECK(window.results().lengths.keys == 4);
  window.play("key Ctrl+Z\nframes 3\nwait\n");
  CHECK(window.results().lengths.keys == 144);
  drop(window, folder / "many.csv");
  CHECK(window.says("The sample was closed: it has 144 tokens, and the mask is of 301."));
  CHECK(window.results().lengths.keys == 301);
  drop(window, folder / "few.csv"); // of fewer tokens than the last ones
  CHECK(window.results().lengths.keys == 4);
  CHECK_FALSE(window.says("The sample was closed"));
}

TEST_CASE("Pairs that the sample's length fits leave it open", "[shell][mask]") {
  const TemporaryFolder folder;
  writeText(folder / "pairs.csv", "j,i\n0,0\n7,143\n");
  TestWindow window(aliceScene());
  drop(window, folder / "pairs.csv");
  REQUIRE(isGiven(window));
  CHECK(window.results().input);
  CHECK(window.results().lengths.keys == 144);
  CHECK_FALSE(window.says("The sample was closed"));
}

TEST_CASE("Pairs beyond the length make it as long as they need", "[shell][mask]") {
  const TemporaryFolder folder;
  writeText(folder / "pairs.csv", "i,j\n2,0\n80,99\n");
  TestWindow window;
  drop(window, folder / "pairs.csv");
  REQUIRE(isGiven(window));
  REQUIRE(window.results().counts);
  CHECK(window.results().counts->rows.pairs == 2);
  CHECK(window.results().lengths.keys == 100);
}

TEST_CASE("A mask of another name beside Q, K and V is said not to be used", "[shell]") {
  const TemporaryFolder folder;
  const std::string zeros = test::npy("<f4", "(6, 2)", values<float>({6, 2}, drawn));
  const std::string ones = values<std::uint8_t>({6, 6}, [](Index) { return 1; });
  writeText(folder / "m.npz", test::npzOf({{"q.npy", zeros},
                                           {"k.npy", zeros},
                                           {"v.npy", zeros},
                                           {"attn_mask.npy", test::npy("|b1", "(6, 6)", ones)}}));
  TestWindow window;
  drop(window, folder / "m.npz");
  CHECK(window.results().input);
  CHECK(window.says("array \"attn_mask\" is not used"));
}

TEST_CASE("A file that only Python reads is called what it is", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "model.pt", std::string("\x80\x02\x8A\x0Al\xFC\x9C", 7) + "F\xF9 j\xA8P\x19.");
  writeText(folder / "a.safetensors",
            "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
  TestWindow window;
  drop(window, folder / "model.pt");
  CHECK(window.says("model.pt is a file of torch.save"));
  drop(window, folder / "a.safetensors");
  CHECK(window.says("a.safetensors is a Git LFS pointer"));
}

} // namespace
} // namespace attention::gui
