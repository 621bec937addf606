// Masks as arrays: 0 and 1 of every dtype, additive ones, several in one file (S4.19).
#include "core/input/mask_file.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

#include <algorithm>
#include <limits>

using namespace attention;
using namespace attention::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

MaskFile mask(const std::string& bytes, const MaskPlane& plane = {}) {
  return maskOf(parseNpy(bytesOf(bytes), "m.npy"), plane);
}

std::string maskError(const std::string& bytes, const MaskPlane& plane = {}) {
  return errorOf([&] { mask(bytes, plane); });
}

// The runs of (0, 0), (0, 1) and (1, 2) in 2 × 3 cells.
const MaskFile kExpected = maskOf({{0, 0}, {0, 1}, {1, 2}}, 2, 3, true);
const std::vector<int> kCells{1, 1, 0, 0, 0, 1};

template <class T>
std::string cells(T one, T zero) {
  std::vector<T> values;
  for (const int cell : kCells)
    values.push_back(cell == 1 ? one : zero);
  return raw(values);
}

std::string swapped(std::string bytes, std::size_t size) {
  for (std::size_t i = 0; i < bytes.size(); i += size)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                 bytes.begin() + static_cast<std::ptrdiff_t>(i + size));
  return bytes;
}

void checkBoth(const std::string& type, std::size_t size, const std::string& data) {
  INFO(type);
  CHECK(mask(npy("<" + type, "(2, 3)", data)) == kExpected);
  CHECK(mask(npy(">" + type, "(2, 3)", swapped(data, size))) == kExpected);
}

// Masks of n × n cells; mask m has only the cell (0, m).
std::string several(const std::string& shape, Index count, Index n) {
  std::string data(static_cast<std::size_t>(count * n * n), '\0');
  for (Index m = 0; m < count; ++m)
    data[static_cast<std::size_t>(m * n * n + m)] = '\1';
  return npy("|b1", shape, data);
}

Index keyOf(const MaskFile& file) {
  REQUIRE(file.runs.size() == 1);
  return file.runs.front().begin;
}

} // namespace

TEST_CASE("an array of 0 and 1 of any dtype and byte order is a mask", "[mask]") {
  checkBoth("i1", 1, cells<std::int8_t>(1, 0));
  checkBoth("u1", 1, cells<std::uint8_t>(1, 0));
  checkBoth("i2", 2, cells<std::int16_t>(1, 0));
  checkBoth("u2", 2, cells<std::uint16_t>(1, 0));
  checkBoth("i4", 4, cells<std::int32_t>(1, 0));
  checkBoth("u4", 4, cells<std::uint32_t>(1, 0));
  checkBoth("i8", 8, cells<std::int64_t>(1, 0));
  checkBoth("u8", 8, cells<std::uint64_t>(1, 0));
  checkBoth("f2", 2, cells<std::uint16_t>(0x3C00, 0));
  checkBoth("V2", 2, cells<std::uint16_t>(0x3F80, 0));
  checkBoth("f4", 4, cells<float>(1, -0.0F));
  checkBoth("f8", 8, cells<double>(1, 0));
  const std::string boolean("\1\1\0\0\0\1", 6);
  CHECK(mask(npy("|b1", "(2, 3)", boolean)) == kExpected);
  CHECK(mask(npy("|u1", "(2, 3)", std::string("\1\0\1\0\0\1", 6), true)) == kExpected);
}

TEST_CASE("an additive array is a mask, whatever stands for minus infinity", "[mask]") {
  for (const double least :
       {-kInfinity, -1e4, -1e9, -3.5e38, std::numeric_limits<double>::lowest()})
    checkBoth("f8", 8, cells<double>(0, least));
  for (const float least : {-std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::lowest(), -1e4F, -1e9F})
    checkBoth("f4", 4, cells<float>(-0.0F, least));
  for (const int least : {0xFC00, 0xFBFF, 0xF0E2}) // −∞, −65504, −10000
    checkBoth("f2", 2, cells<std::uint16_t>(0, static_cast<std::uint16_t>(least)));
  for (const int least : {0xFF80, 0xFF7F, 0xC61C}) // −∞, the minimum, −10⁴, which is −9984
    checkBoth("V2", 2, cells<std::uint16_t>(0, static_cast<std::uint16_t>(least)));
  checkBoth("i8", 8, cells<std::int64_t>(0, std::numeric_limits<std::int64_t>::min()));
  checkBoth("i2", 2, cells<std::int16_t>(0, -32768));
  checkBoth("i1", 1, cells<std::int8_t>(0, -128)); // its minimum, though above −10⁴
}

