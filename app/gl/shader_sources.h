// The GLSL files of shaders/, embedded at build time, or read from a folder (--shader-dir) for live
// editing.
#pragma once

#include "app/gl/program.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace attention::gl {

class ShaderSources {
public:
  // The embedded files if the folder is empty, else the files in that folder.
  explicit ShaderSources(std::filesystem::path folder = {});

  // The text of `file` ("mask.frag"); a line `#include "common.glsl"` is replaced by that file,
  // one level deep. Error Unknown for a file that is not embedded, Error Io for one that cannot be
  // read.
  std::string text(std::string_view file) const;
  // full_screen.vert with `fragmentFile`.
  Program fullScreen(std::string_view fragmentFile) const;

private:
  std::string file(std::string_view name) const;

  std::filesystem::path folder_;
};

} // namespace attention::gl
