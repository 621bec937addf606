// Masks from files on the command line: where their lengths come from and which of several is
// meant.
#include "core/input/array_file.h"
#include "core/input/npy_writer.h"
#include "tests/app/cli/run_cli.h"

#include <fstream>

namespace attention::cli {
namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

// Masks of n × n cells in an array of that shape; mask m has the cells j ≤ i - m.
void writeMasks(const std::string& path, const std::vector<Index>& shape, Index n) {
  Index count = 1;
  for (std::size_t axis = 0; axis + 2 < shape.size(); ++axis)
    count *= shape[axis];
  std::vector<float> cells;
  for (Index m = 0; m < count; ++m)
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        cells.push_back(j <= i - m ? 1.0F : 0.0F);
  writeNpy<float>(path, shape, std::span<const float>(cells));
}

// Pairs of mask m.
Index pairsOf(Index n, Index m) {
  return (n - m) * (n - m + 1) / 2;
}

Index pairs(const std::string& line) {
  const Said said = attnx("info " + line + " --json");
  INFO(said.err);
  REQUIRE(said.code == 0);
  return said.json()["pairs"];
}

void writeValues(const std::string& path, std::vector<Index> shape) {
  Index count = 1;
  for (const Index length : shape)
    count *= length;
  std::vector<float> values;
  for (Index k = 0; k < count; ++k)
    values.push_back(static_cast<float>(k * 7919 % 31) / 15.0F - 1.0F);
  writeNpy<float>(path, shape, std::span<const float>(values));
}

Matrix<double> plane(const std::string& path, Index batch, Index head) {
  return slice<double>(readArrays(path).get(""), batch, head);
}

TEST_CASE("The lengths of a mask file are those of the mask", "[cli][mask]") {
  const TemporaryFolder folder;
  writeMasks(folder.file("m.npy"), {8, 8}, 8);
  CHECK(pairs("given --mask " + folder.file("m.npy")) == 36);
  CHECK(pairs("--pattern-json {\"mechanism\":\"given\",\"params\":{\"mask\":\"" +
              folder.file("m.npy") + "\"}}") == 36);
  const Said said = attnx("diff given --mask " + folder.file("m.npy") + " --with causal --json");
  CHECK(said.json()["first_row"] == nullptr);
  CHECK(said.json()["both"] == 36);
  const Said wrong = attnx("info given --n 9 --mask " + folder.file("m.npy"));
  CHECK(wrong.err == "attnx: E_SHAPE: mask is 8 × 8; it must be 9 × 9\n");
  CHECK(attnx("info causal").code == 2);
}

TEST_CASE("Pairs take the smallest square that holds them, or the length of --n", "[cli][mask]") {
  const TemporaryFolder folder;
  write(folder.file("p.csv"), "j,i\n0,2\n1,4\n");
  const Said said =
      attnx("mask given --mask " + folder.file("p.csv") + " -o " + folder.file("o.npy"));
  CHECK(said.code == 0);
  CHECK(said.err == "attnx: note: " + folder.file("p.csv") +
                        " lists pairs; their largest index makes n 5, unless --n says otherwise\n");
  CHECK(attnx("info given --n 64 --mask " + folder.file("p.csv")).err.empty());
  const Tensor mask = readArrays(folder.file("o.npy")).get("");
  CHECK(mask.shape == std::vector<Index>{5, 5});
  CHECK(number(mask, 2 * 5 + 0) == 1);
  CHECK(number(mask, 4 * 5 + 1) == 1);
  CHECK(pairs("given --n 64 --mask " + folder.file("p.csv")) == 2);
}

TEST_CASE("A mask that is not square needs no alignment", "[cli][mask]") {
  const TemporaryFolder folder;
  std::vector<float> cells(3 * 7, 1.0F);
  const std::vector<Index> shape{3, 7};
  writeNpy<float>(folder.file("wide.npy"), shape, std::span<const float>(cells));
  CHECK(pairs("given --mask " + folder.file("wide.npy")) == 21);
  const std::vector<Index> tall{7, 3};
  writeNpy<float>(folder.file("tall.npy"), tall, std::span<const float>(cells));
  CHECK(pairs("given --mask " + folder.file("tall.npy")) == 21);
  const Said beside = attnx("diff given --mask " + folder.file("wide.npy") + " --with causal");
  CHECK(beside.err.find("different lengths need --align") != std::string::npos);
  const Said two = attnx("diff given --mask " + folder.file("wide.npy") + " --with given --mask " +
                         folder.file("tall.npy"));
  CHECK(two.err.find("their shapes must be equal") != std::string::npos);
}

TEST_CASE("One of several masks is chosen by layer and head", "[cli][mask]") {
  const TemporaryFolder folder;
  const std::string both = folder.file("both.npy");
  writeMasks(both, {2, 3, 8, 8}, 8);
  CHECK(pairs("given --mask " + both) == pairsOf(8, 0));
  CHECK(pairs("given --batch 1 --head-index 2 --mask " + both) == pairsOf(8, 5));
  CHECK(pairs("given --mask " + both + "[batch=1,head=1]") == pairsOf(8, 4));
  CHECK(pairs("given --head-index 2 --mask " + both + "[batch=1]") == pairsOf(8, 5));
  CHECK(pairs("given --head-index 1 --mask " + both + "[layer=1,head=1]") == pairsOf(8, 4));
  const Said none = attnx("info given --head-index 3 --mask " + both);
  CHECK(none.code == 2);
  CHECK(none.err.find("E_RANGE: head-index is 3; it must be 0 to 2") != std::string::npos);
  writeMasks(folder.file("heads.npy"), {3, 8, 8}, 8);
  CHECK(pairs("given --head-index 2 --mask " + folder.file("heads.npy")) == pairsOf(8, 2));
  CHECK(pairs("given --batch 2 --mask " + folder.file("heads.npy")) == pairsOf(8, 2));
  CHECK(attnx("info given --mask " + folder.file("heads.npy")).err ==
        "attnx: note: " + folder.file("heads.npy") +
            " offers a choice of 3 masks, one per head; the first is read. Name another as " +
            folder.file("heads.npy") + "[head=H]\n");
  // Without a mask file they choose from an input.
  const Said without = attnx("info causal --n 8 --head-index 1");
  CHECK(without.code == 2);
  CHECK(without.err == "attnx: E_UNKNOWN: head-index is given, but causal does not read an input; "
                       "leave it out, or add --measure\n");
}

TEST_CASE("The name of a mask and the flags that choose one must agree", "[cli][mask]") {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& mask, const std::string& flags) {
    return attnx("info given --mask " + folder.file(mask) + flags).err;
  };
  const auto named = [&](const std::string& mask) {
    return "attnx: E_RANGE: " + folder.file(mask);
  };
  writeMasks(folder.file("both.npy"), {2, 3, 8, 8}, 8);
  writeMasks(folder.file("heads.npy"), {3, 8, 8}, 8);
  writeMasks(folder.file("one.npy"), {8, 8}, 8);
  CHECK(said("both.npy[head=1]", " --head-index 2") ==
        "attnx: E_TYPE: head-index is 2, but " + folder.file("both.npy") +
            "[head=1] names another mask; one of the two must be left out\n");
  CHECK(
      said("heads.npy[batch=1]", " --head-index 0").starts_with("attnx: E_TYPE: head-index is 0"));
  CHECK(said("both.npy[layer=9]", "") ==
        named("both.npy[layer=9] names layer 9; it must be 0 to 1\n"));
  CHECK(said("both.npy[head=1,head=2]", "").find("E_IO: ") != std::string::npos);
  CHECK(said("both.npy[head=99]", "") ==
        named("both.npy[head=99] names head 99; it must be 0 to 2\n"));
  CHECK(said("one.npy[layer=1]", "") ==
        named("one.npy[layer=1] names layer 1, but the file has only one layer\n"));
  CHECK(said("one.npy", " --head-index 5") ==
        "attnx: E_RANGE: head-index is 5; it must be 0, since " + folder.file("one.npy") +
            " has only one head\n");
  CHECK(said("one.npy", " --head-index 0").empty());
  // An axis of length 1 is the same to a name and to a flag.
  writeMasks(folder.file("layers.npy"), {2, 1, 8, 8}, 8);
  CHECK(said("layers.npy[head=1]", "") ==
        named("layers.npy[head=1] names head 1, but the file has only one head\n"));
  CHECK(said("layers.npy", " --head-index 1")
            .starts_with("attnx: E_RANGE: head-index is 1; it must be 0"));
}

