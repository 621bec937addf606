// Attention written where the caller wants it.
#include "core/attention/attend.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/random_matrix.h"

#include <vector>

using namespace attention;

namespace {

constexpr Index kTokens = 90;
constexpr Index kDimension = 8;
constexpr Index kValues = 5;
constexpr Index kStride = 7;

// Patterns of one softmax, of parts that count overlaps, and of a mean of parts.
Pattern patternOf(int kind) {
  if (kind == 0)
    return Causal{};
  if (kind == 1)
    return patternNamed("lsh");
  Pattern routing = patternNamed("routing");
  set(routing, "combine", Value{std::string("scatter_mean")});
  return routing;
}

} // namespace

TEST_CASE("scores beyond the range of float are an error even if lse is not wanted") {
  const auto full = prepare(Full{}, squareLengths(4));
  const RandomQkv<float> in(4, 4, 2, 3, 1);
  const double scale = GENERATE(1e300, 3e38);
  AttendOptions options;
  options.scale = scale;
  Matrix<float> out(4, 3);
  std::vector<float> lse(4);
  const auto into = [&](std::span<float> sums) {
    attendInto(*full, in.qView(), in.kView(), in.vView(), out.view(), sums, options);
  };
  CHECK_THROWS_WITH(into({}), Catch::Matchers::Contains("overflow float32"));
  CHECK_THROWS_WITH(into(lse), Catch::Matchers::Contains("overflow float32"));
}

TEST_CASE("attention written into rows with gaps is the same and leaves the gaps alone") {
  const int kind = GENERATE(0, 1, 2);
  const bool wanted = GENERATE(false, true);
  const RandomQkv<float> in(kTokens, kTokens, kDimension, kValues, 3);
  const auto pattern =
      prepare(patternOf(kind), squareLengths(kTokens), patternData<float>(in.qView(), in.kView()));
  const Attention<float> own = attend(*pattern, in.qView(), in.kView(), in.vView());
  std::vector<float> room(kTokens * kStride, -7);
  std::vector<float> lse(wanted ? kTokens : 0, -7);
  attendInto(*pattern, in.qView(), in.kView(), in.vView(), {room.data(), kTokens, kValues, kStride},
             lse);
  for (Index i = 0; i < kTokens; ++i)
    for (Index c = 0; c < kStride; ++c)
      REQUIRE(room[static_cast<std::size_t>(i * kStride + c)] ==
              (c < kValues ? own.out(i, c) : -7));
  if (wanted)
    CHECK(lse == own.lse);
}

TEST_CASE("attention refuses an output of another shape") {
  const RandomQkv<float> in(6, 6, kDimension, kValues, 3);
  const auto pattern = prepare(Causal{}, squareLengths(6));
  Matrix<float> out(6, kValues);
  std::vector<float> lse(6);
  const auto into = [&](MatrixView<float> to, std::span<float> sums) {
    return codeAndSubject(
        [&] { attendInto(*pattern, in.qView(), in.kView(), in.vView(), to, sums); });
  };
  CHECK(into(out.view(), lse).empty());
  CHECK(into(out.view(), {}).empty());
  CHECK(into({out.data(), 5, kValues, kValues}, lse) == "E_SHAPE out");
  CHECK(into({out.data(), 6, kValues - 1, kValues}, lse) == "E_SHAPE out");
  CHECK(into(out.view(), std::span(lse).first(5)) == "E_SHAPE lse");
}
