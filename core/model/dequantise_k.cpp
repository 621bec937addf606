// Blocks of 256 numbers with scales of their own for every 16 or 32 (ggml's K types).
#include "core/model/dequantise.h"

#include <array>

namespace attention {
namespace {

// The scales and minima of Q4_K and Q5_K for 8 groups of 32 numbers, of 6 bits each in 12 bytes:
// the first four of both in the low bits of bytes 0–3 and 4–7; of the others the low four bits in
// bytes 8–11, and the upper two in the top bits of the first eight bytes.
struct Scales {
  std::array<float, 8> scale;
  std::array<float, 8> minimum;
};

Scales scalesOf(const std::uint8_t* block) {
  const float d = halfAt(block);
  const float m = halfAt(block + 2);
  const std::uint8_t* packed = block + 4;
  Scales scales{};
  for (std::size_t g = 0; g < 4; ++g) {
    scales.scale[g] = d * static_cast<float>(packed[g] & 63);
    scales.minimum[g] = m * static_cast<float>(packed[g + 4] & 63);
    const int low = packed[g + 8];
    scales.scale[g + 4] = d * static_cast<float>((low & 15) | (packed[g] >> 6) << 4);
    scales.minimum[g + 4] = m * static_cast<float>((low >> 4) | (packed[g + 4] >> 6) << 4);
  }
  return scales;
}

} // namespace

// 16 bytes of scales (low four bits) and minima (high ones) for 16 groups of 16 numbers; 64 bytes
// of numbers, two bits each; d; m. Each half of 128 numbers has 32 bytes: bits 2 s and 2 s + 1 of
// byte i are number 32 s + i.
void readQ2_K(const std::uint8_t* block, float* out) {
  const float d = halfAt(block + 80);
  const float m = halfAt(block + 82);
  for (int group = 0; group < 16; ++group) {
    const int half = group / 8;
    const int shift = group % 8 / 2 * 2;
    const std::uint8_t* packed = block + 16 + 32 * half + group % 2 * 16;
    const float scale = d * static_cast<float>(block[group] & 15);
    const float minimum = m * static_cast<float>(block[group] >> 4);
    for (int i = 0; i < 16; ++i)
      out[16 * group + i] = scale * static_cast<float>(packed[i] >> shift & 3) - minimum;
  }
}

// 32 bytes of third bits; 64 bytes of two bits each, in the order of Q2_K; 12 bytes of scales of 6
// bits, less 32; d. The third bit of number 32 s + i is bit s of byte i; where it is 0 the number
// is 4 less.
void readQ3_K(const std::uint8_t* block, float* out) {
  const float d = halfAt(block + 108);
  const std::uint8_t* scales = block + 96;
  for (int group = 0; group < 16; ++group) {
    const int low = group < 8 ? scales[group] & 15 : scales[group - 8] >> 4;
    const int high = scales[8 + group % 4] >> (group / 4 * 2) & 3;
    const float scale = d * static_cast<float>((low | high << 4) - 32);
    const int shift = group % 8 / 2 * 2;
    const std::uint8_t* third = block + group % 2 * 16;
    const std::uint8_t* packed = block + 32 + 32 * (group / 8) + group % 2 * 16;
    for (int i = 0; i < 16; ++i) {
      const int number = (packed[i] >> shift & 3) | (third[i] >> (group / 2) & 1) << 2;
      out[16 * group + i] = scale * static_cast<float>(number - 4);
    }
  }
}

// d, m, 12 bytes of scales; 128 bytes: of each 32, the low halves are 32 numbers and the high
// halves the next 32.
void readQ4_K(const std::uint8_t* block, float* out) {
  const Scales scales = scalesOf(block);
  for (std::size_t group = 0; group < 8; ++group) {
    const std::uint8_t* packed = block + 16 + 32 * (group / 2);
    const int shift = group % 2 == 0 ? 0 : 4;
    for (std::size_t i = 0; i < 32; ++i)
      out[32 * group + i] =
          scales.scale[group] * static_cast<float>(packed[i] >> shift & 15) - scales.minimum[group];
  }
}

// The same with 32 bytes of fifth bits before the numbers: bit g of byte i is of number 32 g + i.
void readQ5_K(const std::uint8_t* block, float* out) {
  const Scales scales = scalesOf(block);
  const std::uint8_t* fifth = block + 16;
  for (std::size_t group = 0; group < 8; ++group) {
    const std::uint8_t* packed = block + 48 + 32 * (group / 2);
    const int shift = group % 2 == 0 ? 0 : 4;
    for (std::size_t i = 0; i < 32; ++i) {
      const int number = (packed[i] >> shift & 15) | (fifth[i] >> group & 1) << 4;
      out[32 * group + i] =
          scales.scale[group] * static_cast<float>(number) - scales.minimum[group];
    }
  }
}

// 128 bytes of the low four bits, 64 of the upper two, 16 signed scales, d. Each half of 128
// numbers has 64 and 32 bytes of these; its numbers 32 s + i have their low bits in half s / 2 of
// byte 32 (s mod 2) + i and the upper ones at bit 2 s of byte i. Numbers are less 32.
void readQ6_K(const std::uint8_t* block, float* out) {
  const float d = halfAt(block + 208);
  for (int group = 0; group < 16; ++group) {
    const int part = group % 8 / 2;
    const int within = group % 2 * 16;
    const std::uint8_t* low = block + 64 * (group / 8) + 32 * (part % 2) + within;
    const std::uint8_t* high = block + 128 + 32 * (group / 8) + within;
    const int lowShift = part / 2 * 4;
    const float scale = d * static_cast<float>(static_cast<std::int8_t>(block[192 + group]));
    for (int i = 0; i < 16; ++i) {
      const int number = (low[i] >> lowShift & 15) | (high[i] >> (2 * part) & 3) << 4;
      out[16 * group + i] = scale * static_cast<float>(number - 32);
    }
  }
}

} // namespace attention
