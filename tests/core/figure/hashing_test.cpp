// The pictures of the Choosing view: what they show is what the patterns found and the metrics
// measure.
#include "core/analysis/score/recall.h"
#include "core/export/figure_file.h"
#include "core/input/array_file.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/routing.h"
#include "core/pattern/mechanism/strided.h"
#include "core/plot/layout.h"
#include "core/scene/input_data.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/views/choosing/choosing_figure.h"
#include "core/views/moving.h"
#include "core/views/scene_figure.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/measured.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

using namespace attention;

namespace {

constexpr std::array kPictures{ChoosingPicture::Sorting, ChoosingPicture::Matrices,
                               ChoosingPicture::Captured, ChoosingPicture::Circle};

Lsh smallLsh() {
  Lsh lsh;
  lsh.buckets = IndexList({4});
  lsh.chunk = 4;
  lsh.rounds = 3;
  lsh.seed = 1;
  return lsh;
}

Scene hashingScene(ChoosingPicture picture, const Pattern& pattern = smallLsh(), Index n = 16) {
  Scene scene;
  scene.view = View::Choosing;
  scene.pattern = pattern;
  RandomInput random;
  random.n = n;
  random.d = 4;
  random.seed = 2;
  random.parameters["sigma"] = {1.5};
  scene.input.source = random;
  scene.choosing.picture = picture;
  scene.choosing.most = 4;
  scene.choosing.recallKeys = 3;
  return scene;
}

std::shared_ptr<const Input> inputOf(const Scene& scene) {
  return loadInput(scene.input, [](const std::string&) { return std::filesystem::path(); });
}

SceneFigureOptions optionsOf(const Scene& scene) {
  SceneFigureOptions options;
  options.input = inputOf(scene);
  return options;
}

ChoosingAnswer answerOf(const Scene& scene) {
  const auto input = inputOf(scene);
  return choosingAnswer(scene, lengthsOf(scene.length, input ? input->keys : 0), {input, 0, 0});
}

Pattern routing() {
  Routing of;
  of.k = 3;
  of.window = 7;
  return of;
}

Pattern cluster() {
  Cluster of;
  of.k = 3;
  return of;
}

const Matrix<float>& valuesOf(const Plot& plot) {
  return *std::get<ValuesMark>(plot.mark).values;
}

ErrorCode codeOf(const Scene& scene) {
  try {
    answerOf(scene);
  } catch (const Error& error) {
    return error.code();
  }
  FAIL("no error");
  return ErrorCode::N;
}

} // namespace

TEST_CASE("Every picture of hashing is drawn in every form at any size") {
  const ChoosingPicture picture = GENERATE(from_range(kPictures));
  const Pattern pattern = GENERATE(Pattern(smallLsh()), routing(), cluster());
  const Scene scene = hashingScene(picture, pattern);
  INFO(shortText(pattern) << " "
                          << settingNamed(choosingSettings(), "picture")
                                 .choices[static_cast<std::size_t>(picture)]
                                 .value);
  const Figure figure = figureOfScene(scene, optionsOf(scene));
  CHECK(!figure.title.empty());
  CHECK(!figure.caption.empty());
  CHECK(!figure.source.empty());
  for (const auto& size : {std::optional<Size>(), std::optional<Size>({1500, 900})})
    checkWords(layout(figure, size, kMeasure));
  const TestFolder folder;
  for (const char* ending : {"a.png", "a.svg", "a.pdf", "a.tex"})
    CHECK_NOTHROW(writeFigure(figure, folder / ending));
}

TEST_CASE("What hashing shows is saved and read with its Scene") {
  Scene scene = hashingScene(ChoosingPicture::Circle);
  scene.choosing.round = 2;
  scene.choosing.moment = 0.25;
  scene.choosing.joined = false;
  scene.choosing.colors = GroupColors::Rounds;
  scene.choosing.circle = {AngularDraw::Gaussian, 6, 2, 7, 3, 120, 12};
  const ReadScene read = sceneFromText(toText(scene), "scene");
  CHECK(read.warnings.empty());
  CHECK(read.scene == scene);
  Scene later = scene;
  later.choosing.moment = 0.75;
  CHECK(sameDocument(scene, later)); // an animation does not change what is saved
  later.choosing.round = 1;
  CHECK_FALSE(sameDocument(scene, later));
}

