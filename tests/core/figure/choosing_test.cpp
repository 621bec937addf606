// The pictures of choices, caches and budgets: what they show is what the prepared pattern ranked
// and took, and what plain sums of softmax weights say that it keeps.
#include "core/export/figure_file.h"
#include "core/input/array_file.h"
#include "core/pattern/mechanism/all.h"
#include "core/scene/figures.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/views/choosing/choosing_figure.h"
#include "core/views/view_unit.h"
#include "tests/catch.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/scene_input.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attention;

namespace {

Scene choosingScene(ChoosingPicture picture, const Pattern& pattern, Index n = 24) {
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
  return scene;
}

Moba smallMoba() {
  Moba moba;
  moba.blockSize = 4;
  moba.topK = 3;
  return moba;
}

Cache smallCache() {
  Cache cache;
  cache.prompt = 4;
  cache.heavy = 2;
  cache.recent = 3;
  return cache;
}

ChoosingAnswer answerOf(const Scene& scene) {
  const SceneFigureOptions options = optionsWithInput(scene);
  return choosingAnswer(scene, lengthsIn(scene, options), headIn(scene, options));
}

// Softmax weights of query i over keys 0 … end − 1.
std::vector<double> plainWeights(const PatternData& data, Index i, const std::vector<Index>& keys) {
  std::vector<double> weights;
  double sum = 0;
  for (const Index j : keys) {
    double dot = 0;
    for (Index c = 0; c < data.q->cols(); ++c)
      dot += (*data.q)(i, c) * (*data.k)(j, c);
    weights.push_back(std::exp(dot / std::sqrt(static_cast<double>(data.q->cols()))));
    sum += weights.back();
  }
  for (double& w : weights)
    w /= sum;
  return weights;
}

std::vector<double> plainWeights(const PatternData& data, Index i, Index end) {
  std::vector<Index> keys(static_cast<std::size_t>(end));
  std::iota(keys.begin(), keys.end(), Index{0});
  return plainWeights(data, i, keys);
}

bool says(const std::vector<std::string>& words, const std::string& part) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.find(part) != std::string::npos; });
}

} // namespace

TEST_CASE("Every pattern that chooses has the picture that suits it", "[choosing]") {
  for (const Pattern& pattern : allMechanisms()) {
    const ChoosingPicture picture = pictureFor(pattern);
    INFO(description(pattern).name);
    CHECK(suits(ChoosingPicture::Circle, pattern));
    CHECK(suits(ChoosingPicture::Budget, pattern) == (ranksKeys(pattern) || evictsKeys(pattern)));
    if (ranksKeys(pattern))
      CHECK(picture == ChoosingPicture::Scores);
    else if (evictsKeys(pattern))
      CHECK(picture == ChoosingPicture::Cache);
    else if (groupsTokens(pattern))
      CHECK(picture == ChoosingPicture::Sorting);
    else
      CHECK_FALSE(suits(picture, pattern));
    CHECK((budgetParameter(pattern) != nullptr) == suits(ChoosingPicture::Budget, pattern));
  }
}

TEST_CASE("The budget of a cache is that of its policy, and SpargeAttn's the share it is given",
          "[choosing]") {
  using Policy = Cache::Policy;
  Cache cache;
  for (const auto& [policy, name] : {std::pair(Policy::H2O, "heavy"),
                                     {Policy::Tova, "budget"},
                                     {Policy::SnapKv, "budget"},
                                     {Policy::Streaming, "recent"}}) {
    cache.policy = policy;
    CHECK(budgetParameter(cache)->name == name);
    CHECK(budgetParameter(cache)->visible(cache));
  }
  Sparge sparge;
  CHECK(budgetParameter(sparge)->name == "cdf");
  sparge.ratio = 0.5;
  CHECK(budgetParameter(sparge)->name == "ratio");
}

TEST_CASE("A row of MoBA has its own block, the best earlier ones and a cut", "[choosing]") {
  const ChoosingAnswer answer = answerOf(choosingScene(ChoosingPicture::Scores, smallMoba()));
  const ChosenKeys& of = *answer.chosen;
  CHECK(answer.query == 23);
  for (Index i = 0; i < 24; ++i) {
    const ChoiceRow row = choiceRow(of, i);
    REQUIRE(row.scores.size() == 6);
    CHECK(takenAs(row, Taken::Forced) == std::vector<Index>{i / 4});
    CHECK(row.ranked == i / 4);
    CHECK(row.chosen == std::min<Index>(2, i / 4));
    CHECK(row.keys == of.prepared->rowCount(i, 0, 24));
    CHECK(row.cut.has_value() == (row.chosen > 0));
    for (std::size_t c = 0; c < 6; ++c)
      if (row.cut && row.taken[c] == Taken::Ranked)
        CHECK(row.scores[c] <= *row.cut);
  }
  CHECK(std::accumulate(of.chosenBy.begin(), of.chosenBy.end(), Index{0}) == 4 + 4 * 2 * 4);
}

