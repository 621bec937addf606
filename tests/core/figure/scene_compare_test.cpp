// The score board of a Scene, its plots and its table.
#include "core/input/assets.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/plot/arrange.h"
#include "core/plot/layout.h"
#include "core/views/compare/scene_compare.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/figure/measured.h"
#include "tests/core/figure/scene_input.h"
#include "tests/core/pattern/pattern_text.h"

#include <array>
#include <cmath>
#include <limits>
#include <set>

using namespace attention;

namespace {

Scene comparing(Index n) {
  Scene scene;
  scene.view = View::Compare;
  scene.length.n = n;
  RandomInput random;
  random.n = n;
  random.d = 8;
  scene.input.source = random;
  return scene;
}

ModelHead inputOf(const Scene& scene) {
  return {loadInput(scene.input, samplePath), 0, 0};
}

std::vector<ScoreLine> linesOf(const Scene& scene) {
  return scoresOf(scoresQuestion(scene, squareLengths(*scene.length.n)), inputOf(scene));
}

} // namespace

TEST_CASE("inputs with capped or scaled scores have a score board of what is defined for them",
          "[compare]") {
  const Scene scene = comparing(32);
  const auto plain = loadInput(scene.input, samplePath);
  const ScoresQuestion question = scoresQuestion(scene, squareLengths(32));
  const std::size_t all = scoresOf(question, {plain, 0, 0}).size();
  const auto readingWith = [&](const Input& input) {
    const ModelHead of{std::make_shared<const Input>(input), 0, 0};
    const auto lines = scoresOf(question, of);
    CHECK(lines.size() == all - 1); // without positive features
    return readingOf(question, of, lines).back();
  };
  Input capped = *plain;
  capped.modifiers.softcap = 20;
  CHECK(readingWith(capped).starts_with("Left out, since the input caps its scores: "));
  CHECK(readingWith(capped).find("features") != std::string::npos);
  Input scaled = *plain;
  scaled.modifiers.scale = 1;
  CHECK(readingWith(scaled).find("a number other than 1/√d") != std::string::npos);
  Input biased = *plain;
  biased.modifiers.bias = AlibiBias{};
  CHECK(readingWith(biased).starts_with("Left out, since the input adds a bias to its scores: "));
  Input sunk = *plain;
  sunk.modifiers.sink = HeadNumbers{{1}, true};
  CHECK(readingWith(sunk).starts_with("Left out, since the input has a sink in its softmax: "));
}

TEST_CASE("the score board has one line per pattern and mechanism", "[compare]") {
  const Scene scene = comparing(32);
  std::size_t heard = 0;
  const auto input = loadInput(scene.input, samplePath);
  const auto lines =
      scoresOf(scoresQuestion(scene, squareLengths(32)), {input, 0, 0},
               [&](const std::vector<ScoreLine>& so) { CHECK(so.size() == ++heard); });
  CHECK(lines.size() == usualCompared().size() + usualScored().size() - 1); // without Linformer
  CHECK(heard == lines.size());
  CHECK(*lines[0].compared == 0);
  CHECK(*lines[0].score.pairs == 177);
  CHECK(*lines[1].score.pairs == 203);
  CHECK_FALSE(lines[2].compared);
}

TEST_CASE("attention over all keys of the base scores without loss", "[compare]") {
  Scene scene = comparing(32);
  scene.compare.patterns = {{"near", Local{4, true}}, {"all", Causal{}}};
  const auto lines = linesOf(scene);
  REQUIRE(lines.size() > 2);
  CHECK(*lines[1].score.capturedMass == Approx(1));
  CHECK(lines[1].score.error->relativeFrobenius == Approx(0).margin(1e-12));
  CHECK(*lines[0].score.capturedMass < 1);
  CHECK(lines[0].score.error->relativeFrobenius > 0.01);
}

