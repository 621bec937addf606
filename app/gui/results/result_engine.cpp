#include "app/gui/results/result_engine.h"

#include "app/gui/results/mask_reading.h"
#include "core/figure/scene_figure.h"
#include "core/scene/input_data.h"
#include "core/scene/token_labels.h"

#include <algorithm>

namespace attention::gui {
namespace {

// A job that makes a shared T from its key.
template <class T, class Key>
auto making(T (*make)(const Key&, const Run&), const Key& key) {
  return [make, key](const Run& run) { return std::make_shared<const T>(make(key, run)); };
}

// The masks of another Scene are not those of the present one, which come after its input.
void waitForInput(Latest<Masks>& masks) {
  masks.stale = masks.value != nullptr;
  masks.pending = true;
  masks.problem.reset();
}

// Without data.
MasksKey masksKey(const Scene& scene, const Lengths& lengths) {
  MasksKey key{scene.pattern, lengths, scene.mask.heads, scene.mask.panels};
  if (scene.view == View::Compare) {
    key = {{}, lengths, {}, {}};
    key.compare = CompareSpec();
    key.compare->patterns = scene.compare.patterns;
    key.compare->first = scene.compare.first;
    key.compare->second = scene.compare.second;
  }
  if (!key.panels.empty())
    key.pattern = Pattern();
  if (!key.panels.empty() || key.heads.shown == HeadsShown::One)
    key.heads = HeadsSpec();
  return key;
}

// Whether one of its patterns depends on the data.
bool readsData(const MasksKey& key) {
  const std::vector<Panel> panels = key.compare ? comparedOf(*key.compare) : key.panels;
  const auto reads = [](const Panel& panel) { return needsData(panel.pattern); };
  return panels.empty() ? needsData(key.pattern) : std::any_of(panels.begin(), panels.end(), reads);
}

// 'Read this' begins with the pinned query, where there is one: told at once, by few counts of one
// row. Long rows without a closed form keep the query that was chosen with the counts.
void readPinned(const Latest<Masks>& masks, std::optional<Index> query,
                Latest<MaskCounts>& counts) {
  constexpr Index kLongest = 4096;
  if (!query || !masks || masks.stale || !counts || counts.stale || counts->reading.empty() ||
      counts->rows.pairs == 0)
    return;
  const Prepared& prepared = *masks->tiles.front().prepared;
  const Lengths& lengths = prepared.lengths();
  if (*query < 0 || *query >= lengths.queries ||
      (!prepared.closedForm() && lengths.keys > kLongest))
    return;
  auto told = std::make_shared<MaskCounts>(*counts.value);
  told->reading.front() = readQuery(prepared, *query, told->base);
  counts.value = std::move(told);
}

} // namespace

const Results& ResultEngine::update(const Scene& scene, const Hover& hover, Deadline patience) {
  updateInput(scene.input, patience);
  const bool known = updateLengths(scene.length);
  if (known) {
    updateMasks(scene, patience);
    updateCounts(patience);
    if (scene.view == View::Mask)
      readPinned(results_.masks, scene.pins.query, results_.counts);
    updateAttention(scene, patience);
  } else {
    takeEndedOfMasks();
  }
  updateCell(scene, hover);
  updateTokens(scene.pins, hover, patience);
  updateReach(scene, known, patience);
  updateAttentionView(scene, hover, known, patience);
  updateKernels(scene, known, patience);
  updateHashing(scene, known, patience);
  updateTimings(scene, patience);
  updateEncodings(scene, patience);
  updateCompare(scene, known, patience);
  return results_;
}

void ResultEngine::retry() {
  // An input that failed, or its labels, may be there by now.
  if (results_.input.problem || (results_.input && !results_.input->tokensProblem.empty()))
    input_.drop();
  masks_.retry();
  counts_.retry();
  attention_.retry();
  metrics_.retry();
  tokens_.retry();
  reach_.retry();
  reachToken_.retry();
  reachHops_.retry();
  attentionView_.retry();
  kernels_.retry();
  hashing_.retry();
  timings_.retry();
  encodings_.retry();
  difference_.retry();
  scores_.retry();
}

// What is made of the input alone has it in its key; patterns may have masks and matrices of files,
// which no key tells apart.
void ResultEngine::reload() {
  input_.renew();
  masks_.renew();
  reach_.renew();
  scores_.renew();
  attentionView_.drop();
  kernels_.drop();
  hashing_.drop();
}

bool ResultEngine::pending() const {
  return input_.pending() || masks_.pending() || counts_.pending() || attention_.pending() ||
         metrics_.pending() || tokens_.pending() || reach_.pending() || reachToken_.pending() ||
         reachHops_.pending() || attentionView_.pending() || kernels_.pending() ||
         hashing_.pending() || timings_.pending() || encodings_.pending() ||
         difference_.pending() || scores_.pending();
}

void ResultEngine::updateInput(const InputSpec& spec, Deadline patience) {
  if (std::holds_alternative<NoInput>(spec.source)) {
    input_.drop();
    results_.input = {};
    return;
  }
  InputSpec key = spec; // layer and head are chosen later, from the same input
  key.batch = 0;
  key.head = 0;
  key.contentHash.clear();
  const auto make = [key, assetPath = assetPath_](const Run& run) {
    return loadInput(key, assetPath, run, Labels::Wanted); // better unnamed tokens than none
  };
  results_.input = input_.ask(pool_, "reading the input", key, make, patience);
  // Never a silent replacement: where the present input is not there, neither is the last one.
  if (results_.input.stale)
    results_.input.value = nullptr;
}

bool ResultEngine::updateLengths(const LengthSpec& spec) {
  const Input* input = results_.input.value.get();
  // While the input is being read its length is not known; the last one stays.
  if (!input && results_.input.pending && !spec.n) {
    masks_.takeEnded();
    waitForInput(results_.masks);
    return false;
  }
  const auto made = outcomeOf<Lengths>(
      [&](const Run&) { return std::make_shared<const Lengths>(currentLengths(spec, input)); }, {});
  results_.masks.problem = made.problem;
  if (!made.value) {
    takeEnded(masks_, results_.masks);
    results_.masks.stale = results_.masks.value != nullptr;
    return false;
  }
  results_.lengths = *made.value;
  results_.inputCovers = input && covers(*input, results_.lengths, spec.align);
  return true;
}

void ResultEngine::updateMasks(const Scene& scene, Deadline patience) {
  MasksKey key = masksKey(scene, results_.lengths);
  if (readsData(key)) {
    if (!results_.input && results_.input.pending)
      return waitForInput(results_.masks);
    key.input = results_.input.value;
    key.batch = scene.input.batch;
    key.head = scene.input.head;
  }
  results_.masks =
      masks_.ask(pool_, "preparing the pattern", key, making(makeMasks, key), patience);
}

void ResultEngine::takeEndedOfMasks() {
  takeEnded(counts_, results_.counts);
  takeEnded(attention_, results_.attention);
  takeEnded(metrics_, results_.metrics);
}

void ResultEngine::updateCounts(Deadline patience) {
  const Latest<Masks>& masks = results_.masks;
  if (!masks || masks.stale) {
    takeEndedOfMasks();
    results_.counts.stale = results_.counts.value != nullptr;
    return;
  }
  const Input* input = results_.input.value.get();
  const CountsKey key{masks.value, input ? input->d : 0, input ? input->dv : 0};
  results_.counts = counts_.ask(pool_, "counting pairs", key, making(makeCounts, key), patience);
}

void ResultEngine::updateAttention(const Scene& scene, Deadline patience) {
  if (!results_.inputCovers) {
    attention_.drop();
    metrics_.drop();
    results_.attention = {};
    results_.metrics = {};
    return;
  }
  if (!results_.masks || results_.masks.stale) {
    results_.attention.stale = results_.attention.value != nullptr;
    results_.metrics.stale = results_.metrics.value != nullptr;
    return;
  }
  const Index first = firstQueryRow(*results_.input, results_.masks->lengths, scene.length.align);
  const AttentionKey key{results_.masks.value, results_.input.value, scene.input.batch,
                         scene.input.head, first};
  results_.attention =
      attention_.ask(pool_, "attention", key, making(makeAttention, key), patience);
  results_.metrics.stale = results_.metrics.value != nullptr;
  if (!results_.attention || results_.attention.stale)
    return takeEnded(metrics_, results_.metrics);
  const MetricsKey metrics{results_.attention.value};
  results_.metrics =
      metrics_.ask(pool_, "metrics", metrics, making(makeMetrics, metrics), patience);
}

void ResultEngine::updateCell(const Scene& scene, const Hover& hover) {
  const std::optional<Index> query = hover.query ? hover.query : scene.pins.query;
  const std::optional<Index> key = hover.key ? hover.key : scene.pins.key;
  results_.cell.reset();
  results_.compared.clear();
  const Masks* masks = results_.masks.value.get();
  if (!masks || !query || !key || *query < 0 || *key < 0 || *query >= masks->lengths.queries ||
      *key >= masks->lengths.keys)
    return;
  const auto cellOf = [&](std::size_t mask, const HeadAttention* weights) {
    return outcomeOf<CellFacts>(
               [&](const Run&) {
                 return std::make_shared<const CellFacts>(
                     makeCell(*masks, mask, results_.input.value.get(), weights, *query, *key));
               },
               {})
        .value;
  };
  const bool known = results_.attention.value && !results_.attention.stale;
  if (const auto cell = cellOf(std::min(hover.mask, masks->tiles.size() - 1),
                               known ? results_.attention.value.get() : nullptr))
    results_.cell = *cell;
  if (scene.view != View::Compare || results_.masks.stale)
    return;
  for (std::size_t mask = 0; mask + 1 < masks->tiles.size(); ++mask) // the last is the difference
    if (const auto cell = cellOf(mask, nullptr))
      results_.compared.push_back(*cell);
}

void ResultEngine::updateTokens(const Pins& pins, const Hover& hover, Deadline patience) {
  const auto& masks = results_.masks.value;
  TokensKey key{masks, {}, {}};
  if (masks) {
    key.query = shownQuery(pins, hover, masks->lengths);
    key.key = shownKey(pins, masks->lengths);
  }
  if (key.query || key.key) {
    results_.tokens =
        tokens_.ask(pool_, "counting keys", key, making(makeTokenCounts, key), patience);
  } else {
    tokens_.drop();
    results_.tokens = {};
  }
}

void ResultEngine::updateReach(const Scene& scene, bool lengthsKnown, Deadline patience) {
  if (scene.view != View::Reach) {
    reach_.drop();
    reachToken_.drop();
    reachHops_.drop();
    results_.reach = {};
    results_.reachToken = {};
    results_.reachHops = {};
    return;
  }
  Outcome<ReachKey> key{nullptr, results_.masks.problem};
  if (lengthsKnown)
    key = outcomeOf<ReachKey>(
        [&](const Run&) {
          return std::make_shared<const ReachKey>(
              reachKey(scene, results_.lengths, results_.input.value));
        },
        {});
  const bool waits =
      key.value && readsData(key.value->question) && !results_.input && results_.input.pending;
  if (!key.value || waits) {
    reach_.stop();
    stopReachParts();
    results_.reach.stale = results_.reach.value != nullptr;
    results_.reach.pending = waits || (!lengthsKnown && !key.problem);
    results_.reach.problem = key.problem;
    return;
  }
  results_.reach = reach_.askInParts(
      pool_, "following the layers", *key.value,
      [key = *key.value](const Run& run, Parts<ReachLayers>& parts) {
        return makeReachLayers(key, run, parts);
      },
      patience);
  updateReachParts(scene, patience);
}

void ResultEngine::stopReachParts() {
  halt(reachToken_, results_.reachToken);
  halt(reachHops_, results_.reachHops);
}

// The chosen token and the matrix of hops, both of layers that are there.
void ResultEngine::updateReachParts(const Scene& scene, Deadline patience) {
  if (!results_.reach || results_.reach.stale)
    return stopReachParts();
  const Index n = results_.lengths.keys;
  const ReachTokenKey token{results_.reach.value, scene.pins, scene.reach.shown,
                            n > kMostGraphTokens
                                ? std::vector<std::string>()
                                : keptTokenLabels(scene, results_.input.value.get(), n)};
  results_.reachToken =
      reachToken_.ask(pool_, "following a token", token, making(makeReachToken, token), patience);
  if (!results_.reach->answer.hops) {
    reachHops_.drop();
    results_.reachHops = {};
    return;
  }
  const ReachHopsKey hops{results_.reach.value, cellsOf(scene.camera, squareLengths(n))};
  results_.reachHops =
      reachHops_.ask(pool_, "the matrix of hops", hops, making(makeReachHops, hops), patience);
}

void ResultEngine::updateAttentionView(const Scene& scene, const Hover& hover, bool lengthsKnown,
                                       Deadline patience) {
  if (scene.view != View::Attention) {
    attentionView_.drop();
    results_.attentionView = {};
    return;
  }
  if (lengthsKnown)
    return attentionView_.update({pool_, scene, hover, results_.lengths, results_.input, patience},
                                 results_.attentionView);
  attentionView_.haltAll(results_.attentionView);
  if (!results_.input.pending)
    results_.attentionView.problem = results_.masks.problem;
}

void ResultEngine::updateKernels(const Scene& scene, bool lengthsKnown, Deadline patience) {
  if (scene.view != View::Kernels) {
    kernels_.drop();
    results_.kernels = {};
    return;
  }
  if (readsInput(scene.kernels) && !lengthsKnown) {
    results_.kernels.problem = results_.masks.problem;
    return results_.kernels.problem ? kernels_.haltAll(results_.kernels)
                                    : kernels_.waitForInput(results_.kernels);
  }
  kernels_.update({pool_, scene, results_.lengths, results_.input, patience}, results_.kernels);
}

void ResultEngine::updateHashing(const Scene& scene, bool lengthsKnown, Deadline patience) {
  if (scene.view != View::Hashing) {
    hashing_.drop();
    results_.hashing = {};
    return;
  }
  const bool needed = scene.hashing.picture != HashingPicture::Circle;
  if (needed && !lengthsKnown) {
    results_.hashing.problem = results_.masks.problem;
    return results_.hashing.problem ? hashing_.haltAll(results_.hashing)
                                    : hashing_.waitForInput(results_.hashing);
  }
  hashing_.update({pool_, scene, results_.lengths, results_.input, patience}, results_.hashing);
}

// Beside other views nothing is measured, and what was stays.
void ResultEngine::updateTimings(const Scene& scene, Deadline patience) {
  if (scene.view != View::Timings) {
    if (!timings_.pending())
      return;
    timings_.drop();
    results_.timings = {};
    return;
  }
  const auto key = outcomeOf<TimingKey>(
      [&](const Run&) {
        return std::make_shared<const TimingKey>(TimingKey{timingQuestion(scene), round_});
      },
      {});
  if (!key.value) {
    halt(timings_, results_.timings);
    results_.timings.problem = key.problem;
    return;
  }
  results_.timings = timings_.askInParts(
      pool_, "measuring times", *key.value,
      [key = *key.value, gate = gate_](const Run& run, Parts<TimingsShown>& parts) {
        return makeTimings(key, gate, run, parts);
      },
      patience);
}

void ResultEngine::updateEncodings(const Scene& scene, Deadline patience) {
  if (scene.view != View::Encodings) {
    encodings_.stop();
    return;
  }
  EncodingsSpec key = scene.encodings;
  key.position = 0; // marked by the view, in the same picture
  results_.encodings = encodings_.ask(
      pool_, "making the encoding", key,
      [key](const Run& run) {
        EncodingsShown shown{encodingsAnswer(key, run), {}};
        shown.plots = encodingsPlots(shown.answer);
        return std::make_shared<const EncodingsShown>(std::move(shown));
      },
      patience);
}

// Scores take seconds to make: they stay while their input does.
void ResultEngine::hideCompare() {
  difference_.drop();
  results_.difference = {};
  scores_.keepIf([&](const ScoresKey& key) { return key.input.input == results_.input.value; });
  if (!scores_.latest().value)
    results_.scores = {};
  halt(scores_, results_.scores);
}

// The score board needs an input for all of the tokens; without one the view says so.
void ResultEngine::updateCompare(const Scene& scene, bool lengthsKnown, Deadline patience) {
  if (scene.view != View::Compare)
    return hideCompare();
  const Latest<Masks>& masks = results_.masks;
  if (!lengthsKnown || !masks || masks.stale) {
    halt(difference_, results_.difference);
    return halt(scores_, results_.scores);
  }
  // Scores of an input that is not there any more; once, or the refusal would be made every frame.
  if (!results_.input && !results_.input.pending && scores_.latest().value)
    scores_.drop();
  const DifferenceKey pair{masks.value, scene.compare.first, scene.compare.second};
  results_.difference =
      difference_.ask(pool_, "comparing", pair, making(makeDifference, pair), patience);
  if (!results_.input && results_.input.pending)
    return halt(scores_, results_.scores);
  const auto key = outcomeOf<ScoresKey>(
      [&](const Run&) {
        return std::make_shared<const ScoresKey>(
            ScoresKey{scoresQuestion(scene, results_.lengths),
                      {results_.input.value, scene.input.batch, scene.input.head}});
      },
      {});
  if (!key.value) {
    scores_.drop();
    results_.scores = {};
    results_.scores.problem = key.problem;
    return;
  }
  results_.scores = scores_.askInParts(
      pool_, "the score board", *key.value,
      [key = *key.value](const Run& run, Parts<ScoresShown>& parts) {
        return makeScores(key, run, parts);
      },
      patience);
}

} // namespace attention::gui
