// Which files are masks to somebody who opens them without saying so, and which of their arrays.
#include "core/input/mask_file.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"
#include "tests/core/input/npz_for_tests.h"

using namespace attention;
using namespace attention::test;

namespace {

const std::string kCells = npy("|b1", "(2, 2)", std::string("\1\0\1\1", 4));
const std::string kReals = npy("<f4", "(2, 2)", raw<float>({0.5, 1, 2, 3}));
const std::string kNumbers = npy("<i8", "(2,)", raw<std::int64_t>({0, 1}));

using Members = std::vector<std::pair<std::string, std::string>>;

bool isMaskOf(const Members& members) {
  const std::string bytes = npzOf(members);
  return isMask(parseNpz(bytesOf(bytes), "m.npz"));
}

} // namespace

TEST_CASE("a mask beside arrays that are no queries is a mask, as commands read it", "[mask]") {
  for (const char* beside : {"other", "x", "layers", "k", "labels", "layer"}) {
    const Members members{{"mask.npy", kCells}, {std::string(beside) + ".npy", kNumbers}};
    INFO(beside);
    CHECK(isMaskOf(members));
    const std::string bytes = npzOf(members);
    CHECK(maskOf(parseNpz(bytesOf(bytes), "m.npz")).pairs() == 3);
  }
  for (const char* beside : {"q", "qk", "layer.0.q", "layers.3.q", "attention"})
    CHECK_FALSE(isMaskOf({{"mask.npy", kCells}, {std::string(beside) + ".npy", kReals}}));
  CHECK_FALSE(isMaskOf({{"mask.npy", kCells}, {"x.npy", kReals}, {"wq.npy", kReals}}));
}

TEST_CASE("the only array is a mask by its name or its numbers", "[mask]") {
  CHECK(isMaskOf({{"arr_0.npy", kCells}}));
  CHECK(isMaskOf({{"mask.npy", kReals}})); // whose numbers are then refused
  CHECK_FALSE(isMaskOf({{"arr_0.npy", kReals}}));
  CHECK_FALSE(isMaskOf({{"a.npy", kCells}, {"b.npy", kCells}}));
  const TemporaryFolder folder;
  CHECK(isMaskFile(folder.write("a.npy", kCells)));
  CHECK_FALSE(isMaskFile(folder.write("b.npy", kReals)));
  CHECK(isMaskFile(folder.write("a.csv", "i,j\n0,0\n")));
  CHECK(isMaskFile(folder.write("b.csv", "1,0,0,0\n1,1,0,0\n1,1,1,0\n1,1,1,1\n")));
  CHECK_FALSE(isMaskFile(folder.write("c.csv", "q0,k0\n0,0\n")));
  CHECK(isMaskFile(folder.write("a.mtx", "%%MatrixMarket")));
  CHECK_FALSE(isMaskFile(folder.write("a.txt", "0,1\n")));
}

TEST_CASE("a tokenizer's padding is no mask of queries and keys", "[mask]") {
  const std::string padding = npy("<i8", "(1, 3)", raw<std::int64_t>({1, 1, 0}));
  const std::string bytes = npzOf({{"attention_mask.npy", padding}, {"input_ids.npy", padding}});
  CHECK(
      errorOf([&] { maskOf(parseNpz(bytesOf(bytes), "m.npz")); }) ==
      "E_SHAPE: m.npz: array \"attention_mask\" has shape (1, 3), as a tokenizer's padding has; it "
      "must be (n, n), or an array \"mask\" of (n_q, n_k)");
  const std::string wide = npzOf({{"mask.npy", padding}});
  CHECK(maskOf(parseNpz(bytesOf(wide), "m.npz")).pairs() == 2);
}
