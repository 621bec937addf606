// The host without a display: one frame function, pixels, events, time, scale.
#include "app/gui/pictures/rotated_text.h"
#include "app/gui/platform/host.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/widgets/region.h"
#include "tests/catch.h"

#include <stdexcept>

using namespace attention;
using namespace attention::gui;

namespace {

// A window of one colour over everything.
void fill(const FrameInfo& info, ImU32 tint) {
  ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(0, 0), ImVec2(info.width, info.height),
                                                tint);
}

} // namespace

TEST_CASE("A frame without a display gives the pixels that were drawn") {
  Host host = Host::headless({"", 64, 32, 1});
  host.frame([](const FrameInfo& info) {
    fill(info, IM_COL32(200, 100, 50, 255));
    ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(0, 0), ImVec2(10, 5),
                                                  IM_COL32(0, 0, 255, 255));
  });
  const gl::Pixels pixels = host.pixels();
  REQUIRE(pixels.width == 64);
  REQUIRE(pixels.height == 32);
  CHECK(int(pixels.at(60, 30)[0]) == 200);
  CHECK(int(pixels.at(60, 30)[1]) == 100);
  CHECK(int(pixels.at(2, 2)[2]) == 255); // the first row is the top
  CHECK(int(pixels.at(2, 30)[2]) == 50);
}

TEST_CASE("The background covers the pixels that a rectangle would, below all windows") {
  const auto picture = [](auto draw) {
    Host host = Host::headless({"", 64, 32, 1});
    host.frame([&](const FrameInfo&) {
      for (const ImVec4& r : {ImVec4(0, 0, 64, 20.4F), ImVec4(3.3F, 2.7F, 40.2F, 20.9F),
                              ImVec4(50, 10, 90, 40), ImVec4(9, 9, 9, 20)})
        draw(ImVec2(r.x, r.y), ImVec2(r.z, r.w), IM_COL32(int(r.x), 100, int(r.w), 255));
      ImGui::GetForegroundDrawList()->AddRectFilled(ImVec2(5, 5), ImVec2(8, 8), ~0U);
    });
    return host.pixels();
  };
  const gl::Pixels cleared = picture(fillGround);
  CHECK(cleared == picture([](ImVec2 from, ImVec2 to, ImU32 tint) {
          ImGui::GetBackgroundDrawList()->AddRectFilled(from, to, tint);
        }));
  CHECK(int(cleared.at(4, 3)[2]) == 20); // its second rectangle
  CHECK(int(cleared.at(6, 6)[2]) == 255);
  CHECK(int(cleared.at(63, 31)[2]) == 40);
  CHECK(int(cleared.at(20, 31)[1]) == 0);
}

TEST_CASE("Text that reads upwards keeps to the clip rectangle, and so does what comes after it") {
  Host host = Host::headless({"", 64, 64, 1});
  host.frame([&](const FrameInfo&) {
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(64, 64));
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(ImVec2(0, 0), ImVec2(64, 30));
    drawTextUpwards(host.fonts().text, ImVec2(10, 60), ImVec4(1, 1, 1, 1), "MMMMMMMMMM");
    list.AddRectFilled(ImVec2(40, 0), ImVec2(50, 64), ~0U);
    list.PopClipRect();
    list.AddRectFilled(ImVec2(52, 0), ImVec2(60, 64), ~0U);
    ImGui::End();
  });
  const gl::Pixels pixels = host.pixels();
  const auto lit = [&](int x0, int x1, int y0, int y1) {
    int count = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x)
        count += pixels.at(x, y)[0] > 100 ? 1 : 0;
    return count;
  };
  CHECK(lit(8, 36, 0, 30) > 50);
  CHECK(lit(0, 51, 30, 64) == 0);
  CHECK(lit(40, 50, 0, 30) == 300);
  CHECK(lit(52, 60, 10, 55) == 8 * 45);
}

TEST_CASE("Without a display each frame takes a sixtieth of a second") {
  Host host = Host::headless({"", 32, 32, 1});
  for (int i = 0; i < 3; ++i)
    host.frame([&](const FrameInfo& info) {
      CHECK(info.number == i);
      CHECK(info.step == Approx(1.0 / 60));
      CHECK(info.seconds == Approx(i / 60.0));
    });
}

TEST_CASE("Two hosts draw the same bytes") {
  const auto picture = [] {
    Host host = Host::headless({"", 200, 100, 1});
    for (int i = 0; i < 2; ++i)
      host.frame([](const FrameInfo&) {
        ImGui::Begin("window");
        ImGui::TextUnformatted("A¹ ∪ A² ≤ √n ⌊x⌋ αβγ");
        ImGui::End();
      });
    return host.pixels();
  };
  const gl::Pixels first = picture();
  CHECK(first == picture());
  CHECK(first.rgba != gl::Pixels{200, 100, std::vector<std::uint8_t>(80000, 0)}.rgba);
}

