// ALiBi's slopes and T5's buckets against their definitions.
#include "core/attention/bias/position_bias.h"
#include "core/attention/bias/t5_buckets.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"

#include <cmath>

using namespace attention;

namespace {

// The library's own rule (transformers, modeling_t5.py), in double instead of float32.
Index bucketByLogarithm(Index rel, const T5Form& form) {
  Index buckets = form.buckets;
  Index begin = 0;
  Index distance = std::max<Index>(0, -rel);
  if (form.bidirectional) {
    buckets /= 2;
    begin = rel > 0 ? buckets : 0;
    distance = std::abs(rel);
  }
  const Index exact = buckets / 2;
  if (distance < exact)
    return begin + distance;
  const double share = std::log(static_cast<double>(distance) / static_cast<double>(exact)) /
                       std::log(static_cast<double>(form.maxDistance) / static_cast<double>(exact));
  const auto step = static_cast<Index>(share * static_cast<double>(buckets - exact) + 1e-9);
  return begin + std::min(exact + step, buckets - 1);
}

} // namespace

TEST_CASE("slopes of ALiBi halve at equal steps", "[bias]") {
  const auto eight = alibiSlopes(8);
  for (std::size_t h = 0; h < 8; ++h)
    CHECK(eight[h] == std::ldexp(1.0, -static_cast<int>(h) - 1));
  CHECK(alibiSlopes(8, AlibiSlopes::Plain) == eight);
  // Beyond a power of two: those of 2 p heads at even places.
  const auto twelve = alibiSlopes(12);
  const auto sixteen = alibiSlopes(16);
  REQUIRE(twelve.size() == 12);
  for (std::size_t h = 0; h < 8; ++h)
    CHECK(twelve[h] == eight[h]);
  for (std::size_t h = 0; h < 4; ++h)
    CHECK(twelve[8 + h] == sixteen[2 * h]);
  CHECK(alibiSlopes(12, AlibiSlopes::Plain)[11] == std::pow(2.0, -8));
  CHECK(alibiSlopesNamed("plain") == AlibiSlopes::Plain);
  CHECK(messageOf([] { alibiSlopesNamed("steep"); }) ==
        "slopes is \"steep\"; it must be standard or plain");
  CHECK(codeOf([] { alibiSlopes(0); }) == "E_RANGE");
}

TEST_CASE("buckets of T5 are those of its logarithm", "[bias]") {
  for (const T5Form& form : {T5Form{}, T5Form{32, false, 128}, T5Form{8, true, 20},
                             T5Form{33, false, 1000}, T5Form{64, true, 4096}}) {
    const T5Buckets buckets(form);
    for (Index rel = -2 * form.maxDistance; rel <= 2 * form.maxDistance; ++rel) {
      INFO(form.buckets << " buckets, distance " << rel);
      REQUIRE(buckets.of(rel) == bucketByLogarithm(rel, form));
    }
    CHECK(buckets.of(-kMaxLength) == (form.bidirectional ? form.buckets / 2 : form.buckets) - 1);
  }
}

TEST_CASE("distances that reach a bucket exactly are in it", "[bias]") {
  // e = 8, M = 8, D = 128: the buckets behind 8 begin at 8 · 16^(t / 8), 16 and 32 among them.
  const T5Buckets buckets(T5Form{32, true, 128});
  CHECK(buckets.of(-15) == 9);
  CHECK(buckets.of(-16) == 10);
  CHECK(buckets.of(-31) == 11);
  CHECK(buckets.of(-32) == 12);
  CHECK(buckets.of(16) == 26);
}

TEST_CASE("tables that are no T5 table are refused", "[bias]") {
  const auto code = [](const T5Form& form) { return codeOf([&] { T5Buckets{form}; }); };
  CHECK(code({7, true, 128}) == "E_RANGE");
  CHECK(code({2, true, 128}) == "E_RANGE");
  CHECK(code({1, false, 128}) == "E_RANGE");
  CHECK(code({32, true, 8}) == "E_RANGE");
  CHECK(code({Index{1} << 40, true, 128}) == "E_RANGE");
  CHECK(code({32, true, Index{1} << 40}) == "E_RANGE");
  CHECK(code({4096, false, kMaxLength}) == "none");
}
