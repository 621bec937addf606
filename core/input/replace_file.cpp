#include "core/input/replace_file.h"

#include "core/support/error.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <unistd.h>

namespace attention {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw Error(ErrorCode::Io, path.string(), "cannot write " + path.string() + ": " + why);
}

// A name beside `path` that no other process of ours uses.
fs::path temporaryBeside(const fs::path& path) {
  fs::path name = path;
  name += ".part-" + std::to_string(::getpid());
  return name;
}

void requireReplaceable(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (fs::exists(status) && !fs::is_regular_file(status))
    fail(path, "it is not a regular file");
}

// Removes the temporary file unless it was renamed.
class Temporary {
public:
  explicit Temporary(fs::path path) : path_(std::move(path)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    std::error_code ignored;
    if (!renamed_)
      fs::remove(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  void rename(const fs::path& target) {
    std::error_code code;
    fs::rename(path_, target, code);
    if (code)
      fail(target, code.message());
    renamed_ = true;
  }

private:
  fs::path path_;
  bool renamed_ = false;
};

} // namespace

void replaceFileByName(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  requireReplaceable(path);
  Temporary temporary(temporaryBeside(path));
  write(temporary.path());
  temporary.rename(path);
}

void replaceFile(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  replaceFileByName(path, [&](const fs::path& temporary) {
    errno = 0;
    std::ofstream stream(temporary, std::ios::binary);
    if (!stream)
      fail(path, std::strerror(errno));
    write(stream);
    stream.close();
    if (!stream)
      fail(path, errno != 0 ? std::strerror(errno) : "the disk is full");
  });
}

} // namespace attention
