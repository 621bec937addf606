#include "core/export/apng_file.h"

#include "core/export/changed_area.h"
#include "core/export/png_file.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ostream>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace attention {
namespace {

constexpr std::size_t kSignature = 8;    // bytes before the first chunk
constexpr std::size_t kAroundChunk = 12; // its length, type and check sum
constexpr double kMillisecond = 1000;
constexpr double kLongestFrame = 65535; // milliseconds: 16 bits
constexpr Color kClear{0, 0, 0, 0};
// How a frame is disposed of, and how it is blended with the one before.
constexpr char kStays = 0;
constexpr char kOver = 1;

std::string bigEndian(std::uint32_t value, int bytes = 4) {
  std::string text;
  for (int k = bytes - 1; k >= 0; --k)
    text += static_cast<char>((value >> (8 * k)) & 0xFFU);
  return text;
}

std::uint32_t numberAt(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k)
    value = (value << 8) | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

struct Chunk {
  std::string_view type;
  std::string_view data;
};

// Of a PNG that this program wrote.
std::vector<Chunk> chunksOf(std::string_view png) {
  std::vector<Chunk> chunks;
  for (std::size_t at = kSignature; at + kAroundChunk <= png.size();) {
    const std::size_t length = numberAt(png, at);
    chunks.push_back({png.substr(at + 4, 4), png.substr(at + 8, length)});
    at += length + kAroundChunk;
  }
  return chunks;
}

// `area` of a frame as a PNG, transparent where a pixel is unchanged.
std::string pngOf(const Image& before, const Image& after, const FrameArea& area,
                  const std::string& sceneText) {
  std::ostringstream stream;
  PngWriter png(stream, {area.width(), area.height()}, sceneText, "", PngChannels::Rgba);
  std::vector<Color> pixels(static_cast<std::size_t>(area.width()));
  for (int y = area.top; y < area.bottom; ++y) {
    const auto was = rowOf(before, y);
    const auto row = rowOf(after, y);
    for (std::size_t k = 0; k < pixels.size(); ++k) {
      const std::size_t x = static_cast<std::size_t>(area.left) + k;
      pixels[k] = row[x] == was[x] ? kClear : row[x];
    }
    png.rows(pixels);
  }
  png.finish();
  return stream.str();
}

std::string frameControl(std::uint32_t sequence, const FrameArea& area, double seconds) {
  const double milliseconds = std::clamp(std::round(seconds * kMillisecond), 1.0, kLongestFrame);
  std::string data = bigEndian(sequence);
  for (const int number : {area.width(), area.height(), area.left, area.top})
    data += bigEndian(static_cast<std::uint32_t>(number));
  return data + bigEndian(static_cast<std::uint32_t>(milliseconds), 2) +
         bigEndian(static_cast<std::uint32_t>(kMillisecond), 2) + kStays + kOver;
}

} // namespace

ApngWriter::ApngWriter(std::ostream& stream, const PixelSize& size, std::size_t frames,
                       std::string sceneText)
    : stream_(stream), shown_{static_cast<int>(size.width), static_cast<int>(size.height), {}},
      frames_(frames), sceneText_(std::move(sceneText)) {
  shown_.pixels.assign(static_cast<std::size_t>(size.width * size.height), kClear);
}

void ApngWriter::chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  stream_ << bigEndian(static_cast<std::uint32_t>(data.size())) << body
          << bigEndian(static_cast<std::uint32_t>(sum));
}

void ApngWriter::add(const Image& image, double seconds) {
  assert(image.width == shown_.width && image.height == shown_.height && added_ < frames_);
  const bool first = added_++ == 0;
  const FrameArea area = changedArea(shown_, image);
  assert(!first || (area.width() == image.width && area.height() == image.height));
  const std::string png = pngOf(shown_, image, area, first ? sceneText_ : "");
  shown_ = image;
  if (first)
    stream_ << png.substr(0, kSignature);
  bool controlled = false; // whether the frame's fcTL is written
  for (const Chunk& of : chunksOf(png)) {
    const std::string type(of.type);
    if (type == "IDAT" && !std::exchange(controlled, true))
      chunk("fcTL", frameControl(sequence_++, area, seconds));
    if (type == "IDAT")
      chunk(first ? "IDAT" : "fdAT", (first ? "" : bigEndian(sequence_++)) + std::string(of.data));
    else if (first && type != "IEND")
      chunk(type, std::string(of.data));
    if (first && type == "IHDR") // repeats without end
      chunk("acTL", bigEndian(static_cast<std::uint32_t>(frames_)) + bigEndian(0));
  }
}

void ApngWriter::finish() {
  assert(added_ == frames_);
  chunk("IEND", "");
}

} // namespace attention
