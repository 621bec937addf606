// The Choosing view in the window.
#include "app/gui/files/command_flags.h"
#include "app/gui/files/command_text.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/results/pattern_offers.h"
#include "app/gui/results/view_stages.h"
#include "app/gui/views/choosing/choosing_view.h"
#include "app/gui/widgets/group_digits.h"
#include "core/pattern/mechanism/cluster.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/mechanism/routing.h"
#include "core/views/choosing/chosen_keys.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace attention::gui {
namespace {

constexpr float kSecondsPerRedraw = 2;   // of the circle's play
constexpr float kSecondsPerQuery = 0.3F; // of the walk through queries

// The report of hashing with its buckets and orders.
std::string commandOf(const CommandScene& shown) {
  const Scene& scene = shown.scene;
  const bool circle = scene.choosing.picture == ChoosingPicture::Circle;
  if (circle || !scene.pattern.is<Lsh>() || !isPlain(scene.pattern) || !shown.hasInput() ||
      shown.isCut() || shown.input->modifiers != ScoreModifiers() ||
      scene.choosing.picture == ChoosingPicture::Captured)
    return tableText(scene);
  return "attnx lsh" + inputText(scene.input) + flagsOf(scene.pattern) +
         numberFlag("recall-keys", scene.choosing.recallKeys, ChoosingSpec().recallKeys);
}

// For the points of the circle.
std::string circleText(const CircleSpec& spec) {
  return groupDigits(spec.rounds) + (spec.rounds == 1 ? " round" : " rounds") + " · seed " +
         groupDigits(static_cast<std::uint64_t>(spec.seed) +
                     static_cast<std::uint64_t>(spec.redraws));
}

// For pictures of groups, which measure by the pattern's `causal`, like its facts.
std::string sizesOf(const PanelContext& c) {
  if (c.scene.choosing.picture == ChoosingPicture::Circle)
    return circleText(c.scene.choosing.circle);
  if (!readsPattern(c.scene))
    return "n " + groupDigits(c.results.lengths.keys);
  const ChoosingResults& choosing = c.results.part<ChoosingResults>();
  const auto grouped = groupedPairs(choosing.tokens.value.get(), choosing.curves.value.get());
  if (!choosing.groups || !grouped || choosing.problem)
    return pairsText(c);
  return "n " + groupDigits(c.results.lengths.keys) + countedPairs(grouped->pairs) + grouped->share;
}

bool isCircle(const Scene& scene) {
  return scene.choosing.picture == ChoosingPicture::Circle;
}

bool isSorting(const Scene& scene) {
  return scene.choosing.picture == ChoosingPicture::Sorting;
}

// Whether a query, or a step of a cache, is shown in detail.
bool walks(const Scene& scene) {
  return scene.choosing.picture == ChoosingPicture::Scores ||
         scene.choosing.picture == ChoosingPicture::Cache;
}

// The picture that shows what the pattern does.
void openWithPicture(Scene& scene) {
  if (!hasGroups(scene))
    scene.choosing.picture = pictureFor(scene.pattern);
}

// Where patterns that the picture suits are offered, their masks.
Scene sceneToExport(const Workbench& bench) {
  Scene scene = bench.document.scene();
  const Results& results = bench.engine.results();
  if (!results.part<ChoosingResults>().offers)
    return scene;
  const PatternOffers offers = makeOffers(offersKey(scene, bench.ui.recentPatterns, results));
  return suitedScene(std::move(scene), offers);
}

// Sorts on for `seconds` of a play; it ends when all tokens are sorted.
void flyOn(Workbench& bench, float seconds) {
  constexpr double kSecondsOfAll = 6;
  const double moment = bench.document.scene().choosing.moment;
  const double next = std::min(1.0, moment + static_cast<double>(seconds) / kSecondsOfAll);
  if (!(next < 1))
    bench.playing = false;
  bench.document.apply({"sorting", [next](Scene& s) { s.choosing.moment = next; }, kPlayed});
}

// One more group of tokens is sorted (one fewer where negative).
void stepSorting(Workbench& bench, int step) {
  constexpr double kSlack = 1e-9;
  const auto& sorting = bench.engine.results().part<ChoosingResults>().sorting;
  if (!sorting)
    return;
  const double moment = bench.document.scene().choosing.moment;
  double next = step > 0 ? 1 : 0;
  for (const double at : sortingSteps(sorting->tokens->groups(), sorting->round)) {
    if (step > 0 && at > moment + kSlack)
      next = std::min(next, at);
    if (step < 0 && at < moment - kSlack)
      next = std::max(next, at);
  }
  bench.playing = false;
  bench.document.apply({"sorting", [next](Scene& s) { s.choosing.moment = next; }});
}

// New rounds of the circle: the next seed. Redraws of one `gesture` are one undo step.
void redrawCircle(Workbench& bench, const std::string& gesture = {}) {
  if (bench.document.scene().choosing.circle.redraws >= kMostRedraws) { // the view says so
    bench.playing = false;
    return;
  }
  bench.document.apply({"redraw", [](Scene& s) { ++s.choosing.circle.redraws; }, gesture});
}

// A new hash, or new starting centroids: the next seed of the Scene's pattern.
void redrawGroups(Workbench& bench) {
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  bench.document.apply({"new seed", [](Scene& s) {
                          const auto next = [](auto& of) { of.seed += of.seed < kLast ? 1 : 0; };
                          if (auto* lsh = s.pattern.as<Lsh>())
                            next(*lsh);
                          if (auto* cluster = s.pattern.as<Cluster>())
                            next(*cluster);
                          if (auto* routing = s.pattern.as<Routing>())
                            next(*routing);
                        }});
}

// To the query before or after; those that choose together are one step. False at the end.
bool walkOn(Workbench& bench, int by) {
  const auto& chosen = bench.engine.results().part<ChoosingResults>().chosen;
  if (!chosen)
    return false;
  const Scene& scene = bench.document.scene();
  const Index n = chosen->n();
  const Index from = choosingQuery(scene, n);
  const Index block = chosen->isCache() ? 1 : chosen->choice().queryBlock;
  Pins pins = scene.pins;
  pins.query = std::clamp<Index>(from + by * block, 0, n - 1);
  bench.document.setPins(pins, "walk");
  return *pins.query != from;
}

bool playOn(Workbench& bench, float step) {
  if (walks(bench.document.scene())) {
    if (!walkOn(bench, 1))
      bench.playing = false;
    return true;
  }
  if (isCircle(bench.document.scene()))
    redrawCircle(bench, "redraws");
  else
    flyOn(bench, step);
  return true;
}

bool hasSteps(const Scene& scene) {
  return isSorting(scene) || walks(scene);
}

void stepOn(Workbench& bench, int by) {
  if (isSorting(bench.document.scene()))
    stepSorting(bench, by);
  else if (walks(bench.document.scene()))
    walkOn(bench, by);
}

bool showsCircle(const Workbench& b) {
  return isCircle(b.document.scene());
}

// A walk begins at the first query if it is at the last.
void beginWalk(Workbench& bench) {
  const auto& chosen = bench.engine.results().part<ChoosingResults>().chosen;
  const Scene& scene = bench.document.scene();
  if (!chosen || choosingQuery(scene, chosen->n()) < chosen->n() - 1)
    return;
  Pins pins = scene.pins;
  pins.query = 0;
  bench.document.setPins(pins, "walk");
}

// A play starts over once all tokens are sorted.
void toggleSorting(Workbench& bench) {
  bench.playing = !bench.playing;
  if (walks(bench.document.scene())) {
    if (bench.playing)
      beginWalk(bench);
    return;
  }
  if (bench.playing && !showsCircle(bench) && bench.document.scene().choosing.moment >= 1)
    bench.document.apply({"sorting", [](Scene& s) { s.choosing.moment = 0; }, kPlayed});
}

void addWalk(ActionTable& table) {
  const auto walking = [](const Workbench& b) {
    return shows(View::Choosing)(b) && walks(b.document.scene());
  };
  table.add(yielding({"choosing.query.back",
                      "View",
                      "Choice of the previous query",
                      "What the previous query chose from, or the previous step of the cache",
                      {{Key::Up}},
                      [](Workbench& b) { walkOn(b, -1); },
                      walking}));
  table.add(yielding({"choosing.query.forward",
                      "View",
                      "Choice of the next query",
                      "What the next query chose from, or the next step of the cache",
                      {{Key::Down}},
                      [](Workbench& b) { walkOn(b, 1); },
                      walking}));
}

void addActions(ActionTable& table) {
  const auto sorts = [](const Workbench& b) {
    return shows(View::Choosing)(b) && isSorting(b.document.scene());
  };
  const auto plays = [sorts](const Workbench& b) {
    return sorts(b) || (shows(View::Choosing)(b) && (showsCircle(b) || walks(b.document.scene())));
  };
  const auto redraws = [](const Workbench& b) {
    return shows(View::Choosing)(b) && (showsCircle(b) || groupsBySeed(b.document.scene().pattern));
  };
  table.add({"choosing.redraw",
             "View",
             "Rehash",
             "Use the next seed for the hash, the starting centroids or the circle",
             {{static_cast<Key>('R')}},
             [](Workbench& b) { showsCircle(b) ? redrawCircle(b) : redrawGroups(b); },
             redraws,
             {},
             true});
  table.add(yielding({"choosing.play",
                      "View",
                      "Play the choice",
                      "Walk from query to query; sort the tokens, one group after another; on the "
                      "circle, draw new "
                      "rounds every two seconds",
                      {{Key::Space}},
                      toggleSorting,
                      plays,
                      [](const Workbench& b) { return b.playing; }}));
  table.add(yielding({"choosing.back",
                      "View",
                      "Previous group",
                      "One fewer group of tokens is sorted",
                      {{Key::Left}},
                      [](Workbench& b) { stepSorting(b, -1); },
                      sorts}));
  table.add(yielding({"choosing.forward",
                      "View",
                      "Next group",
                      "One more group of tokens is sorted",
                      {{Key::Right}},
                      [](Workbench& b) { stepSorting(b, 1); },
                      sorts}));
  addWalk(table);
}

} // namespace

WindowView choosingWindow() {
  return {.view = View::Choosing,
          .label = "Choosing",
          .action = "view.choosing",
          .tooltip = "What queries choose by score, what caches keep, tokens sorted by bucket",
          .key = Key::Digit5,
          .leastHeight = 360,
          .leastHeightNarrow = 650,
          .stages = choosingStages,
          .pane = choosingPane,
          .options = drawChoosingOptions,
          .facts = drawChoosingFacts,
          .sizes = sizesOf,
          .source = choosingSource,
          .command = commandOf,
          .prepareToOpen = openWithPicture,
          .sceneToExport = sceneToExport,
          .play = {always,
                   [](const Scene& scene) {
                     return isCircle(scene) ? kSecondsPerRedraw
                                            : (walks(scene) ? kSecondsPerQuery : 0);
                   },
                   playOn},
          .hasSteps = hasSteps,
          .step = stepOn,
          .addActions = addActions};
}

} // namespace attention::gui
