#include "core/model/dequantise.h"

#include <cassert>

namespace attention {
namespace {

// Types of two bytes per number.
template <class FromBits>
void widen(const std::byte* stored, std::span<float> out, FromBits fromBits) {
  const std::size_t size = out.size();
  float* const to = out.data();
  for (std::size_t i = 0; i < size; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, stored + 2 * i, 2);
    to[i] = fromBits(bits);
  }
}

BlockReader readerOf(WeightType type) {
  switch (type) {
  case WeightType::Q4_0:
    return readQ4_0;
  case WeightType::Q4_1:
    return readQ4_1;
  case WeightType::Q5_0:
    return readQ5_0;
  case WeightType::Q5_1:
    return readQ5_1;
  case WeightType::Q8_0:
    return readQ8_0;
  case WeightType::Q2_K:
    return readQ2_K;
  case WeightType::Q3_K:
    return readQ3_K;
  case WeightType::Q4_K:
    return readQ4_K;
  case WeightType::Q5_K:
    return readQ5_K;
  case WeightType::Q6_K:
    return readQ6_K;
  default:
    return nullptr;
  }
}

} // namespace

void dequantise(WeightType type, const std::byte* stored, std::span<float> out) {
  if (type == WeightType::F32) {
    std::memcpy(out.data(), stored, out.size_bytes());
  } else if (type == WeightType::F16) {
    widen(stored, out, [](std::uint32_t bits) { return floatOfHalf(bits); });
  } else if (type == WeightType::BF16) {
    widen(stored, out, [](std::uint32_t bits) { return std::bit_cast<float>(bits << 16U); });
  } else {
    const WeightBlock block = blockOf(type);
    const BlockReader read = readerOf(type);
    const auto* from = reinterpret_cast<const std::uint8_t*>(stored);
    assert(static_cast<Index>(out.size()) % block.numbers == 0);
    for (float* to = out.data(); to != out.data() + out.size(); to += block.numbers) {
      read(from, to);
      from += block.bytes;
    }
  }
}

} // namespace attention