TEST_CASE("Tokens move from their places into the order of their buckets, bucket by bucket") {
  const ChoosingAnswer answer = answerOf(hashingScene(ChoosingPicture::Sorting));
  const HashedTokens& tokens = *answer.tokens;
  for (std::size_t r = 0; r < 3; ++r) {
    const GroupedTokens& of = tokens.groups().rounds[r].queries;
    const auto steps = sortingSteps(tokens.groups(), r);
    CHECK(steps.front() == 0);
    CHECK(steps.back() == 1);
    CHECK(static_cast<Index>(steps.size()) == tokens.groups().used(r) + 1);
    for (std::size_t step = 0; step < steps.size(); ++step) {
      const SortingPlaces places(tokens, r, steps[step]);
      std::set<Index> arrived;
      for (Index i = 0; i < 16; ++i) {
        const Box at = places.token(i);
        const Box end = places.slot(of.rank[static_cast<std::size_t>(i)]);
        const bool there = std::abs(at.x - end.x) < 1e-9 && std::abs(at.y - end.y) < 1e-9;
        if (there)
          arrived.insert(of.group[static_cast<std::size_t>(i)]);
        else
          CHECK(at == places.origin(i));
      }
      CHECK(arrived.size() == step);
    }
  }
}

TEST_CASE("The pointer finds tokens at their places and rounds by their rows") {
  const ChoosingAnswer answer = answerOf(hashingScene(ChoosingPicture::Sorting));
  const SortingPlaces places(*answer.tokens, 1, 0.4);
  for (Index i = 0; i < 16; ++i) {
    const Box at = places.token(i);
    CHECK(places.under({at.x + at.width / 2, at.y + at.height / 2}).query);
    const Box row = places.round(2, i);
    const auto place = places.under({row.x + row.width / 2, row.y + row.height / 2});
    CHECK(place.query == i);
    CHECK(place.round == 2);
  }
  CHECK_FALSE(places.under({-1, 1}).query);
  CHECK_FALSE(places.under({50, places.chunksAt() + 1}).query);
}

TEST_CASE("Matrices hold the attended pairs in the colour of the query's group") {
  const Pattern pattern = GENERATE(Pattern(smallLsh()), routing(), cluster());
  const Scene scene = hashingScene(ChoosingPicture::Matrices, pattern);
  const ChoosingAnswer answer = answerOf(scene);
  const HashedTokens& tokens = *answer.tokens;
  const GroupRound& round = tokens.groups().rounds.front();
  const Plot plainPlot = groupedMatrix(tokens, scene.choosing, false, {});
  const Plot sortedPlot = groupedMatrix(tokens, scene.choosing, true, {});
  for (Index i = 0; i < 16; ++i)
    for (Index j = 0; j < 16; ++j) {
      const auto row = static_cast<std::size_t>(i);
      const float hue =
          tokens.prepared->contains(i, j) ? static_cast<float>(1 + round.queries.group[row]) : 0.0F;
      CHECK(valuesOf(plainPlot)(i, j) == hue);
      CHECK(valuesOf(sortedPlot)(round.queries.rank[row],
                                 round.keys.rank[static_cast<std::size_t>(j)]) == hue);
    }
}

TEST_CASE("A single round is block diagonal in its own order") {
  Scene scene = hashingScene(ChoosingPicture::Matrices);
  scene.choosing.joined = false;
  scene.choosing.round = 2;
  const ChoosingAnswer answer = answerOf(scene);
  const GroupedTokens& of = answer.tokens->groups().rounds[2].queries;
  const Plot plot = groupedMatrix(*answer.tokens, scene.choosing, true, {});
  Index attended = 0;
  for (Index a = 0; a < 16; ++a)
    for (Index b = 0; b < 16; ++b)
      if (valuesOf(plot)(a, b) > 0) {
        ++attended;
        const auto group = [&](Index at) {
          return of.group[static_cast<std::size_t>(of.order[static_cast<std::size_t>(at)])];
        };
        CHECK(group(a) == group(b));
        CHECK(a / 4 - b / 4 >= 0);
        CHECK(a / 4 - b / 4 <= 1);
      }
  CHECK(attended == answer.tokens->partPairs[2]);
  CHECK(std::get<ValuesMark>(plot.mark).cuts == std::vector<Index>{4, 8, 12});
}

