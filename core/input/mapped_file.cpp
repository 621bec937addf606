#include "core/input/mapped_file.h"

#include "core/input/file_kind.h"
#include "core/input/guarded_mapping.h"
#include "core/support/number_text.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace attention {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw Error(ErrorCode::Io, path.string(), "cannot read " + path.string() + ": " + why);
}

// A file descriptor that closes itself.
class Descriptor {
public:
  // O_NONBLOCK: opening a pipe without a writer must not wait.
  explicit Descriptor(const std::filesystem::path& path)
      : number_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0)
      ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  // From now on the caller must close it.
  int release() { return std::exchange(number_, -1); }

private:
  int number_;
};

const char* kindOf(mode_t mode) {
  if (S_ISDIR(mode))
    return "a folder";
  if (S_ISFIFO(mode))
    return "a pipe";
  if (S_ISSOCK(mode))
    return "a socket";
  return "a device";
}

void readAll(const std::filesystem::path& path, int file, std::byte* to, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::read(file, to + done, size - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      fail(path, std::strerror(errno));
    if (got == 0)
      fail(path, "it became shorter while it was read");
    done += static_cast<std::size_t>(got);
  }
}

// The mapped files by where their bytes begin.
struct Known {
  std::mutex mutex;
  std::map<const std::byte*, const MappedFile*, std::less<>> files;
};

Known& known() {
  static Known* const kKnown = new Known; // never destroyed: files may outlive other statics
  return *kKnown;
}

} // namespace

MappedFile::MappedFile() = default;

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  Descriptor file(path);
  if (file.number() < 0)
    fail(path, std::strerror(errno));
  struct stat status {};
  if (::fstat(file.number(), &status) != 0)
    fail(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    fail(path, std::string("it is ") + kindOf(status.st_mode) + "; it must be a regular file");
  const std::shared_ptr<MappedFile> opened(new MappedFile);
  opened->path_ = path;
  opened->size_ = static_cast<std::size_t>(status.st_size);
  opened->stamp_ = stampOf(status);
  if (opened->size_ < kMapFrom) {
    opened->readFrom(file.number());
    return opened;
  }
  opened->mapping_ = GuardedMapping::map(file.number(), opened->size_);
  if (!opened->mapping_)
    fail(path, errno == EMFILE
                   ? std::to_string(GuardedMapping::kMost) + " other files of " +
                         std::to_string(kMapFrom >> 20) + " MiB and more are open already"
                   : std::strerror(errno));
  opened->data_ = opened->mapping_->data();
  opened->file_ = file.release();
  const std::scoped_lock lock(known().mutex);
  known().files[opened->data_] = opened.get();
  return opened;
}

void MappedFile::readFrom(int file) {
  copy_ = std::make_unique_for_overwrite<std::byte[]>(size_);
  readAll(path_, file, copy_.get(), size_);
  data_ = copy_.get();
  struct stat now {};
  if (::fstat(file, &now) == 0 && stampOf(now) != stamp_)
    fail(path_, "it changed while it was read; it must be read again");
}

void MappedFile::requireUnchanged() const {
  if (!mapping_)
    return;
  struct stat now {};
  if (mapping_->cut() || (::fstat(file_, &now) == 0 && stampOf(now) != stamp_))
    fail(path_, "it has changed since it was opened; it must be opened again");
}

void requireUnchanged(const void* bytes) {
  const auto* at = static_cast<const std::byte*>(bytes);
  const std::scoped_lock lock(known().mutex);
  auto after = known().files.upper_bound(at);
  if (after == known().files.begin())
    return;
  const MappedFile& before = *std::prev(after)->second;
  if (at < before.bytes().data() + before.bytes().size())
    before.requireUnchanged();
}

std::string textOfFile(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const std::span<const std::byte> bytes = file->bytes();
  requireText(bytes, path.string());
  if (bytes.size() > kMaxTextFile)
    throwRange(path.string(), "a text of " + countText(bytes.size(), "byte"),
               "at most " + std::to_string(kMaxTextFile));
  return readUnchanged(bytes.data(), [&] {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with(kByteOrderMark))
      text.erase(0, kByteOrderMark.size());
    return text;
  });
}

MappedFile::~MappedFile() {
  if (!mapping_)
    return;
  const std::scoped_lock lock(known().mutex);
  known().files.erase(data_);
  ::close(file_);
}

} // namespace attention
