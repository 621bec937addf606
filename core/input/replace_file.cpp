#include "core/input/replace_file.h"

#include "core/support/error.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

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
  if (code == std::errc::filename_too_long) // reported before the work, not after it
    fail(path, code.message());
  if (!fs::exists(status))
    return path;
  if (!fs::is_regular_file(status))
    fail(path, "it is not a regular file");
  const fs::path target = fs::canonical(path, code);
  return code ? path : target;
}

// A name beside `path` that no other write uses, of this process or another, with the same ending:
// some writers choose the format by it. A long name is not repeated in it: names may be as long as
// the file system allows (255 bytes), and this one must not be longer.
fs::path temporaryBeside(const fs::path& path) {
  static std::atomic<unsigned> writes{0};
  constexpr std::size_t kLongestStem = 32;
  constexpr std::size_t kLongestEnding = 32; // ".safetensors"; anything longer is not an ending
  const std::string stem = path.stem().string();
  const std::string ending = path.extension().string();
  std::string name = stem.size() > kLongestStem ? "attnx" : stem; // never splits a character
  name += ".part-" + std::to_string(::getpid()) + "-" + std::to_string(writes++);
  if (ending.size() <= kLongestEnding)
    name += ending;
  return path.parent_path() / name;
}

// A new file at `path`; errors name `target`, what it will be called.
std::ofstream opened(const fs::path& path, const fs::path& target) {
  errno = 0;
  std::ofstream stream(path, std::ios::binary);
  if (!stream)
    fail(target, std::strerror(errno));
  return stream;
}

// Waits until what was written to `path` is on the disk; `target` is its future name.
void flush(const fs::path& path, const fs::path& target) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    fail(target, std::strerror(errno));
  // Some file systems cannot flush (EINVAL): nothing more can be done.
  const bool failed = ::fsync(file) != 0 && errno != EINVAL && errno != EROFS;
  const int why = errno;
  ::close(file);
  if (failed)
    fail(target, std::strerror(why));
}

// Gives `path` the permissions that `target` has, and its name.
void moveOnto(const fs::path& path, const fs::path& target, const fs::file_status& old) {
  std::error_code code;
  if (fs::exists(old))
    fs::permissions(path, old.permissions(), code);
  code.clear();
  fs::rename(path, target, code);
  if (code)
    fail(target, code.message());
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
    flush(path_, target_);
    std::error_code code;
    moveOnto(path_, target_, fs::status(target_, code));
    renamed_ = true;
  }

private:
  fs::path target_;
  fs::path path_;
  bool renamed_ = false;
};

// Folders that are made and removed again, the last one first, unless they are kept.
class NewFolders {
public:
  NewFolders() = default;
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() {
    std::error_code ignored;
    for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder)
      fs::remove(*folder, ignored); // empty ones alone
  }
  // With its parents, where they are missing.
  void make(const fs::path& folder) {
    std::error_code code;
    if (folder.empty() || fs::is_directory(folder, code))
      return;
    make(folder.parent_path());
    code.clear();
    fs::create_directory(folder, code);
    if (code)
      fail(folder, code.message());
    made_.push_back(folder);
  }
  void keep() { made_.clear(); }

private:
  std::vector<fs::path> made_;
};

// Files that take their places together: where one cannot, all are taken back and the old ones
// return.
class Places {
public:
  Places() = default;
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  ~Places() {
    std::error_code ignored;
    for (const Place& place : kept_ ? std::vector<Place>() : taken_) {
      fs::remove(place.target, ignored);
      if (fs::exists(place.old, ignored))
        fs::rename(place.old, place.target, ignored);
    }
  }
  // The existing file is kept as `old`, a name in the same file system.
  void take(const fs::path& file, const fs::path& target, const fs::path& old) {
    std::error_code code;
    const fs::file_status before = fs::status(target, code);
    if (fs::exists(before)) {
      fs::rename(target, old, code);
      if (code)
        fail(target, code.message());
    }
    taken_.push_back({target, old});
    moveOnto(file, target, before);
  }
  void keep() { kept_ = true; }

private:
  struct Place {
    fs::path target;
    fs::path old;
  };
  std::vector<Place> taken_;
  bool kept_ = false;
};

// Errors name files by their final paths.
std::string replaced(std::string text, const fs::path& temporary, const fs::path& folder) {
  const std::string from = temporary.string();
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from))
    text.replace(at, from.size(), folder.string());
  return text;
}

// A folder that is removed with its content.
class WorkFolder {
public:
  explicit WorkFolder(fs::path path) : path_(std::move(path)) {}
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

private:
  fs::path path_;
};

} // namespace

void replaceFilesIn(const fs::path& given, const std::function<void(const fs::path&)>& write) {
  const fs::path folder = given.has_filename() ? given : given.parent_path();
  if (folder.empty())
    fail(given, "it names no folder");
  std::error_code code;
  const bool exists = fs::exists(folder, code);
  if (exists && !fs::is_directory(folder, code))
    fail(folder, "it is not a folder");
  if (exists && ::access(folder.c_str(), W_OK | X_OK) != 0)
    fail(folder, std::strerror(errno));
  NewFolders made;
  made.make(folder.parent_path());
  // In a folder that exists: its parent may be closed to us.
  const fs::path temporary = temporaryBeside(exists ? folder / "files" : folder);
  const WorkFolder work(temporary);
  try {
    made.make(temporary);
    write(temporary);
  } catch (const Error& error) {
    throw Error(error.code(), replaced(error.subject(), temporary, folder),
                replaced(error.what(), temporary, folder));
  }
  if (!exists)
    made.make(folder);
  std::vector<fs::path> files;
  for (const fs::directory_entry& file : fs::directory_iterator(temporary))
    files.push_back(file.path());
  for (const fs::path& file : files)
    flush(file, resolved(folder / file.filename()));
  Places places;
  const fs::path old = temporaryBeside(temporary / "old"); // a folder, so that names stay as long
  made.make(old);
  for (const fs::path& file : files)
    places.take(file, resolved(folder / file.filename()), old / file.filename());
  places.keep();
  made.keep();
}

void replaceFileByName(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  Temporary temporary(resolved(path));
  write(temporary.path());
  temporary.rename();
}

void requireWritable(const fs::path& path) {
  const Temporary temporary(resolved(path));
  opened(temporary.path(), path);
}

void replaceFile(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  replaceFileByName(path, [&](const fs::path& temporary) {
    std::ofstream stream = opened(temporary, path);
    write(stream);
    stream.close();
    if (!stream)
      fail(path, errno != 0 ? std::strerror(errno) : "the disk is full");
  });
}

} // namespace attention
