// An RGBA8 picture to draw into and read back. Row 0 of the texture is the bottom in OpenGL's
// sense; read() flips it, so row 0 of Pixels is the top.
#pragma once

#include "app/gl/pixels.h"
#include "app/gl/texture.h"

namespace attention::gl {

class Framebuffer {
public:
  // Error Range for sizes the driver refuses.
  Framebuffer(int width, int height);
  ~Framebuffer();
  Framebuffer(Framebuffer&& other) noexcept;
  Framebuffer& operator=(Framebuffer&& other) noexcept;

  // The content as it is now; waits for the drawing to end.
  Pixels read() const;
  // Takes over the content of another one of the same size.
  void copy(const Framebuffer& other) const;
  // Fills it with one colour, components in [0, 1].
  void clear(float red, float green, float blue, float alpha) const;

  const Texture& texture() const { return texture_; }
  int width() const { return texture_.width(); }
  int height() const { return texture_.height(); }
  GLuint id() const { return id_; }

private:
  GLuint id_ = 0;
  Texture texture_;
};

// While it lives, drawing goes into the framebuffer with a viewport over all of it; afterwards the
// framebuffer and viewport from before are bound again.
class DrawInto {
public:
  explicit DrawInto(const Framebuffer& target);
  ~DrawInto();
  DrawInto(DrawInto&&) = delete;

private:
  GLint framebuffer_ = 0;
  GLint viewport_[4] = {};
};

// Reads the bound picture: `width` × `height` pixels from its lower left corner.
Pixels readCurrentFramebuffer(int width, int height);

} // namespace attention::gl
