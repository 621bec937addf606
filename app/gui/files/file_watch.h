// Notices that files changed on the disk while they are shown. A thread of its own looks at their
// stamps (size, time, which file), since disks may take their time. A file counts as changed when
// two looks in a row give one stamp that is another than the known one: whoever writes it is done.
// A file that is gone is waited for.
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
  static constexpr std::chrono::milliseconds kUsualPause{400}; // between two looks

  // `wake` is called from the thread when a file has changed; it may be empty.
  explicit FileWatch(std::function<void()> wake, std::chrono::milliseconds pause = kUsualPause)
      : wake_(std::move(wake)), pause_(pause) {}
  FileWatch(FileWatch&&) = delete;
  ~FileWatch() = default;

  // What files were when they were read, before they are watched.
  void know(const std::map<std::string, FileStamp>& stamps);
  // These and no others, from now on. What is watched already stays known as it was; others are
  // known as they were read, or as they are now: to be called before they are read. The thread
  // begins with the first file.
  void watch(const std::vector<std::string>& files);
  // The files that have changed since they are watched or were last accepted.
  std::vector<std::string> changed() const;
  // What they are now is known: to be called before they are read again.
  void accept();

private:
  struct Watched {
    FileStamp known; // when it was read
    FileStamp last;  // of the last look
    bool changed = false;
  };
  void work(const std::stop_token& stop);
  bool look(const std::map<std::string, FileStamp>& stamps);

  std::function<void()> wake_;
  std::chrono::milliseconds pause_;
  mutable std::mutex mutex_;
  std::condition_variable_any asked_;
  std::map<std::string, Watched> files_;
  std::map<std::string, FileStamp> read_; // of files that are to be watched
  bool fresh_ = false;                    // whether looks that began before are out of date
  std::jthread thread_;                   // last: its destructor joins
};

} // namespace attention::gui