TEST_CASE("any other number in a mask is refused with its place", "[mask]") {
  for (const double value : {0.5, 2.0, -1.0, -100.0, -9999.0, 1e9, kInfinity}) {
    std::vector<double> values(6, 0.0);
    values[4] = value;
    INFO(value);
    CHECK(contains(maskError(npy("<f8", "(2, 3)", raw(values))), "E_TYPE: m.npy holds "));
    CHECK(contains(maskError(npy("<f8", "(2, 3)", raw(values))), " at (1, 1); a mask must hold"));
  }
  const std::string nan = npy("<f8", "(1, 1)", raw<double>({std::nan("")}));
  CHECK(contains(maskError(nan), "E_TYPE: m.npy holds NaN at (0, 0)"));
  CHECK(
      maskError(npy("<f8", "(1, 3)", raw<double>({0.0, 1.0, -kInfinity}))) ==
      "E_TYPE: m.npy holds -inf at (0, 2); a mask must hold only 0 and 1, or only 0 and numbers of "
      "at most -10000 (as -inf)"); // neither of the two
  CHECK(contains(maskError(npy("|u1", "(1, 1)", "\2")), "m.npy holds 2 at (0, 0)"));
  CHECK(contains(maskError(npy("|S1", "(2, 2)", "0110")),
                 "E_TYPE: m.npy holds text; it must hold numbers"));
  CHECK(contains(maskError(npy("|b1", "(1,)", "\1")), "E_SHAPE"));
  CHECK(contains(maskError(npy("<f16", "(1, 1)", std::string(16, '\0'))), "longdouble"));
}

TEST_CASE("an array of zeros forbids every key unless other masks beside it are additive",
          "[mask]") {
  CHECK(mask(npy("<f4", "(2, 2)", raw<float>({0, 0, 0, 0}))).pairs() == 0);
  const float least = std::numeric_limits<float>::lowest();
  const std::string two = npy("<f4", "(2, 1, 2)", raw<float>({0, least, 0, 0}));
  CHECK(mask(two, {{}, 0}).pairs() == 1);
  CHECK(mask(two, {{}, 1}).pairs() == 2);
}

TEST_CASE("leading axes of one are dropped and others are layers and heads", "[mask]") {
  CHECK(mask(several("(1, 1, 8, 8)", 1, 8), {3, 5}).runs.size() == 1);
  CHECK(mask(several("(1, 8, 8)", 1, 8), {3, 5}).rows == 8);
  const std::string both = several("(2, 3, 6, 6)", 6, 6);
  for (Index batch = 0; batch < 2; ++batch)
    for (Index head = 0; head < 3; ++head)
      CHECK(keyOf(mask(both, {batch, head})) == batch * 3 + head);
  const MaskFile first = mask(both);
  CHECK(keyOf(first) == 0);
  CHECK(first.axes.batches == 2);
  CHECK(first.axes.heads == 3);
  CHECK_FALSE(first.axes.oneAxis);
  CHECK(maskError(both, {2, 0}) == "E_RANGE: batch is 2; it must be 0 to 1 for m.npy of shape (2, "
                                   "3, 6, 6)");
  CHECK(contains(maskError(both, {0, 3}), "E_RANGE: head-index is 3; it must be 0 to 2"));
  // An axis of one is the same for every index.
  CHECK(keyOf(mask(several("(3, 1, 4, 4)", 3, 4), {2, 7})) == 2);
  CHECK(keyOf(mask(several("(1, 3, 4, 4)", 3, 4), {7, 2})) == 2);
  CHECK(keyOf(mask(several("(3, 1, 4, 4)", 3, 4), {1, {}})) == 1);
}

TEST_CASE("a single axis of masks is chosen by the head or by the batch", "[mask]") {
  const std::string three = several(GENERATE("(3, 4, 4)", "(1, 3, 4, 4)"), 3, 4);
  CHECK(mask(three).axes.oneAxis);
  CHECK(mask(three).axes.heads == 3);
  CHECK(keyOf(mask(three, {{}, 2})) == 2);
  CHECK(keyOf(mask(three, {2, {}})) == 2);
  CHECK(keyOf(mask(three, {1, 2})) == 2);
  CHECK(keyOf(mask(three, {1, 7})) == 1); // there is no such head
  CHECK(contains(maskError(three, {{}, 3}), "E_RANGE: head-index is 3"));
  CHECK(contains(maskError(three, {3, {}}), "E_RANGE: batch is 3"));
}

TEST_CASE("arrays that may be masks are told apart from weights and embeddings", "[mask]") {
  const auto holds = [](const std::string& bytes) {
    return holdsMask(parseNpy(bytesOf(bytes), "m.npy"));
  };
  CHECK(holds(npy("<f4", "(2, 3)", cells<float>(1, 0))));
  CHECK(holds(npy("<f4", "(2, 3)", cells<float>(0, -1e9F))));
  CHECK(holds(npy("<i8", "(2, 3)", cells<std::int64_t>(1, 0))));
  CHECK_FALSE(holds(npy("<f4", "(2, 3)", cells<float>(1, 0.5F))));
  CHECK_FALSE(holds(npy("<f4", "(2, 3)", cells<float>(1, -1e9F))));
  CHECK_FALSE(holds(npy("<i8", "(2, 3)", cells<std::int64_t>(3, 0))));
  CHECK_FALSE(holds(npy("<f4", "(2,)", raw<float>({0, 1}))));
  CHECK_FALSE(holds(npy("|S1", "(2,)", "01")));
}
