// The list of heads: its order, its filters, its board; and as a picture of a Scene.
#include "core/plot/arrange.h"
#include "core/plot/layout.h"
#include "core/scene/scene_json.h"
#include "core/views/board/board_figure.h"
#include "core/views/heads/head_list.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/figure/scene_input.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>
#include <set>

using namespace attention;

namespace {

MeasuredHead headOf(Index batch, Index head, std::optional<double> previous, double self) {
  MeasuredHead made{batch, head, Base::Full, {}, {}};
  made.measures.self = self;
  made.measures.previous = previous;
  return made;
}

MeasuredHeads someHeads() {
  return {headOf(0, 0, 0.2, 0.5), headOf(0, 1, 0.9, 0.1), headOf(1, 0, std::nullopt, 0.7),
          headOf(1, 1, 0.2, 0.3)};
}

using Places = std::vector<std::size_t>;

} // namespace

TEST_CASE("heads are listed by a measure, those without it last", "[figure]") {
  HeadListSpec spec;
  CHECK(orderOf(spec, someHeads()) == Places{0, 1, 2, 3});
  spec.rising = true;
  CHECK(orderOf(spec, someHeads()) == Places{3, 2, 1, 0});
  spec.rising = false;
  spec.order = HeadOrder::Previous;
  CHECK(orderOf(spec, someHeads()) == Places{1, 0, 3, 2});
  spec.rising = true;
  CHECK(orderOf(spec, someHeads()) == Places{0, 3, 1, 2});
  spec.order = HeadOrder::Self;
  CHECK(orderOf(spec, someHeads()) == Places{1, 3, 0, 2});
}

TEST_CASE("heads are filtered by layer and by the least of a measure", "[figure]") {
  HeadListSpec spec;
  spec.layer = 1;
  CHECK(orderOf(spec, someHeads()) == Places{2, 3});
  spec.layer.reset();
  spec.order = HeadOrder::Previous;
  spec.least = 0.2;
  CHECK(orderOf(spec, someHeads()) == Places{1, 0, 3});
  spec.least = 0.95;
  CHECK(orderOf(spec, someHeads()).empty());
}

TEST_CASE("a list that hides every head says that none reaches the least value", "[figure]") {
  HeadListSpec spec;
  spec.order = HeadOrder::Previous;
  spec.least = 0.95;
  const MeasuredHeads heads = someHeads();
  const Board board = headsBoard(spec, heads, orderOf(spec, heads), HeadListLook());
  CHECK(board.lines.empty());
  const std::string none =
      "No head reaches 0.95: the largest value of “previous” is 0.9, of layer 0, head 1.";
  CHECK(board.formula.starts_with(none));
  CHECK(readingOf(spec, heads, orderOf(spec, heads), HeadListLook()) ==
        std::vector<std::string>{"4 heads are filtered out.", none});
  spec.rising = true;
  CHECK(headsBoard(spec, heads, orderOf(spec, heads), HeadListLook()).formula.starts_with(none));
}

TEST_CASE("the board of heads has their measures in the order of files", "[figure]") {
  HeadListSpec spec;
  spec.order = HeadOrder::Previous;
  const MeasuredHeads heads = someHeads();
  const Board board = headsBoard(spec, heads, orderOf(spec, heads), HeadListLook());
  REQUIRE(board.lines.size() == 4);
  CHECK(board.title == "What each of the 4 heads attends to");
  CHECK(board.columns.size() == 1 + headMeasureList().size());
  CHECK(board.columns[2].heading == "previous\u2009↓");
  CHECK(board.lines[0].cells[0].text == "layer 0, head 1");
  CHECK(board.lines[0].cells[2].text == "0.900");
  CHECK(board.lines[0].cells[2].bar == 0.9);
  CHECK(board.lines[0].row == 1);
  CHECK(board.lines[3].cells[2].text == "–");
  CHECK_FALSE(board.lines[3].cells[2].bar);
}

TEST_CASE("cells of the board of heads tell quantities without the arrow of the order",
          "[figure]") {
  HeadListSpec spec;
  spec.order = HeadOrder::Previous;
  const MeasuredHeads heads = someHeads();
  const Board board = headsBoard(spec, heads, orderOf(spec, heads), HeadListLook());
  std::vector<std::string> told;
  for (const PlaceWords& of : boardPlot(board).told())
    told.push_back(of.words);
  CHECK(std::find(told.begin(), told.end(), "layer 0, head 1, previous: 0.900") != told.end());
}

