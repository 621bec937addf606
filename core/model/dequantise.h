// Numbers of the stored types as floats, in the formulas of ggml's block formats
// (https://github.com/ggml-org/ggml, src/ggml-common.h has the layouts): a block is a scale d, for
// some types a minimum m, and small integers q; a number is d q + m. The types of 256 numbers per
// block (K) have a scale of few bits for every 16 or 32 of them, and d scales these.
#pragma once

#include "core/model/weight_matrix.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace attention {

// The first out.size() numbers from `stored` on, a multiple of the type's block. The bytes need no
// alignment. O(numbers); products and sums are rounded to float32.
void dequantise(WeightType type, const std::byte* stored, std::span<float> out);

// ---- one block of every quantised type: from its bytes to its 32 or 256 numbers ----

// IEEE 754 binary16. Its exponent has 5 bits, a float's 8: moved to the float's place, 112 must be
// added to it. Halves below 2^-14 have no leading one: they are the fraction of a float in
// [1/2, 1), less 1/2. Chosen by masks, which compilers vectorise.
inline float floatOfHalf(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & 0x7FFFU;
  const std::uint32_t normal = (magnitude << 13U) + (112U << 23U);
  const float small = std::bit_cast<float>((126U << 23U) | magnitude) - 0.5F;
  const std::uint32_t isSmall = 0U - static_cast<std::uint32_t>(magnitude < 0x400U);
  const std::uint32_t isSpecial = 0U - static_cast<std::uint32_t>(magnitude >= 0x7C00U);
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(small) & isSmall) |
                              (normal & ~isSmall) | (isSpecial & 255U << 23U) | // infinity, NaN
                              (bits & 0x8000U) << 16U);
}

template <class T>
T loadAt(const std::uint8_t* bytes) {
  T value{};
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

inline float halfAt(const std::uint8_t* bytes) {
  return floatOfHalf(loadAt<std::uint16_t>(bytes));
}

using BlockReader = void (*)(const std::uint8_t* block, float* out);

void readQ4_0(const std::uint8_t* block, float* out);
void readQ4_1(const std::uint8_t* block, float* out);
void readQ5_0(const std::uint8_t* block, float* out);
void readQ5_1(const std::uint8_t* block, float* out);
void readQ8_0(const std::uint8_t* block, float* out);
void readQ2_K(const std::uint8_t* block, float* out);
void readQ3_K(const std::uint8_t* block, float* out);
void readQ4_K(const std::uint8_t* block, float* out);
void readQ5_K(const std::uint8_t* block, float* out);
void readQ6_K(const std::uint8_t* block, float* out);

} // namespace attention