TEST_CASE("a score board has one base and says which", "[compare]") {
  Scene scene = comparing(24);
  const auto basesOf = [](const std::vector<ScoreLine>& lines) {
    std::set<std::string> bases;
    for (const ScoreLine& line : lines)
      bases.insert(wordOf(line.score.base));
    return bases;
  };
  const auto own = linesOf(scene); // both windows are causal
  CHECK(basesOf(own) == std::set{wordOf(Base::Causal)});
  CHECK(baseText(own) == "causal attention");
  const ScoresQuestion question = scoresQuestion(scene, squareLengths(24));
  CHECK(readingOf(question, inputOf(scene), own).back().find("Linformer") == 0);
  scene.compare.patterns = {{"one", Causal{}}, {"all", Full{}}};
  const auto full = linesOf(scene);
  CHECK(basesOf(full) == std::set{wordOf(Base::Full)});
  CHECK(baseText(full) == "full attention");
  CHECK(readingOf(scoresQuestion(scene, squareLengths(24)), inputOf(scene), full).size() == 1);
  scene.compare.base = AttentionBase::Causal;
  CHECK(basesOf(linesOf(scene)) == std::set{wordOf(Base::Causal)});
}

TEST_CASE("a mechanism that is compared is not scored twice", "[compare]") {
  Scene scene = comparing(16);
  scene.compare.patterns = {{"all before", Causal{}}, {"all", Full{}}};
  TimedMechanism causal;
  causal.kind = TimedMechanism::Kind::Pattern;
  causal.pattern = Causal{};
  scene.compare.scored = {causal};
  auto lines = linesOf(scene);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].name == "all before");
  CHECK(lines[2].name == "Causal");
  CHECK(lines[2].same == 0U);
  CHECK(lines[2].score.seconds == lines[0].score.seconds);
  scene.compare.patterns[0].title.clear(); // both are called Causal
  lines = linesOf(scene);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].name == "Causal");
}

TEST_CASE("every pattern that is compared has a line on the score board", "[compare]") {
  Scene scene = comparing(16);
  scene.compare.patterns = {{"near", Local{4, true}},
                            {"", Local{3, true}},
                            {"mine", Local{4, true}},
                            {"", Local{3, true}}};
  scene.compare.scored = {TimedMechanism()};
  const auto lines = linesOf(scene);
  REQUIRE(lines.size() == 5);
  const std::array names{"near", "Local, window 3, causal (b)", "mine",
                         "Local, window 3, causal (d)"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    CHECK(lines[k].name == names[k]);
    CHECK(lines[k].compared == k);
    CHECK(lines[k].score.capturedMass == lines[k % 2].score.capturedMass);
    CHECK(lines[k].score.seconds == lines[k % 2].score.seconds); // it was run once
  }
  // In plots an equal has no dot of its own.
  const auto named = std::get<CurvesMark>(massPlot(lines).mark).named;
  CHECK(std::isfinite(named[0].at.y));
  CHECK(std::isnan(named[2].at.y));
  CHECK(named[2].label == "mine, same as 1");
  CHECK(named[3].label == "Local, window 3, causal (d), same as 2");
}

TEST_CASE("lines are sorted by any column and those without a number come last", "[compare]") {
  std::vector<ScoreLine> lines(3);
  lines[0].name = "b";
  lines[0].score.capturedMass = 0.25;
  lines[1].name = "c";
  lines[2].name = "a";
  lines[2].score.capturedMass = 0.75;
  lines[2].score.flops = 3;
  const auto names = [&](ScoreColumn by, bool rising) {
    std::string all;
    for (const ScoreLine& line : sorted(lines, by, rising))
      all += line.name;
    return all;
  };
  CHECK(names(ScoreColumn::Mass, false) == "abc");
  CHECK(names(ScoreColumn::Mass, true) == "bac");
  CHECK(names(ScoreColumn::Name, true) == "abc");
  CHECK(names(ScoreColumn::Name, false) == "cba");
  CHECK(names(ScoreColumn::Flops, false) == "abc");
  lines[0].score.bytes = 3;
  CHECK(names(ScoreColumn::Bytes, false) == "bca");
  lines[1].score.seconds = 3;
  CHECK(names(ScoreColumn::Seconds, false) == "cba");
  lines[2].score.prepareSeconds = 3;
  CHECK(names(ScoreColumn::PrepareSeconds, false) == "abc");
  for (ScoreLine& line : lines)
    line.score.error = OutputError{0, 0};
  lines[0].score.error->relativeFrobenius = std::numeric_limits<double>::quiet_NaN();
  CHECK(names(ScoreColumn::Error, true) == "cab");
  lines[0].score.error.reset();
  lines[1].score.error->relativeFrobenius = 2;
  CHECK(names(ScoreColumn::Error, true) == "acb");
  CHECK(names(ScoreColumn::Error, false) == "cab");
}

