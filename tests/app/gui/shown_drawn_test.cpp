// What the window records as drawn is drawn there: each word, each frame, each line's end.
#include "app/gui/pictures/figure_painter.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/platform/imgui_compat.h"
#include "app/gui/platform/text_images.h"
#include "app/gui/widgets/drawing.h"
#include "core/pattern/mechanism/longformer.h"
#include "tests/app/gui/control_tally.h"
#include "tests/app/gui/held_jobs.h"

#include <cmath>

namespace attention::gui {
namespace {

struct Size2 {
  int width;
  int height;
};

bool alike(const std::uint8_t* a, const std::uint8_t* b) {
  return std::equal(a, a + 3, b);
}

// Whether all pixels of a rectangle are equal, as where nothing is drawn.
bool isEmpty(const gl::Pixels& pixels, const Rect& r) {
  const int x0 = std::max(0, static_cast<int>(std::ceil(r.x0)));
  const int y0 = std::max(0, static_cast<int>(std::ceil(r.y0)));
  const int x1 = std::min(pixels.width, static_cast<int>(std::floor(r.x1)));
  const int y1 = std::min(pixels.height, static_cast<int>(std::floor(r.y1)));
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x)
      if (!alike(pixels.at(x, y), pixels.at(x0, y0)))
        return false;
  return true;
}

// Words that are recorded and not drawn; those that are scrolled away are not looked for.
std::vector<std::string> missingWords(TestWindow& window) {
  const gl::Pixels pixels = window.host().pixels();
  std::vector<std::string> missing;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.kind == WidgetKind::Text && widget.visible && wholeInSight(widget) &&
        !widget.label.empty() && widget.rect.y1 <= static_cast<float>(pixels.height) &&
        isEmpty(pixels, widget.rect))
      missing.push_back(addressOf(widget));
  return missing;
}

TEST_CASE("Every word of every view is drawn where it is recorded", "[shown]") {
  const auto view = static_cast<View>(GENERATE(range(0, static_cast<int>(kViewNames.size()))));
  const bool presented = GENERATE(false, true);
  Scene scene = smallScene();
  scene.view = view;
  TestWindow window(scene);
  if (presented)
    window.play("key F5\nwait\nframes 4\n");
  INFO(kViewNames[static_cast<std::size_t>(view)] << (presented ? ", presented" : ""));
  CHECK(missingWords(window) == std::vector<std::string>{});
}

// Pixels of the rectangle in a colour of the theme.
int countOf(TestWindow& window, const Rect& r, const ImVec4& tint) {
  const gl::Pixels pixels = window.host().pixels();
  const ImU32 packed = ImGui::ColorConvertFloat4ToU32(tint);
  const std::uint8_t wanted[3] = {static_cast<std::uint8_t>(packed >> IM_COL32_R_SHIFT),
                                  static_cast<std::uint8_t>(packed >> IM_COL32_G_SHIFT),
                                  static_cast<std::uint8_t>(packed >> IM_COL32_B_SHIFT)};
  int count = 0;
  for (int y = static_cast<int>(r.y0); y < static_cast<int>(r.y1); ++y)
    for (int x = static_cast<int>(r.x0); x < static_cast<int>(r.x1); ++x)
      count += alike(pixels.at(x, y), wanted) ? 1 : 0;
  return count;
}

TEST_CASE("A field has a red frame while its text is refused", "[shown]") {
  Scene scene = smallScene();
  scene.pattern = Longformer{};
  TestWindow window(scene);
  const ImVec4 bad = makeTheme(window.bench().ui.theme).colors.bad;
  const auto red = [&](const char* typed) {
    window.play(std::string("set \"globals G\" \"") + typed +
                "\"\nwait\nmove 1439 899\nframes 3\n");
    const Widget* field = window.app().log().find("globals G");
    REQUIRE(field);
    return countOf(window, field->rect, bad);
  };
  CHECK(red("0, x") > 100);
  CHECK(red("0, 1") == 0);
}

// Draws into a window of that size without a frame, in white on black, and gives the pixels.
gl::Pixels drawn(Host& host, Size2 size, const std::function<void()>& draw) {
  for (int frame = 0; frame < 3; ++frame)
    host.frame([&](const FrameInfo&) {
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(
          ImVec2(static_cast<float>(size.width), static_cast<float>(size.height)));
      ImGui::Begin("ground", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
      draw();
      ImGui::End();
    });
  return host.pixels();
}

TEST_CASE("A frame around a rectangle has four sides of its width just outside it", "[shown]") {
  Host host = Host::headless({"", 40, 30, 1});
  const gl::Pixels pixels = drawn(host, {40, 30}, [] {
    box({10, 8, 30, 22}, IM_COL32(255, 255, 255, 255), 2);
  });
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) {
      INFO(x << ", " << y);
      const bool within = x >= 8 && x < 32 && y >= 6 && y < 24;
      const bool inside = x >= 10 && x < 30 && y >= 8 && y < 22;
      CHECK((pixels.at(x, y)[0] == 255) == (within && !inside));
    }
}

TEST_CASE("A line that turns back ends at its turn", "[shown]") {
  Host host = Host::headless({"", 140, 80, 1});
  WidgetLog log;
  const Theme theme = makeTheme(ThemeKind::Dark);
  FigurePainter painter;
  DisplayList list;
  list.size = {140, 80};
  // Back at x = 60, and then onwards to where the path to the turn led.
  list.add(Polyline{{{10, 20}, {60, 20}, {10, 24}, {110, 64}}, Color{255, 255, 255, 255}, 3});
  const gl::Pixels pixels = drawn(host, {140, 80}, [&] {
    painter.paint(list, {}, ImVec2(0, 0), Ui{log, theme, host.fonts(), 1});
  });
  for (int y = 19; y < 21; ++y) // by its width and no further
    CHECK(int(pixels.at(57, y)[0]) > 200);
  CHECK(isEmpty(pixels, {63, 10, 140, 35}));
}

