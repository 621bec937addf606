// Blocks of 32 numbers. Of those with 4 bits per number, byte i holds numbers i and i + 16.
#include "core/model/dequantise.h"

#include <array>

namespace attention {
namespace {

constexpr std::size_t kHalf = 16;

// d (q − 8) or d q + m with q of 4 bits.
void read4(const std::uint8_t* packed, float d, float m, int zero, float* out) {
  for (std::size_t i = 0; i < kHalf; ++i) {
    out[i] = static_cast<float>((packed[i] & 15) - zero) * d + m;
    out[i + kHalf] = static_cast<float>((packed[i] >> 4) - zero) * d + m;
  }
}

// Byte k of entry b is 16 where bit k of b is set: eight fifth bits in their places.
constexpr std::array<std::uint64_t, 256> kFifthBits = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte)
    for (std::size_t bit = 0; bit < 8; ++bit)
      table[byte] |= static_cast<std::uint64_t>(byte >> bit & 1U) << (8 * bit + 4);
  return table;
}();

// The same with a fifth bit, which is bit i of the four bytes `high` for number i.
void read5(const std::uint8_t* packed, const std::uint8_t* high, float d, float m, int zero,
           float* out) {
  std::array<std::uint64_t, 4> eights{};
  for (std::size_t byte = 0; byte < 4; ++byte)
    eights[byte] = kFifthBits[high[byte]];
  std::array<std::uint8_t, 2 * kHalf> numbers{};
  std::memcpy(numbers.data(), eights.data(), numbers.size());
  for (std::size_t i = 0; i < kHalf; ++i) {
    numbers[i] |= packed[i] & 15;
    numbers[i + kHalf] |= packed[i] >> 4;
  }
  for (std::size_t i = 0; i < 2 * kHalf; ++i)
    out[i] = static_cast<float>(numbers[i] - zero) * d + m;
}

} // namespace

// d, numbers.
void readQ4_0(const std::uint8_t* block, float* out) {
  read4(block + 2, halfAt(block), 0, 8, out);
}

// d, m, numbers.
void readQ4_1(const std::uint8_t* block, float* out) {
  read4(block + 4, halfAt(block), halfAt(block + 2), 0, out);
}

// d, fifth bits, numbers.
void readQ5_0(const std::uint8_t* block, float* out) {
  read5(block + 6, block + 2, halfAt(block), 0, 16, out);
}

// d, m, fifth bits, numbers.
void readQ5_1(const std::uint8_t* block, float* out) {
  read5(block + 8, block + 4, halfAt(block), halfAt(block + 2), 0, out);
}

// d, signed bytes.
void readQ8_0(const std::uint8_t* block, float* out) {
  const float d = halfAt(block);
  for (std::size_t i = 0; i < 2 * kHalf; ++i)
    out[i] = static_cast<float>(static_cast<std::int8_t>(block[2 + i])) * d;
}

} // namespace attention
