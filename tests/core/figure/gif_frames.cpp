#include "tests/core/figure/gif_frames.h"

#include "tests/catch.h"

#include <algorithm>
#include <cstring>
#include <gif_lib.h>
#include <string_view>

using namespace attention;

namespace {

int readFrom(GifFileType* gif, GifByteType* bytes, int count) {
  auto& rest = *static_cast<std::string_view*>(gif->UserData);
  const std::size_t given = std::min(rest.size(), static_cast<std::size_t>(count));
  std::memcpy(bytes, rest.data(), given);
  rest.remove_prefix(given);
  return static_cast<int>(given);
}

// Draws a frame over the one before.
void draw(const SavedImage& frame, int transparent, Image& shown) {
  const GifImageDesc& part = frame.ImageDesc;
  CHECK(part.Left >= 0);
  CHECK(part.Top >= 0);
  REQUIRE(part.Left + part.Width <= shown.width);
  REQUIRE(part.Top + part.Height <= shown.height);
  REQUIRE(part.ColorMap);
  for (int y = 0; y < part.Height; ++y)
    for (int x = 0; x < part.Width; ++x) {
      const int index = frame.RasterBits[y * part.Width + x];
      if (index == transparent)
        continue;
      const GifColorType& color = part.ColorMap->Colors[index];
      shown.pixels[static_cast<std::size_t>((part.Top + y) * shown.width + part.Left + x)] = {
          color.Red, color.Green, color.Blue, 255};
    }
}

bool repeatsForEver(const GifFileType& gif) {
  const SavedImage& first = gif.SavedImages[0];
  for (int k = 0; k + 1 < first.ExtensionBlockCount; ++k) {
    const ExtensionBlock& block = first.ExtensionBlocks[k];
    const ExtensionBlock& next = first.ExtensionBlocks[k + 1];
    if (block.Function == APPLICATION_EXT_FUNC_CODE && block.ByteCount == 11 &&
        std::memcmp(block.Bytes, "NETSCAPE2.0", 11) == 0)
      return next.ByteCount == 3 && next.Bytes[0] == 1 && next.Bytes[1] == 0 && next.Bytes[2] == 0;
  }
  return false;
}

} // namespace

ReadGif gifIn(const std::string& bytes) {
  std::string_view rest(bytes);
  int code = 0;
  GifFileType* gif = DGifOpen(&rest, readFrom, &code);
  REQUIRE(gif);
  REQUIRE(DGifSlurp(gif) == GIF_OK);
  REQUIRE(gif->ImageCount > 0);
  ReadGif read;
  read.repeats = repeatsForEver(*gif);
  Image shown{gif->SWidth, gif->SHeight, {}};
  shown.pixels.resize(static_cast<std::size_t>(shown.width * shown.height));
  CHECK(gif->SavedImages[0].ImageDesc.Width == shown.width);
  CHECK(gif->SavedImages[0].ImageDesc.Height == shown.height);
  for (int k = 0; k < gif->ImageCount; ++k) {
    GraphicsControlBlock control{};
    REQUIRE(DGifSavedExtensionToGCB(gif, k, &control) == GIF_OK);
    CHECK(control.DisposalMode == DISPOSE_DO_NOT);
    draw(gif->SavedImages[k], control.TransparentColor, shown);
    read.frames.push_back({shown, control.DelayTime});
  }
  DGifCloseFile(gif, nullptr);
  return read;
}