TEST_CASE("plots name each mechanism and draw the Pareto front", "[compare]") {
  const auto lines = linesOf(comparing(32));
  const Plot plot = massPlot(lines);
  const auto& mark = std::get<CurvesMark>(plot.mark);
  // Features have no mass: they have no place in the plot but keep their number.
  std::size_t masses = 0;
  REQUIRE(mark.named.size() == lines.size());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    masses += lines[k].score.capturedMass ? 1U : 0U;
    CHECK(mark.named[k].label == lines[k].name);
    CHECK(std::isfinite(mark.named[k].at.y) == lines[k].score.capturedMass.has_value());
  }
  CHECK(masses < lines.size());
  CHECK(mark.curves.front().points.size() >= 1);
  const Plot errors = errorPlot(lines);
  const auto& errorMark = std::get<CurvesMark>(errors.mark);
  CHECK(errorMark.named.size() == lines.size());
  // Costs beyond those of the points leave no empty space.
  for (const CurvesMark* of : {&mark, &errorMark}) {
    double most = 0;
    for (const NamedPoint& point : of->named)
      if (std::isfinite(point.at.y))
        most = std::max(most, shareOf(of->x, point.at.x));
    CHECK(most > 0.6);
    CHECK(most <= 1);
  }
  CHECK(readingOf(scoresQuestion(comparing(32), squareLengths(32)), inputOf(comparing(32)), lines)
            .front()
            .find("causal") != std::string::npos);
  CHECK(scoreTable(lines).rows.size() == lines.size());
}

TEST_CASE("a figure of a comparison has the masks and, with an input, the plots", "[compare]") {
  Scene scene = comparing(24);
  SceneFigureOptions options;
  options.input = loadInput(scene.input, samplePath);
  scene.compare.patterns = usualCompared();
  scene.compare.patterns.push_back({"mine", scene.compare.patterns.front().pattern});
  const Figure scored = figureOfScene(scene, options);
  REQUIRE(scored.panels.size() == 6);
  // Both plots have numbers, which one list explains.
  const auto& mass = std::get<CurvesMark>(scored.panels[4].plots[0].mark);
  const auto& error = std::get<CurvesMark>(scored.panels[5].plots[0].mark);
  REQUIRE(mass.named.size() == error.named.size());
  std::string without; // features have no mass
  for (std::size_t k = 0; k < mass.named.size(); ++k) {
    CHECK(mass.named[k].label.empty());
    CHECK(error.named[k].label.empty());
    const std::string number = std::to_string(k + 1) + " ";
    CHECK(std::count_if(scored.legend.begin(), scored.legend.end(), [&](const LegendEntry& entry) {
            return entry.label.rfind(number, 0) == 0;
          }) == 1);
    if (std::isnan(mass.named[k].at.y) && k != 2) // which is the first's equal
      without += (without.empty() ? "" : ", ") + std::to_string(k + 1);
  }
  CHECK(scored.legend.size() == mass.named.size());
  CHECK(
      scored.caption.ends_with("No captured mass, since they leave no key out: " + without + "."));
  CHECK(figureFor(scored, Size{300, 260}, kMeasure).panels.size() == 4);
  scene.input.source = NoInput{};
  const Figure figure = figureOfScene(scene);
  CHECK(figure.panels.size() == 4);
  CHECK_NOTHROW(layout(figure, Size{900, 500}, kMeasure));
}

TEST_CASE("a figure of a comparison without a score board says why and keeps its masks",
          "[compare]") {
  Scene scene = comparing(24);
  SceneFigureOptions options;
  options.input = loadInput(scene.input, samplePath);
  scene.length.queries = 8;
  const Figure wide = figureOfScene(scene, options);
  CHECK(wide.panels.size() == 3);
  CHECK(wide.caption.find("as many queries as keys") != std::string::npos);
  scene.length = LengthSpec();
  scene.length.n = kMostScoredTokens + 1;
  CHECK(figureOfScene(scene, options).caption.find("No score board") != std::string::npos);
}

