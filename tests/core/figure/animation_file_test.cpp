// Animations as files: animated PNGs, GIFs, numbered pictures, ffmpeg and its absence.
#include "core/views/animation_file.h"

#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/figure/apng_frames.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/gif_frames.h"
#include "tests/core/figure/png_pixels.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/environment.h"

#include <algorithm>
#include <cstdlib>
#include <stop_token>

using namespace attention;

namespace {

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

void writeProgram(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << "#!/bin/sh\n" << text;
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

} // namespace

TEST_CASE("an animated PNG shows what numbered pictures do", "[animation]") {
  const TestFolder folder;
  CHECK(writeAnimation(fewFrames(), {}, folder / "frames") == 0);
  writeAnimation(fewFrames(), {}, folder / "stride.png");
  const std::vector<ApngFrame> frames = framesIn(textOf(folder / "stride.png"));
  REQUIRE(frames.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string name = "frame-0000" + std::to_string(k + 1) + ".png";
    CHECK(frames[k].shown == pixelsOf(textOf(folder / "frames" / name)));
  }
  CHECK(frames[0].milliseconds == 500);
  CHECK(frames[2].milliseconds == 2000); // the last one stays for longer
}

TEST_CASE("a GIF shows what numbered pictures do, but for the edges of its shapes", "[animation]") {
  const TestFolder folder;
  writeAnimation(fewFrames(), {}, folder / "frames");
  writeAnimation(fewFrames(), {}, folder / "stride.gif");
  const ReadGif gif = gifIn(textOf(folder / "stride.gif"));
  REQUIRE(gif.frames.size() == 3);
  CHECK(gif.repeats);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string name = "frame-0000" + std::to_string(k + 1) + ".png";
    const Image whole = pixelsOf(textOf(folder / "frames" / name));
    const Image& shown = gif.frames[k].shown;
    REQUIRE(shown.width == whole.width);
    REQUIRE(shown.pixels.size() == whole.pixels.size());
    std::size_t same = 0;
    int furthest = 0;
    for (std::size_t p = 0; p < whole.pixels.size(); ++p) {
      const Color& is = shown.pixels[p];
      const Color& was = whole.pixels[p];
      if (is == was)
        ++same;
      furthest = std::max(
          {furthest, std::abs(is.r - was.r), std::abs(is.g - was.g), std::abs(is.b - was.b)});
    }
    CHECK(static_cast<double>(same) > 0.97 * static_cast<double>(whole.pixels.size()));
    CHECK(furthest < 32);
  }
  CHECK(gif.frames[0].hundredths == 50);
  CHECK(gif.frames[2].hundredths == 200); // the last one stays for longer
}

TEST_CASE("a GIF replaces the old file only when complete", "[animation]") {
  const TestFolder folder;
  const auto file = folder / "stride.gif";
  writeAnimation(fewFrames(), {}, file);
  const std::string whole = textOf(file);
  const Run stopped = stoppedRun();
  CHECK_THROWS_AS(writeAnimation(fewFrames(), {}, file, {}, stopped), Stopped);
  CHECK(textOf(file) == whole);
  AnimationFileOptions options;
  options.size = PixelSize{70000, 20};
  CHECK(codeAndSubject([&] {
          writeAnimation(fewFrames(), {}, file, options);
        }).starts_with("E_RANGE"));
  CHECK(textOf(file) == whole);
}

