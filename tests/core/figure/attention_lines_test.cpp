// Lines between tokens: which weights they are, which tokens are on a page, and keys off it.
#include "core/support/number_text.h"
#include "core/views/attention/attention_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/small_attention.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>

using namespace attention;

TEST_CASE("lines are the weights from the smallest one up, and only those of a pinned token") {
  Scene scene = smallAttention(AttentionPicture::Lines);
  scene.attention.least = 0.1;
  const auto linesOf = [&] {
    const Shown shown = shownOf(scene);
    return std::pair{std::get<LinksMark>(linksPlot(scene.attention, shown.answer, shown.look).mark),
                     shown.answer.maps};
  };
  const auto [mark, maps] = linesOf();
  std::size_t expected = 0; // of every query the largest too
  for (Index i = 0; i < 24; ++i) {
    const auto row = maps->dense.view().row(i);
    const auto many = std::count_if(row.begin(), row.end(),
                                    [](float p) { return static_cast<double>(p) >= 0.1; });
    expected += static_cast<std::size_t>(std::max<std::ptrdiff_t>(many, 1));
  }
  CHECK(mark.links.size() == expected);
  CHECK(mark.keys.size() == 24);
  CHECK(std::is_sorted(mark.links.begin(), mark.links.end(),
                       [](const Link& a, const Link& b) { return a.share < b.share; }));
  CHECK(mark.links.back().share == 1);
  scene.pins.query = 4;
  for (const Link& link : linesOf().first.links)
    CHECK(link.query == 4);
  scene.pins = {{}, 2};
  for (const Link& link : linesOf().first.links)
    CHECK(link.key == 2);
  scene.pins = {4, 2};
  for (const Link& link : linesOf().first.links)
    CHECK((link.query == 4 || link.key == 2));
  scene.pins = {};
  scene.attention.of = WeightsOf::Pattern;
  const auto prepared = prepare(scene.pattern, squareLengths(24));
  for (const Link& link : linesOf().first.links)
    CHECK(prepared->contains(link.query, link.key));
}

TEST_CASE("lines of many tokens are drawn for those around the pinned ones") {
  Scene scene = smallAttention(AttentionPicture::Lines, 200, 1);
  const auto cells = [&] { return shownCells(scene, squareLengths(200)); };
  CHECK(cells() == Rect{0, 40, 0, 40});
  scene.pins = {100, {}};
  CHECK(cells() == Rect{80, 120, 80, 120});
  scene.pins = {{}, 190};
  CHECK(cells() == Rect{160, 200, 160, 200});
  scene.pins = {109, 91}; // one part holds both
  CHECK(cells() == Rect{80, 120, 80, 120});
  for (const Index apart : {18, 19}) {
    scene.pins = {100, 100 + apart};
    CHECK(cells().contains(100, 100 + apart));
    scene.pins = {100 + apart, 100};
    CHECK(cells().contains(100 + apart, 100));
    CHECK(cells().contains(100, 100 + apart));
  }
  for (const Index key : {120, 139, 140}) { // further apart: around the query
    scene.pins = {100, key};
    CHECK(cells() == Rect{80, 120, 80, 120});
  }
  CHECK(cells() == Rect{80, 120, 80, 120});
  scene.pins = {150, 20};
  CHECK(cells() == Rect{130, 170, 130, 170});
  scene.pins = {140, 20};
  scene.camera = Camera{100, 100, 100}; // which does not show key 20
  CHECK(cells() == Rect{110, 150, 110, 150});
  scene.camera = Camera{100, 100, 20};
  CHECK(cells() == Rect{90, 110, 90, 110});
  scene.camera = std::nullopt;
  CHECK(shownCells(scene, {200, 40, 0}) == Rect{120, 160, 0, 40});
  scene.attention.picture = AttentionPicture::Maps;
  CHECK(cells() == Rect{0, 200, 0, 200});
}

