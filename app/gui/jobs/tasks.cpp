#include "app/gui/jobs/tasks.h"

#include "app/gui/frame/workbench.h"

#include <algorithm>
#include <iterator>

namespace attention::gui {

void Tasks::start(const std::string& label, std::function<Finish(const Run&)> work, bool lasting) {
  auto outcome = std::make_shared<Outcome<Finish>>();
  auto job = pool_.submit(label, [outcome, work = std::move(work)](const Run& run) {
    *outcome = outcomeOf<Finish>(
        [&](const Run& r) { return std::make_shared<const Finish>(work(r)); }, run);
  });
  running_.push_back({std::move(job), std::move(outcome), lasting});
}

void Tasks::finish(Workbench& bench) {
  // Each job is asked once: one that ends while the list is walked waits for the next frame.
  const auto firstEnded = std::stable_partition(running_.begin(), running_.end(),
                                                [](const Task& task) { return !task.job->done(); });
  const std::vector<Task> ended(std::make_move_iterator(firstEnded),
                                std::make_move_iterator(running_.end()));
  running_.erase(firstEnded, running_.end());
  for (const Task& task : ended) {
    if (task.outcome->value && *task.outcome->value)
      (*task.outcome->value)(bench);
    else if (task.outcome->problem)
      bench.notices.add(NoteKind::Error, task.outcome->problem->text);
    else if (!task.outcome->value)
      bench.notices.add(NoteKind::Info, "stopped: " + task.job->label());
  }
}

void Tasks::wait() {
  for (const Task& task : running_)
    if (task.lasting)
      task.job->stop();
  for (const Task& task : running_)
    task.job->waitUntil(Deadline::max());
}

} // namespace attention::gui
