// A sink beside the keys of a query: its share, one query at a time and many at once.
#include "core/attention/sink.h"
#include "tests/core/attention/against_twin.h"
#include "tests/core/attention/family_inputs.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace attention;

TEST_CASE("shares beside a sink are those of doubles, wherever a query stands") {
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  std::vector<float> maxima{kNone, -100, -3.5F, -0.25F, 0, 0.25F, 2, 30, 86, 200};
  onEveryKindOfVectors([&](const std::string&) {
    for (const float sink : {-90.0F, -1.0F, 0.0F, 0.5F, 12.0F, 95.0F})
      for (std::size_t count = 0; count <= 3 * maxima.size(); ++count) {
        std::vector<float> largest(count);
        std::vector<float> shares(count);
        for (std::size_t r = 0; r < count; ++r) {
          largest[r] = maxima[r % maxima.size()];
          shares[r] = 1 + 0.7F * static_cast<float>(r % 4);
        }
        const std::vector<float> sums = shares;
        sharesBeside(sink, largest, shares);
        for (std::size_t r = 0; r < count; ++r)
          CHECK(shares[r] ==
                Approx(shareBeside(sink, largest[r], sums[r])).epsilon(2e-5).margin(1e-37));
      }
  });
}

TEST_CASE("without a sink a share is what its sum leaves") {
  std::vector<float> shares{1, 2, 8};
  sharesBeside({}, std::vector<float>(3, -4.0F), shares);
  CHECK(shares == std::vector<float>{1, 0.5F, 0.125F});
}

TEST_CASE("a sink as likely as all keys takes half, and its logarithm is added") {
  CHECK(shareBeside(3, 3, 1) == Approx(0.5));
  CHECK(std::exp(2.0) * shareBeside(3, 1, std::exp(2.0)) == Approx(0.5));
  CHECK(withSink(3.0, 3) == Approx(3 + std::log(2.0)));
  CHECK(withSink(-std::numeric_limits<double>::infinity(), 3) == Approx(3));
}