TEST_CASE("weights and images of the Mask view are not those of a comparison", "[compare]") {
  Scene scene = comparing(16);
  SceneFigureOptions options;
  options.input = loadInput(scene.input, samplePath);
  const Figure plain = figureOfScene(scene, options);
  scene.mask.weights = WeightsShown::Maximum;
  scene.mask.image.shown = true;
  const Figure same = figureOfScene(scene, options);
  REQUIRE(same.panels.size() == plain.panels.size());
  for (std::size_t k = 0; k < same.panels.size(); ++k) {
    REQUIRE(same.panels[k].plots.size() == plain.panels[k].plots.size());
    CHECK(same.panels[k].plots.front().mark.index() == plain.panels[k].plots.front().mark.index());
  }
}

TEST_CASE("a score board without an input or of too many tokens is refused", "[compare]") {
  const Scene scene = comparing(32);
  const ScoresQuestion question = scoresQuestion(scene, squareLengths(32));
  CHECK(codeAndSubject([&] { scoresOf(question, {}); }) == "E_UNSUPPORTED input");
  CHECK(codeAndSubject([&] { scoresQuestion(scene, squareLengths(kMostScoredTokens + 1)); }) ==
        "E_RANGE n");
  CHECK(codeAndSubject([&] {
          scoresQuestion(scene, Lengths{16, 32, 16});
        }) == "E_UNSUPPORTED queries");
  const auto input = loadInput(comparing(16).input, samplePath);
  CHECK(codeAndSubject([&] { scoresOf(question, {input, 0, 0}); }) == "E_SHAPE n");
}

TEST_CASE("a difference is stated in one sentence", "[compare]") {
  CHECK(differenceText({26, 0, 177, 6, 0.5}) ==
        "26 pairs are only in the first, 0 only in the second, 177 in both; query 6 is the first "
        "that differs.");
  CHECK(differenceText({8186, 1, 49137, 1024, 0.5}) ==
        "8\u2009186 pairs are only in the first, 1 only in the second, 49\u2009137 in both; query "
        "1\u2009024 is the first that differs.");
  CHECK(differenceText({0, 0, 5, {}, 1}) == "The two patterns have exactly the same pairs.");
}

TEST_CASE("a comparison without a camera shows 32 cells around the first difference", "[compare]") {
  Scene scene = comparing(200);
  const auto cellsShown = [&] {
    const Figure figure = figureOfScene(scene);
    std::set<std::array<Index, 4>> shown;
    for (std::size_t k = 0; k < 3; ++k) {
      const Rect& cells = std::get<MaskMark>(figure.panels[k].plots.front().mark).cells;
      shown.insert({cells.rowBegin, cells.rowEnd, cells.keyBegin, cells.keyEnd});
    }
    REQUIRE(shown.size() == 1); // one camera
    return *shown.begin();
  };
  scene.input.source = NoInput{};
  CHECK(cellsShown() == std::array<Index, 4>{0, 32, 0, 32});
  scene.compare.patterns = {{"one", Causal{}},
                            {"two", patternFrom("local", R"({"window": 120, "causal": true})")}};
  const auto late = cellsShown(); // query 120 no longer attends to key 0
  CHECK(late[1] - late[0] == 32);
  CHECK(late[0] < 120);
  CHECK(late[1] > 120);
  CHECK(late[2] == 0);
  scene.camera = Camera{100, 100, 50};
  CHECK(cellsShown() == std::array<Index, 4>{75, 125, 75, 125});
  scene.camera = wholeCamera(squareLengths(200));
  CHECK(cellsShown() == std::array<Index, 4>{0, 200, 0, 200});
  scene.camera.reset();
  scene.compare.patterns = {{"one", Causal{}}, {"two", Causal{}}};
  CHECK(cellsShown() == std::array<Index, 4>{0, 200, 0, 200}); // which do not differ
  scene = comparing(40);
  scene.input.source = NoInput{};
  CHECK(cellsShown() == std::array<Index, 4>{0, 40, 0, 40}); // all of few
}

