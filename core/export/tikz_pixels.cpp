#include "core/export/tikz_pixels.h"

#include "core/plot/resample.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

namespace attention {
namespace {

constexpr std::size_t kMostColors = 256;  // of a palette
constexpr std::size_t kBytesPerLine = 60; // of the file, in hexadecimal digits

std::uint32_t keyOf(const Color& color) {
  return std::uint32_t{color.r} << 16 | std::uint32_t{color.g} << 8 | color.b;
}

struct PixelRun {
  int begin;
  int end;
  std::uint32_t color;
  auto operator<=>(const PixelRun&) const = default;
};

std::vector<PixelRun> runsOf(std::span<const Color> row, const Color& ground) {
  std::vector<PixelRun> runs;
  const auto width = static_cast<int>(row.size());
  for (int x = 0; x < width;) {
    const int begin = x;
    const Color& color = row[static_cast<std::size_t>(begin)];
    while (x < width && row[static_cast<std::size_t>(x)] == color)
      ++x;
    if (!(color == ground))
      runs.push_back({begin, x, keyOf(color)});
  }
  return runs;
}

std::span<const Color> rowOf(const Image& image, int y) {
  const auto width = static_cast<std::size_t>(image.width);
  return std::span(image.pixels).subspan(static_cast<std::size_t>(y) * width, width);
}

// A channel in steps around that of the background.
std::uint8_t rounded(std::uint8_t channel, std::uint8_t ground, int step) {
  const int from = channel - ground;
  const int steps = (std::abs(from) + step / 2) / step;
  return static_cast<std::uint8_t>(std::clamp(ground + (from < 0 ? -steps : steps) * step, 0, 255));
}

struct FewColors {
  std::vector<std::uint32_t> palette;
  std::vector<std::uint32_t> pixels; // indices into it
};

// Rounds the colours until there are few.
FewColors fewColors(const std::vector<Color>& pixels, const Color& ground) {
  for (int step = 1;; step *= 2) {
    FewColors few;
    std::unordered_map<std::uint32_t, std::uint32_t> known;
    for (const Color& color : pixels) {
      const auto channel = [&](std::uint8_t Color::*of) {
        return rounded(color.*of, ground.*of, step);
      };
      const std::uint32_t key = keyOf({channel(&Color::r), channel(&Color::g), channel(&Color::b)});
      const auto [at, fresh] =
          known.try_emplace(key, static_cast<std::uint32_t>(few.palette.size()));
      if (fresh)
        few.palette.push_back(key);
      few.pixels.push_back(at->second);
    }
    if (few.palette.size() <= kMostColors)
      return few;
  }
}

void appendHex(std::string& text, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    text += "0123456789ABCDEF"[value >> shift & 15];
}

// The longest side for which all images together have at most this many pixels.
int sideFor(const std::vector<const Image*>& images, std::size_t most) {
  const auto pixels = [&](int side) {
    return std::accumulate(
        images.begin(), images.end(), std::size_t{0}, [&](std::size_t sum, const Image* image) {
          return sum + static_cast<std::size_t>(std::min(image->width, side)) *
                           static_cast<std::size_t>(std::min(image->height, side));
        });
  };
  int side = 1;
  for (int step = 1 << 14; step > 0; step /= 2)
    if (pixels(side + step) <= most)
      side += step;
  return side;
}

Image within(const Image& image, int side) {
  if (image.width <= side && image.height <= side)
    return image;
  return resampled(image, std::min(image.width, side), std::min(image.height, side));
}

std::size_t countOf(const std::vector<PixelBoxes>& colors) {
  return std::accumulate(
      colors.begin(), colors.end(), std::size_t{0},
      [](std::size_t sum, const PixelBoxes& of) { return sum + of.boxes.size(); });
}

} // namespace

std::vector<PixelBoxes> mergedPixels(const Image& image, const Color& ground) {
  struct Place {
    std::size_t color;
    std::size_t box;
  };
  std::vector<PixelBoxes> colors;
  std::unordered_map<std::uint32_t, std::size_t> known;
  std::map<PixelRun, Place> above; // the runs of the last row, and their boxes
  for (int y = 0; y < image.height; ++y) {
    std::map<PixelRun, Place> here;
    for (const PixelRun& run : runsOf(rowOf(image, y), ground)) {
      if (const auto same = above.find(run); same != above.end()) {
        const Place& place = here.emplace_hint(here.end(), *same)->second;
        colors[place.color].boxes[place.box].height += 1;
        continue;
      }
      const auto [at, fresh] = known.try_emplace(run.color, colors.size());
      if (fresh)
        colors.push_back({attention::colorOf(run.color), {}});
      std::vector<Box>& boxes = colors[at->second].boxes;
      here.emplace_hint(here.end(), run, Place{at->second, boxes.size()});
      boxes.push_back({1.0 * run.begin, 1.0 * y, 1.0 * (run.end - run.begin), 1});
    }
    above = std::move(here);
  }
  return colors;
}

std::string pdfImage(const Image& image, const Color& ground) {
  const auto [palette, pixels] = fewColors(image.pixels, ground);
  std::string text = "BI /W " + std::to_string(image.width) + " /H " +
                     std::to_string(image.height) + " /BPC 8 /CS [/I /RGB " +
                     std::to_string(palette.size() - 1) + " <\n";
  for (std::size_t k = 0; k < palette.size(); ++k) {
    appendHex(text, palette[k], 6);
    if ((k + 1) % (kBytesPerLine / 3) == 0)
      text += '\n';
  }
  text += ">] /F /AHx ID\n";
  for (std::size_t k = 0; k < pixels.size(); ++k) {
    appendHex(text, pixels[k], 2);
    if ((k + 1) % kBytesPerLine == 0)
      text += '\n';
  }
  return text + "> EI\n";
}

std::vector<TikzPixels> tikzPixels(const DisplayList& list, bool all) {
  std::vector<const Image*> images;
  for (const Primitive2D& item : list.items)
    if (const auto* picture = std::get_if<Picture>(&item))
      images.push_back(picture->image.get());
  std::vector<TikzPixels> pixels(images.size());
  std::size_t boxes = 0;
  for (std::size_t k = 0; k < images.size(); ++k) {
    pixels[k].boxes = mergedPixels(*images[k], list.ground);
    boxes += countOf(pixels[k].boxes);
  }
  if (boxes <= kMostPixelBoxes && !all)
    return pixels;
  const auto isLarge = [&](std::size_t k) {
    return all || countOf(pixels[k].boxes) > kMostPixelBoxes / images.size();
  };
  std::vector<const Image*> large;
  for (std::size_t k = 0; k < images.size(); ++k)
    if (isLarge(k))
      large.push_back(images[k]);
  const int side = sideFor(large, kMostTikzPixels);
  for (std::size_t k = 0; k < images.size(); ++k)
    if (isLarge(k))
      pixels[k] = {{}, pdfImage(within(*images[k], side), list.ground)};
  return pixels;
}

} // namespace attention
