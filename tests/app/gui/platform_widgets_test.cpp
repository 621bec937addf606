// Widgets: what they record, their colours, the numbers they show.
#include "tests/app/gui/tiny_window.h"

#include "app/gui/widgets/drawing.h"

#include "tests/catch.h"

#include <cmath>
#include <limits>

using namespace attention::gui;

TEST_CASE("Every widget of a frame is recorded with its state") {
  TinyWindow window;
  window.frame();
  window.frame();
  const auto widget = [&](const char* address) {
    const Widget* found = window.log.find(address);
    INFO(address);
    REQUIRE(found != nullptr);
    return *found;
  };
  CHECK(widget("Press").kind == WidgetKind::Button);
  CHECK(widget("Never").enabled == false);
  CHECK(widget("stride ℓ").kind == WidgetKind::Slider);
  CHECK(widget("stride ℓ").value == "11");
  // Its name, which a frame around it must contain, and its track.
  CHECK(widget("stride ℓ").rect.y1 - widget("stride ℓ").rect.y0 > 2 * 13);
  CHECK(widget("length n").value == "128");
  CHECK(widget("Sidebar/name").value == "old");
  CHECK(widget("Sidebar/factor/A¹").checked);
  CHECK(widget("factor/A²").scope == "Sidebar/factor");
  CHECK(widget("reading").value == "code");
  CHECK_FALSE(widget("reading").checked); // while its list is not open
  CHECK(widget("Fold").kind == WidgetKind::Button);
  CHECK(widget("more#2").rect.x0 > widget("more#1").rect.x0);
  CHECK(widget("pairs").value == "2\u2009035");
  CHECK(widget("Mask").rect.x1 - widget("Mask").rect.x0 == 200);
  CHECK(window.log.find("more#3") == nullptr);
  CHECK(window.log.find("Other/Press") == nullptr);
  for (const Widget& one : window.log.widgets()) {
    INFO(one.label);
    CHECK(one.visible);
    CHECK(one.rect.x1 > one.rect.x0);
    CHECK(one.rect.y1 > one.rect.y0);
    CHECK(one.rect.x0 >= 0);
    CHECK(one.rect.x1 <= 300);
  }
}

TEST_CASE("A number with thin spaces is found as it is typed") {
  WidgetLog log;
  Widget item;
  item.label = "16\u2009384";
  log.beginFrame();
  log.record(item);
  log.beginFrame();
  CHECK(log.find("16384") != nullptr);
  CHECK(log.find("16\u2009384") != nullptr);
  for (const char* other : {"1638", "163840", "16 384", "16\u20093840"})
    CHECK(log.find(other) == nullptr);
}

TEST_CASE("Widgets stay inside the window at every scale") {
  for (const float scale : {0.75F, 1.0F, 1.5F, 2.0F}) {
    TinyWindow window;
    window.host.setUiScale(scale);
    window.frame();
    window.frame();
    for (const Widget& one : window.log.widgets()) {
      INFO(one.label << " at " << scale);
      if (one.label != "Never" && one.label != "Pin" && one.label != "Fold")
        CHECK(one.rect.x1 <= 300); // these three share a line
    }
  }
}

TEST_CASE("Text has a contrast of seven to one in both themes") {
  for (const ThemeKind kind : {ThemeKind::Dark, ThemeKind::Light}) {
    const UiColors c = makeTheme(kind).colors;
    for (const ImVec4& ground : {c.view, c.panel, c.card})
      for (const ImVec4& text : {c.text, c.dim, c.accentText, c.good, c.bad, c.warning})
        CHECK(contrast(text, ground) >= 7);
    CHECK(contrast(c.text, c.cardHover) >= 7);
    CHECK(contrast(c.text, c.cardActive) >= 7);
    CHECK(contrast(c.selectedText, c.selected) >= 7);
    for (const ImVec4& hue : c.series)
      for (const ImVec4& ground : {c.view, c.panel, c.card})
        CHECK(contrast(readable(hue, c.card), ground) >= 7);
  }
  CHECK(contrast(ImVec4(0, 0, 0, 1), ImVec4(1, 1, 1, 1)) == Approx(21));
}