TEST_CASE("the camera of a comparison stays while the first difference moves a little",
          "[compare]") {
  const Scene scene = comparing(500);
  std::set<double> places;
  for (Index row = 100; row < 200; ++row) {
    Difference found;
    found.firstRow = row;
    found.firstKey = row - 50;
    const auto camera = comparedCamera(scene, squareLengths(500), &found);
    REQUIRE(camera);
    const Rect seen = cellsOf(camera, squareLengths(500));
    CHECK(seen.contains(row, row - 50));
    CHECK(seen.rowEnd - seen.rowBegin == kComparedCells);
    places.insert(camera->query);
  }
  CHECK(places.size() <= 8);
}

TEST_CASE("a comparison says which of its cells are shown", "[compare]") {
  CHECK(shownCellsText({96, 128, 90, 122}, squareLengths(256)) ==
        "queries 96–127, keys 90–121 of 256");
  CHECK(shownCellsText({0, 256, 0, 256}, squareLengths(256)).empty());
  CHECK(shownCellsText({0, 8, 4, 12}, {8, 24, 0}) == "queries 0–7 of 8, keys 4–11 of 24");
  CHECK(shownCellsText({3, 4, 5, 6}, squareLengths(9)) == "queries 3, keys 5 of 9");
  Scene scene = comparing(256);
  scene.input = {};
  scene.compare.patterns = {{"", Local{96, true}}, {"", Local{97, true}}};
  const auto captionOf = [&] { return figureOfScene(scene).caption; };
  CHECK(captionOf().find("Shown: queries 80–111, keys 0–31 of 256.") != std::string::npos);
  scene.camera = wholeCamera(squareLengths(256));
  CHECK(captionOf().find("Shown: ") == std::string::npos);
  scene.camera.reset();
  scene.view = View::Mask; // there somebody has zoomed
  CHECK(captionOf().find("Shown: ") == std::string::npos);
}

TEST_CASE("panels of a comparison are labelled with their pairs", "[compare]") {
  Scene scene = comparing(32);
  scene.input.source = NoInput{};
  const Figure figure = figureOfScene(scene);
  CHECK(figure.panels[0].title == "(a) window 6: i − j < 6 · 177 pairs");
  CHECK(figure.panels[1].title == "(b) window 6: i − j ≤ 6 · 203 pairs");
  CHECK(figure.panels[2].title == "difference · 26 pairs");
}

TEST_CASE("the default score board has windows that fit the length and states them", "[compare]") {
  const Index n = 144;
  int windowed = 0;
  for (const TimedMechanism& mechanism : scoredAt(CompareSpec(), n)) {
    if (mechanism.kind != TimedMechanism::Kind::Pattern)
      continue;
    const std::string name = shortText(mechanism.pattern);
    if (name.rfind("local", 0) != 0 && name.rfind("longformer", 0) != 0)
      continue;
    ++windowed;
    INFO(name);
    CHECK(name.find("window") != std::string::npos);
    CHECK(prepare(mechanism.pattern, squareLengths(n))->pairs() < n * (n + 1) / 4);
  }
  CHECK(windowed == 2);
  CHECK(scoredAt(CompareSpec(), 100000) == usualScored()); // the windows of the papers fit
}

TEST_CASE("a board with patterns that choose has the columns of their choice", "[compare]") {
  Scene scene = comparing(32);
  scene.compare.patterns = {{"MoBA", patternFrom("moba", R"({"block_size": 4, "top_k": 3})")},
                            {"causal", patternNamed("causal")}};
  const ScoresQuestion question = scoresQuestion(scene, squareLengths(32));
  const auto plain = linesOf(scene);
  CHECK(anyChooses(plain));
  CHECK(plain.front().score.chooses);
  CHECK_FALSE(plain[1].score.chooses);
  CHECK_FALSE(plain.front().choice); // only where it is asked for
  CHECK(tellsChoices(scene.compare, plain));
  const auto lines = withChoices(plain, question, inputOf(scene));
  const auto& moba = lines.front().choice;
  REQUIRE(moba);
  CHECK(moba->recall == Approx(*lines.front().score.capturedMass).epsilon(1e-4));
  CHECK(moba->recall <= moba->oracleBlocksRecall);
  CHECK(moba->oracleBlocksRecall <= moba->oracleKeysRecall);
  CHECK(choicesText(lines).starts_with("MoBA keeps "));
  CHECK(choicesText(lines).find("causal") == std::string::npos); // chooses nothing
  const CsvTable table = scoreTable(lines);
  const auto at = std::find(table.headings.begin(), table.headings.end(), "oracle_keys_recall");
  REQUIRE(at != table.headings.end());
  for (const auto& row : table.rows)
    CHECK(row.size() == table.headings.size());
  const auto column = static_cast<std::size_t>(at - table.headings.begin());
  CHECK(table.rows.front()[column] == csvNumber(moba->oracleKeysRecall));
  CHECK(figureOfScene(scene, optionsWithInput(scene)).caption.find("MoBA keeps ") !=
        std::string::npos);
}

