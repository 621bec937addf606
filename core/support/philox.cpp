#include "core/support/philox.h"

#include <cmath>
#include <numbers>

namespace attention::philox {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53U;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57U;
constexpr std::uint32_t kIncrement0 = 0x9E3779B9U;
constexpr std::uint32_t kIncrement1 = 0xBB67AE85U;
constexpr int kRounds = 10;

constexpr std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
constexpr std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}
constexpr std::uint64_t product(std::uint32_t a, std::uint32_t b) {
  return std::uint64_t{a} * std::uint64_t{b};
}

} // namespace

std::array<std::uint32_t, 4> block(std::array<std::uint32_t, 4> counter,
                                   std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t p0 = product(kMultiplier0, counter[0]);
    const std::uint64_t p1 = product(kMultiplier1, counter[2]);
    counter = {high(p1) ^ counter[1] ^ key[0], low(p1), high(p0) ^ counter[3] ^ key[1], low(p0)};
    key = {key[0] + kIncrement0, key[1] + kIncrement1};
  }
  return counter;
}

Draw draw(const Stream& stream, std::uint64_t index) {
  const auto words =
      block({low(index), high(index), stream.sub, static_cast<std::uint32_t>(stream.purpose)},
            {low(stream.seed), high(stream.seed)});
  return {(std::uint64_t{words[1]} << 32) | words[0], (std::uint64_t{words[3]} << 32) | words[2]};
}

double unit(std::uint64_t u) {
  return static_cast<double>(u >> 11) * 0x1p-53;
}

std::uint64_t below(std::uint64_t u, std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{u} * bound) >> 64);
}

double normal(const Stream& stream, std::uint64_t k) {
  const Draw pair = draw(stream, k >> 1);
  const double u1 = static_cast<double>((pair.a >> 11) + 1) * 0x1p-53; // in (0, 1]: ln is finite
  const double angle = 2.0 * std::numbers::pi * unit(pair.b);
  const double radius = std::sqrt(-2.0 * std::log(u1));
  return radius * (k % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

} // namespace attention::philox
