// A user without a plan: draws the next lines of a script (app/gui/script/script.h) from what is on
// the screen. The same seed before the same screens draws the same lines.
#pragma once

#include "app/gui/actions/action_table.h"
#include "app/gui/widgets/widget_log.h"

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace attention::gui {

class RandomUser {
public:
  // `files`, names without folders, are dropped on the window now and then.
  RandomUser(std::uint64_t seed, std::vector<std::string> files)
      : random_(seed), files_(std::move(files)) {}

  // One or a few lines. Nothing that they press leaves the folder that file dialogs are in.
  std::string next(const WidgetLog& log, std::span<const ActionEntry> actions);

private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  double share() { return static_cast<double>(below(1001)) / 1000; }
  template <class T>
  const T& one(const std::vector<T>& of) {
    return of[below(of.size())];
  }
  std::string offset();
  std::string place();
  std::string point();

  std::string control(const WidgetLog& log);
  std::string press(const Widget& widget, const std::string& where);
  std::string onCanvas(const std::string& where);
  std::string onSlider(const std::string& where);
  std::string byPalette(std::span<const ActionEntry> actions);
  std::string byKey(std::span<const ActionEntry> actions);

  std::mt19937_64 random_;
  std::vector<std::string> files_;
};

} // namespace attention::gui
