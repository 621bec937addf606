// Inputs in the forms that people have: layouts of axes, one array for all three, values left out,
// pointers.
#include "core/input/array_file.h"
#include "core/input/npy_writer.h"
#include "tests/app/cli/run_cli.h"
#include "tests/core/input/npz_for_tests.h"

#include <fstream>

namespace attention::cli {
namespace {

std::vector<float> drawn(Index count, Index seed) {
  std::vector<float> values;
  for (Index k = 0; k < count; ++k)
    values.push_back(static_cast<float>((k * 7919 + seed * 104729) % 97) / 48.0F - 1.0F);
  return values;
}

// [batch, heads, n, d] in `bhnd`, the same numbers as [batch, n, heads, d] in `bnhd`.
struct Arrays {
  static constexpr Index kBatch = 2;
  static constexpr Index kHeads = 5;
  static constexpr Index kTokens = 3;
  static constexpr Index kWidth = 4;
  const TemporaryFolder& folder;

  void write(const std::string& role, Index seed) const {
    const auto values = drawn(kBatch * kHeads * kTokens * kWidth, seed);
    std::vector<float> turned(values.size());
    std::size_t from = 0;
    for (Index b = 0; b < kBatch; ++b)
      for (Index h = 0; h < kHeads; ++h)
        for (Index i = 0; i < kTokens; ++i)
          for (Index c = 0; c < kWidth; ++c)
            turned[static_cast<std::size_t>(((b * kTokens + i) * kHeads + h) * kWidth + c)] =
                values[from++];
    const std::vector<Index> shape{kBatch, kHeads, kTokens, kWidth};
    const std::vector<Index> other{kBatch, kTokens, kHeads, kWidth};
    writeNpy<float>(folder.file(role + "-bhnd.npy"), shape, std::span<const float>(values));
    writeNpy<float>(folder.file(role + "-bnhd.npy"), other, std::span<const float>(turned));
  }

