// A vertex array without attributes: shaders of ours make their vertices from gl_VertexID.
// shaders/full_screen.vert covers the viewport with one triangle and passes `uv` in [0, 1].
#pragma once

#include "app/gl/gl.h"

namespace attention::gl {

class VertexArray {
public:
  VertexArray();
  ~VertexArray();
  VertexArray(VertexArray&& other) noexcept;
  VertexArray& operator=(VertexArray&& other) noexcept;

  // One triangle over the whole viewport with the current program (full_screen.vert).
  void drawFullScreen() const;
  // `count` vertices as triangles, `instances` times.
  void drawTriangles(int count, int instances = 1) const;

private:
  GLuint id_ = 0;
};

} // namespace attention::gl
