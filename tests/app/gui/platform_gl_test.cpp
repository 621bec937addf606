// OpenGL without a display: clearing, textures, shader programs and their errors.
#include "app/gl/context.h"
#include "app/gl/framebuffer.h"
#include "app/gl/program.h"
#include "app/gl/shader_sources.h"
#include "core/support/error.h"
#include "tests/catch.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>

using namespace attention;
using namespace attention::gl;

namespace {

const char* const kFragment = R"(#version 330 core
in vec2 uv;
out vec4 color;
uniform usampler2D numbers;
uniform vec2 offset;
uniform uint weights[3];
void main() {
  uint n = texelFetch(numbers, ivec2(uv * 2.0), 0).r;
  color = vec4(float(n) / 255.0, offset.x, offset.y, float(weights[2]) / 255.0);
}
)";

std::string errorOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

} // namespace

TEST_CASE("A context without a display is OpenGL 3 3 or newer and says what it is") {
  const HeadlessContext context;
  CHECK(epoxy_gl_version() >= 33);
  CHECK_FALSE(context.route().empty());
  CHECK(describeCurrentContext().find("OpenGL") != std::string::npos);
}

TEST_CASE("A cleared framebuffer reads back its colour") {
  const HeadlessContext context;
  const Framebuffer target(3, 2);
  target.clear(1, 0.5F, 0, 1);
  const Pixels pixels = target.read();
  REQUIRE(pixels.rgba.size() == 24);
  CHECK(int(pixels.at(2, 1)[0]) == 255);
  CHECK(int(pixels.at(2, 1)[1]) == Approx(128).margin(1));
}

TEST_CASE("A program reads integer textures and uniforms exactly") {
  const HeadlessContext context;
  const ShaderSources sources;
  const Program program("numbers", sources.text("full_screen.vert"), kFragment);
  Texture numbers(2, 2, TexelFormat::R32ui);
  const std::array<std::uint32_t, 4> values{10, 20, 30, 40};
  numbers.upload(std::as_bytes(std::span(values)));
  const Framebuffer target(2, 2);
  const VertexArray array;
  {
    const DrawInto drawing(target);
    numbers.bind(0);
    program.use();
    program.set("numbers", 0);
    program.set("offset", std::array<float, 2>{1, 0});
    const std::array<std::uint32_t, 3> weights{0, 0, 77};
    program.set("weights", std::span<const std::uint32_t>(weights));
    array.drawFullScreen();
  }
  const Pixels pixels = target.read();
  CHECK(int(pixels.at(0, 1)[0]) == 10); // row 0 of a texture is the bottom of a framebuffer
  CHECK(int(pixels.at(1, 1)[0]) == 20);
  CHECK(int(pixels.at(0, 0)[0]) == 30);
  CHECK(int(pixels.at(1, 0)[0]) == 40);
  CHECK(int(pixels.at(1, 0)[1]) == 255);
  CHECK(int(pixels.at(1, 0)[3]) == 77);
  CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("A missing uniform is an error that names it") {
  const HeadlessContext context;
  const Program program("numbers", ShaderSources().text("full_screen.vert"), kFragment);
  program.use();
  CHECK(program.has("offset"));
  CHECK_FALSE(program.has("ofset"));
  const std::string message = errorOf([&] { program.set("ofset", 1); });
  CHECK(message == "shader numbers has no uniform ofset; it has numbers, offset, weights");
}

TEST_CASE("A shader that does not compile is an error with the compiler's words") {
  const HeadlessContext context;
  const std::string vertex = ShaderSources().text("full_screen.vert");
  const std::string message = errorOf(
      [&] { const Program bad("bad.frag", vertex, "#version 330 core\nvoid main() { x; }"); });
  CHECK(message.find("fragment shader bad.frag does not compile: ") == 0);
  CHECK(message.find("x") != std::string::npos);
}

TEST_CASE("Textures refuse sizes and data that do not fit") {
  const HeadlessContext context;
  CHECK_THROWS_AS(Texture(0, 4, TexelFormat::R8), Error);
  CHECK_THROWS_AS(Texture(1 << 24, 4, TexelFormat::R8), Error);
  Texture texture(4, 4, TexelFormat::R8);
  const std::array<std::byte, 15> short1{};
  CHECK_THROWS_AS(texture.upload(short1), Error);
  CHECK_THROWS_AS(texture.upload(3, 3, 2, 1, std::span(short1).first(2)), Error);
  texture.upload(1, 1, 3, 3, std::span(short1).first(9));
  CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("Drawing into a framebuffer puts the old target back") {
  const HeadlessContext context;
  const Framebuffer outer(8, 8);
  const Framebuffer inner(4, 4);
  const DrawInto first(outer);
  { const DrawInto second(inner); }
  GLint bound = 0;
  std::array<GLint, 4> viewport{};
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  glGetIntegerv(GL_VIEWPORT, viewport.data());
  CHECK(bound == static_cast<GLint>(outer.id()));
  CHECK(viewport[2] == 8);
}

TEST_CASE("Shaders come from a folder when one is given") {
  const auto folder = std::filesystem::temp_directory_path() / "attention_shader_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "common.glsl") << "float one() { return 1.0; }\n";
  std::ofstream(folder / "a.frag")
      << "#version 330 core\n#include \"common.glsl\"\nvoid main() {}\n";
  const ShaderSources sources(folder);
  CHECK(sources.text("a.frag") ==
        "#version 330 core\nfloat one() { return 1.0; }\n\nvoid main() {}\n");
  CHECK_THROWS_AS(sources.text("b.frag"), Error);
  CHECK_THROWS_AS(ShaderSources().text("b.frag"), Error);
  std::filesystem::remove_all(folder);
}