TEST_CASE("Two hosts take turns, each with contexts of its own") {
  Host first = Host::headless({"", 64, 32, 1, 90});
  const auto red = [](const FrameInfo& info) { fill(info, IM_COL32(255, 0, 0, 255)); };
  const auto blue = [](const FrameInfo& info) {
    fill(info, IM_COL32(0, 0, 255, 255));
    CHECK(info.width == 48);
    CHECK(info.minuteOfDay == 90); // one clock for both
  };
  first.frame(red);
  {
    Host second = first.beside({"", 48, 24});
    for (int k = 0; k < 3; ++k) {
      second.frame(blue);
      first.frame(red);
    }
    CHECK(int(second.pixels().at(5, 5)[2]) == 255);
    CHECK(int(first.pixels().at(5, 5)[0]) == 255);
    CHECK_FALSE(second.closing());
    second.close();
    CHECK(second.closing());
    CHECK_FALSE(first.closing());
  }
  first.makeCurrent();
  first.frame(red);
  CHECK(int(first.pixels().at(5, 5)[0]) == 255);
}

TEST_CASE("A frame knows the keys that were pressed in it") {
  Host host = Host::headless({"", 32, 32, 1});
  host.events().push(KeyEvent{Key::Right, true});
  host.events().push(MouseMoveEvent{1, 1});
  host.frame([](const FrameInfo& info) {
    CHECK(info.keys == std::vector<Event>{KeyEvent{Key::Right, true}});
  });
  host.frame([](const FrameInfo& info) { CHECK(info.keys.empty()); });
}

TEST_CASE("The size and the scale change between frames") {
  Host host = Host::headless({"", 64, 32, 1});
  float line = 0;
  host.frame([&](const FrameInfo&) { line = ImGui::GetFontSize(); });
  CHECK(line > 13);
  host.setUiScale(2);
  host.resize(100, 50);
  host.frame([&](const FrameInfo& info) {
    CHECK(ImGui::GetFontSize() == Approx(2 * line).margin(1));
    CHECK(info.width == 100);
    CHECK(info.scale == 2);
  });
  CHECK(host.pixels().width == 100);
}

TEST_CASE("Fonts have the characters that mathematics needs") {
  Host host = Host::headless({"", 32, 32, 1});
  host.frame([&](const FrameInfo&) {
    for (const char32_t sign : U"AΑαωΩΣ√∪∩∖△⊘⌊⌋≤≥≠∈∞·×−→←↑↓⇒¹²³⁴ⁿ₀₁ᵢⱼ✓✗▶◀▾…☆□")
      if (sign != 0 && sign != 0x2298) {
        INFO("U+" << std::hex << unsigned(sign));
        CHECK(hasGlyph(host.fonts(), sign));
      }
    CHECK_FALSE(hasGlyph(host.fonts(), 0x4E2D));
  });
}

TEST_CASE("Dropped files reach the frame in which they were dropped") {
  Host host = Host::headless({"", 32, 32, 1});
  host.events().push(DropEvent{{"a.npy", "b.json"}});
  host.frame([](const FrameInfo& info) {
    CHECK(info.dropped == std::vector<std::string>{"a.npy", "b.json"});
  });
  host.frame([](const FrameInfo& info) { CHECK(info.dropped.empty()); });
}

TEST_CASE("A drawing function that throws leaves the host usable") {
  Host host = Host::headless({"", 32, 32, 1});
  CHECK_THROWS_AS(host.frame([](const FrameInfo&) { throw std::runtime_error("no"); }),
                  std::runtime_error);
  host.frame([](const FrameInfo& info) { fill(info, IM_COL32(0, 255, 0, 255)); });
  CHECK(int(host.pixels().at(5, 5)[1]) == 255);
}

TEST_CASE("Text fields use the clipboard of the host") {
  Host host = Host::headless({"", 32, 32, 1});
  host.setClipboard("grüße");
  host.frame([](const FrameInfo&) {
    CHECK(std::string(ImGui::GetClipboardText()) == "grüße");
    ImGui::SetClipboardText("back");
  });
  CHECK(host.clipboard() == "back");
}

TEST_CASE("Chords need exactly their modifiers") {
  Host host = Host::headless({"", 32, 32, 1});
  int undo = 0;
  int redo = 0;
  int plus = 0;
  const auto draw = [&](const FrameInfo&) {
    undo += chordPressed(*parseChord("Ctrl+Z")) ? 1 : 0;
    redo += chordPressed(*parseChord("Ctrl+Shift+Z")) ? 1 : 0;
    plus += chordPressed(*parseChord("Ctrl++")) ? 1 : 0;
  };
  host.frame(draw);
  for (const char* chord : {"Ctrl+Z", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl++", "Z"})
    host.events().pushChord(*parseChord(chord));
  for (int i = 0; i < 40; ++i)
    host.frame(draw);
  CHECK(host.events().empty());
  CHECK(undo == 2);
  CHECK(redo == 1);
  CHECK(plus == 1);
}

TEST_CASE("Control characters and broken bytes are made visible") {
  CHECK(visibleText("a\nb\tc") == "a\\nb\\tc");
  CHECK(visibleText("\x1b[0m") == "\\x1b[0m");
  CHECK(visibleText("\xff\xc3") == "\\xff\\xc3");
  CHECK(visibleText("grüße ∪") == "grüße ∪");
}
