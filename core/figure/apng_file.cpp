#include "core/figure/apng_file.h"

#include "core/figure/png_file.h"
#include "core/support/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ostream>
#include <sstream>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace attention {
namespace {

constexpr std::size_t kSignature = 8;    // bytes before the first chunk
constexpr std::size_t kAroundChunk = 12; // its length, type and check sum
constexpr double kMillisecond = 1000;
constexpr double kLongest = 65535; // milliseconds: 16 bits

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

std::string pngOf(const Image& image, const std::string& sceneText) {
  std::ostringstream stream;
  PngWriter png(stream, {image.width, image.height}, sceneText);
  png.rows(image.pixels);
  png.finish();
  return stream.str();
}

} // namespace

ApngWriter::ApngWriter(std::ostream& stream, const PixelSize& size, std::size_t frames,
                       std::string sceneText)
    : stream_(stream), size_(size), frames_(frames), sceneText_(std::move(sceneText)) {}

void ApngWriter::chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  stream_ << bigEndian(static_cast<std::uint32_t>(data.size())) << body
          << bigEndian(static_cast<std::uint32_t>(sum));
}

std::string ApngWriter::frameControl(double seconds) {
  const double milliseconds = std::clamp(std::round(seconds * kMillisecond), 1.0, kLongest);
  const std::string noOffset = bigEndian(0) + bigEndian(0);
  const std::string replacing(2, '\0'); // neither disposed of nor blended
  return bigEndian(sequence_++) + bigEndian(static_cast<std::uint32_t>(size_.width)) +
         bigEndian(static_cast<std::uint32_t>(size_.height)) + noOffset +
         bigEndian(static_cast<std::uint32_t>(milliseconds), 2) +
         bigEndian(static_cast<std::uint32_t>(kMillisecond), 2) + replacing;
}

void ApngWriter::add(const Image& image, double seconds) {
  assert(image.width == size_.width && image.height == size_.height && added_ < frames_);
  const bool first = added_++ == 0;
  const std::string png = pngOf(image, first ? sceneText_ : "");
  if (first)
    stream_ << png.substr(0, kSignature);
  bool controlled = false; // whether the frame's fcTL is written
  for (const Chunk& of : chunksOf(png)) {
    const std::string type(of.type);
    if (type == "IDAT" && !std::exchange(controlled, true))
      chunk("fcTL", frameControl(seconds));
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
