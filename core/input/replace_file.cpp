#include "core/input/replace_file.h"

#include "core/support/error.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <unistd.h>

namespace attention {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw Error(ErrorCode::Io, path.string(), "cannot write " + path.string() + ": " + why);
}

// The file itself where `path` is a link to one: the link stays.
fs::path resolved(const fs::path& path) {
  if (!path.has_filename())
    fail(path, "it names no file");
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status))
    return path;
  if (!fs::is_regular_file(status))
    fail(path, "it is not a regular file");
  const fs::path target = fs::canonical(path, code);
  return code ? path : target;
}

// A name beside `path` that no other write uses, of this process or another, with the same ending:
// some writers choose the format by it.
fs::path temporaryBeside(const fs::path& path) {
  static std::atomic<unsigned> writes{0};
  fs::path name = path.stem();
  name += ".part-" + std::to_string(::getpid()) + "-" + std::to_string(writes++);
  name += path.extension();
  return path.parent_path() / name;
}

// Removes the temporary file unless it was renamed.
class Temporary {
public:
  explicit Temporary(const fs::path& target) : target_(target), path_(temporaryBeside(target)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    std::error_code ignored;
    if (!renamed_)
      fs::remove(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  // Takes the place of the target, with the permissions that it has, once it lies on the disk.
  void rename() {
    flush();
    std::error_code code;
    const fs::file_status old = fs::status(target_, code);
    if (fs::exists(old))
      fs::permissions(path_, old.permissions(), code);
    code.clear();
    fs::rename(path_, target_, code);
    if (code)
      fail(target_, code.message());
    renamed_ = true;
  }

private:
  void flush() const {
    const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
      fail(target_, std::strerror(errno));
    // Some file systems cannot flush (EINVAL): what they have is what there is.
    const bool failed = ::fsync(file) != 0 && errno != EINVAL && errno != EROFS;
    const int why = errno;
    ::close(file);
    if (failed)
      fail(target_, std::strerror(why));
  }

  fs::path target_;
  fs::path path_;
  bool renamed_ = false;
};

} // namespace

void replaceFileByName(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  Temporary temporary(resolved(path));
  write(temporary.path());
  temporary.rename();
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
