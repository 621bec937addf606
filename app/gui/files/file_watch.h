// Notices when files that are shown change on disk. A separate thread checks their stamps (size,
// time, which file), since disks can be slow. A file counts as changed when two checks in a row
// give the same stamp and it differs from the known one: the writer is done. A file that is gone is
// waited for.
#pragma once

#include "core/input/file_stamp.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace attention::gui {

class FileWatch {
public:
  static constexpr std::chrono::milliseconds kUsualPause{400}; // between two checks

  // `wake` is called from the thread when a file has changed; it may be empty.
  explicit FileWatch(std::function<void()> wake, std::chrono::milliseconds pause = kUsualPause)
      : wake_(std::move(wake)), pause_(pause) {}
  FileWatch(FileWatch&&) = delete;
  ~FileWatch() = default;

  // The stamps of files when they were read, before they are watched.
  void know(const std::map<std::string, FileStamp>& stamps);
  // Watches these files and no others from now on. Files already watched keep their known stamp;
  // others get the stamp they were read with, or their current one, so call this before reading
  // them. The thread starts with the first file.
  void watch(const std::vector<std::string>& files);
  // The files that have changed since they were first watched or last accepted.
  std::vector<std::string> changed() const;
  // Makes their current stamps the known ones; call it before reading them again.
  void accept();

private:
  struct Watched {
    FileStamp known; // when it was read
    FileStamp last;  // of the last check
    bool changed = false;
  };
  void work(const std::stop_token& stop);
  bool look(const std::map<std::string, FileStamp>& stamps);

  std::function<void()> wake_;
  std::chrono::milliseconds pause_;
  mutable std::mutex mutex_;
  std::condition_variable_any asked_;
  std::map<std::string, Watched> files_;
  std::map<std::string, FileStamp> read_; // of files to be watched
  bool fresh_ = false;                    // whether checks that began earlier are out of date
  std::jthread thread_;                   // last: its destructor joins
};

} // namespace attention::gui
