// Philox4x32-10, the counter-based random generator of the specification (S9): every draw is a
// function of (seed, purpose, sub, index), so random patterns and inputs have the same bits on
// every machine and at any number of threads. Salmon et al. 2011, Random123.
#pragma once

#include <array>
#include <cstdint>

namespace attention::philox {

// The purpose of a stream (from S9; from 16 on, our own); part of the counter.
enum class Purpose : std::uint32_t {
  Data = 1,
  ProjectionBlocks = 2,
  ProjectionNorms = 3,
  LshRotations = 4,
  BigBird = 5,
  RandomGraph = 6,
  SmallWorld = 7,
  KMeans = 8,
  Linformer = 9,
  SampledRows = 16,
};

struct Stream {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::Data;
  std::uint32_t sub = 0;
};

// The two 64-bit numbers of one draw.
struct Draw {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};

// The raw block function: ten rounds over `counter` with `key`.
std::array<std::uint32_t, 4> block(std::array<std::uint32_t, 4> counter,
                                   std::array<std::uint32_t, 2> key);

Draw draw(const Stream& stream, std::uint64_t index);

// A number in [0, 1) from the upper 53 bits of u.
double unit(std::uint64_t u);

// ⌊u · bound / 2^64⌋, a number in [0, bound).
std::uint64_t below(std::uint64_t u, std::uint64_t bound);

// Normal number k of the stream, N(0, 1), by Box and Muller on draw k / 2.
double normal(const Stream& stream, std::uint64_t k);

} // namespace attention::philox
