#include "app/gl/shader_sources.h"

#include "core/support/error.h"
#include "embedded/shaders.h"

#include <fstream>
#include <sstream>

namespace attention::gl {

ShaderSources::ShaderSources(std::filesystem::path folder) : folder_(std::move(folder)) {}

std::string ShaderSources::file(std::string_view name) const {
  if (folder_.empty()) {
    const std::string_view found = embedded::shaders::text(name);
    if (found.empty())
      throw Error(ErrorCode::Unknown, std::string(name),
                  "shader file " + std::string(name) + " is not part of the program");
    return std::string(found);
  }
  const std::filesystem::path path = folder_ / std::string(name);
  const std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream || !content)
    throw Error(ErrorCode::Io, path.string(), path.string() + ": cannot be read as a shader");
  return std::move(content).str();
}

std::string ShaderSources::text(std::string_view name) const {
  std::istringstream lines(file(name));
  std::string whole;
  constexpr std::string_view kInclude = "#include \"";
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(kInclude, 0) == 0) {
      const std::string rest = line.substr(kInclude.size());
      whole += file(rest.substr(0, rest.find('"')));
    } else {
      whole += line;
    }
    whole += '\n';
  }
  return whole;
}

Program ShaderSources::fullScreen(std::string_view fragmentFile) const {
  return Program(std::string(fragmentFile), text("full_screen.vert"), text(fragmentFile));
}

} // namespace attention::gl
