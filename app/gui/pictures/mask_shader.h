// The coverage of a lattice by the fragment shader mask.frag: the same integers as
// computeCoverage(), for patterns whose count is a short list of signed terms, whatever n is. For
// machines with a graphics processor; software OpenGL is slower at it than the CPU path.
#pragma once

#include "app/gl/framebuffer.h"
#include "app/gl/program.h"
#include "app/gl/shader_sources.h"
#include "app/gl/texture.h"
#include "core/pattern/coverage.h"
#include "core/plot/mask_color.h"

#include <cstdint>
#include <vector>

namespace attention::gui {

class MaskShader {
public:
  // Error Unsupported where the shader does not compile.
  explicit MaskShader(const gl::ShaderSources& sources);

  // Whether the shader can count this: a closed form without tables of at most kMostShaderTerms
  // terms, tokens below 2^29, pixels of fewer than 2^32 cells, at most 8191 pixels each way.
  static bool serves(const Prepared& prepared, const Lattice& lattice);

  // Draws the lattice's colours into `target`, which has its size; row 0 of the texture is the
  // first row of pixels. The lattice must be one that it can count.
  void draw(const Prepared& prepared, const Lattice& lattice, const MaskPalette& palette,
            const gl::Framebuffer& target);

  // The counts of one plane, pixels row by row, modulo 2^32. Waits for the drawing to end.
  std::vector<std::uint32_t> counts(const Prepared& prepared, const Lattice& lattice, int plane);

private:
  void render(const Prepared& prepared, const Lattice& lattice, const MaskPalette& palette,
              int shownPlane, const gl::Framebuffer& target);

  gl::Program program_;
  gl::VertexArray triangle_;
};

constexpr std::size_t kMostShaderTerms = 64;

// Whether the current context draws by software (llvmpipe and the like).
bool softwareRenderer();

} // namespace attention::gui