TEST_CASE("heads are called by the names that the file gives its layers", "[figure]") {
  HeadListSpec spec;
  HeadListLook look;
  look.batchLabels = {"layer 2", "layer 16"};
  const MeasuredHeads heads = someHeads();
  const Board board = headsBoard(spec, heads, orderOf(spec, heads), look);
  CHECK(board.lines[0].cells[0].text == "layer 2, head 0");
  CHECK(board.lines[3].cells[0].text == "layer 16, head 1");
  look.heads = {4, 9};
  CHECK(headsBoard(spec, heads, orderOf(spec, heads), look).lines[3].cells[0].text ==
        "layer 16, head 9");
}

TEST_CASE("a board of many heads has a page of them and says how many are left", "[figure]") {
  HeadListSpec spec;
  MeasuredHeads heads;
  for (Index head = 0; head < 30; ++head)
    heads.push_back(headOf(0, head, 0.1, 0.1));
  const auto order = orderOf(spec, heads);
  const Board board = headsBoard(spec, heads, order, HeadListLook());
  REQUIRE(board.lines.size() == kMostListedHeads + 1);
  CHECK(board.lines.back().cells[0].text == "… 12 more");
  spec.from = 1000;
  const Board last = headsBoard(spec, heads, order, HeadListLook());
  CHECK(last.lines.front().cells[0].text == "layer 0, head 12");
  CHECK(last.lines[kMostListedHeads - 1].cells[0].text == "layer 0, head 29");
}

TEST_CASE("a list has as many lines as its room, whatever it is sorted by", "[figure]") {
  HeadListSpec spec;
  const MeasuredHeads heads = someHeads();
  HeadListLook look;
  look.pattern = "Local";
  const Board place = headsBoard(spec, heads, orderOf(spec, heads), look);
  CHECK(headLinesIn({240, 72}, 200) == 12); // below the headings, above "… 188 more"
  CHECK(headLinesIn({240, 48}, 200) == 7);
  CHECK(headLinesIn({240, 72}, 5) == 5);
  CHECK(headLinesIn({240, 2}, 200) == 4);
  CHECK(place.formula.find("captured: by Local.") != std::string::npos);
  spec.order = HeadOrder::Previous;
  const Board sorted = headsBoard(spec, heads, orderOf(spec, heads), look);
  for (std::size_t c = 0; c < place.columns.size(); ++c)
    CHECK(place.columns[c].width == sorted.columns[c].width);
  look.lines = 2;
  const Board few = headsBoard(spec, heads, orderOf(spec, heads), look);
  CHECK(few.lines.size() == 3);
  CHECK(few.lines.back().cells[0].text == "… 2 more");
}

TEST_CASE("a sorted list marks its measure and the first head, and says who that is", "[figure]") {
  HeadListSpec spec;
  spec.order = HeadOrder::Previous;
  const MeasuredHeads heads = someHeads();
  const HeadListLook look;
  const Board board = headsBoard(spec, heads, orderOf(spec, heads), look);
  const std::string first =
      "Layer 0, head 1 ranks first: on average 0.9 of its weight is on the previous token.";
  CHECK(board.formula.starts_with(first + " Average weight"));
  CHECK(readingOf(spec, heads, orderOf(spec, heads), look) == Words{first});
  for (std::size_t c = 0; c < board.columns.size(); ++c)
    CHECK(board.columns[c].lit == (c == 2));
  for (std::size_t k = 0; k < board.lines.size(); ++k)
    CHECK(board.lines[k].lit == (k == 0));
  spec.from = 2;
  HeadListLook short_;
  short_.lines = 2;
  for (const BoardLine& line : headsBoard(spec, heads, orderOf(spec, heads), short_).lines)
    CHECK_FALSE(line.lit); // it is above
  const HeadListSpec place;
  const Board unsorted = headsBoard(place, heads, orderOf(place, heads), look);
  CHECK(unsorted.formula.starts_with("Average weight"));
  CHECK_FALSE(unsorted.lines.front().lit);
}

