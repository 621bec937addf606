#include "core/support/philox.h"

#include "tests/catch.h"

using namespace attention;
using philox::Purpose;

TEST_CASE("Philox gives the known answers of Random123", "[random]") {
  using Words = std::array<std::uint32_t, 4>;
  CHECK(philox::block({0, 0, 0, 0}, {0, 0}) ==
        Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox::block({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox::block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("Streams give the draws and normal numbers of S9 of the specification", "[random]") {
  struct Case {
    philox::Stream stream;
    std::uint64_t index, a, b;
    double even, odd;
  };
  const auto c = GENERATE(Case{{0, Purpose::Data, 0},
                               0,
                               0x1348e23f2dce73e5,
                               0xa287aadbfcf8e0ec,
                               -1.5051760519481703,
                               -1.7047509018105707},
                          Case{{7, Purpose::ProjectionBlocks, 3},
                               5,
                               0x08adfabf08829afb,
                               0xcb6bf9cc8097223d,
                               0.7198028163856512,
                               -2.5000572424011698},
                          Case{{9223372036854788153U, Purpose::ProjectionBlocks, 4},
                               8589934593,
                               0x67c15805d4f80188,
                               0x168b74801e7c2cd2,
                               1.1434303540585689,
                               0.7062948435462624});
  const philox::Draw draw = philox::draw(c.stream, c.index);
  CHECK(draw.a == c.a);
  CHECK(draw.b == c.b);
  CHECK(philox::normal(c.stream, 2 * c.index) == Approx(c.even).epsilon(1e-15));
  CHECK(philox::normal(c.stream, 2 * c.index + 1) == Approx(c.odd).epsilon(1e-15));
}

TEST_CASE("below never reaches its bound", "[random]") {
  CHECK(philox::below(~0ULL, 10) == 9);
  CHECK(philox::below(0, 10) == 0);
  CHECK(philox::below(1ULL << 63, 10) == 5);
}