TEST_CASE("lines of a part say which part and show the weights there") {
  Scene scene = smallAttention(AttentionPicture::Lines, 80, 1);
  scene.attention.least = 0;
  scene.pins = {57, 41};
  const Shown shown = shownOf(scene);
  const auto mark = std::get<LinksMark>(linksPlot(scene.attention, shown.answer, shown.look).mark);
  const Rect cells = shown.look.cells;
  REQUIRE(cells == Rect{29, 69, 29, 69});
  CHECK(mark.queries.size() == 40);
  CHECK(mark.queries.front() == "29");
  double total = 0; // of query 57, in shares of the largest line
  double top = 0;   // the weight that has share 1
  for (const Link& link : mark.links) {
    total += link.query == 28 ? link.share : 0;
    const LinkKey& key = mark.keys[static_cast<std::size_t>(link.key)];
    if (link.query == 28 && key.token == 41 && key.others == 0)
      top = static_cast<double>(shown.answer.maps->dense(57, 41)) / link.share;
  }
  CHECK(total * top == Approx(1)); // with what keys off the page receive
  const std::string caption = attentionDrawn(scene.attention, shown.answer, shown.look).caption;
  CHECK(caption.find("Only those of query 57 and key 41 are drawn.") != std::string::npos);
  CHECK(caption.find("Only part of the 80 tokens is shown; ↑ and ↓") != std::string::npos);
}

TEST_CASE("the caption of lines names the smallest weight that is drawn") {
  Scene scene = smallAttention(AttentionPicture::Lines, 24, 1);
  scene.attention.base = AttentionBase::Full; // otherwise query 0 gives everything to itself
  const auto wordsAt = [&](double least) {
    scene.attention.least = least;
    const Shown shown = shownOf(scene);
    const auto mark =
        std::get<LinksMark>(linksPlot(scene.attention, shown.answer, shown.look).mark);
    double smallest = 2;
    for (const Link& link : mark.links)
      smallest =
          std::min(smallest, static_cast<double>(shown.answer.maps->dense(
                                 link.query, mark.keys[static_cast<std::size_t>(link.key)].token)));
    const std::string words = linesText(scene.attention, mark);
    CHECK(attentionDrawn(scene.attention, shown.answer, shown.look).caption.find(words + ".") !=
          std::string::npos);
    return std::pair{words, readableNumber(smallest)};
  };
  const auto [one, least] = wordsAt(1);
  CHECK(one == "each query's largest weight; the smallest is " + least);
  const auto [some, smallest] = wordsAt(0.45);
  CHECK(some == "weights of at least 0.45 and each query's largest; the smallest is " + smallest);
  CHECK(wordsAt(0.01).first == "weights of at least 0.01");
}

TEST_CASE("the words of lines tell that of a pinned key from the others") {
  Scene scene = smallAttention(AttentionPicture::Lines, 24, 1);
  scene.attention.base = AttentionBase::Full;
  std::size_t faint = 0;
  for (const double least : {0.05, 0.2, 1.0})
    for (Index key = 0; key < 24; ++key)
      for (const bool both : {true, false}) {
        scene.attention.least = least;
        scene.pins = {both ? std::optional<Index>(20) : std::nullopt, key};
        const Shown shown = shownOf(scene);
        const auto mark =
            std::get<LinksMark>(linksPlot(scene.attention, shown.answer, shown.look).mark);
        const Matrix<float>& dense = shown.answer.maps->dense;
        const auto weight = [&](const Link& link) {
          return static_cast<double>(dense(link.query, link.key));
        };
        double smallest = 2; // of what would be drawn without the pinned key too
        std::optional<double> pinned;
        for (const Link& link : mark.links) {
          const auto row = dense.view().row(link.query);
          const auto most = static_cast<double>(*std::max_element(row.begin(), row.end()));
          if (weight(link) >= least || weight(link) == most)
            smallest = std::min(smallest, weight(link));
          else
            pinned = weight(link);
        }
        const std::string words = linesText(scene.attention, mark);
        CAPTURE(least, key, both, words);
        const std::string pin = "the pinned key " + std::to_string(key);
        const std::string own = pinned ? "a weight of " + readableNumber(*pinned) : "";
        faint += pinned ? 1U : 0U;
        if (smallest > 1)
          CHECK(words == own + " on " + pin);
        else
          CHECK(words.ends_with(pinned ? "; also " + pin + ", with " + own : words));
        const std::size_t at = words.find("the smallest is ");
        CHECK((at != std::string::npos) == (smallest < least));
        if (at != std::string::npos)
          CHECK(words.substr(at + 16).starts_with(readableNumber(smallest)));
      }
  CHECK(faint > 10);
}

TEST_CASE("a pinned key has a line however little it receives") {
  Scene scene = smallAttention(AttentionPicture::Lines, 80, 1);
  scene.attention.base = AttentionBase::Full; // every key receives something
  scene.attention.least = 1;
  for (Index key = 0; key < 80; key += 3) {
    scene.pins = {57, key};
    const Shown shown = shownOf(scene);
    const auto mark =
        std::get<LinksMark>(linksPlot(scene.attention, shown.answer, shown.look).mark);
    INFO("key " << key);
    REQUIRE(mark.key);
    CHECK(std::any_of(mark.links.begin(), mark.links.end(),
                      [&](const Link& link) { return link.key == *mark.key; }));
  }
}

