// Animations as files: APNG chunk by chunk, numbered pictures, ffmpeg and its absence.
#include "core/figure/animation_file.h"

#include "core/figure/apng_file.h"
#include "core/figure/png_file.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/figure/files.h"

#include <cstdlib>
#include <sstream>
#include <stop_token>
#include <zlib.h>

using namespace attention;

namespace {

constexpr std::size_t kSignature = 8;

std::uint32_t numberAt(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k)
    value = (value << 8) | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

struct Chunk {
  std::string type;
  std::string data;
};

// With the check sums checked.
std::vector<Chunk> chunksOf(const std::string& png) {
  std::vector<Chunk> chunks;
  for (std::size_t at = kSignature; at < png.size();) {
    const std::size_t length = numberAt(png, at);
    const std::string body = png.substr(at + 4, length + 4);
    CHECK(numberAt(png, at + 8 + length) ==
          crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
    chunks.push_back({body.substr(0, 4), body.substr(4)});
    at += length + 12;
  }
  return chunks;
}

Image plain(std::uint8_t shade) {
  Image image;
  image.width = 5;
  image.height = 3;
  image.pixels.assign(15, Color{shade, shade, std::uint8_t{7}});
  return image;
}

// What a PNG's IDAT chunks hold.
std::string packed(const Image& image) {
  std::ostringstream stream;
  PngWriter png(stream, {image.width, image.height}, "");
  png.rows(image.pixels);
  png.finish();
  std::string data;
  for (const Chunk& chunk : chunksOf(stream.str()))
    if (chunk.type == "IDAT")
      data += chunk.data;
  return data;
}

Frames fewFrames() {
  Scene scene;
  scene.pattern = patternNamed("strided");
  scene.length.n = 12;
  return framesOf(scene, {"stride", 2, 4}, 12);
}

Run stoppedRun() {
  std::stop_source source;
  source.request_stop();
  Run run;
  run.stop = source.get_token();
  return run;
}

// PATH for the time of its life.
class Path {
public:
  explicit Path(const std::string& folders) : before_(std::getenv("PATH")) {
    ::setenv("PATH", folders.c_str(), 1);
  }
  Path(Path&&) = delete;
  ~Path() { ::setenv("PATH", before_.c_str(), 1); }

private:
  std::string before_;
};

void writeProgram(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << "#!/bin/sh\n" << text;
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

} // namespace

TEST_CASE("an APNG holds each frame as a PNG does", "[animation]") {
  std::ostringstream stream;
  ApngWriter apng(stream, {5, 3}, 3, "");
  for (const int shade : {10, 20, 30})
    apng.add(plain(static_cast<std::uint8_t>(shade)), shade / 100.0);
  apng.finish();
  std::vector<std::string> data(3);
  std::vector<std::uint32_t> sequence;
  std::vector<int> delays;
  std::size_t frame = 0;
  const std::vector<Chunk> chunks = chunksOf(stream.str());
  CHECK(chunks[0].type == "IHDR");
  CHECK(chunks[1].type == "acTL");
  CHECK(numberAt(chunks[1].data, 0) == 3);
  CHECK(numberAt(chunks[1].data, 4) == 0);
  for (const Chunk& chunk : chunks)
    if (chunk.type == "fcTL") {
      frame = delays.size();
      sequence.push_back(numberAt(chunk.data, 0));
      CHECK(numberAt(chunk.data, 4) == 5);
      CHECK(numberAt(chunk.data, 8) == 3);
      delays.push_back(static_cast<unsigned char>(chunk.data[20]) * 256 +
                       static_cast<unsigned char>(chunk.data[21]));
    } else if (chunk.type == "IDAT") {
      CHECK(frame == 0);
      data[0] += chunk.data;
    } else if (chunk.type == "fdAT") {
      sequence.push_back(numberAt(chunk.data, 0));
      data.at(frame) += chunk.data.substr(4);
    }
  CHECK(chunks.back().type == "IEND");
  CHECK(delays == std::vector<int>{100, 200, 300});
  CHECK(sequence == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(data[k] == packed(plain(static_cast<std::uint8_t>(10 * (k + 1)))));
}

TEST_CASE("an animated PNG opens as its first Scene and replaces whole files alone",
          "[animation]") {
  const TestFolder folder;
  const auto file = folder / "stride.png";
  AnimationFileOptions options;
  options.size = PixelSize{320, 360};
  writeAnimation(fewFrames(), {}, file, options);
  const std::string whole = textOf(file);
  const auto chunks = chunksOf(whole);
  CHECK(std::count_if(chunks.begin(), chunks.end(),
                      [](const Chunk& chunk) { return chunk.type == "fcTL"; }) == 3);
  CHECK(whole.find("attention-explorer scene") != std::string::npos);
  const Run stopped = stoppedRun();
  CHECK_THROWS_AS(writeAnimation(fewFrames(), {}, file, options, stopped), Stopped);
  CHECK(textOf(file) == whole);
}

TEST_CASE("a folder holds numbered pictures of one size", "[animation]") {
  const TestFolder folder;
  writeAnimation(fewFrames(), {}, folder / "frames");
  std::vector<std::string> sizes;
  for (const char* name : {"frame-00001.png", "frame-00002.png", "frame-00003.png"})
    sizes.push_back(textOf(folder / "frames" / name).substr(16, 8));
  CHECK(sizes[0] == sizes[1]);
  CHECK(sizes[1] == sizes[2]);
  CHECK_FALSE(std::filesystem::exists(folder / "frames" / "frame-00004.png"));
}

TEST_CASE("what does not move is drawn alike in all frames", "[animation]") {
  Frames frames = fewFrames();
  frames.scenes.front().caption = "Words that are long enough to be broken into several lines, "
                                  "which hangs on how the frame is arranged.";
  frames.scenes.assign(2, frames.scenes.front());
  const TestFolder folder;
  writeAnimation(frames, {}, folder / "frames");
  CHECK(textOf(folder / "frames" / "frame-00001.png") ==
        textOf(folder / "frames" / "frame-00002.png"));
}

TEST_CASE("a film needs ffmpeg and says so", "[animation]") {
  const TestFolder folder;
  const auto file = folder / "stride.gif";
  const auto refused = [&] {
    return codeAndSubject([&] { writeAnimation(fewFrames(), {}, file); });
  };
  {
    const Path none((folder / "none").string());
    CHECK(refused() == "E_UNSUPPORTED " + file.string());
  }
  std::filesystem::create_directory(folder / "bin");
  const Path path((folder / "bin").string() + ":" + std::getenv("PATH"));
  writeProgram(folder / "bin" / "ffmpeg", "echo cannot draw >&2\nexit 3\n");
  CHECK(refused() == "E_IO " + file.string());
  CHECK_FALSE(std::filesystem::exists(file));
  // The last word is the file; what it was asked for is what the file then holds.
  writeProgram(folder / "bin" / "ffmpeg",
               "for word in \"$@\"; do last=$word; done\necho \"$@\" >\"$last\"\n");
  CHECK(refused().empty());
  CHECK(textOf(file).find("-framerate 2.0000") != std::string::npos);
  CHECK(textOf(file).find("palettegen") != std::string::npos);
  const Run stopped = stoppedRun();
  CHECK_THROWS_AS(writeAnimation(fewFrames(), {}, file, {}, stopped), Stopped);
}

TEST_CASE("animations of other endings and speeds are refused by name", "[animation]") {
  const TestFolder folder;
  const auto refused = [&](const char* name, const AnimationFileOptions& options) {
    return codeAndSubject([&] { writeAnimation(fewFrames(), {}, folder / name, options); });
  };
  CHECK(refused("a.svg", {}) == "E_UNSUPPORTED " + (folder / "a.svg").string());
  AnimationFileOptions options;
  options.seconds = 0;
  CHECK(refused("a.png", options) == "E_RANGE seconds");
  options = {};
  options.still = -1;
  CHECK(refused("a.png", options) == "E_RANGE still");
}
