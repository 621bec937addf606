// A two-dimensional texture, clamped to its edge, owned by this value. Row 0 of the data is row 0
// of the texture (v = 0); ImGui shows it on top.
#pragma once

#include "app/gl/gl.h"

#include <cstddef>
#include <span>

namespace attention::gl {

enum class TexelFormat {
  R8,      // one byte, read as float in [0, 1]
  Rgba8,   // four bytes, read as float in [0, 1]
  R32f,    // one float
  Rgba32f, // four floats
  R32ui,   // one uint32, read by usampler2D
  Rg32ui,  // two uint32
  Rgba32ui // four uint32
};

enum class TexelFilter { Nearest, Linear };

// Bytes of one texel.
std::size_t bytesPerTexel(TexelFormat format);

class Texture {
public:
  // Storage of width × height texels with unspecified content; both at least 1 and at most what
  // the driver allows (Error Range). Integer formats are always Nearest.
  Texture(int width, int height, TexelFormat format, TexelFilter filter = TexelFilter::Nearest);
  ~Texture();
  Texture(Texture&& other) noexcept;
  Texture& operator=(Texture&& other) noexcept;

  // Replaces everything; `texels` is height × width texels, rows without padding (Error Shape).
  void upload(std::span<const std::byte> texels);
  // Replaces the rectangle of `width` × `height` texels at (x, y).
  void upload(int x, int y, int width, int height, std::span<const std::byte> texels);
  // Binds to texture unit `unit`.
  void bind(int unit) const;

  GLuint id() const { return id_; }
  int width() const { return width_; }
  int height() const { return height_; }
  TexelFormat format() const { return format_; }

private:
  GLuint id_ = 0;
  int width_ = 0;
  int height_ = 0;
  TexelFormat format_ = TexelFormat::Rgba8;
};

} // namespace attention::gl