TEST_CASE("The cells of the scores are grey, chosen or forced as their blocks are", "[choosing]") {
  const ChoosingAnswer answer = answerOf(choosingScene(ChoosingPicture::Scores, smallMoba()));
  const ChosenKeys& of = *answer.chosen;
  REQUIRE(of.cells->rows() == 24);
  for (Index i = 0; i < 24; ++i) {
    const ChoiceRow row = choiceRow(of, i);
    for (Index j = 0; j < 24; ++j) {
      const auto code = static_cast<int>((*of.cells)(i, j));
      const Taken taken = row.taken[static_cast<std::size_t>(j / 4)];
      // own has the first hue, routed the second
      CHECK(code == (taken == Taken::Never    ? 0
                     : taken == Taken::Ranked ? 1
                     : taken == Taken::Forced ? 2
                                              : 3));
    }
  }
  const std::vector<LegendEntry> legend = choiceLegend(of, FigureTheme::Light);
  REQUIRE(legend.size() == 3);
  CHECK(legend[0].label == "own block");
  CHECK(legend[2].label == "ranked, not chosen");
}

TEST_CASE("The title says what a query reads, the caption why", "[choosing]") {
  Scene scene = choosingScene(ChoosingPicture::Scores, smallMoba());
  scene.pins.query = 13;
  const ChoosingAnswer answer = answerOf(scene);
  CHECK(choosingTitle(scene.choosing, answer) == "MoBA: query 13 reads 3 of 4 blocks");
  const std::string caption = choosingCaption(scene.choosing, answer);
  INFO(caption);
  CHECK(caption.find("Query 13 always reads block 3. 3 other blocks are ranked by q·mean(k). "
                     "Chosen: the 2 largest, blocks ") == 0);
  CHECK(caption.find("Query 13 reads 10 of 14 keys.") != std::string::npos);
}

TEST_CASE("Long inputs show every m-th query and say so", "[choosing]") {
  TopK topk;
  topk.causal = true;
  Scene scene = choosingScene(ChoosingPicture::Scores, topk, 2100);
  const ChoosingAnswer answer = answerOf(scene);
  CHECK(answer.chosen->cells->rows() == kMostChosenCells);
  CHECK(choosingCaption(scene.choosing, answer).find("tokens, about one row in 3 is shown.") !=
        std::string::npos);
  // Column 512 of row 512 stands for keys 1050 and 1051 of query 1051.
  const auto code = static_cast<int>((*answer.chosen->cells)(512, 512));
  const bool attends = answer.chosen->prepared->rowCount(1051, 1050, 1052) > 0;
  CHECK((code > 1) == attends);
}

TEST_CASE("A cache at a step reads what the mask has there, with its weights", "[choosing]") {
  const ChoosingAnswer answer = answerOf(choosingScene(ChoosingPicture::Cache, smallCache()));
  const ChosenKeys& of = *answer.chosen;
  for (const Index step : {0, 3, 4, 9, 23}) {
    const CacheStep at = cacheStep(of, step);
    REQUIRE(at.weights.size() == at.keys.size());
    const std::vector<double> plain = plainWeights(of.data, step, at.keys);
    for (std::size_t t = 0; t < at.keys.size(); ++t) {
      CHECK(of.prepared->contains(at.parts[t], step, at.keys[t]));
      CHECK(at.weights[t] == Approx(plain[t]));
    }
    CHECK(static_cast<Index>(at.keys.size()) == of.prepared->rowCount(step, 0, 24));
    CHECK(static_cast<Index>(at.keys.size()) + at.evicted == step + 1);
  }
  for (Index j = 0; j < 24; ++j)
    for (Index i = 0; i < 24; ++i)
      CHECK(((*of.cells)(j, i) > 0) == of.prepared->contains(i, j));
  for (Index j = 0; j < 24; ++j)
    CHECK((fateOf(of, j) == "stays to the end") == (of.evictedAt[static_cast<std::size_t>(j)] < 0));
}

TEST_CASE("The bar of the first key, a sink, stands apart from the frame", "[choosing]") {
  const Scene scene = choosingScene(ChoosingPicture::Cache, smallCache());
  const auto panels = choosingPanels(scene.choosing, answerOf(scene));
  const NumberAxis& keys = std::get<CurvesMark>(panels.back().plots.front().mark).x;
  CHECK(keys.label == "key j");
  CHECK(shareOf(keys, -0.5) > 0.015);
  CHECK(shareOf(keys, 23.5) == Approx(1));
}

