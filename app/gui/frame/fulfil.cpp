#include "app/gui/frame/fulfil.h"

#include <utility>

namespace attention::gui {
namespace {

void fitPresentation(Host& host, Presentation& present) {
  const float before = host.uiScale();
  if (present.scale > 0)
    host.setUiScale(present.scale / host.screenScale());
  present.fitted = present.scale > 0 && host.uiScale() == before;
}

} // namespace

void fulfil(Host& host, Workbench& bench, float launchScale) {
  if (const auto text = std::exchange(bench.wishes.clipboard, {}))
    host.setClipboard(*text);
  const bool full = bench.present ? bench.present->fullScreen : bench.fullScreen;
  if (host.fullScreen() != full)
    host.setFullScreen(full);
  host.setType(bench.present ? TypeFor::Presentation : TypeFor::Work);
  if (bench.present)
    fitPresentation(host, *bench.present);
  else
    host.setUiScale(bench.ui.scale * launchScale);
}

} // namespace attention::gui