TEST_CASE("A single axis of masks is named as layers, as heads or as both", "[cli][mask]") {
  const TemporaryFolder folder;
  const std::string heads = folder.file("heads.npy");
  for (const std::vector<Index>& shape : {std::vector<Index>{3, 8, 8}, {1, 3, 8, 8}}) {
    writeMasks(heads, shape, 8);
    for (const char* choice : {"[batch=1]", "[head=1]", "[batch=1,head=1]", "[batch=0,head=1]",
                               " --batch 1", " --head-index 1", " --batch 1 --head-index 1",
                               "[batch=1] --head-index 1", "[head=1] --batch 1"})
      CHECK(pairs("given --mask " + heads + choice) == pairsOf(8, 1));
    for (const char* choice :
         {"[batch=3]", "[head=3]", "[batch=1,head=2]", "[batch=2,head=3]", " --batch 3",
          " --batch 1 --head-index 2", "[batch=1] --head-index 0", "[head=1] --batch 2",
          "[batch=1] --batch 2"}) {
      INFO(choice);
      CHECK(attnx("info given --mask " + heads + choice).code == 2);
    }
  }
  CHECK(attnx("info given --mask " + heads + "[batch=3]").err ==
        "attnx: E_RANGE: " + heads + "[batch=3] names layer 3; it must be 0 to 2\n");
}

