// Every word that windows of tests have shown, view by view: for whoever reads them as a visitor
// would. With the environment variable ATTENTION_WORDS=FILE all windows write theirs there
// (tools/words.sh).
#pragma once

#include "app/gui/widgets/widget_log.h"

#include <map>
#include <string>

namespace attention::gui {

class WordList {
public:
  // The words of the last frame, as shown in the view of this name. Those that differ in numbers
  // only count as one, as they were first.
  void take(const WidgetLog& log, const std::string& view);
  // "view | scope | words" in lines, sorted; "several views" for what is shown in more than one.
  // Words are labels, "label: value", and tooltips as "(words)"; line ends within are " / ".
  std::string text() const;

private:
  struct Shown {
    std::string line;
    std::string view; // empty: several
  };
  void add(const std::string& view, const std::string& scope, const std::string& words);

  std::map<std::string, Shown> lines_; // by the line without its numbers
};

// Adds to the list that is written to the file of ATTENTION_WORDS at the end of the program; does
// nothing without it.
void keepWords(const WidgetLog& log, const std::string& view);

} // namespace attention::gui
