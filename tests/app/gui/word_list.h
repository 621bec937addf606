// Every word that the tests' windows have shown, view by view, to be read as a visitor would. With
// the environment variable ATTENTION_WORDS=FILE all windows write theirs there (tools/words.sh).
#pragma once

#include "app/gui/widgets/widget_log.h"

#include <map>
#include <string>

namespace attention::gui {

class WordList {
public:
  // Adds the words of the last frame, shown in the view of this name. Words that differ only in
  // numbers count as one, in their first form.
  void take(const WidgetLog& log, const std::string& view);
  // Sorted lines of "view | scope | words", with "several views" for what is shown in more than
  // one. Words are labels, "label: value", and tooltips as "(words)"; line ends within them are " /
  // ".
  std::string text() const;

private:
  struct Shown {
    std::string line;
    std::string view; // empty: several
  };
  void add(const std::string& view, const std::string& scope, const std::string& words);

  std::map<std::string, Shown> lines_; // by the line without its numbers
};

// The first label, value or tooltip of the last frame that is no text: broken UTF-8, or control
// characters other than line ends. Empty if there is none. Words that outlive their text end so.
std::string brokenWords(const WidgetLog& log);

// Adds to the list that is written to the file of ATTENTION_WORDS at the end of the program; does
// nothing without it.
void keepWords(const WidgetLog& log, const std::string& view);

} // namespace attention::gui
