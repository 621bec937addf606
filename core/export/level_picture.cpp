#include "core/export/level_picture.h"

#include "core/export/png_file.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <unordered_map>

namespace attention {
namespace {

constexpr std::size_t kMostLevels = 256;
constexpr std::size_t kFewPixels = 4096;                 // of a picture that has no table
constexpr std::array<int, 5> kLikeSteps{0, 2, 4, 8, 16}; // steps of a channel, of 255

std::uint64_t keyOf(const LevelColors& of) {
  std::uint64_t key = 0;
  for (const Color& color : {of.first, of.second})
    for (const std::uint8_t channel : {color.r, color.g, color.b})
      key = key << 8 | channel;
  return key;
}

bool alike(const Color& a, const Color& b, int steps) {
  return std::abs(a.r - b.r) <= steps && std::abs(a.g - b.g) <= steps &&
         std::abs(a.b - b.b) <= steps;
}

struct Counted {
  LevelColors colors;
  std::size_t pixels = 0;
};

// The commonest first; equally common ones by colour, so that files are the same in every run.
std::vector<Counted> countedPairs(const Image& light, const Image& dark) {
  std::unordered_map<std::uint64_t, Counted> counts;
  for (std::size_t k = 0; k < light.pixels.size(); ++k) {
    const LevelColors colors{light.pixels[k], dark.pixels[k]};
    Counted& of = counts[keyOf(colors)];
    of.colors = colors;
    ++of.pixels;
  }
  std::vector<Counted> pairs;
  for (const auto& [key, counted] : counts)
    pairs.push_back(counted);
  std::ranges::sort(pairs, [](const Counted& a, const Counted& b) {
    return a.pixels != b.pixels ? a.pixels > b.pixels : keyOf(a.colors) < keyOf(b.colors);
  });
  return pairs;
}

int brightness(const Color& color) {
  return color.r + color.g + color.b;
}

// From light to dark, so that neighbouring levels look alike; empty where there are too many.
std::vector<LevelColors> tableOf(const std::vector<Counted>& pairs, int steps) {
  std::vector<LevelColors> table;
  for (const Counted& of : pairs) {
    const bool known = std::ranges::any_of(table, [&](const LevelColors& other) {
      return alike(of.colors.first, other.first, steps) &&
             alike(of.colors.second, other.second, steps);
    });
    if (known)
      continue;
    if (table.size() == kMostLevels)
      return {};
    table.push_back(of.colors);
  }
  std::ranges::sort(table, [](const LevelColors& a, const LevelColors& b) {
    const int first = brightness(a.first);
    const int second = brightness(b.first);
    return first != second ? first > second : keyOf(a) < keyOf(b);
  });
  return table;
}

int apart(const Color& a, const Color& b) {
  const int r = a.r - b.r;
  const int g = a.g - b.g;
  const int blue = a.b - b.b;
  return r * r + g * g + blue * blue;
}

std::size_t nearest(const std::vector<LevelColors>& table, const LevelColors& of) {
  const auto away = [&](const LevelColors& other) {
    return apart(of.first, other.first) + apart(of.second, other.second);
  };
  return static_cast<std::size_t>(std::ranges::min_element(table, {}, away) - table.begin());
}

std::string pngOf(const Image& light, const Image& dark, const std::vector<Counted>& pairs,
                  const std::vector<LevelColors>& table) {
  std::unordered_map<std::uint64_t, std::uint8_t> byteOf;
  for (const Counted& of : pairs) {
    const std::size_t middle = 2 * nearest(table, of.colors) + 1;
    byteOf[keyOf(of.colors)] =
        static_cast<std::uint8_t>((255 * middle + table.size() - 1) / (2 * table.size()));
  }
  std::vector<std::uint8_t> levels;
  levels.reserve(light.pixels.size());
  for (std::size_t k = 0; k < light.pixels.size(); ++k)
    levels.push_back(byteOf[keyOf({light.pixels[k], dark.pixels[k]})]);
  std::ostringstream stream;
  PngWriter png(stream, {light.width, light.height}, {}, {}, PngChannels::Grey);
  png.rows(levels);
  png.finish();
  return stream.str();
}

} // namespace

std::optional<LevelPicture> levelPicture(const Image& light, const Image& dark) {
  const bool alone =
      light.pixels.size() < kFewPixels || light.width != dark.width || light.height != dark.height;
  if (alone)
    return std::nullopt;
  const std::vector<Counted> pairs = countedPairs(light, dark);
  for (const int steps : kLikeSteps)
    if (std::vector<LevelColors> table = tableOf(pairs, steps); !table.empty()) {
      std::string png = pngOf(light, dark, pairs, table);
      return LevelPicture{std::move(table), std::move(png)};
    }
  return std::nullopt;
}

std::string levelFilter(const std::vector<LevelColors>& table, bool dark, const std::string& id) {
  // Browsers cut or round 255 · value; a quarter above a whole number both give that.
  const auto valueOf = [](std::uint8_t channel) {
    return shortest(std::round(1000 * std::min((channel + 0.25) / 255, 1.0)) / 1000);
  };
  std::array<std::string, 3> values;
  for (const LevelColors& of : table) {
    const Color& color = dark ? of.second : of.first;
    const std::array channels{color.r, color.g, color.b};
    for (std::size_t c = 0; c < channels.size(); ++c)
      values[c] += (values[c].empty() ? "" : " ") + valueOf(channels[c]);
  }
  std::string filter = "<filter id=\"" + id +
                       "\" x=\"0\" y=\"0\" width=\"1\" height=\"1\" "
                       "color-interpolation-filters=\"sRGB\"><feComponentTransfer>";
  for (std::size_t c = 0; c < values.size(); ++c)
    filter += std::string("<feFunc") + "RGB"[c] + " type=\"discrete\" tableValues=\"" + values[c] +
              "\"/>";
  return filter + "</feComponentTransfer></filter>\n";
}

} // namespace attention