TEST_CASE("lines to keys off the page are the same weights, by name or together") {
  Scene scene = smallAttention(AttentionPicture::Lines, 120, 1);
  scene.pattern = patternFrom("causal", "{}");
  scene.camera = Camera{90, 90, 20};
  scene.attention.least = 0.01;
  const Shown shown = shownOf(scene);
  REQUIRE(shown.look.cells == Rect{80, 100, 80, 100});
  const auto mark = std::get<LinksMark>(linksPlot(scene.attention, shown.answer, shown.look).mark);
  CHECK(mark.pageKeys() == 20);
  REQUIRE(mark.pageBegin == 7);                 // six keys and what the others receive
  CHECK(mark.pageEnd == std::ssize(mark.keys)); // none later: a causal query sees the past
  CHECK(mark.keys[0].others == 80 - 6);
  const Matrix<float>& dense = shown.answer.maps->dense;
  double top = 0;
  for (const Link& link : mark.links)
    if (const LinkKey& key = mark.keys[static_cast<std::size_t>(link.key)]; key.others == 0)
      top = std::max(top, static_cast<double>(dense(80 + link.query, key.token)) / link.share);
  for (const Link& link : mark.links) {
    const LinkKey& key = mark.keys[static_cast<std::size_t>(link.key)];
    double expected = static_cast<double>(dense(80 + link.query, key.token));
    if (key.others > 0) {
      expected = 0;
      for (Index j = 0; j < 80; ++j)
        expected += static_cast<double>(dense(80 + link.query, j));
      for (Index k = 1; k < mark.pageBegin; ++k)
        expected -= static_cast<double>(
            dense(80 + link.query, mark.keys[static_cast<std::size_t>(k)].token));
    }
    CHECK(link.share * top == Approx(expected).margin(1e-6));
  }
}

TEST_CASE("keys off the page that have lines of their own are the largest of the pinned query") {
  Scene scene = smallAttention(AttentionPicture::Lines, 120, 1);
  scene.pattern = patternFrom("causal", "{}");
  scene.camera = Camera{90, 90, 20};
  scene.attention.least = 1e-4;
  for (const Index query : {83, 90, 97}) {
    scene.pins.query = query;
    const Shown shown = shownOf(scene);
    const auto mark =
        std::get<LinksMark>(linksPlot(scene.attention, shown.answer, shown.look).mark);
    const auto weight = [&](Index key) { return shown.answer.maps->dense(query, key); };
    std::vector<Index> named;
    for (Index k = 0; k < mark.pageBegin; ++k)
      if (const LinkKey& key = mark.keys[static_cast<std::size_t>(k)]; key.others == 0)
        named.push_back(key.token);
    REQUIRE_FALSE(named.empty());
    std::vector<Index> reached; // by lines of the query, the widest first
    for (Index j = 0; j < 80; ++j)
      if (weight(j) >= static_cast<float>(scene.attention.least))
        reached.push_back(j);
    std::stable_sort(reached.begin(), reached.end(),
                     [&](Index x, Index y) { return weight(x) > weight(y); });
    REQUIRE(reached.size() > 6);
    for (std::size_t k = 0; k < std::min<std::size_t>(reached.size(), 6); ++k)
      CHECK(std::find(named.begin(), named.end(), reached[k]) != named.end());
  }
}

TEST_CASE("lines are never an empty picture") {
  Scene scene = smallAttention(AttentionPicture::Lines, 24, 1);
  scene.attention.least = 1; // which few weights reach
  const auto links = [&] {
    const Shown shown = shownOf(scene);
    return std::get<LinksMark>(linksPlot(scene.attention, shown.answer, shown.look).mark).links;
  };
  CHECK(links().size() == 24); // the largest of each query
  scene.pins.query = 20;
  CHECK(links().size() == 1);
  scene.pattern = patternFrom("local", R"({"window": 2, "causal": true})");
  scene.attention.of = WeightsOf::Pattern;
  scene.pins = {{}, 5}; // which the pattern gives to two queries
  CHECK(!links().empty());
  scene.pattern = patternFrom("expr", R"json({"expr": "j != 5 && j <= i"})json");
  CHECK(links().size() == 24); // nothing falls on key 5: then all lines
}
