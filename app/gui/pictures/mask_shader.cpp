#include "app/gui/pictures/mask_shader.h"

#include "app/gl/context.h"
#include "core/plot/mask_color.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

namespace attention::gui {
namespace {

constexpr Index kMostShaderToken = Index{1} << 29;
constexpr Index kMostPixels = 8191;

// The constants that C++ and GLSL share, as GLSL.
std::string constants() {
  const auto line = [](const char* name, int value) {
    return "const int " + std::string(name) + " = " + std::to_string(value) + ";\n";
  };
  return line("kShapeArea", static_cast<int>(Shape::Area)) +
         line("kShapeBand", static_cast<int>(Shape::Band)) +
         line("kShapeColumns", static_cast<int>(Shape::Columns)) +
         line("kShapeBlocks", static_cast<int>(Shape::Blocks)) +
         line("kShapeBlockColumns", static_cast<int>(Shape::BlockColumns)) +
         line("kMostPlanes", static_cast<int>(kMostPartsShown));
}

// `source` with the constants after its #version line.
std::string withConstants(const std::string& source) {
  const std::size_t end = source.find('\n') + 1;
  return source.substr(0, end) + constants() + source.substr(end);
}

gl::Program compiled(const gl::ShaderSources& sources) {
  return gl::Program("mask", sources.text("full_screen.vert"),
                     withConstants(sources.text("mask.frag")));
}

std::uint32_t cut(Index value) {
  return static_cast<std::uint32_t>(
      static_cast<std::int32_t>(std::clamp<Index>(value, -kMostShaderToken, kMostShaderToken)));
}

gl::Texture termTexture(const Prepared& prepared) {
  const Index keys = prepared.lengths().keys;
  const bool ramp = prepared.parts().size() > kMostPartsShown;
  std::vector<std::uint32_t> texels;
  for (const Term& term : prepared.terms()) {
    const Primitive& p = term.primitive;
    const attention::Rect& clip = p.clip; // of cells
    const int plane = ramp ? 0 : term.part;
    texels.insert(texels.end(),
                  {static_cast<std::uint32_t>(p.shape), static_cast<std::uint32_t>(plane),
                   static_cast<std::uint32_t>(term.sign), p.causal ? 1U : 0U, cut(p.period),
                   cut(p.lo), cut(p.hi), 0U, cut(clip.rowBegin), cut(clip.rowEnd),
                   cut(clip.keyBegin), cut(std::min(clip.keyEnd, keys))});
  }
  const int terms = static_cast<int>(prepared.terms().size());
  gl::Texture texture(3, std::max(terms, 1), gl::TexelFormat::Rgba32ui);
  texels.resize(static_cast<std::size_t>(texture.height()) * 12);
  texture.upload(std::as_bytes(std::span(texels)));
  return texture;
}

gl::Texture edgeTexture(const std::vector<Index>& edges, Index offset) {
  std::vector<std::uint32_t> texels;
  texels.reserve(edges.size());
  for (const Index edge : edges)
    texels.push_back(cut(std::max<Index>(edge + offset, 0)));
  gl::Texture texture(static_cast<int>(edges.size()), 1, gl::TexelFormat::R32ui);
  texture.upload(std::as_bytes(std::span(texels)));
  return texture;
}

float unit(std::uint8_t byte) {
  return static_cast<float>(byte) / 255.0F;
}

void setPalette(const gl::Program& program, const MaskPalette& palette) {
  const Color& ground = palette.ground;
  program.set("ground", std::array{unit(ground.r), unit(ground.g), unit(ground.b)});
  program.set("leastShare", static_cast<float>(leastShareOn(palette.ground)));
  std::vector<std::array<float, 4>> hues;
  for (const Color& hue : palette.hues)
    hues.push_back({unit(hue.r), unit(hue.g), unit(hue.b), 1});
  program.set("hues", std::span<const std::array<float, 4>>(hues));
}

Index widest(const std::vector<Index>& edges) {
  Index most = 0;
  for (std::size_t k = 1; k < edges.size(); ++k)
    most = std::max(most, edges[k] - edges[k - 1]);
  return most;
}

} // namespace

MaskShader::MaskShader(const gl::ShaderSources& sources) : program_(compiled(sources)) {}

bool MaskShader::serves(const Prepared& prepared, const Lattice& lattice) {
  const Lengths& lengths = prepared.lengths();
  const Index tokens = std::max(lengths.keys, lengths.queries + std::max<Index>(lengths.offset, 0));
  const Index cells = widest(lattice.rowEdges) * widest(lattice.keyEdges);
  return prepared.closedForm() && !prepared.hasTables() &&
         prepared.terms().size() <= kMostShaderTerms && tokens < kMostShaderToken &&
         cells < (Index{1} << 32) && std::max(lattice.rows(), lattice.cols()) <= kMostPixels;
}

void MaskShader::render(const Prepared& prepared, const Lattice& lattice,
                        const MaskPalette& palette, int shownPlane, const gl::Framebuffer& target) {
  assert(serves(prepared, lattice));
  const gl::Texture terms = termTexture(prepared);
  const gl::Texture rows = edgeTexture(lattice.rowEdges, prepared.lengths().offset);
  const gl::Texture keys = edgeTexture(lattice.keyEdges, 0);
  const gl::DrawInto drawing(target);
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  program_.use();
  terms.bind(0);
  rows.bind(1);
  keys.bind(2);
  program_.set("terms", 0);
  program_.set("rowEdges", 1);
  program_.set("keyEdges", 2);
  program_.set("termCount", static_cast<int>(prepared.terms().size()));
  program_.set("planeCount", static_cast<int>(palette.hues.size()));
  program_.set("shownPlane", shownPlane);
  setPalette(program_, palette);
  triangle_.drawFullScreen();
  glActiveTexture(GL_TEXTURE0);
}

void MaskShader::draw(const Prepared& prepared, const Lattice& lattice, const MaskPalette& palette,
                      const gl::Framebuffer& target) {
  render(prepared, lattice, palette, -1, target);
}

std::vector<std::uint32_t> MaskShader::counts(const Prepared& prepared, const Lattice& lattice,
                                              int plane) {
  const gl::Framebuffer target(static_cast<int>(lattice.cols()), static_cast<int>(lattice.rows()));
  render(prepared, lattice, maskPalette(prepared, FigureTheme::Dark), plane, target);
  const gl::Pixels pixels = target.read();
  std::vector<std::uint32_t> counts;
  counts.reserve(pixels.rgba.size() / 4);
  for (int row = pixels.height; row-- > 0;) // read() puts the last row of the texture on top
    for (int column = 0; column < pixels.width; ++column) {
      const std::uint8_t* b = pixels.at(column, row);
      counts.push_back(b[0] | std::uint32_t{b[1]} << 8 | std::uint32_t{b[2]} << 16 |
                       std::uint32_t{b[3]} << 24);
    }
  return counts;
}

bool softwareRenderer() {
  const std::string name = gl::describeCurrentContext();
  for (const char* known : {"llvmpipe", "softpipe", "swrast", "SwiftShader"})
    if (name.find(known) != std::string::npos)
      return true;
  return false;
}

} // namespace attention::gui
