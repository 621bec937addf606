#include "core/figure/export_mask.h"
#include "core/pattern/pattern_json.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"

using namespace attention;

namespace {

Given given(const std::string& file) {
  Given mask;
  mask.mask = MaskSource{file, 0, 0, {}};
  return mask;
}

} // namespace

TEST_CASE("a given mask from a file has the cells of the file and keeps its name") {
  const TestFolder folder;
  const std::string ending = GENERATE(".npy", ".mtx", ".csv");
  const auto strided = prepare(Strided{}, squareLengths(9));
  exportMask(strided, folder / ("mask" + ending));
  const Pattern read = resolveFiles(given("mask" + ending), folder / "");
  CHECK(std::get<Given>(read.mechanism).mask->file == "mask" + ending);
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

TEST_CASE("patterns without files stay as they are") {
  const Pattern pattern = Compose(Operation::Union, {Strided{}, Fixed{}});
  CHECK(resolveFiles(pattern) == pattern);
}
