// Lines between tokens as they are painted: whole words on common baselines, keys off the page at
// its edges.
#include "core/export/cairo_painter.h"
#include "core/plot/draw_marks.h"
#include "core/plot/links_page.h"
#include "tests/catch.h"

#include <algorithm>
#include <map>
#include <set>

namespace attention {
namespace {

constexpr double kType = 13;

LinksMark markOf(Index tokens) {
  LinksMark mark;
  for (Index k = 0; k < tokens; ++k) {
    mark.queries.push_back("query" + std::to_string(k));
    mark.keys.push_back({"key" + std::to_string(k), k});
  }
  mark.pageEnd = tokens;
  return mark;
}

void addLink(LinksMark& mark, const Link& link) {
  mark.links.push_back(link);
  mark.all.push_back(link);
}

Box boxOf(double height) {
  return {100, 20, 300, height};
}

template <class P>
std::vector<P> drawn(const LinksMark& mark, double height) {
  DisplayList list;
  const TextMeasure measure = cairoMeasure();
  const LayoutOptions options;
  drawLinks(mark, boxOf(height), PlotStyle(), {measure, options, Run(), list});
  std::vector<P> found;
  for (const auto& primitive : list.items)
    if (const auto* one = std::get_if<P>(&primitive))
      found.push_back(*one);
  return found;
}

std::map<std::string, Point> placesOf(const LinksMark& mark, double height) {
  std::map<std::string, Point> places;
  for (const Text& text : drawn<Text>(mark, height))
    places[text.text] = text.at;
  return places;
}

TEST_CASE("every token of a page has its whole label in full type, on one baseline per side") {
  LinksMark mark = markOf(40);
  addLink(mark, {0, 0, 1});
  for (const double height : {700.0, 300.0, 120.0}) {
    const LinksPage page = linksPage(mark, boxOf(height), kType);
    CHECK(page.row >= kLinkRow * kType - 0.1);
    CHECK(page.queryBegin == 0);
    CHECK(page.queryEnd == page.keyEnd);
    const auto places = placesOf(mark, height);
    CHECK(std::ssize(places) == 2 * page.queryEnd + 2); // with both headings
    for (Index k = 0; k < page.queryEnd; ++k) {
      const std::string number = std::to_string(k);
      REQUIRE(places.contains("query" + number));
      REQUIRE(places.contains("key" + number));
      CHECK(places.at("query" + number).y == places.at("key" + number).y);
    }
    for (const Text& text : drawn<Text>(mark, height))
      CHECK(text.size == PlotStyle().type);
  }
  CHECK(linksPage(mark, boxOf(700), kType).queryEnd == 40);
  CHECK(linksPage(mark, boxOf(300), kType).queryEnd < 20);
}

TEST_CASE(
    "a page that is too long is cut around the pinned token and does not move with the pointer") {
  LinksMark mark = markOf(40);
  mark.aboutQuery = 30;
  const LinksPage about = linksPage(mark, boxOf(200), kType);
  CHECK(about.queryBegin <= 30);
  CHECK(about.queryEnd > 30);
  CHECK(about.queryEnd - about.queryBegin < 15);
  CHECK(about.keyBegin == about.queryBegin);
  mark.query = 3; // pointed at
  const LinksPage pointed = linksPage(mark, boxOf(200), kType);
  CHECK(pointed.queryBegin == about.queryBegin);
  mark.aboutQuery.reset();
  mark.aboutKey = 39;
  CHECK(linksPage(mark, boxOf(200), kType).queryEnd == 40);
}

TEST_CASE("keys off the page are drawn at its edges, the strongest by name") {
  LinksMark mark = markOf(10);
  mark.keys.clear();
  mark.keys.push_back({"", 0, 88});
  mark.keys.push_back({"[CLS]", 0});
  mark.keys.push_back({"and", 60});
  mark.keys.push_back({"the", 70});
  mark.keys.push_back({"of", 80});
  mark.pageBegin = 5;
  for (Index k = 0; k < 10; ++k)
    mark.keys.push_back({"key" + std::to_string(k), 90 + k});
  mark.pageEnd = 15;
  mark.keys.push_back({"end", 143});
  addLink(mark, {5, 4, 0.05});
  addLink(mark, {3, 3, 0.1});
  addLink(mark, {4, 2, 0.2});
  addLink(mark, {2, 0, 0.3});
  addLink(mark, {1, 15, 0.4});
  addLink(mark, {0, 6, 0.5});
  addLink(mark, {0, 1, 1});
  const double height = 400;
  const auto places = placesOf(mark, height);
  REQUIRE(places.contains("↑ 0 “[CLS]”"));
  REQUIRE(places.contains("↑ 60 “and”"));
  REQUIRE(places.contains("↑ 70 “the”"));
  REQUIRE(places.contains("↑ 89 more")); // 88 and "of", the weakest
  REQUIRE(places.contains("↓ 143 “end”"));
  CHECK(places.at("↑ 0 “[CLS]”").y < places.at("↑ 60 “and”").y);
  CHECK(places.at("↑ 89 more").y < places.at("key0").y);
  CHECK(places.at("↓ 143 “end”").y > places.at("key9").y);
  CHECK(places.at("query4").y == places.at("key4").y);
  const LinksPage page = linksPage(mark, boxOf(height), kType);
  std::set<double> ends;
  for (const Polyline& line : drawn<Polyline>(mark, height)) {
    CHECK(line.points.back().y >= boxOf(height).y);
    CHECK(line.points.back().y <= boxOf(height).bottom());
    ends.insert(line.points.back().y);
  }
  CHECK(ends.size() == 6); // of seven lines two go to one row
  CHECK(page.keyY(0) == page.keyY(4));
  CHECK(page.keyAt(page.keyY(1)) == 1);
  CHECK(page.keyAt(page.keyY(15)) == 15);
  CHECK_FALSE(page.keyAt(page.keyY(0)));
  CHECK(page.keyAt(page.keyY(7)) == 7);
  CHECK(page.queryAt(*page.queryY(7)) == 7);
}

TEST_CASE("keys at an edge that have no line in the picture are not named") {
  LinksMark mark = markOf(40);
  addLink(mark, {39, 39, 0.2});
  addLink(mark, {3, 38, 0.6});
  addLink(mark, {2, 35, 0.7});
  addLink(mark, {1, 36, 0.9});
  const double low = 250;
  CHECK(placesOf(mark, low).contains("↓ 38 “key38”")); // key 39 is not there: a third has a row
  CHECK_FALSE(placesOf(mark, low).contains("↓ 2 more"));
  const double before = placesOf(mark, low).at("query0").y;
  mark.links = {{2, 35, 0.7}}; // pointed at
  const auto places = placesOf(mark, low);
  CHECK(places.contains("↓ 35 “key35”"));
  CHECK(std::count_if(places.begin(), places.end(),
                      [](const auto& place) { return place.first.starts_with("↓"); }) == 1);
  CHECK(places.at("query0").y == before); // nothing moves
  mark.links = mark.all;
  mark.aboutQuery = 3; // pinned: its own keys come first
  addLink(mark, {3, 37, 0.1});
  const auto pinned = placesOf(mark, low);
  CHECK(pinned.contains("↓ 37 “key37”"));
  CHECK(pinned.contains("↓ 38 “key38”"));
}

TEST_CASE("lines to keys that a low picture cuts off end at its edge") {
  LinksMark mark = markOf(40);
  addLink(mark, {3, 39, 0.2});
  addLink(mark, {39, 38, 0.2});
  addLink(mark, {2, 35, 0.7});
  addLink(mark, {5, 1, 1});
  const auto places = placesOf(mark, 290);
  CHECK(places.contains("↓ 35 “key35”"));
  CHECK(places.contains("↓ 39 “key39”"));
  CHECK_FALSE(places.contains("query39"));
  const auto lines = drawn<Polyline>(mark, 290);
  CHECK_FALSE(places.contains("↓ 38 “key38”"));
  CHECK(lines.size() == 3); // the fourth belongs to a query that is not there
}

TEST_CASE("a picture without weights says so") {
  CHECK(placesOf(markOf(5), 200).contains("no weights here"));
  LinksMark mark = markOf(5);
  addLink(mark, {1, 0, 1});
  CHECK_FALSE(placesOf(mark, 200).contains("no weights here"));
}

// The headings of the columns, left and right.
std::pair<std::string, std::string> headingsOf(const LinksMark& mark, const Box& box) {
  DisplayList list;
  const TextMeasure measure = cairoMeasure();
  drawLinks(mark, box, PlotStyle(), {measure, LayoutOptions(), Run(), list});
  std::pair<std::string, std::string> headings;
  for (const Primitive2D& item : list.items)
    if (const auto* text = std::get_if<Text>(&item); text && text->at.y < box.y)
      (text->align == TextAlign::Left ? headings.first : headings.second) = text->text;
  return headings;
}

TEST_CASE("headings say which tokens are drawn where these are not all") {
  using Words = std::pair<std::string, std::string>;
  LinksMark mark = markOf(24);
  CHECK(headingsOf(mark, boxOf(700)) == Words("query i", "key j"));
  mark.firstQuery = 12;
  for (LinkKey& key : mark.keys)
    key.token += 12;
  mark.allQueries = mark.allKeys = 24;
  CHECK(headingsOf(mark, boxOf(700)) == Words("query i", "key j"));
  mark.allQueries = mark.allKeys = 144;
  CHECK(headingsOf(mark, boxOf(700)) == Words("queries 12–35", "keys 12–35"));
  // Of a page that has no room for its tokens those that it shows.
  const LinksPage page = linksPage(mark, boxOf(200), kType);
  REQUIRE(page.queryEnd < 24);
  const std::string last = std::to_string(11 + page.queryEnd);
  CHECK(headingsOf(mark, boxOf(200)) == Words("queries 12–" + last, "keys 12–" + last));
}

TEST_CASE("headings of a narrow picture are brief, and none where they would meet") {
  using Words = std::pair<std::string, std::string>;
  LinksMark mark = markOf(24);
  const TextMeasure measure = cairoMeasure();
  for (const double width : {10.0, 30.0, 60.0, 90.0, 120.0}) {
    const auto [left, right] = headingsOf(mark, {100, 20, width, 700});
    CAPTURE(width, left, right);
    CHECK(measure(left, kType, false) + measure(right, kType, false) <= width);
    CHECK(left.empty() == right.empty());
  }
  CHECK(headingsOf(mark, {100, 20, 120, 700}) == Words("query i", "key j"));
  CHECK(headingsOf(mark, {100, 20, 30, 700}) == Words("i", "j"));
}

TEST_CASE("without words all tokens of a page have rows in a small picture") {
  LinksMark mark = markOf(24);
  for (Index k = 1; k < 24; ++k)
    addLink(mark, {k, k - 1, 1});
  mark.words = false;
  const Box small{10, 10, 240, 110};
  CHECK(linksPage(mark, small, kType).queryEnd == 24);
  DisplayList list;
  const TextMeasure measure = cairoMeasure();
  drawLinks(mark, small, PlotStyle(), {measure, LayoutOptions(), Run(), list});
  std::size_t lines = 0;
  for (const Primitive2D& item : list.items) {
    CHECK_FALSE(std::holds_alternative<Text>(item));
    lines += std::holds_alternative<Polyline>(item) ? 1U : 0U;
  }
  CHECK(lines == 23);
}

} // namespace
} // namespace attention
