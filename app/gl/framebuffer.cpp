#include "app/gl/framebuffer.h"

#include "core/support/error.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

namespace attention::gl {

Framebuffer::Framebuffer(int width, int height)
    : texture_(width, height, TexelFormat::Rgba8, TexelFilter::Linear) {
  GLint before = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  glGenFramebuffers(1, &id_);
  glBindFramebuffer(GL_FRAMEBUFFER, id_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_.id(), 0);
  const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before));
  if (status == GL_FRAMEBUFFER_COMPLETE)
    return;
  glDeleteFramebuffers(1, &id_);
  throw Error(ErrorCode::Unsupported, "framebuffer",
              "this OpenGL cannot draw into a picture of " + std::to_string(width) + " × " +
                  std::to_string(height) + " pixels");
}

Framebuffer::~Framebuffer() {
  if (id_ != 0)
    glDeleteFramebuffers(1, &id_);
}

Framebuffer::Framebuffer(Framebuffer&& other) noexcept
    : id_(std::exchange(other.id_, 0)), texture_(std::move(other.texture_)) {}

Framebuffer& Framebuffer::operator=(Framebuffer&& other) noexcept {
  std::swap(id_, other.id_);
  texture_ = std::move(other.texture_);
  return *this;
}

Pixels Framebuffer::read() const {
  const DrawInto bound(*this);
  return readCurrentFramebuffer(width(), height());
}

void Framebuffer::copy(const Framebuffer& other) const {
  assert(other.width() == width() && other.height() == height());
  const DrawInto bound(*this);
  const GLboolean scissor = glIsEnabled(GL_SCISSOR_TEST);
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, other.id());
  glBlitFramebuffer(0, 0, width(), height(), 0, 0, width(), height(), GL_COLOR_BUFFER_BIT,
                    GL_NEAREST);
  if (scissor == GL_TRUE)
    glEnable(GL_SCISSOR_TEST);
}

void Framebuffer::clear(float red, float green, float blue, float alpha) const {
  const DrawInto bound(*this);
  const GLboolean scissor = glIsEnabled(GL_SCISSOR_TEST);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(red, green, blue, alpha);
  glClear(GL_COLOR_BUFFER_BIT);
  if (scissor == GL_TRUE)
    glEnable(GL_SCISSOR_TEST);
}

DrawInto::DrawInto(const Framebuffer& target) {
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer_);
  glGetIntegerv(GL_VIEWPORT, viewport_);
  glBindFramebuffer(GL_FRAMEBUFFER, target.id());
  glViewport(0, 0, target.width(), target.height());
}

DrawInto::~DrawInto() {
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(framebuffer_));
  glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
}

Pixels readCurrentFramebuffer(int width, int height) {
  Pixels pixels{width, height, {}};
  const std::size_t row = 4 * static_cast<std::size_t>(width);
  pixels.rgba.resize(row * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.rgba.data());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  for (std::size_t top = 0, bottom = static_cast<std::size_t>(height); top + 1 < bottom; ++top) {
    --bottom;
    const auto first = pixels.rgba.begin();
    std::swap_ranges(first + static_cast<std::ptrdiff_t>(top * row),
                     first + static_cast<std::ptrdiff_t>((top + 1) * row),
                     first + static_cast<std::ptrdiff_t>(bottom * row));
  }
  return pixels;
}

} // namespace attention::gl