TEST_CASE("Running text has sizes that are drawn as they were rasterised", "[shown]") {
  Host host = Host::headless({"", 300, 120, 1});
  drawn(host, {300, 120}, [&] {
    const Fonts& fonts = host.fonts();
    const TextMeasure measure = windowMeasure(fonts);
    for (std::size_t k = 0; k < kRunningSizes.size(); ++k) {
      const double em = kRunningSizes[k] / 13 * plotType(fonts);
      ImFont* font = fonts.plain[k + 1].font;
      CHECK(measure("whether the rabbit", em, false) ==
            static_cast<double>(textSize(font, "whether the rabbit").x));
      CHECK(fontSize(font) >= fontSize(fonts.plain[k].font));
    }
    // Between two sizes the larger one is made smaller.
    CHECK(measure("rabbit", 20, false) < measure("rabbit", 23, false));
    CHECK(measure("rabbit", 20, false) > measure("rabbit", 19, false));
  });
}

TEST_CASE("The pointer on a character that no font has names it, in horizontal text", "[labels]") {
  Host host = Host::headless({"", 300, 120, 1});
  const auto picture = [&](const char* text, OnMissing missing, float x, float y) {
    host.events().push(MouseMoveEvent{x, y});
    return drawn(host, {300, 120}, [&] {
      addText(*ImGui::GetWindowDrawList(), host.fonts().text, 16, ImVec2(20, 20), ~0U, text,
              missing);
    });
  };
  const char* none = "\U000F1234";
  const auto tells = [&](const char* text, OnMissing missing) {
    return picture(text, missing, 25, 28).rgba != picture(text, missing, 250, 100).rgba;
  };
  CHECK(tells(none, OnMissing::TellsOnHover));
  CHECK_FALSE(tells(none, OnMissing::Silent));
  CHECK_FALSE(tells("語", OnMissing::TellsOnHover));
}

int differing(const gl::Pixels& a, const gl::Pixels& b, const Rect& r) {
  int count = 0;
  for (int y = static_cast<int>(r.y0); y < static_cast<int>(r.y1); ++y)
    for (int x = static_cast<int>(r.x0); x < static_cast<int>(r.x1); ++x)
      count += alike(a.at(x, y), b.at(x, y)) ? 0 : 1;
  return count;
}

TEST_CASE("Axes have their new size at once, even before the pixels between them are ready",
          "[shown]") {
  Scene scene = smallScene();
  scene.view = View::Kernels;
  scene.kernels.picture = KernelsPicture::Matrices;
  TestWindow window(scene);
  const auto go = std::make_shared<std::atomic<bool>>(false);
  hold(window, go);
  window.host().resize(1200, 800);
  for (int frame = 0; frame < 4; ++frame)
    window.frame();
  const gl::Pixels waiting = window.host().pixels();
  *go = true;
  window.settle();
  const Widget* plot = window.app().log().find("View/Plot 1");
  REQUIRE(plot);
  const Rect& r = plot->rect;
  CHECK_FALSE(isEmpty(waiting, r));
  CHECK(10 * differing(waiting, window.host().pixels(), r) <
        static_cast<int>(widthOf(r) * heightOf(r)));
}

TEST_CASE("The strip of a query below a mask is empty without one, and absent in presentations",
          "[shown]") {
  Scene scene = smallScene();
  for (const bool presented : {false, true})
    for (const bool pinned : {false, true}) {
      INFO((presented ? "presented" : "at work") << (pinned ? ", pinned" : ""));
      scene.pins.query = pinned ? std::optional<Index>(40) : std::nullopt;
      TestWindow window(scene);
      if (presented)
        window.play("key F5\nwait\nmove 2 2\nframes 4\n");
      const Widget* mask = window.app().log().find("View/Mask");
      REQUIRE(mask);
      const gl::Pixels pixels = window.host().pixels();
      int lines = 0; // of pixels below the mask's corner, where words do not reach
      for (float y = mask->rect.y1 + 2; y < mask->rect.y1 + 80; ++y)
        lines += isEmpty(pixels, {mask->rect.x1 - 3, y, mask->rect.x1 + 5, y + 1}) ? 0 : 1;
      CHECK((lines > 10) == (!presented || pinned));
    }
}

TEST_CASE("The picture of a figure leaves the edge of its button free on all sides", "[shown]") {
  UiState habits;
  habits.tab = SidebarTab::Figures;
  TestWindow window(smallScene(), {}, habits);
  const gl::Pixels pixels = window.host().pixels();
  const auto tile = std::find_if(window.app().log().widgets().begin(),
                                 window.app().log().widgets().end(), [](const Widget& widget) {
                                   return widget.scope == "Sidebar/Figures" &&
                                          widget.kind == WidgetKind::Button && widget.visible &&
                                          wholeInSight(widget) &&
                                          widget.rect.y1 - widget.rect.y0 > 60;
                                 });
  REQUIRE(tile != window.app().log().widgets().end());
  const Rect& r = tile->rect;
  const auto at = [&](float x, float y) {
    return pixels.at(static_cast<int>(std::round(x)), static_cast<int>(std::round(y)));
  };
  // Between its border and the picture is the button's background.
  const float y = r.centerY();
  for (const auto* edge : {at(r.x1 - 3, y), at(r.centerX(), r.y0 + 2), at(r.centerX(), r.y1 - 3)})
    CHECK(alike(edge, at(r.x0 + 2, y)));
  CHECK_FALSE(alike(at(r.x0 + 5, r.y0 + 6), at(r.x0 + 2, y))); // the picture's background
}

} // namespace
} // namespace attention::gui