TEST_CASE("an animated PNG opens as its first Scene and replaces the old file only when complete",
          "[animation]") {
  const TestFolder folder;
  const auto file = folder / "stride.png";
  AnimationFileOptions options;
  options.size = PixelSize{320, 360};
  writeAnimation(fewFrames(), {}, file, options);
  const std::string whole = textOf(file);
  CHECK(framesIn(whole).size() == 3);
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

TEST_CASE("what does not move is the same in all frames", "[animation]") {
  Frames frames = fewFrames();
  frames.scenes.front().caption = "Words that are long enough to be broken into several lines, "
                                  "which hangs on how the frame is arranged.";
  frames.scenes.assign(2, frames.scenes.front());
  const TestFolder folder;
  writeAnimation(frames, {}, folder / "frames");
  CHECK(textOf(folder / "frames" / "frame-00001.png") ==
        textOf(folder / "frames" / "frame-00002.png"));
}

TEST_CASE("an MP4 needs ffmpeg and says so", "[animation]") {
  const TestFolder folder;
  const auto file = folder / "stride.mp4";
  const auto refused = [&] {
    return codeAndSubject([&] { writeAnimation(fewFrames(), {}, file); });
  };
  {
    const Variable none("PATH", (folder / "none").string());
    CHECK(refused() == "E_UNSUPPORTED " + file.string());
  }
  std::filesystem::create_directory(folder / "bin");
  const Variable path("PATH", (folder / "bin").string() + ":" + std::getenv("PATH"));
  writeProgram(folder / "bin" / "ffmpeg", "echo one; echo '[mp4 @ 0x1] cannot draw' >&2\nexit 3\n");
  CHECK(refused() == "E_IO " + file.string());
  CHECK_THROWS_WITH(writeAnimation(fewFrames(), {}, file),
                    file.string() + ": ffmpeg failed: \"cannot draw\"");
  writeProgram(folder / "bin" / "ffmpeg", "exit 3\n");
  CHECK_THROWS_WITH(writeAnimation(fewFrames(), {}, file),
                    file.string() + ": ffmpeg failed: it ended without a message");
  CHECK_FALSE(std::filesystem::exists(file));
  // The last word is the file; its arguments are what the file then contains.
  writeProgram(folder / "bin" / "ffmpeg",
               "for word in \"$@\"; do last=$word; done\necho \"$@\" >\"$last\"\n");
  CHECK(refused().empty());
  CHECK(textOf(file).find("-framerate 2.0000") != std::string::npos);
  CHECK(textOf(file).find("yuv420p") != std::string::npos);
  const Run stopped = stoppedRun();
  CHECK_THROWS_AS(writeAnimation(fewFrames(), {}, file, {}, stopped), Stopped);
}

TEST_CASE("an MP4 that cannot be written is refused before a frame is drawn", "[animation]") {
  const TestFolder folder;
  std::filesystem::create_directory(folder / "bin");
  const Variable path("PATH", (folder / "bin").string());
  writeProgram(folder / "bin" / "ffmpeg", "exit 3\n");
  const auto file = folder / "none" / "stride.mp4";
  const Run stopped = stoppedRun(); // which the first frame would read
  CHECK(codeAndSubject([&] { writeAnimation(fewFrames(), {}, file, {}, stopped); }) ==
        "E_IO " + file.string());
}

TEST_CASE("an MP4 needs a folder for its frames and says where there is none and why",
          "[animation]") {
  const TestFolder folder;
  std::filesystem::create_directory(folder / "bin");
  writeProgram(folder / "bin" / "ffmpeg", "exit 3\n");
  std::ofstream(folder / "file") << "no folder";
  const Variable path("PATH", (folder / "bin").string());
  const auto refused = [&](const std::string& parent, const std::string& why) {
    const auto write = [&] { writeAnimation(fewFrames(), {}, folder / "stride.mp4"); };
    CHECK(codeAndSubject(write) == "E_IO " + parent);
    CHECK(messageOf(write) == "cannot make a folder in " + parent + ": " + why +
                                  "; it must be a folder that can be written to (TMPDIR may name "
                                  "one)");
  };
  const std::string none = (folder / "none").string();
  const Variable other("TMP", none);
  {
    const Variable first("TMPDIR", (folder / "file").string());
    refused((folder / "file").string(), "Not a directory");
  }
  const Variable empty("TMPDIR", ""); // as if it were not set
  refused(none, "No such file or directory");
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
