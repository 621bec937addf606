#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "tests/catch.h"
#include "tests/core/input/npz_for_tests.h"

#include <filesystem>

using namespace attention;
using namespace attention::test;

namespace {

const std::vector<float> kValues{1, 2, 3, 4, 5, 6};

std::string array() {
  return npy("<f4", "(3, 2)", raw(kValues));
}

ArrayFile read(const std::string& bytes) {
  return parseNpz(bytesOf(bytes), "a.npz");
}

// The first thing that is wrong, in the archive or in any array.
std::string error(const std::string& bytes) {
  return errorOf([&] {
    const ArrayFile file = read(bytes);
    for (const NamedArray& each : file.arrays)
      file.get(each.name());
  });
}

} // namespace

TEST_CASE("stored and deflated npz members are read and other files are skipped") {
  const std::string bytes = zipOf(
      {{"q.npy", array(), false}, {"sub/k.npy", array(), true}, {"readme.txt", "words", true}});
  const ArrayFile file = read(bytes);
  CHECK(file.arrays.size() == 2);
  CHECK(slice<float>(file.get("q")) == Matrix<float>(3, 2, kValues));
  CHECK(slice<float>(file.get("sub/k")) == Matrix<float>(3, 2, kValues));
  CHECK(file.get("q").label() == "a.npz: array \"q\"");
}

TEST_CASE("npz members that leave the archive or occur twice are refused") {
  CHECK(contains(error(zipOf({{"../q.npy", array()}})), "\"../q.npy\" has a name that leaves"));
  CHECK(contains(error(zipOf({{"a/../../q.npy", array()}})), "leaves the archive"));
  CHECK(contains(error(zipOf({{"/etc/q.npy", array()}})), "leaves the archive"));
  CHECK(contains(error(zipOf({{"..\\q.npy", array()}})), "leaves the archive"));
  CHECK(contains(error(zipOf({{"C:q.npy", array()}})), "leaves the archive"));
  CHECK(contains(error(zipOf({{"q.npy", array()}, {"q.npy", array()}})), "occurs twice"));
  CHECK(error(zipOf({{"a..b.npy", array()}})).empty());
}

TEST_CASE("npz members that unpack to more or less than they declare are refused") {
  const std::string large = npy("<f4", "(250000, 1)", std::string(1000000, '\0'));
  CHECK(error(zipOf({{"q.npy", large, true}})).empty());
  CHECK(contains(error(zipOf({{"q.npy", large, true, 1000}})), "E_UNSUPPORTED"));
  CHECK(contains(error(zipOf({{"q.npy", large, true, large.size() + 1}})), "E_UNSUPPORTED"));
  CHECK(contains(error(zipOf({{"q.npy", large, true, 0xFFFFFFF0U}})),
                 "packed bytes cannot hold that"));
  CHECK(contains(error(zipOf({{"q.npy", array(), false, 1 << 30}})), "cannot hold that"));
}

TEST_CASE("encrypted, damaged and truncated archives are refused") {
  CHECK(contains(error(zipOf({{"q.npy", array(), false, ~std::size_t{0}, 1}})), "is encrypted"));
  std::string damaged = zipOf({{"q.npy", array()}});
  damaged[damaged.find("PK\x01\x02") - 1] ^= 1; // in the numbers: the checksum reveals it
  CHECK(contains(error(damaged), "is damaged"));
  CHECK(contains(error(zipOf({{"q.npy", "no array"}})), "is not a .npy file"));
  CHECK(contains(error(zipOf({{"q.npy", npy("|O", "(1,)", "")}})), "pickled"));
  CHECK(contains(error("nothing like it"), "is not a zip archive"));
  const std::string whole = zipOf({{"q.npy", array(), true}});
  CHECK(contains(error(whole.substr(0, whole.size() / 2)), "is a damaged zip archive, or a part"));
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK(error(whole.substr(0, length)).substr(0, 13) == "E_UNSUPPORTED");
}

TEST_CASE("npz members are unpacked on request and not before") {
  std::string bytes = zipOf({{"q.npy", array()}, {"k.npy", array(), true}});
  bytes[bytes.find("PK\x03\x04", 4) - 1] ^= 1; // in the numbers of q
  const ArrayFile file = read(bytes);
  CHECK(file.has("q"));
  CHECK(slice<float>(file.get("k")) == Matrix<float>(3, 2, kValues));
  CHECK(contains(errorOf([&] { file.find("q"); }), "is damaged"));
}

TEST_CASE("names of members reach messages without control characters") {
  const std::string text = error(zipOf({{"../\x1b[31m\n.npy", array()}}));
  CHECK(contains(text, "../\\x1b[31m\\n.npy"));
}

TEST_CASE("a large stored member is read in place from the mapped file") {
  const TemporaryFolder folder;
  // The header of the array, then zeros that no disk holds.
  constexpr std::size_t kRows = std::size_t{1} << 19;
  const std::string header = npy("<f4", "(524288, 64)", "");
  const std::size_t size = header.size() + kRows * 64 * 4;
  ZipMember member{"q.npy", header};
  const std::string fields = littleEndian(20, 2) + littleEndian(0, 2 + 2 + 4 + 4) +
                             littleEndian(size, 4) + littleEndian(size, 4) + littleEndian(5, 2);
  const auto path =
      folder.write("big.npz", "PK\x03\x04" + fields + littleEndian(0, 2) + "q.npy" + header);
  std::filesystem::resize_file(path, 35 + size);
  const std::string directory = "PK\x01\x02" + littleEndian(20, 2) + fields + littleEndian(0, 12) +
                                littleEndian(0, 4) + "q.npy";
  std::ofstream(path, std::ios::binary | std::ios::app)
      << directory << "PK\x05\x06" << littleEndian(0, 4) << littleEndian(1, 2) << littleEndian(1, 2)
      << littleEndian(directory.size(), 4) << littleEndian(35 + size, 4) << littleEndian(0, 2);
  const auto mapped = MappedFile::open(path);
  const ArrayFile file = parseNpz(mapped->bytes(), "big.npz");
  const Tensor tensor = file.get("q");
  CHECK(tensor.data == mapped->bytes().data() + 35 + header.size());
  CHECK(tensor.owner == nullptr); // borrowed
  CHECK(number(tensor, tensor.elements() - 1) == 0.0);
}

TEST_CASE("the shape of a packed mask is read without its cells") {
  const TemporaryFolder folder;
  const std::string mask = npy("|b1", "(3, 4, 4)", std::string(48, '\1'));
  const std::string file = folder.write("m.npz", zipOf({{"mask.npy", mask, true}}));
  const ArrayFile arrays = readArrays(file);
  const Tensor shape = arrays.getShape("mask");
  CHECK(shape.shape == std::vector<Index>{3, 4, 4});
  CHECK(shape.dtype == DType::Bool);
  CHECK(shape.data == nullptr);
  CHECK(maskAxes(std::filesystem::path(file)).heads == 3);
  CHECK(readMask(file).pairs() == 16); // whose cells are there on request
  // An archive whose member is cut short behind the header still has a shape.
  const std::string cut = npy("|b1", "(3, 4, 4)", std::string(47, '\1'));
  const std::string damaged = folder.write("d.npz", zipOf({{"mask.npy", cut}}));
  CHECK(maskAxes(std::filesystem::path(damaged)).heads == 3);
  CHECK(contains(errorOf([&] { readMask(damaged); }), "has 47 bytes of data"));
  CHECK(contains(errorOf([&] { readArrays(file).getShape("other"); }), "E_UNKNOWN"));
}