TEST_CASE("Of several masks one must take what a flag chooses", "[cli][mask]") {
  const TemporaryFolder folder;
  writeMasks(folder.file("both.npy"), {2, 3, 8, 8}, 8);
  writeMasks(folder.file("heads.npy"), {3, 8, 8}, 8);
  writeMasks(folder.file("one.npy"), {8, 8}, 8);
  const auto diff = [&](const std::string& first, const std::string& second) {
    return attnx("diff given --mask " + folder.file(first) + " --with given --mask " +
                 folder.file(second) + " --json");
  };
  const Said open = diff("both.npy[head=1]", "both.npy --head-index 2");
  REQUIRE(open.code == 0);
  CHECK(open.json()["only_first"] == 7); // heads 1 and 2 differ by a diagonal
  CHECK(open.json()["only_second"] == 0);
  CHECK(diff("one.npy", "heads.npy --head-index 2").json()["both"] == pairsOf(8, 2));
  CHECK(diff("heads.npy[head=0]", "both.npy --batch 1 --head-index 1").json()["both"] ==
        pairsOf(8, 4));
  CHECK(diff("both.npy[head=1]", "both.npy[head=0] --head-index 2")
            .err.starts_with("attnx: E_TYPE: head-index is 2, but " + folder.file("both.npy") +
                             "[head=1] names another mask"));
  CHECK(diff("one.npy", "one.npy --head-index 2").err.starts_with("attnx: E_RANGE: head-index"));
}

