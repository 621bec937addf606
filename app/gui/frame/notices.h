// Notes of the window that belong to no control: what could not be opened, what was written. Errors
// and warnings stay until they are closed; the rest disappears after a while. Without a display
// everything stays, so that a picture never depends on how many frames a job took.
#pragma once

#include "app/gui/widgets/words.h"

#include <limits>
#include <string>
#include <vector>

namespace attention::gui {

struct Notice {
  NoteKind kind = NoteKind::Info;
  std::string text;
  float age = 0; // seconds
};

class Notices {
public:
  static constexpr float kUsualSeconds = 6;
  static constexpr float kForever = std::numeric_limits<float>::infinity();

  explicit Notices(float seconds = kUsualSeconds) : seconds_(seconds) {}
  void add(NoteKind kind, std::string text);
  void clear() { list_.clear(); }
  bool empty() const { return list_.empty(); }
  // Cards above the status bar, the newest lowest; `bottom` is where they end.
  void draw(const Ui& ui, const Rect& area, float step);

private:
  int drawList(const Ui& ui) const;

  float seconds_; // that a note is shown
  std::vector<Notice> list_;
};

} // namespace attention::gui
