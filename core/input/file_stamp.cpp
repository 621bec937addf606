#include "core/input/file_stamp.h"

#include <sys/stat.h>

namespace attention {

FileStamp stampOf(const struct stat& status) {
  FileStamp stamp;
  stamp.there = true;
  stamp.device = status.st_dev;
  stamp.number = status.st_ino;
  stamp.size = status.st_size;
#if defined(__APPLE__)
  stamp.writtenS = status.st_mtimespec.tv_sec;
  stamp.writtenNs = status.st_mtimespec.tv_nsec;
#else
  stamp.writtenS = status.st_mtim.tv_sec;
  stamp.writtenNs = status.st_mtim.tv_nsec;
#endif
  return stamp;
}

FileStamp stampOf(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? stampOf(status) : FileStamp();
}

} // namespace attention
