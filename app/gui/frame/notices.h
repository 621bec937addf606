// Notes of the window that belong to no control: what could not be opened, what was written. Errors
// stay until they are closed; the rest goes by itself.
#pragma once

#include "app/gui/widgets/words.h"

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
  void add(NoteKind kind, std::string text);
  void clear() { list_.clear(); }
  bool empty() const { return list_.empty(); }
  // Cards above the status bar, the newest lowest; `bottom` is where they end.
  void draw(const Ui& ui, const Rect& area, float step);

private:
  int drawList(const Ui& ui) const;

  std::vector<Notice> list_;
};

} // namespace attention::gui
