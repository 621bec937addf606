// The latest version of a result that jobs make: the value, whether it belongs to the current
// Scene, and what went wrong if it does not.
#pragma once

#include "core/support/error.h"

#include <memory>
#include <optional>
#include <string>

namespace attention::gui {

struct Ui;

// Why there is no result: an error as a note in place (the parameter or field at fault, the
// sentence, and what kind it is), or the user who stopped the job.
struct Problem {
  std::string subject;
  std::string text;
  ErrorCode code = ErrorCode::Io; // also where the system lacks memory
  bool stopped = false;           // no error
  bool operator==(const Problem&) const = default;
};

inline Problem stoppedByUser() {
  return {"", "stopped", {}, true};
}
inline bool isStopped(const std::optional<Problem>& problem) {
  return problem && problem->stopped;
}
inline bool isError(const std::optional<Problem>& problem) {
  return problem && !problem->stopped;
}

template <class T>
struct Latest {
  std::shared_ptr<const T> value;      // the last good one, or a part of it where pending
  bool stale = false;                  // it was made from something older
  bool pending = false;                // a job for the current one is waiting or running
  double progress = 0;                 // of that job, in [0, 1]
  std::optional<Problem> problem = {}; // why the current one could not be made

  explicit operator bool() const { return value != nullptr; }
  const T& operator*() const { return *value; }
  const T* operator->() const { return value.get(); }
};

// Whether it is the current Scene's, as far as it goes.
template <class T>
bool isFresh(const Latest<T>& latest) {
  return latest && !latest.stale;
}
// Its value, where it is that.
template <class T>
std::shared_ptr<const T> freshOf(const Latest<T>& latest) {
  return latest.stale ? nullptr : latest.value;
}

// Whether it is everything that the current Scene asks for.
template <class T>
bool isWhole(const Latest<T>& latest) {
  return isFresh(latest) && !latest.pending && !latest.problem;
}

// Marks the value as that of an older Scene, with nothing working on a newer one.
template <class T>
void outdate(Latest<T>& latest) {
  latest = {latest.value, latest.value != nullptr};
}

// The first problem among a picture's parts decides for all of it: where one was stopped, what has
// been drawn stays on the screen.
template <class T>
void noteProblem(const Latest<T>& part, std::optional<Problem>& hinders) {
  const bool kept = part && isStopped(part.problem);
  if (part.problem && !kept && !hinders)
    hinders = part.problem;
}

// The words shown in place of the result: an error's sentence, or none if the user stopped the
// job.
void note(const Ui& ui, const Problem& problem);

} // namespace attention::gui
