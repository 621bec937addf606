// A linked pair of vertex and fragment shader. Setting a uniform that the program does not have is
// an error that names it: a typo must not draw a wrong picture.
#pragma once

#include "app/gl/gl.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace attention::gl {

class Program {
public:
  // Compiles and links; `name` appears in errors (Error Unsupported with the compiler's words).
  Program(std::string name, std::string_view vertexSource, std::string_view fragmentSource);
  ~Program();
  Program(Program&& other) noexcept;
  Program& operator=(Program&& other) noexcept;

  // Makes it the current program.
  void use() const;

  // Uniforms of the current program; call use() first. Error Unknown if the program has none of
  // this name (GLSL also drops uniforms that nothing reads).
  void set(std::string_view uniform, int value) const;
  void set(std::string_view uniform, std::uint32_t value) const;
  void set(std::string_view uniform, float value) const;
  void set(std::string_view uniform, std::array<float, 2> value) const;
  void set(std::string_view uniform, std::array<float, 3> value) const;
  void set(std::string_view uniform, std::array<float, 4> value) const;
  void set(std::string_view uniform, std::array<int, 2> value) const;
  void set(std::string_view uniform, std::array<std::uint32_t, 2> value) const;
  void set(std::string_view uniform, std::array<std::uint32_t, 4> value) const;
  // Arrays, from element 0: `uniform` is the name without [0].
  void set(std::string_view uniform, std::span<const float> values) const;
  void set(std::string_view uniform, std::span<const int> values) const;
  void set(std::string_view uniform, std::span<const std::uint32_t> values) const;
  void set(std::string_view uniform, std::span<const std::array<float, 4>> values) const;
  void set(std::string_view uniform, std::span<const std::array<std::uint32_t, 4>> values) const;

  bool has(std::string_view uniform) const;
  const std::string& name() const { return name_; }
  GLuint id() const { return id_; }

private:
  GLint location(std::string_view uniform) const;

  std::string name_;
  GLuint id_ = 0;
  std::map<std::string, GLint, std::less<>> locations_;
};

// A vertex array without attributes: our shaders make their vertices from gl_VertexID.
// shaders/full_screen.vert covers the viewport with one triangle and passes `uv` in [0, 1].
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
