// Merging partial results (S3.2).
#include "core/attention/merge.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/factor.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"

#include <cmath>
#include <limits>

using namespace attention;

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

void checkEqual(const Attention<double>& a, const Attention<double>& b) {
  CHECK(a.emptyRows == b.emptyRows);
  for (std::size_t k = 0; k < a.out.values().size(); ++k)
    CHECK(a.out.values()[k] == Approx(b.out.values()[k]).margin(1e-13));
  for (std::size_t i = 0; i < a.lse.size(); ++i)
    if (std::isinf(b.lse[i]))
      CHECK(a.lse[i] == b.lse[i]);
    else
      CHECK(a.lse[i] == Approx(b.lse[i]).margin(1e-13));
}

Pattern columnsOf(Index stride, Factor head) {
  Fixed fixed;
  fixed.stride = stride;
  fixed.head = head;
  return fixed;
}

// Attention of the pattern less `less`, over the same input.
Attention<double> attended(const Pattern& pattern, const Pattern& less,
                           const RandomQkv<double>& in) {
  const Lengths lengths = squareLengths(in.q.rows());
  const auto rest =
      compose(Operation::Difference, {prepare(pattern, lengths), prepare(less, lengths)}, {"", ""});
  return attend(*rest, in.qView(), in.kView(), in.vView());
}

} // namespace

TEST_CASE("merging the parts of a disjoint union gives attention over the union") {
  const RandomQkv<double> in(30, 30, 4, 3, 8);
  const Pattern columns = columnsOf(6, Factor::Second);
  const auto whole =
      attend(*prepare(Causal{}, squareLengths(30)), in.qView(), in.kView(), in.vView());
  const auto summary =
      attend(*prepare(columns, squareLengths(30)), in.qView(), in.kView(), in.vView());
  REQUIRE_FALSE(summary.emptyRows.empty());
  const auto rest = attended(Causal{}, columns, in);
  checkEqual(merge(summary, rest), whole);
  checkEqual(merge(rest, summary), whole);
}

TEST_CASE("merging is associative") {
  const RandomQkv<double> in(24, 24, 4, 2, 9);
  const Pattern columns = columnsOf(6, Factor::Second);
  const Pattern block = columnsOf(6, Factor::First);
  const auto a = attend(*prepare(columns, squareLengths(24)), in.qView(), in.kView(), in.vView());
  const auto b = attended(block, columns, in);
  const auto c = attended(Causal{}, columnsOf(6, Factor::Union), in);
  const auto whole =
      attend(*prepare(Causal{}, squareLengths(24)), in.qView(), in.kView(), in.vView());
  checkEqual(merge(merge(a, b), c), whole);
  checkEqual(merge(a, merge(b, c)), whole);
}

TEST_CASE("an empty side leaves the other unchanged and two empty sides stay empty") {
  std::vector<double> out{0, 0};
  const std::vector<double> other{4, -1};
  CHECK(mergeRow<double>(out, kMinusInfinity, other, kMinusInfinity) == kMinusInfinity);
  CHECK(out == std::vector<double>{0, 0});
  CHECK(mergeRow<double>(out, kMinusInfinity, other, 2.0) == 2.0);
  CHECK(out == other);
  const std::vector<double> nothing{0, 0};
  CHECK(mergeRow<double>(out, 2.0, nothing, kMinusInfinity) == 2.0);
  CHECK(out == other);
  std::vector<double> meaningless{-0.5, 3};
  CHECK(mergeRow<double>(meaningless, kMinusInfinity, other, kMinusInfinity) == kMinusInfinity);
  CHECK(meaningless == std::vector<double>{0, 0});
}

TEST_CASE("rows are empty after merging where they are empty on both sides") {
  const auto sideWith = [](const std::vector<Index>& empty) {
    Attention<double> side{Matrix<double>(6, 1), std::vector<double>(6, 1.0), empty};
    for (const Index i : empty)
      side.lse[static_cast<std::size_t>(i)] = kMinusInfinity;
    return side;
  };
  const Attention<double> merged = merge(sideWith({0, 2, 5}), sideWith({2, 3, 5}));
  CHECK(merged.emptyRows == std::vector<Index>{2, 5});
  for (Index i = 0; i < 6; ++i)
    CHECK(std::isinf(merged.lse[static_cast<std::size_t>(i)]) == (i == 2 || i == 5));
}

TEST_CASE("merging survives logits far beyond the range of exp") {
  std::vector<double> out{1};
  CHECK(mergeRow<double>(out, 5000.0, std::vector<double>{3}, 5000.0) ==
        Approx(5000 + std::log(2)));
  CHECK(out[0] == Approx(2));
  CHECK(mergeRow<double>(out, -5000.0, std::vector<double>{7}, 5000.0) == 5000.0);
  CHECK(out[0] == 7);
}

TEST_CASE("results of different shapes are not merged") {
  const Attention<double> two{Matrix<double>(2, 1), {0, 0}, {}};
  const Attention<double> three{Matrix<double>(3, 1), {0, 0, 0}, {}};
  CHECK_THROWS_AS(merge(two, three), Error);
}