TEST_CASE("Cells are coloured by the first round that shows them") {
  Scene scene = hashingScene(ChoosingPicture::Matrices);
  scene.choosing.colors = GroupColors::Rounds;
  const ChoosingAnswer answer = answerOf(scene);
  const Prepared& prepared = *answer.tokens->prepared;
  const Plot plot = groupedMatrix(*answer.tokens, scene.choosing, false, {});
  for (Index i = 0; i < 16; ++i)
    for (Index j = 0; j < 16; ++j) {
      float first = 0;
      for (std::size_t r = 3; r-- > 0;)
        if (prepared.contains(r, i, j))
          first = static_cast<float>(r + 1);
      CHECK(valuesOf(plot)(i, j) == first);
    }
}

TEST_CASE("Captured mass and recall of every round are those of the metrics") {
  const Scene scene = hashingScene(ChoosingPicture::Captured);
  const auto input = inputOf(scene);
  std::vector<std::size_t> parts;
  const ChoosingQuestion question = groupsQuestion(scene, squareLengths(16));
  const CapturedCurves curves =
      capturedCurves(question, scene.choosing, {input, 0, 0},
                     [&](const CapturedCurves& part) { parts.push_back(part.points.size()); });
  CHECK(parts == std::vector<std::size_t>{1, 2, 3, 4}); // one by one
  CHECK(curves.counts == std::vector<Index>{1, 2, 3, 4});
  CHECK(curves.current == 3);
  const PatternData data = inputData(*input, 0, 0, 16);
  for (const CapturedPoint& point : curves.points) {
    Lsh lsh = smallLsh();
    lsh.rounds = point.count;
    const auto prepared = prepare(lsh, squareLengths(16), data);
    const auto x = data.q->view();
    CHECK(point.mass == Approx(capturedMass<double>(prepared, x, x, Base::Full).mean));
    CHECK(point.pairs == prepared->pairs());
    CHECK(point.share == Approx(static_cast<double>(point.pairs) / 256));
    const auto largest = largestKeys({data.q, data.q}, {true, KeyNorm::Rms}, Base::Full, 3,
                                     {Scoring(), /*excludeSelf=*/true});
    CHECK(point.recall == Approx(recallOf(*prepared, *largest)));
  }
}

TEST_CASE("If all weights are equal random keys capture as much as the groups do") {
  const auto self = GENERATE(Lsh::Self::Allow, Lsh::Self::Exclude, Lsh::Self::Fallback);
  const bool causal = GENERATE(false, true);
  Lsh lsh = smallLsh();
  lsh.self = self;
  lsh.causal = causal;
  for (const Pattern& pattern : {Pattern(lsh), Pattern(cluster())}) {
    const Scene scene = hashingScene(ChoosingPicture::Captured, pattern, 24);
    auto input = std::make_shared<Input>(*inputOf(scene));
    input->modifiers.scale = 0;
    const CapturedCurves curves =
        capturedCurves(groupsQuestion(scene, squareLengths(24)), scene.choosing, {input, 0, 0});
    for (const CapturedPoint& point : curves.points)
      CHECK(point.random == Approx(point.mass));
    CHECK(curves.others == (curves.ownMass > 0));
    if (curves.others && !causal)
      CHECK(curves.ownMass == Approx(1.0 / 24));
  }
}

// A token without keys attends to itself by fallback, and loses that when a round brings another
// key: the law does not hold for fallback.
TEST_CASE(
    "Captured mass grows with rounds of one seed where the self rule does not depend on them") {
  const auto self = GENERATE(Lsh::Self::Allow, Lsh::Self::Exclude, Lsh::Self::FirstOnly);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Lsh lsh = smallLsh();
    lsh.self = self;
    lsh.seed = seed;
    const ChoosingAnswer answer = answerOf(hashingScene(ChoosingPicture::Captured, lsh, 24));
    const auto& points = answer.curves->points;
    REQUIRE(points.size() == 4);
    for (std::size_t k = 1; k < points.size(); ++k) {
      CHECK(points[k].mass >= points[k - 1].mass - 1e-12);
      CHECK(points[k].recall >= points[k - 1].recall - 1e-12);
      CHECK(points[k].pairs >= points[k - 1].pairs);
    }
  }
}