TEST_CASE("A streaming cache needs no input, and shows no weights then", "[choosing]") {
  Cache cache;
  cache.policy = Cache::Policy::Streaming;
  cache.sinks = 2;
  cache.recent = 4;
  Scene scene = choosingScene(ChoosingPicture::Cache, cache);
  scene.input = {};
  scene.length.n = 20;
  const ChoosingAnswer answer = answerOf(scene);
  CHECK(choosingPanels(scene.choosing, answer).size() == 1);
  CHECK(choosingCaption(scene.choosing, answer).find("there are no weights") != std::string::npos);
}

TEST_CASE("A budget keeps what plain weights say, beside the best and a window", "[choosing]") {
  TopK topk;
  topk.causal = true;
  topk.k = 3;
  topk.metric = TopK::Metric::Cosine;
  const BudgetCurves curves = *answerOf(choosingScene(ChoosingPicture::Budget, topk)).budget;
  CHECK(curves.parameter == "k");
  CHECK_FALSE(curves.blocks);
  CHECK(curves.values == std::vector<double>{1, 2, 3, 4, 8, 16, 24});
  REQUIRE(curves.points.size() == 7);
  const ChosenKeys of =
      *answerOf(choosingScene(ChoosingPicture::Scores, topk)).chosen; // with k = 3
  const BudgetPoint* own = curves.at(3);
  REQUIRE(own);
  double recall = 0;
  double best = 0;
  for (Index i = 0; i < 24; ++i) {
    std::vector<double> weights = plainWeights(of.data, i, i + 1);
    for (Index j = 0; j <= i; ++j)
      recall += of.prepared->contains(i, j) ? weights[static_cast<std::size_t>(j)] / 24 : 0;
    std::sort(weights.rbegin(), weights.rend());
    weights.resize(std::min<std::size_t>(weights.size(), 3));
    best += std::accumulate(weights.begin(), weights.end(), 0.0) / 24;
  }
  CHECK(own->pairs == 1 + 2 + 22 * 3);
  CHECK(own->recall == Approx(recall));
  CHECK(own->oracleKeys == Approx(best));
  for (const BudgetPoint& point : curves.points) {
    CHECK(point.recall <= point.oracleKeys + 1e-12);
    CHECK(point.oracleBlocks == Approx(point.oracleKeys));
    CHECK(point.window <= point.oracleKeys + 1e-9);
  }
  CHECK(curves.points.back().recall == Approx(1));
  CHECK(curves.points.back().window == Approx(1));
}

TEST_CASE("The caption says why the best blocks can keep more than the best keys", "[choosing]") {
  const std::string reason = "Where the best blocks lie above the best keys, they hold more keys";
  Scene scene = choosingScene(ChoosingPicture::Scores, smallMoba());
  std::get<RandomInput>(scene.input.source).parameters["sigma"] = {0.3}; // nearly equal weights
  const ChosenKeys of = *answerOf(scene).chosen;
  scene.choosing.picture = ChoosingPicture::Budget;
  const ChoosingAnswer answer = answerOf(scene);
  const BudgetPoint* one = answer.budget->at(1); // the own block alone, of 1 to 4 keys
  REQUIRE(one);
  double blocks = 0;
  double keys = 0;
  for (Index i = 0; i < 24; ++i) {
    std::vector<double> weights = plainWeights(of.data, i, i + 1);
    std::vector<double> masses(6);
    for (std::size_t j = 0; j < weights.size(); ++j)
      masses[j / 4] += weights[j];
    blocks += *std::max_element(masses.begin(), masses.end()) / 24;
    std::sort(weights.rbegin(), weights.rend());
    weights.resize(static_cast<std::size_t>(i % 4 + 1));
    keys += std::accumulate(weights.begin(), weights.end(), 0.0) / 24;
  }
  CHECK(one->oracleBlocks == Approx(blocks));
  CHECK(one->oracleKeys == Approx(keys));
  CHECK(one->oracleBlocks > one->oracleKeys);
  CHECK(choosingCaption(scene.choosing, answer).find(reason) != std::string::npos);
  TopK topk; // every key is a block of its own
  topk.causal = true;
  const Scene alone = choosingScene(ChoosingPicture::Budget, topk);
  CHECK(choosingCaption(alone.choosing, answerOf(alone)).find(reason) == std::string::npos);
}