TEST_CASE("a narrow list does without some measures, never the one it is sorted by", "[figure]") {
  HeadListSpec spec;
  const MeasuredHeads heads = someHeads();
  const auto boardBy = [&](HeadOrder order) {
    spec.order = order;
    return headsBoard(spec, heads, orderOf(spec, heads), HeadListLook());
  };
  const Board board = boardBy(HeadOrder::Previous);
  const std::vector<BoardRung> rungs = boardRungs(board, 0);
  const auto leftOut = [&](std::size_t k) { return leftOutText(board, rungs.at(k).forms); };
  REQUIRE(rungs.size() == 4);
  for (std::size_t k = 1; k < rungs.size(); ++k)
    CHECK(rungs[k].width < rungs[k - 1].width);
  CHECK(leftOut(0).empty());
  CHECK(leftOut(1) == "A wider picture adds “far”.");
  CHECK(leftOut(2) == "A wider picture adds “far” and “same token”.");
  CHECK(leftOut(3) == "A wider picture adds “itself”, “far” and “same token”.");
  const Board byFar = boardBy(HeadOrder::Beyond);
  const std::vector<BoardRung> kept = boardRungs(byFar, 0);
  REQUIRE(kept.size() == 3);
  CHECK(leftOutText(byFar, kept[2].forms) == "A wider picture adds “itself” and “same token”.");
}

TEST_CASE("a small file of the list says what it leaves out", "[figure]") {
  const HeadListSpec spec;
  const MeasuredHeads heads = someHeads();
  const Figure figure = boardFigure(headsBoard(spec, heads, orderOf(spec, heads), HeadListLook()));
  CHECK(figureFor(figure, Size{1400, 600}, kMeasure).caption == figure.caption);
  CHECK(figureFor(figure, Size{400, 300}, kMeasure).caption.find("A wider picture adds") !=
        std::string::npos);
}

TEST_CASE("a place on a narrow list is that of a column that it has", "[figure]") {
  const HeadListSpec spec;
  const MeasuredHeads heads = someHeads();
  const Board board = headsBoard(spec, heads, orderOf(spec, heads), HeadListLook());
  const BoardLook look{0, {}, boardRungs(board, 0).back().forms};
  const Plot plot = boardPlot(board, look);
  std::set<std::size_t> met;
  for (const DiagramText& text : std::get<DiagramMark>(plot.mark).texts) {
    const Point at{text.at.x + (text.align == TextAlign::Right ? -0.1 : 0.1), text.at.y};
    if (const auto heading = boardHeadingAt(board, at, look)) {
      CHECK(board.columns[*heading].heading == text.text);
      met.insert(*heading);
    }
  }
  CHECK(met == std::set<std::size_t>{0, 2, 3, 4, 6, 8, 9});
}

TEST_CASE("headings of the list keep apart", "[figure]") {
  HeadListSpec spec;
  spec.order = HeadOrder::Previous;
  const MeasuredHeads heads = someHeads();
  const Figure figure = boardFigure(headsBoard(spec, heads, orderOf(spec, heads), HeadListLook()));
  double last = 0; // where the heading before it ends
  Index headings = 0;
  for (const Text& text : all<Text>(layout(figure, Size{1000, 400}, kMeasure))) {
    if (!text.bold || text.text == figure.title)
      continue;
    const double width = kMeasure(text.text, text.size, true);
    const double left = text.at.x - (text.align == TextAlign::Right ? width : 0);
    CHECK(left > last + 0.5 * text.size);
    last = left + width;
    ++headings;
  }
  CHECK(headings == 10);
}

TEST_CASE("the list of a scene's heads is that of attnx heads, in its order", "[figure]") {
  Scene scene;
  scene.view = View::Attention;
  scene.pattern = patternNamed("causal");
  scene.input.source = RandomInput{};
  std::get<RandomInput>(scene.input.source).n = 12;
  std::get<RandomInput>(scene.input.source).heads = 3;
  scene.attention.picture = AttentionPicture::Heads;
  scene.attention.list.shown = true;
  scene.attention.list.order = HeadOrder::Entropy;
  const auto options = optionsWithInput(scene);
  HeadsQuestion question;
  question.lengths = squareLengths(12);
  question.pattern = scene.pattern;
  const MeasuredHeads heads = measuredHeads(question, *options.input);
  std::vector<double> entropies;
  for (const MeasuredHead& head : heads)
    entropies.push_back(head.measures.entropy);
  std::sort(entropies.rbegin(), entropies.rend());
  const std::string table = sceneDataText(scene, options);
  std::size_t at = 0;
  for (const double entropy : entropies) {
    at = table.find(csvNumber(entropy), at);
    CHECK(at != std::string::npos);
  }
  CHECK(figureOfScene(scene, options).title == "What each of the 3 heads attends to");
  CHECK(sceneFromText(toText(scene), "scene").scene == scene);
}
