#include "app/gl/program.h"

#include "core/support/error.h"

#include <utility>

namespace attention::gl {
namespace {

std::string shaderLog(GLuint shader) {
  GLint length = 0;
  glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length), '\0');
  glGetShaderInfoLog(shader, length, nullptr, log.data());
  return log.c_str();
}

std::string programLog(GLuint program) {
  GLint length = 0;
  glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length), '\0');
  glGetProgramInfoLog(program, length, nullptr, log.data());
  return log.c_str();
}

// Owns the shader until the program is linked.
class Shader {
public:
  Shader(GLenum stage, const std::string& name, std::string_view source)
      : id_(glCreateShader(stage)) {
    const char* text = source.data();
    const auto length = static_cast<GLint>(source.size());
    glShaderSource(id_, 1, &text, &length);
    glCompileShader(id_);
    GLint good = 0;
    glGetShaderiv(id_, GL_COMPILE_STATUS, &good);
    if (good != 0)
      return;
    const std::string log = shaderLog(id_);
    glDeleteShader(id_);
    throw Error(ErrorCode::Unsupported, name,
                std::string(stage == GL_VERTEX_SHADER ? "vertex" : "fragment") + " shader " + name +
                    " does not compile: " + log);
  }
  ~Shader() { glDeleteShader(id_); }
  Shader(Shader&&) = delete;
  GLuint id() const { return id_; }

private:
  GLuint id_;
};

// Active uniforms by name; arrays without their "[0]".
std::map<std::string, GLint, std::less<>> activeUniforms(GLuint program) {
  GLint count = 0;
  GLint longest = 0;
  glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
  glGetProgramiv(program, GL_ACTIVE_UNIFORM_MAX_LENGTH, &longest);
  std::map<std::string, GLint, std::less<>> found;
  for (GLint i = 0; i < count; ++i) {
    std::string name(static_cast<std::size_t>(longest) + 1, '\0');
    GLint size = 0;
    GLenum type = 0;
    GLsizei length = 0;
    glGetActiveUniform(program, static_cast<GLuint>(i), longest, &length, &size, &type,
                       name.data());
    name.resize(static_cast<std::size_t>(length));
    const GLint location = glGetUniformLocation(program, name.c_str());
    found.emplace(name.substr(0, name.find('[')), location);
  }
  return found;
}

} // namespace

Program::Program(std::string name, std::string_view vertexSource, std::string_view fragmentSource)
    : name_(std::move(name)) {
  const Shader vertex(GL_VERTEX_SHADER, name_, vertexSource);
  const Shader fragment(GL_FRAGMENT_SHADER, name_, fragmentSource);
  id_ = glCreateProgram();
  glAttachShader(id_, vertex.id());
  glAttachShader(id_, fragment.id());
  glLinkProgram(id_);
  GLint good = 0;
  glGetProgramiv(id_, GL_LINK_STATUS, &good);
  if (good == 0) {
    const std::string log = programLog(id_);
    glDeleteProgram(id_);
    throw Error(ErrorCode::Unsupported, name_, "shader " + name_ + " does not link: " + log);
  }
  locations_ = activeUniforms(id_);
}

Program::~Program() {
  if (id_ != 0)
    glDeleteProgram(id_);
}

Program::Program(Program&& other) noexcept
    : name_(std::move(other.name_)), id_(std::exchange(other.id_, 0)),
      locations_(std::move(other.locations_)) {}

Program& Program::operator=(Program&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(id_, other.id_);
  std::swap(locations_, other.locations_);
  return *this;
}

void Program::use() const {
  glUseProgram(id_);
}

bool Program::has(std::string_view uniform) const {
  return locations_.find(uniform) != locations_.end();
}

GLint Program::location(std::string_view uniform) const {
  const auto found = locations_.find(uniform);
  if (found != locations_.end())
    return found->second;
  std::string known;
  for (const auto& entry : locations_)
    known += (known.empty() ? "" : ", ") + entry.first;
  throw Error(ErrorCode::Unknown, std::string(uniform),
              "shader " + name_ + " has no uniform " + std::string(uniform) + "; it has " +
                  (known.empty() ? "none" : known));
}

void Program::set(std::string_view uniform, int value) const {
  glUniform1i(location(uniform), value);
}
void Program::set(std::string_view uniform, std::uint32_t value) const {
  glUniform1ui(location(uniform), value);
}
void Program::set(std::string_view uniform, float value) const {
  glUniform1f(location(uniform), value);
}
void Program::set(std::string_view uniform, std::array<float, 2> value) const {
  glUniform2fv(location(uniform), 1, value.data());
}
void Program::set(std::string_view uniform, std::array<float, 3> value) const {
  glUniform3fv(location(uniform), 1, value.data());
}
void Program::set(std::string_view uniform, std::array<float, 4> value) const {
  glUniform4fv(location(uniform), 1, value.data());
}
void Program::set(std::string_view uniform, std::array<int, 2> value) const {
  glUniform2iv(location(uniform), 1, value.data());
}
void Program::set(std::string_view uniform, std::array<std::uint32_t, 2> value) const {
  glUniform2uiv(location(uniform), 1, value.data());
}
void Program::set(std::string_view uniform, std::array<std::uint32_t, 4> value) const {
  glUniform4uiv(location(uniform), 1, value.data());
}
void Program::set(std::string_view uniform, std::span<const float> values) const {
  glUniform1fv(location(uniform), static_cast<GLsizei>(values.size()), values.data());
}
void Program::set(std::string_view uniform, std::span<const int> values) const {
  glUniform1iv(location(uniform), static_cast<GLsizei>(values.size()), values.data());
}
void Program::set(std::string_view uniform, std::span<const std::uint32_t> values) const {
  glUniform1uiv(location(uniform), static_cast<GLsizei>(values.size()), values.data());
}
void Program::set(std::string_view uniform, std::span<const std::array<float, 4>> values) const {
  if (!values.empty())
    glUniform4fv(location(uniform), static_cast<GLsizei>(values.size()), values[0].data());
}
void Program::set(std::string_view uniform,
                  std::span<const std::array<std::uint32_t, 4>> values) const {
  if (!values.empty())
    glUniform4uiv(location(uniform), static_cast<GLsizei>(values.size()), values[0].data());
}

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