  std::string flags(const std::string& layout) const {
    std::string text;
    for (const std::string role : {"q", "k", "v"})
      text += " --" + role + " " + folder.file(role + "-" + layout + ".npy");
    return text;
  }
};

Tensor arrayOf(const std::string& path) {
  return readArrays(path).get("");
}

TEST_CASE("Arrays with tokens before heads give the same attention in their own order",
          "[cli][layout]") {
  const TemporaryFolder folder;
  const Arrays arrays{folder};
  Index seed = 0;
  for (const char* role : {"q", "k", "v"})
    arrays.write(role, seed++);
  const std::string heads = folder.file("heads.npy");
  const std::string tokens = folder.file("tokens.npy");
  const Said first = attnx("attend causal" + arrays.flags("bhnd") + " -o " + heads);
  REQUIRE(first.code == 0);
  CHECK(first.err == "attnx: note: 5 heads of 3 tokens were read; the layout bnhd (--input-layout "
                     "bnhd) reads 3 heads of 5 tokens.\n");
  const Said second =
      attnx("attend causal --input-layout bnhd" + arrays.flags("bnhd") + " -o " + tokens);
  INFO(second.err);
  REQUIRE(second.code == 0);
  const Tensor a = arrayOf(heads);
  const Tensor b = arrayOf(tokens);
  CHECK(a.shape == std::vector<Index>{2, 5, 3, 4});
  CHECK(b.shape == std::vector<Index>{2, 3, 5, 4});
  for (Index batch = 0; batch < 2; ++batch)
    for (Index h = 0; h < 5; ++h)
      for (Index i = 0; i < 3; ++i)
        for (Index c = 0; c < 4; ++c)
          CHECK(number(a, ((batch * 5 + h) * 3 + i) * 4 + c) ==
                number(b, ((batch * 3 + i) * 5 + h) * 4 + c));
  // One head of the two is the same matrix.
  const Said one = attnx("attend causal --batch 1 --head-index 4 --input-layout bnhd" +
                         arrays.flags("bnhd") + " -o " + tokens);
  REQUIRE(one.code == 0);
  CHECK(slice<double>(arrayOf(tokens)) == slice<double>(a, 1, 4));
}

TEST_CASE("Nothing is said where tokens outnumber heads", "[cli][layout]") {
  const TemporaryFolder folder;
  const std::vector<Index> shape{3, 5, 4};
  writeNpy<float>(folder.file("x.npy"), shape, std::span<const float>(drawn(60, 1)));
  const std::string line = "attend full --qk " + folder.file("x.npy") + " --v " +
                           folder.file("x.npy") + " -o " + folder.file("o.npy");
  CHECK(attnx(line).err.find("heads of") == std::string::npos);
  CHECK(attnx(line + " --input-layout bnhd")
            .err.find("5 heads of 3 tokens were read; the layout "
                      "bhnd") != std::string::npos);
  const Said wrong = attnx(line + " --input-layout nbhd");
  CHECK(wrong.code == 2);
  CHECK(wrong.err == "attnx: E_RANGE: input-layout is nbhd; it must be bhnd or bnhd\n");
  CHECK(attnx("attend full --random gaussian --input-layout bnhd -o o.npy").code == 2);
}

TEST_CASE("Lengths that differ as axes in another order do name that order", "[cli][layout]") {
  const TemporaryFolder folder;
  writeNpy<float>(folder.file("q.npy"), std::vector<Index>{12, 4, 2},
                  std::span<const float>(drawn(96, 1)));
  writeNpy<float>(folder.file("k.npy"), std::vector<Index>{12, 2, 2},
                  std::span<const float>(drawn(48, 2)));
  const std::string line = "heads --q " + folder.file("q.npy") + " --k " + folder.file("k.npy");
  CHECK(attnx(line).err ==
        "attnx: E_SHAPE: the input has 4 queries and 2 keys; different lengths need --align "
        "top-left or bottom-right; 12 heads of 4 tokens were read; --input-layout bnhd reads 4 "
        "heads of 12 tokens\n");
  CHECK(attnx(line + " --input-layout bnhd").code == 0);
}

TEST_CASE("A layer and a head are named as the file numbers them", "[cli]") {
  const TemporaryFolder folder;
  const std::string two = test::npy("<f4", "(2, 3, 1)", std::string(24, '\0'));
  std::ofstream(folder.file("m.npz"), std::ios::binary)
      << test::npzOf({{"layer.5.q.npy", two},
                      {"layer.5.k.npy", two},
                      {"layer.11.q.npy", two},
                      {"layer.11.k.npy", two},
                      {"heads.npy", test::npy("<i8", "(2,)", test::raw<std::int64_t>({4, 7}))}});
  const std::string line = "heads --json --input " + folder.file("m.npz");
  CHECK(attnx(line + " --batch 1 --head-index 1").err ==
        "attnx: note: --batch 1 is layer 11 of the file\n"
        "attnx: note: --head-index 1 is head 7 of the model\n");
  CHECK(attnx(line + " --batch 11").err ==
        "attnx: E_RANGE: batch is 11; it must be 0 to 1, which are layer 5, layer 11\n");
}

TEST_CASE("The number of heads beside a file must be that of the file", "[cli]") {
  const TemporaryFolder folder;
  writeNpy<float>(folder.file("x.npy"), std::vector<Index>{2, 5, 4},
                  std::span<const float>(drawn(40, 1)));
  const std::string line = "heads --input " + folder.file("x.npy");
  CHECK(attnx(line + " --heads 2").code == 0);
  for (const char* heads : {"1", "7"})
    CHECK(attnx(line + " --heads " + heads).err ==
          "attnx: E_RANGE: heads is " + std::string(heads) +
              "; it must be 2, which the input has, or be left out\n");
}

TEST_CASE("A note says that one array is used as Q, K and V", "[cli]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("x.csv")) << "0.5,1\n2,3\n";
  const Said said = attnx("attend full --input " + folder.file("x.csv") + " --json");
  REQUIRE(said.code == 0);
  CHECK(said.err == "attnx: note: One array is used for all three of Q, K and V.\n");
  CHECK(said.json().contains("captured_mass"));
  std::ofstream(folder.file("three.csv")) << "q0,k0,v0\n0.5,1,2\n2,3,1\n";
  CHECK(attnx("attend full --json --input " + folder.file("three.csv")).err.empty());
}

TEST_CASE("A note names weights among the single arrays that are used as Q, K and V", "[cli]") {
  const TemporaryFolder folder;
  const std::vector<float> rows{0.25F, 0.75F, 0.5F, 0.5F};
  writeNpy<float>(folder.file("soft.npy"), std::vector<Index>{2, 2}, std::span<const float>(rows));
  CHECK(attnx("attend full --json --input " + folder.file("soft.npy")).err ==
        "attnx: note: One array is used for all three of Q, K and V. No row sums to more than 1: "
        "if these are attention weights, give --attention.\n");
}

TEST_CASE("Values are asked for only where they are used", "[cli]") {
  const TemporaryFolder folder;
  const std::vector<Index> shape{2, 8, 4};
  writeNpy<float>(folder.file("q.npy"), shape, std::span<const float>(drawn(64, 1)));
  writeNpy<float>(folder.file("k.npy"), shape, std::span<const float>(drawn(64, 2)));
  const std::string input = " --q " + folder.file("q.npy") + " --k " + folder.file("k.npy");
  const Said info = attnx("info topk --p.k 3" + input + " --json");
  INFO(info.err);
  REQUIRE(info.code == 0);
  CHECK(info.json()["pairs"] == 24);
  CHECK(attnx("mask topk --p.k 3" + input + " -o " + folder.file("m.npy")).code == 0);
  CHECK(attnx("info topk --q " + folder.file("q.npy")).err.find("E_TYPE: k is missing") !=
        std::string::npos);
}

TEST_CASE("A Git LFS pointer is a wrong file, and says what to do", "[cli]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("lfs.safetensors"))
      << "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
  const Said said = attnx("attend full --json --input " + folder.file("lfs.safetensors"));
  CHECK(said.code == 2);
  CHECK(said.out.empty());
  CHECK(said.err.find("lfs.safetensors is a Git LFS pointer") != std::string::npos);
}

TEST_CASE("Columns of a CSV input go where their numbers say", "[cli]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("a.csv")) << "q0,q1,k0,k1,v0,v1\n1,2,3,4,5,6\n0,1,1,0,2,3\n";
  std::ofstream(folder.file("b.csv")) << ",v1,k1,q0,v0,k0,q1\n0,6,4,1,5,3,2\n1,3,0,0,2,1,1\n";
  for (const char* name : {"a", "b"})
    REQUIRE(attnx("attend full --input " + folder.file(std::string(name) + ".csv") + " -o " +
                  folder.file(std::string(name) + ".npy"))
                .code == 0);
  CHECK(slice<double>(arrayOf(folder.file("a.npy"))) ==
        slice<double>(arrayOf(folder.file("b.npy"))));
}

TEST_CASE("Tables that are given are matrices; axes of one element are left out", "[cli][input]") {
  const TemporaryFolder folder;
  const auto file = [&](const std::string& name, const std::vector<Index>& shape) {
    Index count = 1;
    for (const Index length : shape)
      count *= length;
    const auto values = drawn(count, 3);
    writeNpy<float>(folder.file(name), shape, std::span<const float>(values));
    return folder.file(name);
  };
  const std::string second = " --json --e2 " + file("e2.npy", {1, 2, 3}); // as in Reformer
  const auto axial = attnx("axial --e1 " + file("e1.npy", {4, 1, 5}) + second).json();
  CHECK(axial["l1"] == 4);
  CHECK(axial["d1"] == 5);
  CHECK(axial["l2"] == 2);
  CHECK(axial["d2"] == 3);
  CHECK(attnx("axial --e1 " + file("one.npy", {1, 1, 5}) + second).json()["l1"] == 1);
  const std::string two = file("two.npy", {2, 4, 5});
  CHECK(attnx("axial --e1 " + two + second).err ==
        "attnx: E_SHAPE: e1 is " + two + " of shape (2, 4, 5); it must be l1 × d1\n");
  const std::string drawnInput = " --random gaussian --n 5 --d 4";
  CHECK(attnx("lowrank --e " + two + drawnInput).err.find("it must be k × n") != std::string::npos);
  CHECK(attnx("kernel --features positive --json --w " + two + drawnInput)
            .err.find("it must be v × d") != std::string::npos);
}

TEST_CASE("Embeddings of several texts are never read as the first of them", "[cli][input]") {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::vector<Index>& shape, Index count) {
    const auto values = drawn(count, 5);
    writeNpy<float>(folder.file(name), shape, std::span<const float>(values));
  };
  write("x.npy", {2, 12, 6}, 144);
  write("one.npy", {1, 12, 6}, 72);
  write("w.npy", {6, 4}, 24);
  const std::string w = folder.file("w.npy");
  const auto said = [&](const std::string& x) {
    return attnx("attend causal --json --wq " + w + " --wk " + w + " --wv " + w + " --x " +
                 folder.file(x));
  };
  CHECK(said("x.npy").err == "attnx: E_SHAPE: " + folder.file("x.npy") +
                                 " has shape (2, 12, 6); it must be [n, d_model], "
                                 "or --batch B must choose one of its 2 items\n");
  CHECK(said("x.npy --batch 1").code == 0);
  CHECK(said("one.npy").code == 0);
}

TEST_CASE("A name of an array is looked up in the file of its role", "[cli][input]") {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name) {
    const auto values = drawn(6, 1);
    writeNpy<float>(folder.file(name), std::vector<Index>{3, 2}, std::span<const float>(values));
  };
  write("a.npy");
  const auto heads = [&](const std::string& flags) { return attnx("heads " + flags).err; };
  const std::string a = folder.file("a.npy");
  const std::string separate = "--q " + a + " --k " + a;
  const auto wrong = [&](const std::string& field, const std::string& file) {
    return "attnx: E_UNKNOWN: " + field + " is \"other\", but " + folder.file(file) +
           " has no such array; its array has no name\n";
  };
  // The usual name says nothing new of an array without one; another is wrong.
  CHECK(attnx("heads --input " + a + " --q-name q --k-name k").code == 0);
  CHECK(heads(separate + " --q-name q --k-name k").empty());
  CHECK(heads("--input " + a + " --k-name other") == wrong("k-name", "a.npy"));
  CHECK(heads(separate + " --k-name other") == wrong("k-name", "a.npy"));
  CHECK(heads(separate + " --v-name v") ==
        "attnx: E_TYPE: v-name names an array of --v, which is not given\n");
  write("q.npy");
  write("k.npy"); // --input q.npy reads it, too
  const std::string beside = "--input " + folder.file("q.npy");
  CHECK(heads(beside + " --k-name k").empty());
  CHECK(heads(beside + " --k-name other") == wrong("k-name", "k.npy"));
  CHECK(heads(beside + " --v-name v").starts_with("attnx: E_TYPE: v-name names an array of --v"));
}

} // namespace
} // namespace attention::cli
