#include "core/export/palette.h"

#include <algorithm>

namespace attention {
namespace {

constexpr std::uint32_t kLikeness = 0xF8F8F8; // the five upper bits of each channel

std::uint32_t hexOf(const Color& color) {
  return (std::uint32_t{color.r} << 16) | (std::uint32_t{color.g} << 8) | color.b;
}

struct Shade {
  std::uint32_t color = 0; // the commonest of those alike
  std::size_t its = 0;     // pixels of that colour
  std::size_t all = 0;     // of all that are alike
};

using Counts = std::unordered_map<std::uint32_t, std::size_t>;

// The commonest first; equally common ones by colour, so that the palette is the same in every run.
std::vector<Shade> shadesOf(const Counts& counts, std::uint32_t likeness) {
  std::unordered_map<std::uint32_t, Shade> groups;
  for (const auto& [color, count] : counts) {
    Shade& group = groups[color & likeness];
    if (count > group.its || (count == group.its && color < group.color)) {
      group.color = color;
      group.its = count;
    }
    group.all += count;
  }
  std::vector<Shade> shades;
  for (const auto& [key, group] : groups)
    shades.push_back(group);
  std::ranges::sort(shades, [](const Shade& a, const Shade& b) {
    return a.all != b.all ? a.all > b.all : a.color < b.color;
  });
  return shades;
}

int distance(const Color& a, const Color& b) {
  const int r = a.r - b.r;
  const int g = a.g - b.g;
  const int blue = a.b - b.b;
  return r * r + g * g + blue * blue;
}

} // namespace

Palette::Palette(std::span<const Color> pixels, std::size_t most) {
  Counts counts;
  for (const Color& pixel : pixels)
    ++counts[hexOf(pixel)];
  const bool allFit = counts.size() <= most;
  std::vector<Shade> shades = shadesOf(counts, allFit ? 0xFFFFFF : kLikeness);
  shades.resize(std::min(shades.size(), most));
  for (const Shade& shade : shades)
    colors_.push_back(colorOf(shade.color));
  for (const auto& [key, count] : counts) {
    const auto nearest = std::ranges::min_element(
        colors_, {}, [of = colorOf(key)](const Color& color) { return distance(color, of); });
    index_[key] = static_cast<std::size_t>(nearest - colors_.begin());
  }
}

std::size_t Palette::at(const Color& color) const {
  return index_.at(hexOf(color));
}

} // namespace attention