TEST_CASE("Every mechanism that chooses has every picture, drawn and in numbers", "[choosing]") {
  const TestFolder folder;
  for (const Pattern& pattern : allMechanisms()) {
    for (const ChoosingPicture picture :
         {ChoosingPicture::Scores, ChoosingPicture::Cache, ChoosingPicture::Budget}) {
      if (!suits(picture, pattern))
        continue;
      Pattern small = pattern;
      for (const auto& [name, value] :
           {std::pair{"block_size", 4}, std::pair{"page_size", 4}, std::pair{"stride", 2},
            std::pair{"compress_block", 2}, std::pair{"compress_stride", 2},
            std::pair{"select_block", 4}, std::pair{"block_q", 4}, std::pair{"block_k", 4}})
        for (const Parameter& p : description(small).parameters)
          if (p.name == name)
            p.set(small, Value{Index{value}});
      const Scene scene = choosingScene(picture, small);
      const SceneFigureOptions options = optionsWithInput(scene);
      INFO(description(pattern).name << " " << static_cast<int>(picture));
      const Figure figure = figureOfScene(scene, options);
      CHECK_FALSE(figure.title.empty());
      CHECK_FALSE(figure.source.empty());
      CHECK(says(wordsOf(layout(figure, Size{900, 700}, kMeasure)), figure.title.substr(0, 8)));
      const std::string text = sceneDataText(scene, options);
      CHECK(std::count(text.begin(), text.end(), '\n') > 1);
      writeSceneData(scene, options, folder / "choice.npy");
      CHECK(std::filesystem::file_size(folder / "choice.npy") > 100);
    }
  }
}

TEST_CASE("The table of a choice has a line per pair of blocks", "[choosing]") {
  const ChoosingAnswer answer = answerOf(choosingScene(ChoosingPicture::Scores, smallMoba()));
  const CsvTable table = choiceTable(*answer.chosen, answer.look());
  CHECK(table.headings == std::vector<std::string>{"query_block", "key_block", "score", "taken"});
  CHECK(table.rows.size() == 4 * (1 + 2 + 3 + 4 + 5 + 6));
  Index forced = 0;
  for (const auto& row : table.rows)
    forced += row[3] == "forced" ? 1 : 0;
  CHECK(forced == 24);
  CHECK(table.rows.front() == std::vector<std::string>{"0", "0", "", "forced"});
}

TEST_CASE("A picture of choices refuses what it cannot show", "[choosing]") {
  const auto wrong = [](const Scene& scene) {
    try {
      answerOf(scene);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(wrong(choosingScene(ChoosingPicture::Scores, Strided{}))
            .find("the pattern is strided; it must be one of moba, ") == 0);
  CHECK(wrong(choosingScene(ChoosingPicture::Cache, smallMoba()))
            .find("the pattern is moba; it must be cache") == 0);
  Scene scene = choosingScene(ChoosingPicture::Scores, Dsa{});
  scene.length.queries = 4;
  CHECK(wrong(scene).find("the mask is 4 × 24; it must be square") != std::string::npos);
  scene = choosingScene(ChoosingPicture::Budget, Dsa{});
  scene.length.n = kMostBudgetTokens + 1;
  CHECK(wrong(scene).find("1 to 2048 tokens") != std::string::npos);
}

TEST_CASE("The view is read by its former name and written by its new one", "[choosing]") {
  CHECK(viewNamed("hashing") == View::Choosing);
  CHECK(viewNamed("choosing") == View::Choosing);
  CHECK_FALSE(viewNamed("hash"));
  const Scene scene = choosingScene(ChoosingPicture::Scores, smallMoba());
  auto json = toJson(scene);
  CHECK(json["view"] == "choosing");
  CHECK(json["choosing"]["picture"] == "scores");
  json["view"] = "hashing";
  json["about"] = "hashing";
  json["hashing"] = json["choosing"];
  json["hashing"]["round"] = 3;
  json.erase("choosing");
  const ReadScene read = sceneFromJson(nlohmann::json(json));
  CHECK(read.warnings.empty());
  CHECK(read.scene.view == View::Choosing);
  CHECK(read.scene.about == View::Choosing);
  CHECK(read.scene.choosing.picture == ChoosingPicture::Scores);
  CHECK(read.scene.choosing.round == 3);
}

// The captions of choices and of a time line say what the pictures of their inputs show.
TEST_CASE("Published choices and caches hold what their captions say") {
  const auto chosenIn = [](const char* name) {
    const Scene scene = findFigure(std::filesystem::path(ATTENTION_SOURCE_DIR) / "assets", name);
    const SceneFigureOptions options = optionsWithInput(scene);
    return *choosingAnswer(scene, lengthsIn(scene, options), headIn(scene, options)).chosen;
  };
  CHECK(chosenIn("dsa-2025").pairs == 129);
  const ChosenKeys line = chosenIn("h2o-2023-timeline");
  for (Index i = 6; i < 24; ++i) // 3 heavy, 3 recent, and the query's own
    CHECK(line.prepared->rowCount(i, 0, 24) == 7);
  for (Index i = 0; i < 6; ++i)
    CHECK(line.prepared->rowCount(i, 0, 24) == i + 1);
  CHECK(line.evictedAt[7] == -1);
  for (std::size_t j = 2; j < 7; ++j)
    CHECK((line.evictedAt[j] > 0 && line.evictedAt[j] <= 11));
}
