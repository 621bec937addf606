#include "app/gui/interface/window_view.h"

#include <array>

namespace attention::gui {

// Each in its own folder (views/NAME/NAME_window.cpp).
WindowView maskWindow();
WindowView reachWindow();
WindowView attentionWindow();
WindowView kernelsWindow();
WindowView choosingWindow();
WindowView timingsWindow();
WindowView encodingsWindow();
WindowView compareWindow();
WindowView modelWindow();

std::span<const WindowView> windowViews() {
  static const std::array<WindowView, kViewNames.size()> kAll{
      maskWindow(),    reachWindow(),     attentionWindow(), kernelsWindow(), choosingWindow(),
      timingsWindow(), encodingsWindow(), compareWindow(),   modelWindow()};
  return kAll;
}

const WindowView& windowView(View view) {
  return windowViews()[static_cast<std::size_t>(view)];
}

} // namespace attention::gui