TEST_CASE("A request to scroll to a widget ends when the widget is drawn") {
  WidgetLog log;
  const auto takes = [&](const char* label, bool visible) {
    Widget widget;
    widget.kind = WidgetKind::Button;
    widget.label = label;
    widget.visible = visible;
    const bool taken = log.takeShow(widget);
    log.record(widget);
    return taken;
  };
  log.beginFrame();
  CHECK_FALSE(takes("Go", false));
  log.show("Go");
  CHECK_FALSE(takes("Stay", false));
  CHECK(takes("Go", false));
  CHECK_FALSE(takes("Go", false));
  log.show("Go"); // which came into sight in another way, and is scrolled away later
  CHECK_FALSE(takes("Go", true));
  CHECK_FALSE(takes("Go", false));
  log.beginFrame();
  log.show("Go#2");
  CHECK_FALSE(takes("Go", false));
  CHECK(takes("Go", false));
}

TEST_CASE("Digits are grouped by thin spaces") {
  CHECK(groupDigits(std::int64_t{0}) == "0");
  CHECK(groupDigits(std::int64_t{999}) == "999");
  CHECK(groupDigits(std::int64_t{2035}) == "2\u2009035");
  CHECK(groupDigits(std::int64_t{-16777216}) == "\u221216\u2009777\u2009216");
  CHECK(groupDigits(std::numeric_limits<std::int64_t>::min()) ==
        "\u22129\u2009223\u2009372\u2009036\u2009854\u2009775\u2009808");
  CHECK(groupDigits(std::numeric_limits<std::uint64_t>::max()) ==
        "18\u2009446\u2009744\u2009073\u2009709\u2009551\u2009615");
}

TEST_CASE("Real numbers are short and lose no digit that matters") {
  CHECK(shortNumber(0) == "0");
  CHECK(shortNumber(0.246) == "0.246");
  CHECK(shortNumber(1.5) == "1.5");
  CHECK(shortNumber(-0.25) == "\u22120.25");
  CHECK(shortNumber(12345.6) == "12\u2009300");
  CHECK(shortNumber(12345.6, 6) == "12\u2009345.6");
  CHECK(shortNumber(270000000, 2) == "2.7 × 10⁸");
  CHECK(shortNumber(1.25e-7) == "1.25 × 10⁻⁷");
  CHECK(shortNumber(-std::numeric_limits<double>::infinity()) == "\u2212∞");
  CHECK(shortNumber(std::nan("")) == "NaN");
  CHECK(countWithUnit(270000) == "270 k");
  CHECK(countWithUnit(28.0e3) == "28.0 k");
  CHECK(countWithUnit(99.96e3) == "100 k");
  CHECK(countWithUnit(1.3e9) == "1.30 G");
  CHECK(countWithUnit(999.6) == "1.00 k");
  CHECK(countWithUnit(12) == "12");
  CHECK(percent(0.246) == "24.6\u2009%");
  CHECK(percent(0.00001) == "< 0.1\u2009%");
  CHECK(percent(0) == "0.0\u2009%");
  CHECK(percent(-0.0) == "0.0\u2009%");
  CHECK(percent(-1e-9) == "0.0\u2009%");
  CHECK(percent(1) == "100.0\u2009%");
  CHECK(percent(1 - 1.0 / 8390656) == "> 99.9\u2009%"); // all but one causal pair of 4096
  CHECK(percent(1 - 1e-13) == "100.0\u2009%");          // a sum that was rounded
}

TEST_CASE("A last line has more than one word if the line before can spare one") {
  TinyWindow window;
  window.frame();
  const ImFont* font = window.host.fonts().small;
  const auto widthOf = [&](const char* words) { return textSize(font, words).x + 0.5F; };
  CHECK(inLines(font, "one two three four", widthOf("one two three")) == "one two\nthree four");
  CHECK(inLines(font, "one two three four\nfive", widthOf("one two three")) ==
        "one two\nthree four\nfive");
  CHECK(inLines(font, "one two three", widthOf("one two")) == "one two\nthree");
  CHECK(inLines(font, "one two x =\u20096 four", widthOf("one two x =\u20096")) ==
        "one two\nx =\u20096 four");
  CHECK(inLines(font, "a b c incomprehensible", widthOf("incomprehensible")) ==
        "a b c\nincomprehensible");
}
