#include "core/input/mapped_file.h"

#include "core/support/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

} // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const Descriptor file(path);
  if (file.number() < 0)
    fail(path, std::strerror(errno));
  struct stat status {};
  if (::fstat(file.number(), &status) != 0)
    fail(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    fail(path, std::string("it is ") + kindOf(status.st_mode) + "; allowed is a regular file");
  const std::shared_ptr<MappedFile> opened(new MappedFile);
  opened->size_ = static_cast<std::size_t>(status.st_size);
  if (opened->size_ < kMapFrom) {
    opened->copy_ = std::make_unique_for_overwrite<std::byte[]>(opened->size_);
    readAll(path, file.number(), opened->copy_.get(), opened->size_);
    opened->data_ = opened->copy_.get();
    return opened;
  }
  void* mapping = ::mmap(nullptr, opened->size_, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (mapping == MAP_FAILED)
    fail(path, std::strerror(errno));
  opened->mapping_ = mapping;
  opened->data_ = static_cast<const std::byte*>(mapping);
  return opened;
}

std::string textOfFile(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const std::span<const std::byte> bytes = file->bytes();
  if (bytes.size() > kMaxTextFile)
    throwRange(path.string(), "a text of " + std::to_string(bytes.size()) + " bytes",
               "at most " + std::to_string(kMaxTextFile));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

MappedFile::~MappedFile() {
  if (mapping_ != nullptr)
    ::munmap(mapping_, size_);
}

} // namespace attention
