// Which controls were on the screen in any window of a test, and which of them scripts used: nobody
// has seen a control work that no script touches.
#pragma once

#include "tests/app/gui/shell_window.h"

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace attention::gui {

// Says which controls belong, by their addresses.
using Chosen = std::function<bool(const std::string& address)>;

inline bool everywhere(const std::string&) {
  return true;
}
// Parameters of the pattern itself, not of the patterns within it: the operands of a composition,
// the pattern that is drawn on.
bool ofPattern(const std::string& address);
// Parameters of such an operand; `ofCard` are what each has: its mechanism, its removal.
bool ofOperand(const std::string& address);
bool ofCard(const std::string& address);

class ControlTally {
public:
  // What the log has seen and used so far. Patterns share labels, so the parameters of each are
  // counted under their own `place`; the cards of a list count as one.
  void take(const WidgetLog& log, const Chosen& chosen = everywhere, const std::string& place = {});

  // Seen in some window, used by no script.
  std::vector<std::string> unused() const;
  // Those that shared an id with another.
  std::vector<std::string> clashes() const { return {clashes_.begin(), clashes_.end()}; }

private:
  std::set<std::string> seen_;
  std::set<std::string> used_;
  std::set<std::string> clashes_;
};

// The addresses, one per line.
std::string listed(const std::vector<std::string>& addresses);

// Presses controls with script lines that it writes itself: for what is built from data, such as
// the parameters of patterns. Each is pressed from the same start; what a press brings to the
// screen is pressed after that press.
class Presser {
public:
  // `restart` goes back to the start.
  Presser(TestWindow& window, std::function<void()> restart, Chosen chosen)
      : window_(window), restart_(std::move(restart)), chosen_(std::move(chosen)) {}

  void pressAll();

private:
  using Way = std::vector<std::string>; // addresses, pressed one after the other

  void find(const Way& before);
  void press(const std::string& address);

  TestWindow& window_;
  std::function<void()> restart_;
  Chosen chosen_;
  std::deque<Way> ways_;
  std::set<std::string> known_;
};

// The address of what was recorded: "Sidebar/Parameters/stride l".
std::string addressOf(const Widget& widget);

} // namespace attention::gui
