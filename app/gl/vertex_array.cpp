#include "app/gl/vertex_array.h"

#include <utility>

namespace attention::gl {

VertexArray::VertexArray() {
  glGenVertexArrays(1, &id_);
}

VertexArray::~VertexArray() {
  if (id_ != 0)
    glDeleteVertexArrays(1, &id_);
}

VertexArray::VertexArray(VertexArray&& other) noexcept : id_(std::exchange(other.id_, 0)) {}

VertexArray& VertexArray::operator=(VertexArray&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

void VertexArray::drawFullScreen() const {
  drawTriangles(3);
}

void VertexArray::drawTriangles(int count, int instances) const {
  glBindVertexArray(id_);
  glDrawArraysInstanced(GL_TRIANGLES, 0, count, instances);
  glBindVertexArray(0);
}

} // namespace attention::gl
