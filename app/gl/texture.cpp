#include "app/gl/texture.h"

#include "core/support/error.h"
#include "core/support/number_text.h"

#include <string>
#include <utility>

namespace attention::gl {
namespace {

struct Layout {
  GLint internal;
  GLenum format;
  GLenum type;
  std::size_t bytes;
  bool integer;
};

Layout layout(TexelFormat format) {
  switch (format) {
  case TexelFormat::R8:
    return {GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1, false};
  case TexelFormat::Rgba8:
    return {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, false};
  case TexelFormat::R32f:
    return {GL_R32F, GL_RED, GL_FLOAT, 4, false};
  case TexelFormat::Rgba32f:
    return {GL_RGBA32F, GL_RGBA, GL_FLOAT, 16, false};
  case TexelFormat::R32ui:
    return {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, true};
  case TexelFormat::Rg32ui:
    return {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 8, true};
  case TexelFormat::Rgba32ui:
    return {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16, true};
  }
  return {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, false};
}

void checkSize(int width, int height) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  if (width < 1 || height < 1 || width > most || height > most)
    throwRange("texture size", std::to_string(width) + " × " + std::to_string(height),
               "1 to " + std::to_string(most) + " texels each way");
}

} // namespace

std::size_t bytesPerTexel(TexelFormat format) {
  return layout(format).bytes;
}

Texture::Texture(int width, int height, TexelFormat format, TexelFilter filter)
    : width_(width), height_(height), format_(format) {
  checkSize(width, height);
  const Layout l = layout(format);
  const GLint mode = filter == TexelFilter::Linear && !l.integer ? GL_LINEAR : GL_NEAREST;
  GLint before = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
  glGenTextures(1, &id_);
  glBindTexture(GL_TEXTURE_2D, id_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, mode);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mode);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexImage2D(GL_TEXTURE_2D, 0, l.internal, width, height, 0, l.format, l.type, nullptr);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
}

Texture::~Texture() {
  if (id_ != 0)
    glDeleteTextures(1, &id_);
}

Texture::Texture(Texture&& other) noexcept
    : id_(std::exchange(other.id_, 0)), width_(other.width_), height_(other.height_),
      format_(other.format_) {}

Texture& Texture::operator=(Texture&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(width_, other.width_);
  std::swap(height_, other.height_);
  std::swap(format_, other.format_);
  return *this;
}

void Texture::upload(std::span<const std::byte> texels) {
  upload(0, 0, width_, height_, texels);
}

void Texture::upload(int x, int y, int width, int height, std::span<const std::byte> texels) {
  if (x < 0 || y < 0 || width < 1 || height < 1 || width > width_ - x || height > height_ - y)
    throw Error(ErrorCode::Shape, "texture",
                "texture upload of " + std::to_string(width) + " × " + std::to_string(height) +
                    " texels does not lie inside " + std::to_string(width_) + " × " +
                    std::to_string(height_));
  const Layout l = layout(format_);
  const std::size_t needed =
      static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * l.bytes;
  if (texels.size() != needed)
    throw Error(ErrorCode::Shape, "texture",
                "texture upload has " + countText(texels.size(), "byte") + "; it needs " +
                    std::to_string(needed));
  GLint before = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
  glBindTexture(GL_TEXTURE_2D, id_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, l.format, l.type, texels.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
}

void Texture::bind(int unit) const {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, id_);
}

} // namespace attention::gl
