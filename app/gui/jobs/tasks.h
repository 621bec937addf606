// Work that the user asked for once: opening a file, exporting, saving the window's state. It runs
// as a job; what it returns is carried out on the drawing thread when it has ended, and errors
// become notes.
#pragma once

#include "app/gui/jobs/slot.h"

#include <functional>
#include <string>
#include <vector>

namespace attention::gui {

struct Workbench;

// What to do with the window when the work is done.
using Finish = std::function<void(Workbench&)>;

class Tasks {
public:
  explicit Tasks(JobPool& pool) : pool_(pool) {}

  // `work` owns copies of what it reads and may throw Error. Unless it is `lasting`, it is awaited
  // before the window closes.
  void start(const std::string& label, std::function<Finish(const Run&)> work,
             bool lasting = false);
  // Carries out what finished tasks returned; the problem of a failed one becomes a note.
  void finish(Workbench& bench);
  bool pending() const { return !running_.empty(); }
  // Sleeps until all have ended, those that are lasting stopped: before the window closes.
  void wait();

private:
  struct Task {
    std::shared_ptr<Job> job;
    std::shared_ptr<Outcome<Finish>> outcome;
    bool lasting = false;
  };

  JobPool& pool_;
  std::vector<Task> running_;
};

} // namespace attention::gui
