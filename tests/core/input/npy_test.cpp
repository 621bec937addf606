#include "core/input/array_file.h"
#include "core/input/npy_writer.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>

using namespace attention;
using namespace attention::test;

namespace {

const std::vector<double> kSix{0.5, -1.0, 2.0, 3.25, 4.0, -5.5};
const Matrix<double> kMatrix(2, 3, kSix);

// The bytes of every element reversed.
std::string swapped(std::string bytes, std::size_t size) {
  for (std::size_t i = 0; i < bytes.size(); i += size)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                 bytes.begin() + static_cast<std::ptrdiff_t>(i + size));
  return bytes;
}

Matrix<double> read(const std::string& bytes) {
  return slice<double>(parseNpy(bytesOf(bytes), "a.npy"));
}

std::string error(const std::string& bytes) {
  return errorOf([&] { parseNpy(bytesOf(bytes), "a.npy"); });
}

std::vector<float> floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

TEST_CASE("npy files of every version, order and width give the same matrix") {
  CHECK(read(npy("<f8", "(2, 3)", raw(kSix))) == kMatrix);
  CHECK(read(npy("<f8", "(2, 3)", raw(kSix), false, 2)) == kMatrix);
  CHECK(read(npy("<f8", "(2, 3)", raw(kSix), false, 3)) == kMatrix);
  CHECK(read(npy(">f8", "(2, 3)", swapped(raw(kSix), 8))) == kMatrix);
  CHECK(read(npy("<f4", "(2L, 3L)", raw(floats(kSix)))) == kMatrix);
  CHECK(read(npy(">f4", "(2, 3)", swapped(raw(floats(kSix)), 4))) == kMatrix);
  const std::vector<double> byColumns{0.5, 3.25, -1.0, 4.0, 2.0, -5.5};
  CHECK(read(npy("<f8", "(2, 3)", raw(byColumns), true)) == kMatrix);
  // The dictionary in another order, with other quotes and without commas at its end.
  CHECK(read(npyOf(R"({"shape":(2,3),"fortran_order":False,"descr":"<f8"})", raw(kSix))) ==
        kMatrix);
}

TEST_CASE("half precision numbers are exact") {
  const std::vector<std::uint16_t> half{0x3800, 0xBC00, 0x0001, 0x03FF, 0x7BFF, 0x8000};
  const Matrix<double> read16 = read(npy("<f2", "(2, 3)", raw(half)));
  CHECK(read16 == Matrix<double>(2, 3, {0.5, -1.0, 0x1p-24, 0x1.FF8p-15, 65504.0, 0.0}));
  const std::vector<std::uint16_t> brain{0x3F00, 0xBF80, 0x4000, 0x4050, 0x4080, 0xC0B0};
  CHECK(read(npy("<V2", "(2, 3)", raw(brain))) == kMatrix);
  CHECK(read(npy(">f2", "(1, 1)", std::string("\x38\x00", 2)))(0, 0) == 0.5);
}

TEST_CASE("a plane of a Fortran-ordered array of four dimensions is read correctly") {
  // Value at (b, h, i, j) is 1000 b + 100 h + 10 i + j.
  std::vector<double> values;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 4; ++i)
      for (int h = 0; h < 3; ++h)
        for (int b = 0; b < 2; ++b)
          values.push_back(1000 * b + 100 * h + 10 * i + j);
  const std::string bytes = npy("<f8", "(2, 3, 4, 5)", raw(values), true);
  const Tensor tensor = parseNpy(bytesOf(bytes), "a.npy");
  CHECK(slice<double>(tensor, 1, 2)(3, 4) == 1234.0);
  CHECK(slice<float>(tensor, 0, 1)(2, 0) == 120.0F);
  CHECK(number(tensor, 1 * 60 + 2 * 20 + 3 * 5 + 4) == 1234.0);
}

TEST_CASE("integers and booleans can be read one by one but are refused as queries") {
  const std::vector<std::int64_t> values{-3, std::int64_t{1} << 60};
  const std::string bytes = npy("<i8", "(2,)", raw(values));
  const Tensor tensor = parseNpy(bytesOf(bytes), "a.npy");
  CHECK(integer(tensor, 1) == values[1]);
  CHECK(number(tensor, 0) == -3.0);
  const std::string real = npy("<f8", "(2, 3)", raw(kSix));
  CHECK(contains(errorOf([&] { integer(parseNpy(bytesOf(real), "a.npy"), 0); }),
                 "a.npy has dtype float64; it must be bool or an integer"));
  const std::string boolean = npy("|b1", "(1, 2)", std::string("\x01\x00", 2));
  const Tensor mask = parseNpy(bytesOf(boolean), "m.npy");
  CHECK(mask.dtype == DType::Bool);
  CHECK(errorOf([&] { slice<float>(mask); }) ==
        "E_TYPE: m.npy has dtype bool; it must be one of float16, bfloat16, float32 and float64");
}

