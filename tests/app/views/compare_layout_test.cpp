// How the Compare view is divided where its list of names has too little room.
#include "app/gui/views/compare/compare_layout.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "tests/app/views/mask_window.h"
#include "tests/catch.h"

namespace attention::gui {
namespace {

struct Divided {
  CompareAreas areas;
  float columns = 0;
};

Divided divided(const NameList& names, float width, float height) {
  MaskWindow masks(200, 200); // its results alone
  masks.scene.length.n = 36;
  masks.scene.mask.panels = {{"(a)", Full{}}, {"(b)", Causal{}}, {"(c)", Full{}}};
  masks.prepare();
  Host host = Host::headless({"", 200, 200, 1});
  const Theme theme = makeTheme(ThemeKind::Dark);
  WidgetLog log;
  Divided found;
  host.frame([&](const FrameInfo& info) {
    const Ui ui{log, theme, host.fonts(), info.scale};
    ActionSink sink;
    const ViewContext context{
        masks.scene, masks.results, masks.rasters, ui, {0, 0, width, height}, sink, {}, 0, false};
    found.areas = compareAreas(context, names);
    const Rect& list = found.areas.list;
    found.columns = nameColumns(ui, names, list.x1 - list.x0, list.y1 - list.y0);
  });
  return found;
}

TEST_CASE("Names too many for one column stand in as many columns as fit") {
  const NameList names{.count = 60, .width = 110, .least = 100, .rowHeight = 16};
  for (const float width : {1000.0F, 1300.0F}) {
    const Divided low = divided(names, width, 260);
    const Rect& list = low.areas.list;
    CHECK(low.columns >= 2);
    CHECK(list.x1 - list.x0 >= low.columns * names.least);
    CHECK(low.areas.plots.front().x1 + 14 <= list.x0);
  }
  // One column of whole names where no two columns of short ones fit.
  const NameList wide{.count = 60, .width = 150, .least = 140, .rowHeight = 16};
  const Divided low = divided(wide, 1000, 340);
  CHECK(low.columns == 1);
  CHECK(low.areas.list.x1 - low.areas.list.x0 >= wide.width);
}

} // namespace
} // namespace attention::gui