TEST_CASE("One cluster keeps everything and the reference cases keep what they say") {
  const Scene all = hashingScene(ChoosingPicture::Captured, cluster());
  const ChoosingAnswer answer = answerOf(all);
  CHECK(answer.curves->counts == std::vector<Index>{1, 2, 3, 4, 8, 16});
  CHECK(answer.curves->points.front().mass == Approx(1));
  CHECK(answer.curves->points.front().recall == 1);
  CHECK(answer.curves->points.front().share == 1);
  CHECK(answer.curves->at(3) != nullptr);
  CHECK(answer.curves->at(5) == nullptr);

  Cluster clusters;
  clusters.k = 3;
  clusters.seed = 2;
  Routing routes;
  routes.k = 4;
  routes.seed = 3;
  const std::vector<std::tuple<std::string, Pattern, double>> cases{
      {"cluster-n16", clusters, 0.796282400829173}, {"routing-n16", routes, 0.5691465390450642}};
  for (const auto& [name, pattern, mass] : cases) {
    INFO(name);
    Scene scene = hashingScene(ChoosingPicture::Captured, pattern);
    FileInput files;
    const std::string base = std::string(ATTENTION_TEST_DATA) + "/golden/open/" + name;
    files.q = base + ".Q.npy";
    files.k = base + ".K.npy";
    files.v = base + ".V.npy";
    scene.input.source = files;
    const ChoosingAnswer golden = answerOf(scene);
    const Index k = golden.curves->current;
    REQUIRE(golden.curves->at(k));
    CHECK(golden.curves->at(k)->mass == Approx(mass).epsilon(1e-12));
  }
}

TEST_CASE("Centroids are drawn as the pattern gives them") {
  const ChoosingAnswer answer = answerOf(hashingScene(ChoosingPicture::Matrices, cluster()));
  const auto plot = centroidsPlot(*answer.tokens);
  REQUIRE(plot);
  const Matrix<double>& centroids = answer.tokens->groups().centroids;
  float top = 0;
  for (Index c = 0; c < 3; ++c)
    for (Index d = 0; d < 4; ++d) {
      CHECK(valuesOf(*plot)(c, d) == static_cast<float>(centroids(c, d)));
      top = std::max(top, std::abs(valuesOf(*plot)(c, d)));
    }
  CHECK(std::get<ValuesMark>(plot->mark).top == top);
  CHECK_FALSE(centroidsPlot(*answerOf(hashingScene(ChoosingPicture::Matrices)).tokens));
}

TEST_CASE("Points on circles lie in the sectors of their buckets") {
  Scene scene = hashingScene(ChoosingPicture::Circle);
  scene.choosing.circle.draw = GENERATE(AngularDraw::Rotation, AngularDraw::Gaussian);
  const ChoosingAnswer answer = answerOf(scene);
  const CircleAnswer& circle = *answer.circle;
  REQUIRE(circle.rounds.size() == 3);
  CHECK(choosingPanels(scene.choosing, answer).size() == 4);
  for (std::size_t r = 0; r < 3; ++r) {
    const AngularRound& round = circle.rounds[r];
    const auto sectorOf = [&](double angle) {
      for (const Sector& sector : round.sectors)
        for (const double turned : {angle, angle + 2 * std::numbers::pi})
          if (turned >= sector.from && turned < sector.to)
            return sector.bucket;
      return Index{-1};
    };
    for (std::size_t p = 0; p < 2; ++p) {
      CHECK(sectorOf(circle.pairs[p].first) == round.bucket[2 * p]);
      CHECK(sectorOf(circle.pairs[p].second) == round.bucket[2 * p + 1]);
    }
    const Plot plot = circlePlot(circle, 0, r);
    const auto& mark = std::get<DiagramMark>(plot.mark);
    REQUIRE(mark.dots.size() == 2);
    const auto angle = angleUnder(circle, r, mark.dots[0].at);
    REQUIRE(angle);
    CHECK(std::remainder(*angle - circle.pairs[0].first, 2 * std::numbers::pi) ==
          Approx(0).margin(1e-9));
  }
  CHECK_FALSE(angleUnder(circle, 0, {0, 0}));
  ++scene.choosing.circle.redraws;
  CHECK(answerOf(scene).circle->rounds[0].sectors[0].from + circle.rounds[0].turn !=
        circle.rounds[0].sectors[0].from + answerOf(scene).circle->rounds[0].turn);
}

