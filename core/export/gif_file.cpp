#include "core/export/gif_file.h"

#include "core/export/changed_area.h"
#include "core/export/palette.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <gif_lib.h>
#include <ostream>
#include <string>
#include <vector>

namespace attention {
namespace {

constexpr Index kLongestSide = 65535;    // 16 bits
constexpr std::size_t kMostColors = 255; // and one that is transparent
constexpr double kHundredth = 100;       // per second
constexpr double kLeastDelay = 2;        // hundredths
constexpr double kMostDelay = 65535;
constexpr int kBits = 8; // per channel

[[noreturn]] void throwFailed(int code) {
  const char* why = GifErrorString(code);
  throw Error(ErrorCode::Io, "gif",
              std::string("cannot write the GIF: ") + (why ? why : "giflib gives no reason"));
}

int writeTo(GifFileType* gif, const GifByteType* bytes, int count) {
  auto& stream = *static_cast<std::ostream*>(gif->UserData);
  stream.write(reinterpret_cast<const char*>(bytes), count);
  return stream ? count : 0;
}

// Pixels that changed, all of them in the first frame.
std::vector<Color> changedPixels(const Image& before, const Image& after, const FrameArea& area) {
  std::vector<Color> pixels;
  for (int y = area.top; y < area.bottom; ++y) {
    const auto row = rowOf(after, y);
    for (int x = area.left; x < area.right; ++x) {
      const auto at = static_cast<std::size_t>(x);
      if (before.pixels.empty() || rowOf(before, y)[at] != row[at])
        pixels.push_back(row[at]);
    }
  }
  return pixels;
}

struct FreeMap {
  void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};
using ColorMap = std::unique_ptr<ColorMapObject, FreeMap>;

// With room for the transparent colour behind the others: GIF has palettes of 2, 4, … 256.
ColorMap colorMapOf(const Palette& palette) {
  std::array<GifColorType, 256> colors{};
  for (std::size_t k = 0; k < palette.colors().size(); ++k) {
    const Color& color = palette.colors()[k];
    colors[k] = {color.r, color.g, color.b};
  }
  const std::size_t size = std::max<std::size_t>(2, std::bit_ceil(palette.colors().size() + 1));
  ColorMap map(GifMakeMapObject(static_cast<int>(size), colors.data()));
  if (!map)
    throwFailed(E_GIF_ERR_NOT_ENOUGH_MEM);
  return map;
}

} // namespace

struct GifWriter::State {
  GifFileType* gif = nullptr;
  Image shown; // the last frame; without pixels before the first one
  int width = 0;
  int height = 0;

  void require(int result) const {
    if (result == GIF_ERROR)
      throwFailed(gif->Error);
  }
  void repeatForEver() const;
  void control(double seconds, int transparent) const;
  void rows(const Image& image, const FrameArea& area, const Palette& palette) const;
};

// Netscape's application extension, which all programs that play GIFs read.
void GifWriter::State::repeatForEver() const {
  constexpr std::array<unsigned char, 3> kForEver{1, 0, 0};
  require(EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE));
  require(EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0"));
  require(EGifPutExtensionBlock(gif, kForEver.size(), kForEver.data()));
  require(EGifPutExtensionTrailer(gif));
}

void GifWriter::State::control(double seconds, int transparent) const {
  GraphicsControlBlock block{};
  block.DisposalMode = DISPOSE_DO_NOT;
  block.DelayTime =
      static_cast<int>(std::clamp(std::round(seconds * kHundredth), kLeastDelay, kMostDelay));
  block.TransparentColor = transparent;
  std::array<GifByteType, 4> bytes{};
  EGifGCBToExtension(&block, bytes.data());
  require(EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, bytes.size(), bytes.data()));
}

void GifWriter::State::rows(const Image& image, const FrameArea& area,
                            const Palette& palette) const {
  const std::size_t transparent = palette.colors().size();
  std::vector<GifPixelType> line(static_cast<std::size_t>(area.width()));
  for (int y = area.top; y < area.bottom; ++y) {
    const auto row = rowOf(image, y);
    for (std::size_t k = 0; k < line.size(); ++k) {
      const std::size_t x = static_cast<std::size_t>(area.left) + k;
      const bool same = !shown.pixels.empty() && rowOf(shown, y)[x] == row[x];
      line[k] = static_cast<GifPixelType>(same ? transparent : palette.at(row[x]));
    }
    require(EGifPutLine(gif, line.data(), area.width()));
  }
}

GifWriter::GifWriter(std::ostream& stream, const PixelSize& size)
    : state_(std::make_unique<State>()) {
  for (const Index side : {size.width, size.height})
    if (side < 1 || side > kLongestSide)
      throwRange("size", std::to_string(side),
                 "from 1 to " + std::to_string(kLongestSide) + " pixels along a side of a GIF");
  state_->width = static_cast<int>(size.width);
  state_->height = static_cast<int>(size.height);
  int code = 0;
  state_->gif = EGifOpen(&stream, writeTo, &code);
  if (!state_->gif)
    throwFailed(code);
  EGifSetGifVersion(state_->gif, true);
  state_->require(EGifPutScreenDesc(state_->gif, state_->width, state_->height, kBits, 0, nullptr));
  state_->repeatForEver();
}

GifWriter::~GifWriter() {
  if (state_->gif) // stopped before the last frame: whatever it still writes is thrown away
    EGifCloseFile(state_->gif, nullptr);
}

void GifWriter::add(const Image& image, double seconds) {
  assert(image.width == state_->width && image.height == state_->height);
  const FrameArea area = state_->shown.pixels.empty() ? FrameArea{0, 0, image.width, image.height}
                                                      : changedArea(state_->shown, image);
  const Palette palette(changedPixels(state_->shown, image, area), kMostColors);
  const ColorMap map = colorMapOf(palette);
  state_->control(seconds, static_cast<int>(palette.colors().size()));
  state_->require(EGifPutImageDesc(state_->gif, area.left, area.top, area.width(), area.height(),
                                   false, map.get()));
  state_->rows(image, area, palette);
  state_->shown = image;
}

void GifWriter::finish() {
  int code = 0;
  if (EGifCloseFile(std::exchange(state_->gif, nullptr), &code) == GIF_ERROR)
    throwFailed(code);
}

} // namespace attention