TEST_CASE("a board on which nothing chooses has no such columns", "[compare]") {
  Scene scene = comparing(24);
  TimedMechanism window;
  window.kind = TimedMechanism::Kind::Pattern;
  window.pattern = patternNamed("local");
  scene.compare.scored = {window};
  const auto lines = linesOf(scene);
  CHECK_FALSE(anyChooses(lines));
  scene.compare.columns = ScoreColumns::Oracle;
  CHECK_FALSE(tellsChoices(scene.compare, lines));
  CHECK(scoreTable(lines).headings.back() == "seed");
}

TEST_CASE("the numbers of choosing are told where a scene asks for them", "[compare]") {
  Scene scene = comparing(24); // with top-k among the others, and none compared that chooses
  const auto lines = linesOf(scene);
  CHECK(anyChooses(lines));
  CHECK_FALSE(tellsChoices(scene.compare, lines));
  CHECK_FALSE(figureOfScene(scene, optionsWithInput(scene)).caption.find("best choice") !=
              std::string::npos);
  scene.compare.columns = ScoreColumns::Choice;
  CHECK(tellsChoices(scene.compare, lines));
  scene.compare.columns = ScoreColumns::Kept;
  scene.compare.sortedBy = ScoreColumn::OracleBlocks;
  CHECK(tellsChoices(scene.compare, lines));
}

TEST_CASE("a score board is sorted by every column of choosing", "[compare]") {
  Scene scene = comparing(32);
  scene.compare.patterns = {{"MoBA", patternFrom("moba", R"({"block_size": 4, "top_k": 3})")},
                            {"causal", patternNamed("causal")}};
  const auto lines =
      withChoices(linesOf(scene), scoresQuestion(scene, squareLengths(32)), inputOf(scene));
  const std::vector<std::pair<ScoreColumn, double (*)(const ChoiceScore&)>> columns{
      {ScoreColumn::ChoiceRecall, [](const ChoiceScore& of) { return of.recall; }},
      {ScoreColumn::OracleBlocks, [](const ChoiceScore& of) { return of.oracleBlocksRecall; }},
      {ScoreColumn::OracleKeys, [](const ChoiceScore& of) { return of.oracleKeysRecall; }},
      {ScoreColumn::BlockOverlap, [](const ChoiceScore& of) { return of.blockOverlap; }},
      {ScoreColumn::BlockDensity, [](const ChoiceScore& of) { return of.blockDensity; }},
      {ScoreColumn::ChoosingShare, [](const ChoiceScore& of) { return of.choosingShare(); }}};
  for (const auto& [column, number] : columns)
    for (const bool rising : {false, true}) {
      const auto order = sorted(lines, column, rising);
      REQUIRE(order.size() == lines.size());
      std::size_t with = 0;
      while (with < order.size() && order[with].choice)
        ++with;
      CHECK(with > 3);
      for (std::size_t k = 0; k < with; ++k) {
        CHECK(numberOf(order[k], column) == number(*order[k].choice));
        if (k > 0)
          CHECK((rising ? number(*order[k - 1].choice) <= number(*order[k].choice)
                        : number(*order[k - 1].choice) >= number(*order[k].choice)));
      }
      for (std::size_t k = with; k < order.size(); ++k) // features and Linformer come last
        CHECK_FALSE(order[k].choice);
    }
}
