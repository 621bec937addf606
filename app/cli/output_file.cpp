#include "app/cli/arguments.h"

#include "core/export/figure_file.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace attention::cli {
namespace {

namespace fs = std::filesystem;

std::string listed(std::span<const std::string_view> endings) {
  std::string list;
  for (const std::string_view ending : endings)
    list += (list.empty() ? "" : " ") + std::string(ending);
  return list;
}

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw Error(ErrorCode::Io, path.string(), "cannot write " + path.string() + ": " + why);
}

// The file that a path means, however it is written, also through links to no file yet.
fs::path meant(const std::string& path) {
  constexpr int kMostLinks = 40; // as many as Linux follows
  std::error_code code;
  fs::path named = fs::absolute(path, code);
  for (int k = 0; k < kMostLinks && fs::is_symlink(named, code); ++k)
    named = named.parent_path() / fs::read_symlink(named, code);
  fs::path file = fs::weakly_canonical(named, code);
  return code ? fs::path(path).lexically_normal() : file;
}

// E_TYPE where two of the flags name one file.
void requireDistinct(const Arguments& arguments, std::span<const std::string_view> flags) {
  for (std::size_t a = 0; a < flags.size(); ++a)
    for (std::size_t b = a + 1; b < flags.size(); ++b) {
      const std::string* first = arguments.find(flags[a]);
      const std::string* second = arguments.find(flags[b]);
      if (first && second && meant(*first) == meant(*second))
        throw Error(ErrorCode::Type, std::string(flags[b]),
                    std::string(flags[b]) + " is " + *second + ", which " + std::string(flags[a]) +
                        " is too; each output needs its own file");
    }
}

} // namespace

std::string outputPath(const Arguments& arguments, std::string_view flag,
                       std::span<const std::string_view> endings) {
  const fs::path path = arguments.text(flag);
  if (std::find(endings.begin(), endings.end(), endingOf(path)) == endings.end())
    throwEnding(path, listed(endings));
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    fail(path, "it is a folder");
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    fail(path, "it is not a regular file");
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    fail(path, std::strerror(errno));
  return path.string();
}

void requireArrayOutputs(const Arguments& arguments, std::span<const std::string_view> flags) {
  static constexpr std::array<std::string_view, 1> kEndings{".npy"};
  const bool any = std::any_of(flags.begin(), flags.end(),
                               [&](std::string_view flag) { return arguments.has(flag); });
  if (!any && !arguments.on("json"))
    throw Error(ErrorCode::Type, "output", "-o is missing; give -o out.npy, or --json");
  for (const std::string_view flag : flags)
    if (arguments.has(flag))
      outputPath(arguments, flag, kEndings);
  requireDistinct(arguments, flags);
}

} // namespace attention::cli
