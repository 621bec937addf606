// What the pictures of the Choosing view say and how they are laid out: groups that are counted,
// colours that are named, matrices that align, words that stay readable where there is little room.
#include "core/analysis/score/recall.h"
#include "core/analysis/score/score_board.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/routing.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/token_groups.h"
#include "core/plot/layout.h"
#include "core/plot/mask_color.h"
#include "core/scene/input_data.h"
#include "core/views/choosing/choosing_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/measured.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

using namespace attention;

namespace {

std::shared_ptr<const Input> inputOf(Index n) {
  InputSpec spec;
  RandomInput random;
  random.n = n;
  random.d = 4;
  random.seed = 2;
  spec.source = random;
  return loadInput(spec, [](const std::string&) { return std::filesystem::path(); });
}

Scene sceneOf(ChoosingPicture picture, const Pattern& pattern) {
  Scene scene;
  scene.view = View::Choosing;
  scene.pattern = pattern;
  scene.choosing.picture = picture;
  scene.choosing.most = 2;
  return scene;
}

ChoosingAnswer answerOf(const Scene& scene, Index n) {
  return choosingAnswer(scene, squareLengths(n), {inputOf(n), 0, 0});
}

Pattern labelled(std::vector<Index> labels) {
  Cluster cluster;
  cluster.labels = IndexList(std::move(labels));
  return cluster;
}

Pattern lshOf(Index rounds, Index chunk, Lsh::Self self = Lsh::Self::Fallback) {
  Lsh lsh;
  lsh.buckets = IndexList({4});
  lsh.rounds = rounds;
  lsh.chunk = chunk;
  lsh.self = self;
  return lsh;
}

const Matrix<float>& valuesOf(const Plot& plot) {
  return *std::get<ValuesMark>(plot.mark).values;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("The legend names the labels in use in the colours of matrix and strip") {
  const Scene scene =
      sceneOf(ChoosingPicture::Matrices, labelled({10, 10, 21, 21, -1, -1, 10, 21}));
  const ChoosingAnswer answer = answerOf(scene, 8);
  const auto legend = choosingLegend(scene.choosing, answer, FigureTheme::Light);
  REQUIRE(legend.size() == 3);
  CHECK(legend[0].label == "cluster -1");
  CHECK(legend[1].label == "cluster 10");
  CHECK(legend[2].label == "cluster 21");
  const Plot matrix = groupedMatrix(*answer.tokens, scene.choosing, false, {});
  const Plot strip = sortingPlot(*answer.tokens, scene.choosing, {});
  const auto& fills = std::get<DiagramMark>(strip.mark).fills;
  const std::array<Index, 3> tokens{4, 0, 2}; // of −1, 10 and 21
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    INFO(legend[k].label);
    const auto value = static_cast<double>(valuesOf(matrix)(tokens[k], tokens[k]));
    CHECK(legend[k].color == rampColor(Ramp::Hues, value, 1, FigureTheme::Light));
    const std::size_t hue = groupHue(std::array<Index, 3>{-1, 10, 21}[k]);
    CHECK(std::any_of(fills.begin(), fills.end(), [&](const DiagramFill& fill) {
      return fill.hue == hue % kGroupHues && fill.share == groupShare(hue);
    }));
  }
}

TEST_CASE("Every centroid counts the queries that are routed to it") {
  Routing routing;
  routing.k = 4;
  routing.window = 16; // every query goes to every centroid
  const Scene scene = sceneOf(ChoosingPicture::Sorting, routing);
  const ChoosingAnswer answer = answerOf(scene, 16);
  const TokenGroups& groups = answer.tokens->groups();
  CHECK(groups.used(0) == 4);
  CHECK(has(choosingCaption(scene.choosing, answer), "16 tokens in 4 centroids of 16 tokens"));
  CHECK(sortingSteps(groups, 0).size() == 2); // all move with the first one
  routing.k = 3;
  routing.window = 2; // room for six queries at most
  const Scene few = sceneOf(ChoosingPicture::Sorting, routing);
  const std::string caption = choosingCaption(few.choosing, answerOf(few, 16));
  CHECK(has(caption, "of 16 tokens in 3 centroids of 2 tokens"));
  CHECK(std::stoi(caption) <= 6);
}

TEST_CASE("Tokens without a group are said to have none") {
  const Scene scene = sceneOf(ChoosingPicture::Sorting, labelled(std::vector<Index>(4, kNoGroup)));
  CHECK(choosingCaption(scene.choosing, answerOf(scene, 4)).rfind("4 tokens in no cluster.", 0) ==
        0);
}

TEST_CASE("Curves are measured against the base of the causal parameter") {
  // Tokens with unique labels attend only to themselves, so no query attends ahead.
  Scene scene = sceneOf(ChoosingPicture::Captured, labelled({0, 1, 2, 3}));
  CHECK(answerOf(scene, 4).curves->base == Base::Full);
  Cluster causal;
  causal.k = 2;
  causal.causal = true;
  scene.pattern = causal;
  CHECK(answerOf(scene, 8).curves->base == Base::Causal);
}

TEST_CASE("Recall of hashing is the same in its curves and on the score board") {
  const auto self = GENERATE(Lsh::Self::Fallback, Lsh::Self::Allow, Lsh::Self::Exclude);
  const Pattern pattern = lshOf(2, 6, self);
  const Scene scene = sceneOf(ChoosingPicture::Captured, pattern);
  const ChoosingAnswer answer = answerOf(scene, 24);
  const CapturedCurves& curves = *answer.curves;
  CHECK(leavesOwnKeyOut(pattern) == (self != Lsh::Self::Allow));
  CHECK(curves.others == leavesOwnKeyOut(pattern));
  const auto input = inputOf(24);
  ScoredInput<double> scored;
  scored.n = 24;
  scored.load = [&](Index) {
    ScoredHead<double> head;
    head.data = inputData(*input, 0, 0, 24);
    head.q = *head.data.q;
    head.k = *head.data.k;
    head.v = *head.data.k;
    return head;
  };
  const std::vector<ScoredMethod> methods{pattern, Pattern(Full{})};
  ScoreOptions options;
  options.recallKeys = curves.recallKeys;
  options.base = Base::Full;
  const auto scores = scoreBoard<double>(methods, scored, options);
  CHECK(curves.at(2)->recall == Approx(scores[0].recall));
  const Plot plot = capturedPlot(curves);
  const auto& mark = std::get<CurvesMark>(plot.mark);
  CHECK(has(mark.curves[1].label, "others") == curves.others);
}

TEST_CASE("Small matrices have at most 256 cells per side and still show every group") {
  const Scene scene = sceneOf(ChoosingPicture::Matrices, lshOf(2, 8));
  const ChoosingAnswer answer = answerOf(scene, 300);
  const Plot smallPlot = smallMatrix(*answer.tokens, scene.choosing, std::nullopt);
  const Plot largePlot = groupedMatrix(*answer.tokens, scene.choosing, false, {});
  const Matrix<float>& small = valuesOf(smallPlot);
  const Matrix<float>& large = valuesOf(largePlot);
  REQUIRE(small.rows() == 256);
  REQUIRE(small.cols() == 256);
  for (Index a = 0; a < 256; ++a)
    for (Index b = 0; b < 256; ++b) {
      std::set<float> of;
      for (Index i = a * 300 / 256; i < (a + 1) * 300 / 256; ++i)
        for (Index j = b * 300 / 256; j < (b + 1) * 300 / 256; ++j)
          of.insert(large(i, j));
      REQUIRE(of.count(small(a, b)) == 1);
      REQUIRE((small(a, b) > 0) == (*of.rbegin() > 0)); // no attended cell is lost
    }
}

TEST_CASE("The matrices before and after the sorting stand in boxes of one size") {
  const Scene scene = sceneOf(ChoosingPicture::Matrices, lshOf(1, 8));
  const Index n = GENERATE(8, 100); // with room for names of tokens, and without
  const ChoosingAnswer answer = answerOf(scene, n);
  for (const Size& size : {Size{420, 500}, Size{500, 420}, Size{300, 210}}) {
    const Plot before = groupedMatrix(*answer.tokens, scene.choosing, false, {});
    const Plot after = groupedMatrix(*answer.tokens, scene.choosing, true, {});
    const Box box = layoutPlot(before, size, {}, kMeasure).box;
    CHECK(layoutPlot(after, size, {}, kMeasure).box == box);
    CHECK(box.width == box.height);
  }
}

TEST_CASE("Chunks are mentioned where their edges are drawn") {
  for (const Index chunk : {4, 2}) {
    const Scene scene = sceneOf(ChoosingPicture::Matrices, lshOf(1, chunk));
    const ChoosingAnswer answer = answerOf(scene, 160);
    const Plot plot = groupedMatrix(*answer.tokens, scene.choosing, true, {});
    INFO(chunk);
    CHECK(std::get<ValuesMark>(plot.mark).cuts.empty() == (chunk == 2)); // 80 chunks
    CHECK(has(choosingCaption(scene.choosing, answer), "dotted") == (chunk == 4));
  }
}

TEST_CASE("Files of the sorting hold words and labels unchanged") {
  const Scene scene = sceneOf(ChoosingPicture::Sorting, labelled({5'000'000'000, -1, 7, -1}));
  ChoosingAnswer answer = answerOf(scene, 4);
  answer.labels = {"a", ",", "b", "c"};
  const CsvTable table = choosingTable(scene.choosing, answer);
  CHECK(table.rows[1][2] == ",");
  CHECK(has(textOf(table), "\",\""));
  const TestFolder folder;
  writeChoosingNpy(scene.choosing, answer, folder / "a.npy");
  const std::string bytes = textOf(folder / "a.npy");
  CHECK(has(bytes, "<i8"));
  std::array<std::int64_t, 8> values{};
  REQUIRE(bytes.size() > sizeof values);
  std::memcpy(values.data(), bytes.data() + bytes.size() - sizeof values, sizeof values);
  CHECK(values == std::array<std::int64_t, 8>{5'000'000'000, -1, 7, -1, 3, 0, 2, 1});
}

TEST_CASE("Another seed gives other groups only if nothing is given") {
  Lsh lsh;
  CHECK(groupsBySeed(lsh));
  lsh.rotations = MatrixSource{"", {1, 2, 2}, SharedList<double>({1.0, 0.0, 0.0, 1.0})};
  CHECK_FALSE(groupsBySeed(lsh));
  CHECK(groupsBySeed(Cluster{}));
  CHECK_FALSE(groupsBySeed(labelled({0, 1})));
  Routing routing;
  CHECK(groupsBySeed(routing));
  routing.centroids = MatrixSource{"", {1, 2}, SharedList<double>({1.0, 0.0})};
  CHECK_FALSE(groupsBySeed(routing));
  CHECK_FALSE(groupsBySeed(Strided{}));
}

TEST_CASE("The verdict of a circle has its own line and is shortened but not cut") {
  CircleSpec spec;
  spec.rounds = 3;
  const CircleAnswer circle = circleAnswer(spec);
  for (const double width : {60.0, 110.0, 170.0, 300.0})
    for (std::size_t round = 0; round < 3; ++round) {
      const auto placed = layoutPlot(circlePlot(circle, 0, round), {width, 130}, {}, kMeasure);
      INFO(width << " " << round);
      const auto texts = all<Text>(placed.list);
      const Text& foot = texts.back();
      CHECK((has(foot.text, "✓") || has(foot.text, "✗")));
      CHECK_FALSE(has(foot.text, "…"));
      CHECK(has(foot.text, "100°"));
      CHECK(has(foot.text, "bucket") == (width >= 300));
      const Box box = boxOf(foot);
      CHECK(box.x >= 0);
      CHECK(box.right() <= width);
      CHECK(box.bottom() <= 130);
      for (std::size_t k = 0; k + 1 < texts.size(); ++k)
        CHECK_FALSE(overlap(box, boxOf(texts[k])));
    }
}

TEST_CASE("Names of rows are left out where they would overlap") {
  const Scene scene = sceneOf(ChoosingPicture::Sorting, lshOf(8, 8));
  const ChoosingAnswer answer = answerOf(scene, 32);
  ChoosingSpec spec = scene.choosing;
  spec.round = 5;
  const Plot plot = sortingPlot(*answer.tokens, spec, {});
  for (const Size& size : {Size{280, 160}, Size{700, 400}, Size{2000, 1200}}) {
    std::vector<Box> names;
    bool present = false;
    for (const Text& text : all<Text>(layoutPlot(plot, size, {}, kMeasure).list))
      if (text.align == TextAlign::Left) {
        names.push_back(boxOf(text));
        present = present || text.bold;
      }
    for (std::size_t a = 0; a < names.size(); ++a)
      for (std::size_t b = a + 1; b < names.size(); ++b)
        CHECK_FALSE(overlap(names[a], names[b]));
    CHECK(names.size() >= 3);
    CHECK(names.size() <= 12);
    CHECK((names.size() == 12) == (size.width >= 700)); // 4 names and 8 rounds
    CHECK(present);
  }
}

TEST_CASE("Every round has its name, or only its number where rows are close") {
  const Scene scene = sceneOf(ChoosingPicture::Sorting, lshOf(8, 8));
  const ChoosingAnswer answer = answerOf(scene, 32);
  const Plot plot = sortingPlot(*answer.tokens, scene.choosing, {});
  const double height = GENERATE(245.0, 400.0);
  std::vector<std::string> missing;
  std::size_t alone = 0;
  const std::vector<Text> texts = all<Text>(layoutPlot(plot, {660, height}, {}, kMeasure).list);
  for (int round = 0; round < 8; ++round) {
    const std::string number = std::to_string(round);
    const auto named = [&](const std::string& words) {
      return std::any_of(texts.begin(), texts.end(), [&](const Text& text) {
        return text.align == TextAlign::Left && text.text == words;
      });
    };
    alone += named(number) ? 1U : 0U;
    if (named(number) == named("round " + number))
      missing.push_back(number);
  }
  CHECK(missing.empty());
  CHECK(alone == (height < 300 ? 7U : 0U)); // except the current round's
}

TEST_CASE("Rows of many tokens are images in the colours of their boxes") {
  const Scene scene = sceneOf(ChoosingPicture::Sorting, lshOf(3, 8));
  const auto drawn = [&](Index n) {
    const ChoosingAnswer answer = answerOf(scene, n);
    ChoosingSpec spec = scene.choosing;
    spec.moment = 0.5;
    LayoutOptions sharp;
    sharp.atPixels = false;
    return layoutPlot(sortingPlot(*answer.tokens, spec, {}), {2000, 900}, {}, kMeasure, sharp).list;
  };
  CHECK(all<Picture>(drawn(222)).empty()); // cells of 100/222 units, with gaps
  const Index n = 223;
  const DisplayList list = drawn(n);
  const auto rows = all<Picture>(list);
  REQUIRE(rows.size() == 4); // where tokens stood, and the rounds'
  std::size_t boxes = 0;
  for (const FillBoxes& fill : all<FillBoxes>(list))
    boxes += fill.boxes.size();
  CHECK(boxes == static_cast<std::size_t>(n)); // on their way

  const ChoosingAnswer answer = answerOf(scene, n);
  const FigureColors& colors = figureColors(FigureTheme::Light);
  for (std::size_t round = 0; round < 3; ++round) {
    const Picture& row = rows[1 + round];
    REQUIRE(row.image->width == n);
    const auto& groups = answer.tokens->groups().rounds[round].queries.group;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::size_t hue = groupHue(groups[i]);
      CHECK(row.image->pixels[i] ==
            mix(colors.ground, colors.series[hue % kGroupHues], groupShare(hue)));
    }
  }
}

TEST_CASE("Names of captured shares are whole at any width, in fewer words if there is less room") {
  const Scene scene = sceneOf(ChoosingPicture::Captured, lshOf(2, 8));
  const Plot plot = capturedPlot(*answerOf(scene, 32).curves);
  std::set<std::string> masses;
  for (const double width : {180.0, 220.0, 300.0, 500.0})
    for (const Text& text : all<Text>(layoutPlot(plot, {width, 160}, {}, kMeasure).list)) {
      CHECK_FALSE(has(text.text, "…"));
      if (has(text.text, "mass"))
        masses.insert(text.text);
    }
  CHECK(masses == std::set<std::string>{"captured mass", "mass"});
}

TEST_CASE("Names of near points stand apart however small their circle is") {
  CircleSpec spec;
  spec.rounds = 3;
  spec.near = GENERATE(2.0, 10.0, 20.0, 45.0);
  const CircleAnswer circle = circleAnswer(spec);
  const double type = GENERATE(13.0, 21.0);
  for (const double side : {90.0, 130.0, 300.0})
    for (std::size_t round = 0; round < 3; ++round) {
      const auto list =
          layoutPlot(circlePlot(circle, 1, round), {side, side + 30}, {type}, kMeasure).list;
      std::vector<Box> names;
      for (const Text& text : all<Text>(list))
        if (text.text == "x" || text.text == "y")
          names.push_back(boxOf(text));
      INFO(spec.near << "° at " << side);
      REQUIRE(names.size() == 2);
      CHECK_FALSE(overlap(names[0], names[1]));
    }
}

TEST_CASE("Names of rows are whole at every size") {
  const Scene scene = sceneOf(ChoosingPicture::Sorting, lshOf(8, 8));
  const ChoosingAnswer answer = answerOf(scene, 32);
  const Plot plot = sortingPlot(*answer.tokens, scene.choosing, {});
  for (const Size& size : {Size{220, 160}, Size{700, 400}}) {
    bool sorted = false;
    for (const Text& text : all<Text>(layoutPlot(plot, size, {}, kMeasure).list)) {
      INFO(text.text);
      CHECK_FALSE(has(text.text, "…"));
      CHECK(boxOf(text).right() <= size.width);
      sorted = sorted || text.text == "by bucket";
    }
    CHECK(sorted);
  }
}

TEST_CASE("Clusters that separate queries from keys say why there are hardly any pairs") {
  // Four queries in two clusters without a key, four in the keys' clusters.
  TokenGroups groups;
  groups.kind = GroupKind::Clusters;
  groups.rounds.resize(1);
  groups.rounds[0].queries.group = {0, 0, 1, 1, 2, 2, 2, 2};
  groups.rounds[0].keys.group = {2, 2, 3, 3, 3, 3, 3, 3};
  CHECK(queriesWithoutKeys(groups) == 4);
  CHECK(has(partedTokens(groups), "4 of 8 queries have no key in their cluster"));
  groups.rounds[0].keys.group = {0, 1, 2, 3, 3, 3, 3, 3};
  CHECK(queriesWithoutKeys(groups) == 0);
  CHECK(partedTokens(groups).empty());
  groups.rounds[0].keys.group = {0, 2, 2, 2, 2, 2, 2, 2};
  CHECK(queriesWithoutKeys(groups) == 2);
  CHECK_FALSE(partedTokens(groups).empty()); // a quarter
  groups.rounds[0].queries.group.push_back(2);
  CHECK(partedTokens(groups).empty());
  groups.kind = GroupKind::Buckets;
  CHECK(queriesWithoutKeys(groups) == 0);
}

TEST_CASE("The caption of clusters that separate queries from keys says so") {
  const auto input = inputOf(8);
  Scene scene = sceneOf(ChoosingPicture::Sorting, labelled({0, 0, 1, 1, 2, 2, 3, 3}));
  const ChoosingAnswer same = choosingAnswer(scene, squareLengths(8), {input, 0, 0});
  CHECK_FALSE(has(choosingCaption(scene.choosing, same), "no key"));
  Cluster apart;
  apart.k = 8; // for eight random queries and keys in four dimensions: some are alone
  scene.pattern = apart;
  const ChoosingAnswer parted = choosingAnswer(scene, squareLengths(8), {input, 0, 0});
  const Index alone = queriesWithoutKeys(parted.tokens->groups());
  CHECK(has(choosingCaption(scene.choosing, parted), "no key in their cluster") ==
        (4 * alone >= 8));
  CHECK(alone >= 2);
}

TEST_CASE("the caption of sorted tokens says how full the groups are", "[hashing]") {
  const auto captionOf = [](std::vector<Index> labels) {
    const auto n = static_cast<Index>(labels.size());
    const Scene scene = sceneOf(ChoosingPicture::Sorting, labelled(std::move(labels)));
    return choosingCaption(scene.choosing, answerOf(scene, n));
  };
  CHECK(captionOf({0, 1, 1, 0, 1}) == "5 tokens in 2 clusters of 2 to 3 tokens.");
  CHECK(captionOf({0, 1, 1, 0}) == "4 tokens in 2 clusters of 2 tokens.");
  CHECK(captionOf({0, 0, 0}) == "3 tokens in 1 cluster of 3 tokens.");
  Scene scene = sceneOf(ChoosingPicture::Sorting, lshOf(1, 4));
  scene.pattern.as<Lsh>()->buckets = IndexList({16});
  const ChoosingAnswer answer = answerOf(scene, 8);
  const GroupSizes sizes = groupSizes(answer.tokens->groups(), 0);
  CHECK(sizes.sum == 8);
  REQUIRE(sizes.groups < 16);
  CHECK(has(choosingCaption(scene.choosing, answer),
            ("8 tokens in " + std::to_string(sizes.groups) + " of 16 buckets, of ").c_str()));
}