TEST_CASE("numbers that are not finite are reported with their place") {
  std::vector<double> values = kSix;
  values[4] = std::numeric_limits<double>::quiet_NaN();
  const std::string bytes = npy("<f8", "(1, 2, 3)", raw(values));
  CHECK(errorOf([&] { slice<double>(parseNpy(bytesOf(bytes), "a.npz", "k")); }) ==
        "E_NONFINITE: a.npz: array \"k\" holds NaN at (0, 1, 1); every number must be finite");
  values[4] = 1e300;
  const std::string large = npy("<f8", "(2, 3)", raw(values));
  CHECK(slice<double>(parseNpy(bytesOf(large), "a.npy"))(1, 1) == 1e300);
  CHECK(
      contains(errorOf([&] { slice<float>(parseNpy(bytesOf(large), "a.npy")); }),
               "at (1, 1), which is beyond float32; every number must be at most 3.4·10³⁸ in size "
               "(float64 goes further)"));
}

TEST_CASE("every truncation of an npy file is refused") {
  const std::string whole = npy("<f8", "(2, 3)", raw(kSix));
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK(error(whole.substr(0, length)).substr(0, 13) == "E_UNSUPPORTED");
  CHECK(contains(error(whole + "x"), "has 49 bytes of data; its shape (2, 3) of float64 needs 48"));
}

TEST_CASE("false and harmful npy headers are refused with one sentence") {
  const std::string data = raw(kSix);
  CHECK(contains(error(npy("|O", "(2, 3)", data)), "pickled Python objects"));
  CHECK(contains(error(npy("<c16", "(2, 3)", data)),
                 "E_TYPE: a.npy has dtype complex (\"<c16\"); it must"));
  CHECK(contains(error(npy("<U4", "(2, 3)", data)), "E_TYPE"));
  CHECK(contains(
      error(npyOf("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (6,)}", data)),
      "records with fields"));
  CHECK(contains(error(npy("<f8", "()", data)), "E_SHAPE: a.npy has shape (); it must have"));
  CHECK(contains(error(npy("<f8", "(1, 1, 1, 2, 3)", data)), "1 to 4 dimensions"));
  CHECK(contains(error(npy("<f8", "(0, 3)", "")), "at least one element along every axis"));
  CHECK(contains(error(npy("<f8", "(-2, -3)", data)), "E_SHAPE"));
  CHECK(contains(error(npy("<f8", "(4611686018427387904, 4)", data)), "than a file can hold"));
  CHECK(contains(error(npy("<f8", "(99999999999999999999, 1)", data)), "damaged .npy header"));
  CHECK(contains(error(npy("<f8", "(2, 3", data)), "damaged .npy header"));
  CHECK(contains(error(npyOf("{'descr': '<f8', 'shape': (2, 3)}", data)), "damaged"));
  CHECK(contains(
      error(npyOf("{'descr':'<f8','descr':'<f8','fortran_order':False,'shape':(6,)}", data)),
      "damaged"));
  CHECK(contains(error(npyOf("__import__('os').system('true')", data)), "damaged"));
  CHECK(contains(error(npy("<f8", "(2, 3)", data, false, 9)), "is .npy version 9"));
  CHECK(contains(error("PK\x03\x04 something else"), "is not a .npy file"));
  // Control characters of the file do not reach the message.
  CHECK(error(npy("<\n\x1b[31m", "(2, 3)", data)).find('\n') == std::string::npos);
}

TEST_CASE("written npy files read back and begin on a multiple of 64 bytes") {
  const TemporaryFolder folder;
  const auto path = folder / "m.npy";
  const std::vector<Index> shape{2, 3};
  writeNpy(path, kMatrix);
  CHECK(slice<double>(readArrays(path).get("")) == kMatrix);
  const std::string bytes = contentOf(path);
  CHECK(bytes.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
  CHECK(bytes.size() == 128 + 48);
  CHECK(bytes[127] == '\n');
  CHECK(contains(bytes, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"));
  const std::vector<std::int64_t> list{7, -9};
  const std::vector<Index> one{2};
  writeNpy<std::int64_t>(path, one, list);
  CHECK(contains(contentOf(path), "'shape': (2,), }"));
  CHECK(integer(readArrays(path).get(""), 1) == -9);
  writeNpyRows<std::uint8_t>(path, shape, [](Index i, std::span<std::uint8_t> row) {
    row[static_cast<std::size_t>(i)] = 1;
  });
  const ArrayFile file = readArrays(path);
  const Tensor& mask = file.get("");
  CHECK(mask.dtype == DType::Bool);
  CHECK(number(mask, 0) + number(mask, 4) == 2.0);
  CHECK(number(mask, 1) + number(mask, 2) + number(mask, 3) + number(mask, 5) == 0.0);
}

TEST_CASE("a stopped or failing writer leaves only the old file") {
  const TemporaryFolder folder;
  const auto path = folder / "m.npy";
  writeNpy(path, kMatrix);
  const std::string before = contentOf(path);
  const std::vector<Index> shape{100000, 100};
  std::stop_source stop;
  const auto stopping = [&](Index i, std::span<float>) {
    if (i == 5000)
      stop.request_stop();
  };
  CHECK_THROWS_AS(writeNpyRows<float>(path, shape, stopping, Run{stop.get_token(), {}}), Stopped);
  const std::vector<Index> huge{1 << 17, 1 << 17};
  CHECK(contains(errorOf([&] {
                   writeNpyRows<std::uint8_t>(path, huge, [](Index, std::span<std::uint8_t>) {});
                 }),
                 "E_RANGE"));
  CHECK(contentOf(path) == before);
  CHECK(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}) == 1);
}