TEST_CASE("Choosing says why it cannot show something") {
  Scene scene = hashingScene(ChoosingPicture::Sorting, Strided{});
  CHECK(codeOf(scene) == ErrorCode::Unsupported);
  scene = hashingScene(ChoosingPicture::Sorting);
  scene.input.source = NoInput();
  scene.length.n = 16;
  CHECK(codeOf(scene) == ErrorCode::Type);
  scene = hashingScene(ChoosingPicture::Sorting, smallLsh(), kMostHashedTokens + 1);
  CHECK(codeOf(scene) == ErrorCode::Range);
  scene = hashingScene(ChoosingPicture::Sorting);
  scene.choosing.moment = 1.5;
  CHECK(codeOf(scene) == ErrorCode::Range);
  scene = hashingScene(ChoosingPicture::Captured);
  scene.choosing.recallKeys = 0;
  CHECK(codeOf(scene) == ErrorCode::Range);
  scene = hashingScene(ChoosingPicture::Circle);
  scene.choosing.circle.rounds = kMostCircles + 1;
  CHECK(codeOf(scene) == ErrorCode::Range);
  scene = hashingScene(ChoosingPicture::Circle);
  scene.choosing.circle.far = 200;
  CHECK(codeOf(scene) == ErrorCode::Range);
  Cluster given;
  given.labels = IndexList({0, 1, 0, 1});
  scene = hashingScene(ChoosingPicture::Sorting, given);
  scene.input.source = NoInput();
  scene.length.n = 4;
  CHECK(answerOf(scene).tokens->groups().count == 2); // labels need no input
  scene.choosing.picture = ChoosingPicture::Captured;
  CHECK(codeOf(scene) == ErrorCode::Unsupported); // but mass does
}

TEST_CASE("The data of every hashing picture are its numbers") {
  const TestFolder folder;
  for (const ChoosingPicture picture : kPictures) {
    const Scene scene = hashingScene(picture);
    const SceneFigureOptions options = optionsOf(scene);
    const ChoosingAnswer answer = answerOf(scene);
    writeSceneData(scene, options, folder / "a.csv");
    CHECK(textOf(folder / "a.csv") == sceneDataText(scene, options));
    CHECK(textOf(folder / "a.csv") == textOf(choosingTable(scene.choosing, answer)));
    writeSceneData(scene, options, folder / "a.npy");
    CHECK(readArrays(folder / "a.npy").arrays.size() == 1);
    CHECK_THROWS_AS(writeSceneData(scene, options, folder / "a.mtx"), Error);
  }
}

TEST_CASE("Tables of hashing name buckets, rounds and points") {
  const Scene scene = hashingScene(ChoosingPicture::Sorting);
  const ChoosingAnswer answer = answerOf(scene);
  const CsvTable sorted = choosingTable(scene.choosing, answer);
  CHECK(sorted.headings[3] == "query_bucket");
  REQUIRE(sorted.rows.size() == 3 * 16);
  const GroupedTokens& of = answer.tokens->groups().rounds[1].queries;
  CHECK(sorted.rows[16 + 5][3] == std::to_string(of.group[5]));
  CHECK(sorted.rows[16 + 5][4] == std::to_string(of.rank[5]));
  CHECK(sorted.rows[16 + 5][7] == std::to_string(of.rank[5] / 4));
  const Scene matrix = hashingScene(ChoosingPicture::Matrices);
  const CsvTable pairs = choosingTable(matrix.choosing, answerOf(matrix));
  CHECK(static_cast<Index>(pairs.rows.size()) == answer.tokens->pairs);
  const Scene circle = hashingScene(ChoosingPicture::Circle);
  CHECK(choosingTable(circle.choosing, answerOf(circle)).rows.size() == 3 * 2 * 2);
}
