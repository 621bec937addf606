// Everything that Attention and Choosing show of inputs that can be computed by hand.
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/lsh.h"
#include "tests/app/gui/shown_things.h"

#include <array>

namespace attention::gui {
namespace {

// Weights of four tokens; rows sum to 1, and row 1 looks ahead.
const std::vector<double> kWeights{0.4, 0.3, 0.2, 0.1, 0.1, 0.5, 0.4, 0,
                                   0.2, 0.2, 0.6, 0,   0.1, 0.2, 0.3, 0.4};

Scene weightsScene(const TemporaryFolder& folder) {
  writeNpy<double>(folder / "w.npy", std::array<Index, 2>{4, 4}, std::span<const double>(kWeights));
  Scene scene = smallScene();
  scene.view = View::Attention;
  FileInput files;
  files.attention = (folder / "w.npy").string();
  scene.input.source = files;
  scene.length = {};
  scene.pattern = Local{2, true};
  scene.pins = {3, 2};
  return scene;
}

TEST_CASE("The input's card says when rows of weights do not sum to 1", "[shown]") {
  const TemporaryFolder folder;
  const Scene scene = weightsScene(folder);
  CHECK_FALSE(TestWindow(scene).says("sums to"));
  std::vector<double> odd = kWeights;
  odd[9] = 0.5; // 0.2 0.5 0.6 0
  writeNpy<double>(folder / "w.npy", std::array<Index, 2>{4, 4}, std::span<const double>(odd));
  TestWindow window(scene);
  CHECK(window.says("Row 2 in " + (folder / "w.npy").string() +
                    " sums to 1.3, not 1; each row is divided by the sum of the weights that the "
                    "pattern keeps."));
  odd[9] = -0.5;
  writeNpy<double>(folder / "w.npy", std::array<Index, 2>{4, 4}, std::span<const double>(odd));
  TestWindow negative(scene);
  CHECK(negative.says("holds -0.5 at (2, 1); weights must not be negative"));
}

TEST_CASE("Attention shows these facts of four rows of weights and no others", "[shown]") {
  const TemporaryFolder folder;
  TestWindow window(weightsScene(folder));
  // Cut to j ≤ i the rows are 1 | 1/6 5/6 | 0.2 0.2 0.6 | 0.1 0.2 0.3 0.4; two keys keep 1, 1, 0.8
  // and 0.7 of them. Entropies 0, 0.451, 0.950, 1.280 become 0, 0.451, 0.562, 0.683.
  CHECK(wordsIn(window, "Inspector") ==
        Words{"Query 3",
              "on key 2",
              "weight, causal: 0.3",
              "weight, pattern: 0.429",
              "difference: +0.129",
              "captured mass: 0.7",
              "entropy: 1.28 → 0.683",
              "largest weights → through the pattern",
              "✓ 3: 0.4 → 0.571",
              "✓ 2: 0.3 → 0.429",
              "✗ 1: 0.2 → 0",
              "✗ 0: 0.1 → 0",
              "Read this",
              "With 70.0 % of the pairs the pattern keeps 87.5 % of the attention. Query 3 loses "
              "the most: 70.0 % is kept.",
              "Against causal attention",
              "captured mass, mean: 0.875",
              "   lowest: 0.7 at 3",
              "entropy, causal: 0.67 nats",
              "   lowest: 0 at 0",
              "   highest: 1.28 at 3",
              "entropy, pattern: 0.424 nats",
              "   lowest: 0 at 0",
              "   highest: 0.683 at 3",
              "The input has attention weights but no values: they are cut to the pattern and "
              "normalised again, and the output error is unknown."});
  CHECK(wordsIn(window, "View") ==
        Words{"Causal attention, and the same through the pattern “Local”",
              "Map 1: queries 0–4, keys 0–4", "dense: causal attention",
              "Map 2: queries 0–4, keys 0–4", "the pattern", "Map 3: queries 0–4, keys 0–4",
              "pattern − dense", "Curve 1: queries 0–4, keys 0–4", "captured mass",
              "Curve 2: queries 0–4, keys 0–4", "entropy, nats",
              "Captured mass 0.875 on average, lowest 0.7 at query 3, against causal attention. "
              "Bars above each matrix show the share of all attention that each key receives. The "
              "input has weights but no values, so the output error is unknown.",
              "scroll zooms · drag pans · click pins a query, Shift+click a key · F fits · N / P: "
              "next / previous head"});
  CHECK(countsOf(window) == "n 4 · 7 pairs · 70.0 % of causal");
  checkBoxes(window, {{"Map 1", {346, 156, 699, 456}},
                      {"Map 2", {721, 156, 1074, 456}},
                      {"Map 3", {346, 493, 699, 794}},
                      {"Curve 1", {721, 493, 1074, 615}},
                      {"Curve 2", {721, 640, 1074, 794}}});
}

// Queries and keys of zeros, so that all weights of a row are equal; values are 1, 2, 3, 4.
Scene equalScene(const TemporaryFolder& folder) {
  Scene scene = weightsScene(folder);
  const std::vector<double> zeros(8, 0.0);
  const std::vector<double> values{1, 2, 3, 4};
  writeNpy<double>(folder / "z.npy", std::array<Index, 2>{4, 2}, std::span<const double>(zeros));
  writeNpy<double>(folder / "v.npy", std::array<Index, 2>{4, 1}, std::span<const double>(values));
  FileInput files;
  files.qk = (folder / "z.npy").string();
  files.v = (folder / "v.npy").string();
  scene.input.source = files;
  return scene;
}

TEST_CASE("Attention says how far outputs are from those of dense attention", "[shown]") {
  const TemporaryFolder folder;
  TestWindow window(equalScene(folder));
  // Of 1, 2, 3, 4 equal keys two keep 1, 1, 2/3, 1/2. Outputs 1, 1.5, 2, 2.5 become
  // 1, 1.5, 2.5, 3.5: 0, 0, 0.25 and 0.4 away, together √1.25 / √13.5 = 0.304.
  CHECK(wordsIn(window, "Inspector") ==
        Words{"Query 3",
              "on key 2",
              "weight, causal: 0.25",
              "weight, pattern: 0.5",
              "difference: +0.25",
              "captured mass: 0.5",
              "output error: 0.4",
              "entropy: 1.39 → 0.693",
              "largest weights → through the pattern",
              "✗ 0: 0.25 → 0",
              "✗ 1: 0.25 → 0",
              "✓ 2: 0.25 → 0.5",
              "✓ 3: 0.25 → 0.5",
              "Read this",
              "With 70.0 % of the pairs the pattern keeps 79.2 % of the attention. Query 3 loses "
              "the most: 50.0 % is kept.",
              "Against causal attention",
              "captured mass, mean: 0.792",
              "   lowest: 0.5 at 3",
              "output error: 0.304",
              "   mean of queries: 0.163",
              "   lowest: 0 at 0",
              "   highest: 0.4 at 3",
              "entropy, causal: 0.795 nats",
              "   lowest: 0 at 0",
              "   highest: 1.39 at 3",
              "entropy, pattern: 0.52 nats",
              "   lowest: 0 at 0",
              "   highest: 0.693 at 1"});
}

TEST_CASE("All heads shows these facts of two heads and no others", "[shown]") {
  const TemporaryFolder folder;
  Scene scene = weightsScene(folder);
  std::vector<double> both = kWeights;
  for (int cell = 0; cell < 16; ++cell)
    both.push_back(cell % 5 == 0 ? 1 : 0); // head 1 attends to its own token
  writeNpy<double>(folder / "w.npy", std::array<Index, 3>{2, 4, 4}, std::span<const double>(both));
  scene.attention.picture = AttentionPicture::Heads;
  TestWindow window(scene);
  CHECK(wordsIn(window, "Inspector") ==
        Words{"Read this",
              "The pattern keeps most of head 1 (100.0 %) and least of head 0 (87.5 %).",
              "2 of 2 heads", "captured mass, mean: 0.938", "   lowest: 0.875 · head 0",
              "   highest: 1 · head 1", "entropy, lowest: 0 · head 1",
              "entropy, highest: 0.67 · head 0"});
  CHECK(wordsIn(window, "View") ==
        Words{"Causal attention of every head", "Heads: 2 heads",
              "Each head has its own colour scale, on which weights near zero fade into the "
              "background; the number below is the share of causal attention that the pattern "
              "keeps.",
              "click a head to open it · N / P: next / previous head"});
}

// Eight tokens near the four axes, by turns: two of each.
Scene hashedScene(const TemporaryFolder& folder, ChoosingPicture picture) {
  const std::vector<double> x{1, 0.1,  0.2, 1,   -1,   0.3,  0.1,  -1,
                              1, -0.2, 0.3, 0.9, -0.9, -0.2, -0.2, -1.1};
  writeNpy<double>(folder / "x.npy", std::array<Index, 2>{8, 2}, std::span<const double>(x));
  Scene scene = smallScene();
  scene.view = View::Choosing;
  FileInput files;
  files.qk = files.v = (folder / "x.npy").string();
  scene.input.source = files;
  scene.length = {};
  Lsh lsh;
  lsh.buckets = {4};
  lsh.rounds = 2;
  lsh.chunk = 4;
  lsh.rotations = MatrixSource{"", {2, 2, 2}, {1, 0, 0, 1, 0.8, 0.6, -0.6, 0.8}};
  scene.pattern = lsh;
  scene.choosing.picture = picture;
  return scene;
}

TEST_CASE("Choosing shows these facts of eight tokens in two rounds and no others", "[shown]") {
  const TemporaryFolder folder;
  TestWindow window(hashedScene(folder, ChoosingPicture::Sorting));
  // Round 0 finds 04 15 26 37; round 1, turned by 37°, 04 15 2 367: 8 and 6 + 4 pairs, of which 2
  // · 2 and 4 are new.
  CHECK(wordsIn(window, "Inspector") ==
        Words{"Token",
              "Point at a token to see its bucket, its place and its keys; a click pins it.",
              "Round 0", "buckets with tokens: 4 of 4", "queries per bucket: 2 … 2",
              "chunks: 2, 4 tokens each", "pairs: 12  18.8 % of full", "   of round 0: 8",
              "   of round 1: 10", "captured mass: 0.319", "recall of 10: 0.214", "Read this",
              "Every bucket holds 2 of 8 tokens. The rounds have 18 pairs in total, 12 of them "
              "distinct."});
  CHECK(
      wordsIn(window, "View") ==
      Words{"Tokens sorted by bucket: LSH (Reformer), 4 buckets, 2 rounds, chunk 4, rotations "
            "given",
            "Token strip: round 0, moment 1.00",
            "Plot 1: Tokens sorted by bucket: LSH (Reformer), 4 buckets, 2 rounds, chunk 4, "
            "rotations given",
            "original order",
            "Plot 2: Tokens sorted by bucket: LSH (Reformer), 4 buckets, 2 rounds, chunk 4, "
            "rotations given",
            "sorted by bucket, round 0", "small captured: 2 of 2 points",
            "what is kept of attention",
            "8 tokens in 4 buckets of 2 tokens, round 0 of 2; each chunk of 4 sees itself and the "
            "one before."});
  CHECK(countsOf(window) == "n 8 · 12 pairs · 18.8 % of full");
  checkBoxes(window, {{"Token strip", {346, 134, 1074, 439}},
                      {"Plot 1", {346, 523, 528, 705}},
                      {"Plot 2", {554, 523, 736, 705}},
                      {"small captured", {762, 523, 1074, 832}}});
}

TEST_CASE("Choosing shows these facts of a token and of the other round", "[shown]") {
  const TemporaryFolder folder;
  Scene scene = hashedScene(folder, ChoosingPicture::Sorting);
  scene.choosing.round = 1;
  scene.pins.query = 6;
  TestWindow window(scene);
  // In the orders 0 4 1 5 | 2 6 3 7 and 0 4 1 5 | 2 3 6 7; it attends to 2, 3 and 7.
  CHECK(wordsIn(window, "Inspector") ==
        Words{"Token 6", "round 0: bucket 2, place 5, chunk 1",
              "round 1: bucket 3, place 6, chunk 1", "keys: 3", "Round 1",
              "buckets with tokens: 4 of 4", "queries per bucket: 1 … 3",
              "chunks: 2, 4 tokens each", "pairs: 12  18.8 % of full", "   of round 0: 8",
              "   of round 1: 10", "captured mass: 0.319", "recall of 10: 0.214", "Read this",
              "The fullest is bucket 3: it holds 3 of 8 tokens, 1.5 times the mean. The rounds "
              "have 18 pairs in total, 12 of them distinct."});
}

TEST_CASE("Choosing says how often chunk borders cut through the shown round's buckets",
          "[shown]") {
  const TemporaryFolder folder;
  Scene scene = hashedScene(folder, ChoosingPicture::Sorting);
  Lsh lsh = *scene.pattern.as<Lsh>();
  lsh.chunk = 3;
  scene.pattern = lsh;
  TestWindow first(scene); // 0 4 1 | 5 2 6 | 3 7
  CHECK(first.says("Chunk borders cut through a bucket at 1 place. Chunks also look back"));
  scene.choosing.round = 1;
  TestWindow second(scene); // 0 4 1 | 5 2 3 | 6 7
  CHECK(second.says("Chunk borders cut through a bucket at 2 places. Chunks also look back"));
}

TEST_CASE("Captured shows these facts of one round and two", "[shown]") {
  const TemporaryFolder folder;
  Scene scene = hashedScene(folder, ChoosingPicture::Captured);
  scene.choosing.most = 2;
  scene.choosing.recallKeys = 1;
  TestWindow window(scene);
  // softmax(xᵢ·xⱼ / |xⱼ|) keeps 0.2537 in round 0 and 0.3189 in both, and has 0.2680 on the
  // diagonal; as many of the 7 others by chance keep 0.1567. All tokens attend to their closest
  // other.
  CHECK(wordsIn(window, "Inspector") ==
        Words{"2 rounds", "captured mass: 0.319", "recall: 1", "pairs: 12  18.8 % of full",
              "at random: 0.157", "Read this",
              "With 18.8 % of the pairs, 2 rounds keep 31.9 % of attention: 2 times what the same "
              "number of other keys, chosen at random, would keep. Each query's own key, 26.8 % of "
              "attention on average, is left out of both. From 1 round to 2 rounds the captured "
              "mass goes from 25.4 % to 31.9 % and the pairs from 12.5 % to 18.8 %."});
  CHECK(wordsIn(window, "View") ==
        Words{"What hashing keeps of attention, round by round", "Plot 1: 2 of 2 points",
              "Of full attention, mean over 8 queries; dotted: what the same number of other keys, "
              "chosen at random, would capture. Each query's own key, which holds 26.8 % of it on "
              "average, is left out where there are others. Fewer rounds are the first of many."});
}

TEST_CASE("Circle shows these facts of two pairs of points and no others", "[shown]") {
  Scene scene = smallScene();
  scene.view = View::Choosing;
  scene.choosing.picture = ChoosingPicture::Circle;
  scene.choosing.circle.rounds = 4;
  TestWindow window(scene);
  // Quarters hold both points of 20° with 1 − 20 / 90, and in one of four rounds with 1 − (20 /
  // 90)⁴.
  CHECK(wordsIn(window, "Inspector") ==
        Words{"Two pairs of points", "far, 100° apart: 0 of 4", "   expected per round: 0.0 %",
              "near, 20° apart: 4 of 4", "   expected per round: 77.8 %", "Read this",
              "Points 100° apart share a bucket in 0.0 % of rounds; in 4 rounds they share one at "
              "least once with probability 0.0 %. Points 20° apart share a bucket in 77.8 % of "
              "rounds; in 4 rounds they share one at least once with probability 99.8 %."});
  const std::string title = "Near points share a bucket more often than far ones";
  Words shown{title};
  for (int round = 0; round < 4; ++round) {
    shown.push_back("Plot " + std::to_string(2 * round + 1) + ": " + title);
    shown.push_back("Plot " + std::to_string(2 * round + 2) + ": " + title);
    shown.push_back("round " + std::to_string(round));
  }
  shown.insert(shown.end(),
               {"Plot 9: " + title, "how often in one bucket",
                "Each round turns both points by the same random angle; the buckets are the four "
                "quarters around the axes. Points at 100° and at 20°; the curves are counted over "
                "512 rounds."});
  CHECK(wordsIn(window, "View") == shown);
}

} // namespace
} // namespace attention::gui