TEST_CASE("Attention takes the mask of each layer and head", "[cli][mask]") {
  const TemporaryFolder folder;
  for (const char* role : {"q", "k", "v"})
    writeValues(folder.file(std::string(role) + ".npy"), {2, 3, 8, 4});
  const std::string input = " --q " + folder.file("q.npy") + " --k " + folder.file("k.npy") +
                            " --v " + folder.file("v.npy") + " --no-metrics -o ";
  const auto attend = [&](const std::string& pattern, const std::string& name) {
    const Said said = attnx("attend " + pattern + input + folder.file(name));
    INFO(said.err);
    CHECK(said.code == 0);
  };
  writeMasks(folder.file("both.npy"), {2, 3, 8, 8}, 8);
  attend("given --mask " + folder.file("both.npy"), "all.npy");
  for (Index batch = 0; batch < 2; ++batch)
    for (Index head = 0; head < 3; ++head) {
      const std::string choice =
          "[batch=" + std::to_string(batch) + ",head=" + std::to_string(head) + "]";
      attend("given --mask " + folder.file("both.npy") + choice, "one.npy");
      CHECK(plane(folder.file("all.npy"), batch, head) ==
            plane(folder.file("one.npy"), batch, head));
    }
  // One mask per head, the same in all layers; and one per layer.
  writeMasks(folder.file("heads.npy"), {3, 8, 8}, 8);
  attend("given --mask " + folder.file("heads.npy"), "heads-out.npy");
  attend("given --mask " + folder.file("heads.npy") + "[head=2]", "two.npy");
  CHECK(plane(folder.file("heads-out.npy"), 1, 2) == plane(folder.file("two.npy"), 1, 2));
  writeMasks(folder.file("layers.npy"), {2, 8, 8}, 8);
  attend("given --mask " + folder.file("layers.npy"), "layers-out.npy");
  attend("given --mask " + folder.file("layers.npy") + "[batch=1]", "second.npy");
  CHECK(plane(folder.file("layers-out.npy"), 1, 2) == plane(folder.file("second.npy"), 1, 2));
  CHECK_FALSE(plane(folder.file("layers-out.npy"), 0, 2) == plane(folder.file("second.npy"), 0, 2));
  attend("given --batch 1 --head-index 2 --mask " + folder.file("layers.npy"), "own.npy");
  CHECK(plane(folder.file("own.npy"), 0, 0) == plane(folder.file("second.npy"), 1, 2));
  writeMasks(folder.file("five.npy"), {5, 8, 8}, 8);
  const Said wrong =
      attnx("attend given --mask " + folder.file("five.npy") + input + folder.file("x.npy"));
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("five.npy has 1 × 5 masks; it must have one, or as many as layers (2) and "
                       "heads (3) of the input") != std::string::npos);
}

TEST_CASE("Commands that use one mask for all heads ask which one is meant", "[cli][mask]") {
  const TemporaryFolder folder;
  writeValues(folder.file("x.npy"), {3, 8, 4});
  writeMasks(folder.file("heads.npy"), {3, 8, 8}, 8);
  const std::string line = "compare given --mask " + folder.file("heads.npy") + " --qk " +
                           folder.file("x.npy") + " --v " + folder.file("x.npy") + " --json";
  const Said all = attnx(line);
  CHECK(all.code == 2);
  CHECK(all.err.find("must be chosen by --batch and --head-index") != std::string::npos);
  const Said one = attnx(line + " --head-index 2");
  REQUIRE(one.code == 0);
  CHECK(one.json()["rows"][0]["pairs"] == pairsOf(8, 2));
}

