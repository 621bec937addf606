#include "tests/core/figure/apng_frames.h"

#include "tests/core/figure/png_pixels.h"

#include <zlib.h>

using namespace attention;

namespace {

constexpr std::size_t kSignature = 8;

std::uint32_t numberAt(const std::string& bytes, std::size_t at, std::size_t size = 4) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < size; ++k)
    value = (value << 8) | static_cast<unsigned char>(bytes.at(at + k));
  return value;
}

std::string bigEndian(std::uint32_t value) {
  std::string bytes;
  for (int k = 3; k >= 0; --k)
    bytes += static_cast<char>((value >> (8 * k)) & 0xFFU);
  return bytes;
}

struct Chunk {
  std::string type;
  std::string data;
};

std::uint32_t checkSum(const std::string& body) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
}

std::vector<Chunk> chunksOf(const std::string& png) {
  std::vector<Chunk> chunks;
  for (std::size_t at = kSignature; at < png.size();) {
    const std::size_t length = numberAt(png, at);
    const std::string body = png.substr(at + 4, length + 4);
    CHECK(numberAt(png, at + 8 + length) == checkSum(body));
    chunks.push_back({body.substr(0, 4), body.substr(4)});
    at += length + 12;
  }
  return chunks;
}

std::string written(const std::string& type, const std::string& data) {
  return bigEndian(static_cast<std::uint32_t>(data.size())) + type + data +
         bigEndian(checkSum(type + data));
}

class Reader {
public:
  explicit Reader(const std::string& apng) : signature_(apng.substr(0, kSignature)) {
    for (const Chunk& chunk : chunksOf(apng))
      take(chunk);
    endFrame();
    CHECK(frames_.size() == promised_);
  }

  std::vector<ApngFrame> frames() { return std::move(frames_); }

private:
  void take(const Chunk& chunk) {
    if (chunk.type == "IHDR") {
      header_ = chunk.data;
      const auto width = numberAt(header_, 0);
      const auto height = numberAt(header_, 4);
      canvas_ = {static_cast<int>(width), static_cast<int>(height), {}};
      canvas_.pixels.assign(std::size_t{width} * height, Color{0, 0, 0, 0});
    } else if (chunk.type == "acTL") {
      promised_ = numberAt(chunk.data, 0);
      CHECK(numberAt(chunk.data, 4) == 0); // repeats without end
    } else if (chunk.type == "fcTL") {
      endFrame();
      CHECK(numberAt(chunk.data, 0) == sequence_++);
      control_ = chunk.data;
    } else if (chunk.type == "IDAT") {
      CHECK(frames_.empty());
      data_ += chunk.data;
    } else if (chunk.type == "fdAT") {
      CHECK_FALSE(frames_.empty());
      CHECK(numberAt(chunk.data, 0) == sequence_++);
      data_ += chunk.data.substr(4);
    }
  }

  void endFrame() {
    if (control_.empty())
      return;
    ApngFrame frame;
    frame.part = part();
    frame.left = static_cast<int>(numberAt(control_, 12));
    frame.top = static_cast<int>(numberAt(control_, 16));
    const std::uint32_t unit = numberAt(control_, 22, 2); // of a second
    frame.milliseconds = static_cast<int>(numberAt(control_, 20, 2) * 1000 / unit);
    lay(frame);
    frame.shown = canvas_;
    frames_.push_back(frame);
    control_.clear();
    data_.clear();
  }

  // A frame's data as a PNG of its own.
  Image part() const {
    const std::string header = control_.substr(4, 8) + header_.substr(8);
    return pixelsOf(signature_ + written("IHDR", header) + written("IDAT", data_) +
                    written("IEND", ""));
  }

  void lay(const ApngFrame& frame) {
    CHECK(control_.at(24) == 0); // not disposed of
    const bool over = control_.at(25) == 1;
    REQUIRE(frame.left + frame.part.width <= canvas_.width);
    REQUIRE(frame.top + frame.part.height <= canvas_.height);
    CHECK((!frames_.empty() || frame.part.pixels.size() == canvas_.pixels.size()));
    bool mixed = false; // whether some pixel is neither clear nor opaque
    for (int y = 0; y < frame.part.height; ++y)
      for (int x = 0; x < frame.part.width; ++x) {
        const Color& color = frame.part.pixels[placeOf(frame.part, x, y)];
        mixed = mixed || (color.a != 0 && color.a != 255);
        if (!over || color.a == 255)
          canvas_.pixels[placeOf(canvas_, frame.left + x, frame.top + y)] = color;
      }
    CHECK_FALSE(mixed);
  }

  std::string signature_;
  std::string header_;
  std::string control_; // of the frame being read
  std::string data_;
  Image canvas_;
  std::vector<ApngFrame> frames_;
  std::uint32_t promised_ = 0;
  std::uint32_t sequence_ = 0;
};

} // namespace

std::vector<ApngFrame> framesIn(const std::string& apng) {
  return Reader(apng).frames();
}
