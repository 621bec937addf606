#include "app/gui/files/file_watch.h"

#include <algorithm>
#include <utility>

namespace attention::gui {

void FileWatch::know(const std::map<std::string, FileStamp>& stamps) {
  const std::scoped_lock lock(mutex_);
  read_ = stamps;
}

void FileWatch::watch(const std::vector<std::string>& files) {
  const std::scoped_lock lock(mutex_);
  const auto wanted = [&](const std::string& file) {
    return std::find(files.begin(), files.end(), file) != files.end();
  };
  std::erase_if(files_, [&](const auto& entry) { return !wanted(entry.first); });
  for (const std::string& file : files)
    if (!files_.contains(file)) {
      const auto read = read_.find(file);
      files_[file].known = read == read_.end() ? stampOf(file) : read->second;
      fresh_ = true;
    }
  read_.clear();
  if (!fresh_)
    return;
  if (!thread_.joinable())
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  asked_.notify_all();
}

std::vector<std::string> FileWatch::changed() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, file] : files_)
    if (file.changed)
      names.push_back(name);
  return names;
}

void FileWatch::accept() {
  const std::scoped_lock lock(mutex_);
  for (auto& [name, file] : files_)
    file = Watched{stampOf(name), {}, false};
  fresh_ = true;
  asked_.notify_all();
}

// Whether a file is reported for the first time.
bool FileWatch::look(const std::map<std::string, FileStamp>& stamps) {
  bool told = false;
  for (const auto& [name, stamp] : stamps) {
    const auto at = files_.find(name);
    if (at == files_.end())
      continue;
    Watched& file = at->second;
    const bool rests = std::exchange(file.last, stamp) == stamp && stamp.there;
    const bool changed = file.changed || (rests && stamp != file.known);
    told |= changed && !file.changed;
    file.changed = changed;
  }
  return told;
}

void FileWatch::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    fresh_ = false;
    std::map<std::string, FileStamp> stamps;
    for (const auto& [name, file] : files_)
      stamps[name];
    lock.unlock(); // checking may take long
    for (auto& [name, stamp] : stamps)
      stamp = stampOf(name);
    lock.lock();
    if (!fresh_ && look(stamps) && wake_) { // else the stamps are older than the question
      lock.unlock();
      wake_();
      lock.lock();
    }
    asked_.wait_for(lock, stop, pause_, [this] { return fresh_; });
  }
}

} // namespace attention::gui