TEST_CASE("Each head shows its own mask of a file with one per head", "[cli][mask]") {
  const TemporaryFolder folder;
  writeMasks(folder.file("heads.npy"), {3, 8, 8}, 8);
  const std::string given = " given --mask " + folder.file("heads.npy");
  const auto json = attnx("info" + given + " --heads 3 --json").json();
  REQUIRE(json["heads"].size() == 3);
  for (Index head = 0; head < 3; ++head)
    CHECK(json["heads"][static_cast<std::size_t>(head)]["pairs"] == pairsOf(8, head));
  const std::string out = folder.file("o.npy");
  REQUIRE(attnx("mask" + given + " --heads 3 -o " + out).code == 0);
  const Tensor masks = readArrays(out).get("");
  REQUIRE(masks.shape == std::vector<Index>{3, 8, 8});
  for (Index at = 0; at < 3 * 64; ++at)
    CHECK(number(masks, at) == (at % 8 <= at / 8 % 8 - at / 64 ? 1 : 0));
  CHECK(attnx("mask" + given + " --heads 3 -o " + folder.file("o.svg")).code == 0);
  const Said more = attnx("info" + given + " --heads 4 --json");
  CHECK(more.code == 2);
  CHECK(more.err == "attnx: E_RANGE: heads is 4; it must be at most 3, since " +
                        folder.file("heads.npy") + " has masks of 3 heads\n");
  const std::string third = folder.file("heads.npy") + "[head=2]";
  CHECK(attnx("info given --heads 2 --mask " + third).err ==
        "attnx: E_TYPE: heads is 2, but " + third +
            " chooses the mask of one head; one of the two must be left out\n");
  CHECK(attnx("info" + given + " --heads 2 --head-index 1")
            .err.starts_with("attnx: E_TYPE: heads is 2, but head-index chooses"));
  CHECK(attnx("info" + given + " --heads 2 --batch 1")
            .err.starts_with("attnx: E_TYPE: heads is 2, but batch chooses"));
  // A single head takes whichever mask is chosen.
  for (const char* one : {" --heads 1", " --head-mode merged"})
    for (const char* choice : {"[head=2]", "[batch=2]", " --head-index 2", " --batch 2"}) {
      const Said chosen = attnx("mask" + given + choice + one + " -o " + folder.file("o.csv"));
      CHECK(chosen.err.empty());
      CHECK(pairs("given --n 8 --mask " + folder.file("o.csv")) == pairsOf(8, 2));
    }
  CHECK(attnx("info" + given + " --heads 2").err ==
        "attnx: note: " + folder.file("heads.npy") +
            " has masks of 3 heads; those of the first 2 are read\n");
  // If there is one mask, all heads have it.
  writeMasks(folder.file("one.npy"), {8, 8}, 8);
  const auto same =
      attnx("info given --mask " + folder.file("one.npy") + " --heads 2 --json").json();
  CHECK(same["heads"][0]["pairs"] == 36);
  CHECK(same["heads"][1]["pairs"] == 36);
}

TEST_CASE("A note says which of several masks is read, and that one is empty", "[cli][mask]") {
  const TemporaryFolder folder;
  writeMasks(folder.file("m.npy"), {2, 3, 4, 4}, 4);
  const std::string given = "given --mask " + folder.file("m.npy");
  const std::string note = "attnx: note: " + folder.file("m.npy") +
                           " offers a choice of 6 masks; the first is read. Name another as " +
                           folder.file("m.npy") + "[batch=B,head=H]\n";
  for (const std::string& command :
       {"info " + given, "why " + given + " --at 0,0",
        "mask " + given + " -o " + folder.file("o.npy"), "reach " + given + " --layers 2"}) {
    INFO(command);
    CHECK(attnx(command).err == note);
    CHECK(attnx(command + " --batch 1 --head-index 2").err.find("masks") == std::string::npos);
    CHECK(attnx(command + " --batch 1").err.find("a choice of 3 masks") != std::string::npos);
  }
  CHECK(attnx("mask " + given + " --heads 3 -o " + folder.file("o.npy")).err ==
        "attnx: note: " + folder.file("m.npy") +
            " has masks of 2 layers; those of the first are read. Name others as " +
            folder.file("m.npy") + "[batch=B]\n");
  CHECK(attnx("time " + given + " --n 4 --heads 2 --json").err.find("a choice of 6 masks") !=
        std::string::npos);                        // there heads are the model's heads
  writeValues(folder.file("q.npy"), {2, 3, 4, 2}); // an input has its own choice
  CHECK(attnx("attend " + given + " --qk " + folder.file("q.npy") + " --v " + folder.file("q.npy") +
              " -o " + folder.file("o.npy"))
            .err.find("masks") == std::string::npos);
  writeMasks(folder.file("two.npy"), {2, 4, 4}, 4); // one per layer or one per head
  writeValues(folder.file("even.npy"), {2, 2, 4, 2});
  const auto notedWith = [&](const std::string& input) {
    return attnx("attend given --mask " + folder.file("two.npy") + " --qk " + folder.file(input) +
                 " --v " + folder.file(input) + " -o " + folder.file("o.npy"))
        .err;
  };
  CHECK(notedWith("even.npy").find("there is one mask per head. An array of shape [2, 1, n, n]") !=
        std::string::npos);
  CHECK(notedWith("q.npy").find("mask per head") == std::string::npos);
  writeNpy<float>(folder.file("zeros.npy"), std::vector<Index>{2, 2},
                  std::span<const float>(std::vector<float>(4)));
  CHECK(attnx("info given --mask " + folder.file("zeros.npy")).err ==
        "attnx: note: in " + folder.file("zeros.npy") +
            " no query sees a key; an array of zeros is read as cells of 0 and 1, not as an "
            "additive mask\n");
  write(folder.file("none.mtx"), "%%MatrixMarket matrix coordinate pattern general\n4 4 0\n");
  CHECK(attnx("attend given --mask " + folder.file("none.mtx") + " --random gaussian --n 4 --json")
            .err == "attnx: note: in " + folder.file("none.mtx") + " no query sees a key\n");
}

