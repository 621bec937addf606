#include "core/export/png_file.h"

#include "core/export/embedded_scene.h"
#include "core/support/error.h"

#include <csetjmp>
#include <new>
#include <ostream>
#include <png.h>
#include <vector>
#include <zlib.h>

namespace attention {

static_assert(sizeof(Color) == 4, "rows of colours are handed to libpng as they are");

namespace {

// Of zlib. Level 1 takes half the time and makes figures and strided masks twice to tenfold as
// large; level 9 takes several times as long for a tenth less. Rows minus those above are best for
// masks; mostly transparent pictures are smaller unfiltered.
constexpr int kLevel = 6;
// Of grey levels, which stay unfiltered too. Level 9 takes a hundred times as long where the rows
// of a mask are nearly the same again and again.
constexpr int kGreyLevel = 8;

int colorType(PngChannels channels) {
  return channels == PngChannels::Grey   ? PNG_COLOR_TYPE_GRAY
         : channels == PngChannels::Rgba ? PNG_COLOR_TYPE_RGB_ALPHA
                                         : PNG_COLOR_TYPE_RGB;
}

void writeBytes(png_structp png, png_bytep bytes, std::size_t count) {
  auto& stream = *static_cast<std::ostream*>(png_get_io_ptr(png));
  stream.write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(count));
}

void flushBytes(png_structp) {}

// Instead of libpng's own, which print.
[[noreturn]] void leave(png_structp png, png_const_charp) {
  png_longjmp(png, 1);
}

void ignore(png_structp, png_const_charp) {}

void checkSide(Index pixels, const std::string& name) {
  if (pixels < 1 || pixels > kMostPixelsPerSide)
    throwRange(name, std::to_string(pixels) + " pixels",
               "an integer in 1 … " + std::to_string(kMostPixelsPerSide));
}

[[noreturn]] void fail() {
  throw Error(ErrorCode::Io, "png", "the PNG could not be compressed: not enough memory");
}

// A text chunk and the words that it points to.
struct PngText {
  std::string key;
  std::string content;
  int compression = PNG_TEXT_COMPRESSION_NONE;
  std::string none = {}; // language

  png_text chunk() {
    png_text text{};
    text.compression = compression;
    text.key = key.data();
    text.text = content.data();
    text.lang = none.data();
    text.lang_key = none.data();
    (compression == PNG_ITXT_COMPRESSION_NONE ? text.itxt_length : text.text_length) =
        content.size();
    return text;
  }
};

} // namespace

// libpng leaves by longjmp, so the functions here hold nothing that needs destruction.
struct PngWriter::State {
  png_structp png = nullptr;
  png_infop info = nullptr;

  ~State() {
    if (png)
      png_destroy_write_struct(&png, &info);
  }

  bool header(std::ostream& stream, const PixelSize& size, std::span<png_text> texts,
              PngChannels channels) {
    const bool rgb = channels == PngChannels::Rgb;
    const bool grey = channels == PngChannels::Grey;
    if (setjmp(png_jmpbuf(png)))
      return false;
    png_set_write_fn(png, &stream, writeBytes, flushBytes);
    png_set_IHDR(png, info, static_cast<png_uint_32>(size.width),
                 static_cast<png_uint_32>(size.height), 8, colorType(channels), PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, grey ? kGreyLevel : kLevel);
    png_set_compression_strategy(png, grey ? Z_FILTERED : Z_DEFAULT_STRATEGY);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, rgb ? PNG_FILTER_UP : PNG_FILTER_NONE);
    if (!texts.empty())
      png_set_text(png, info, texts.data(), static_cast<int>(texts.size()));
    png_write_info(png, info);
    if (rgb)
      png_set_filler(png, 0, PNG_FILLER_AFTER);
    return true;
  }

  bool row(png_const_bytep pixels) {
    if (setjmp(png_jmpbuf(png)))
      return false;
    png_write_row(png, pixels);
    return true;
  }

  bool end() {
    if (setjmp(png_jmpbuf(png)))
      return false;
    png_write_end(png, nullptr);
    return true;
  }
};

PngWriter::PngWriter(std::ostream& stream, const PixelSize& size, const std::string& sceneText,
                     const std::string& comment, PngChannels channels)
    : state_(std::make_unique<State>()), width_(size.width) {
  checkSide(size.width, "width");
  checkSide(size.height, "height");
  state_->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, ignore);
  state_->info = state_->png ? png_create_info_struct(state_->png) : nullptr;
  if (!state_->info)
    throw std::bad_alloc();
  PngText scene{std::string(kSceneKeyword), sceneText, PNG_ITXT_COMPRESSION_NONE};
  PngText words{"Comment", comment};
  std::vector<png_text> texts;
  for (PngText* text : {&scene, &words})
    if (!text->content.empty())
      texts.push_back(text->chunk());
  if (!state_->header(stream, size, texts, channels))
    fail();
}

PngWriter::~PngWriter() = default;

template <class Pixel>
void PngWriter::writeRows(std::span<const Pixel> pixels) {
  const auto width = static_cast<std::size_t>(width_);
  for (std::size_t at = 0; at + width <= pixels.size(); at += width)
    if (!state_->row(reinterpret_cast<png_const_bytep>(pixels.data() + at)))
      fail();
}

void PngWriter::rows(std::span<const Color> pixels) {
  writeRows(pixels);
}

void PngWriter::rows(std::span<const std::uint8_t> levels) {
  writeRows(levels);
}

void PngWriter::finish() {
  if (!state_->end())
    fail();
}

} // namespace attention