TEST_CASE("What a mask might be instead is noted", "[cli][mask]") {
  const TemporaryFolder folder;
  writeNpy<float>(folder.file("pad.npy"), std::vector<Index>{2, 4},
                  std::span<const float>(std::vector<float>(8, 1)));
  CHECK(attnx("info given --mask " + folder.file("pad.npy")).err ==
        "attnx: note: " + folder.file("pad.npy") +
            " is read as 2 queries and 4 keys; if it is a padding mask (batch, n), it does not say "
            "which query sees which key\n");
  const std::string sized = "info given --n-q 2 --n-k 4 --align top-left --mask ";
  CHECK(attnx(sized + folder.file("pad.npy")).err.empty());
  CHECK(attnx("info strided --n 32 --n-q 16 --n-k 16").err ==
        "attnx: E_TYPE: n is 32, but n-k is 16; one of the two must be left out\n");
  write(folder.file("pairs.csv"), "i,j\n1,1\n2,1\n");
  CHECK(attnx("info given --n 4 --mask " + folder.file("pairs.csv")).err ==
        "attnx: note: in " + folder.file("pairs.csv") +
            " no index is 0; indices count from 0, so if these count from 1, subtract 1\n");
  CHECK(attnx("info given --n 2 --mask [[0,1],[1,0]]").err ==
        "attnx: note: the mask's two lists are read as rows of 0 and 1; pairs must be written "
        "{\"shape\": [2, 2], \"pairs\": …}\n");
  CHECK(attnx("info given --n 3 --mask [[0,0],[1,0],[1,1]]").err.empty()); // can be only pairs
  const auto rows =
      attnx("info given --mask [[true,false,true],[false,true,true],[true,true,true]]");
  CHECK(rows.code == 0); // rows tell n
  CHECK(rows.err.empty());
}

TEST_CASE("A mask without a name is refused", "[cli][mask]") {
  for (const char* line :
       {"info given --n 4 --mask=", "info given --n 4 --mask @",
        "info --n 4 --pattern-json {\"mechanism\":\"given\",\"params\":{\"mask\":\"\"}}"}) {
    INFO(line);
    CHECK(attnx(line).err == "attnx: E_TYPE: mask is \"\"; it must be a file, rows of 0 and 1, "
                             "pairs [i, j], or {\"shape\", \"pairs\"}\n");
  }
}

} // namespace
} // namespace attention::cli
