#include "app/gui/results/hashing_results.h"

#include "core/scene/token_labels.h"

namespace attention::gui {
namespace {

// The key of the groups; nothing where the Scene asks what has no answer, which is the picture's
// problem then.
std::shared_ptr<const HashingKey> keyOf(const HashingAsking& asking, HashingResults& results) {
  const auto key = outcomeOf<HashingKey>(
      [&](const Run&) {
        HashingKey made{hashingQuestion(asking.scene, asking.lengths), {}};
        if (asking.input)
          made.input = {asking.input.value, asking.scene.input.batch, asking.scene.input.head};
        return std::make_shared<const HashingKey>(std::move(made));
      },
      {});
  if (!key.value)
    results.problem = key.problem;
  return key.value;
}

// Without what the picture does not read, so that it is not made again for that.
HashingSpec readBy(const HashingSpec& spec) {
  HashingSpec read;
  read.picture = spec.picture;
  if (spec.picture == HashingPicture::Sorting || spec.picture == HashingPicture::Matrices) {
    read.round = spec.round;
    read.joined = spec.joined;
    read.colors = spec.colors;
  }
  return read;
}

// Whether the input has a part in the picture: of given labels only in what they keep of attention.
bool readsInput(const Scene& scene) {
  return needsData(scene.pattern) || scene.hashing.picture == HashingPicture::Captured;
}

std::vector<std::string> labelsOf(const HashingAsking& asking) {
  return keptTokenLabels(asking.scene, asking.input.value.get(), asking.lengths.keys);
}

} // namespace

void HashingStages::update(const HashingAsking& asking, HashingResults& results) {
  results.problem.reset();
  results.groups = groupsTokens(asking.scene.pattern);
  results.needsInput =
      needsData(asking.scene.pattern) && (!asking.input || !asking.input->hasQkv());
  const HashingPicture picture = asking.scene.hashing.picture;
  dropUnread(picture, results);
  if (picture == HashingPicture::Circle) {
    askCircle(asking, results);
    return show(asking, results);
  }
  if (!asking.input && asking.input.pending)
    return waitForInput(results);
  if (readsInput(asking.scene))
    results.problem = asking.input.problem;
  if (!results.problem)
    askGroups(asking, results);
  if (results.problem)
    return haltAll(results);
  show(asking, results);
}

void HashingStages::askCircle(const HashingAsking& asking, HashingResults& results) {
  const CircleSpec key = asking.scene.hashing.circle;
  results.circle = circle_.ask(
      asking.pool, "points on a circle", key,
      [key](const Run& run) {
        return std::make_shared<const CircleAnswer>(circleAnswer(key, run));
      },
      asking.patience);
  noteProblem(results.circle, results.problem);
}

void HashingStages::askGroups(const HashingAsking& asking, HashingResults& results) {
  const auto key = keyOf(asking, results);
  if (!key)
    return;
  const HashingPicture picture = asking.scene.hashing.picture;
  if (picture != HashingPicture::Captured)
    askTokens(asking, *key, results);
  if (picture == HashingPicture::Sorting)
    askSorting(asking, results);
  if (picture != HashingPicture::Matrices && !results.problem)
    askCurves(asking, *key, results);
}

void HashingStages::askTokens(const HashingAsking& asking, const HashingKey& key,
                              HashingResults& results) {
  results.tokens = tokens_.ask(
      asking.pool, "sorting tokens", key,
      [key](const Run& run) {
        return std::make_shared<const HashedTokens>(hashedTokens(key.question, key.input, run));
      },
      asking.patience);
  noteProblem(results.tokens, results.problem);
}

void HashingStages::askCurves(const HashingAsking& asking, const HashingKey& key,
                              HashingResults& results) {
  const HashingSpec& spec = asking.scene.hashing;
  const CapturedKey whole{key, spec.recallKeys, spec.most};
  const auto make = [whole, spec](const Run& run, Parts<CapturedCurves>& parts) {
    const auto onPart = [&](const CapturedCurves& part) {
      parts.publish(std::make_shared<const CapturedCurves>(part));
    };
    return std::make_shared<const CapturedCurves>(
        capturedCurves(whole.of.question, spec, whole.of.input, onPart, run));
  };
  results.curves =
      curves_.askInParts(asking.pool, "what groups capture", whole, make, asking.patience);
  if (spec.picture == HashingPicture::Captured)
    noteProblem(results.curves, results.problem);
  if (spec.picture != HashingPicture::Sorting || !results.curves)
    return;
  const auto curves = results.curves.value;
  results.captured = captured_.ask(
      asking.pool, "curves", curves,
      [curves](const Run&) { return std::make_shared<const Plot>(capturedPlot(*curves)); },
      asking.patience);
}

void HashingStages::askSorting(const HashingAsking& asking, HashingResults& results) {
  if (!results.tokens || results.tokens.stale || results.problem)
    return halt(sorting_, results.sorting);
  const HashingSpec& spec = asking.scene.hashing;
  const SortingKey key{results.tokens.value, spec.round, spec.moment, labelsOf(asking)};
  const auto make = [key](const Run&) {
    HashingSpec at;
    at.round = key.round;
    at.moment = key.moment;
    const std::size_t round = key.tokens->round(at);
    return std::make_shared<const SortingShown>(
        SortingShown{key.tokens, round, key.moment, sortingPlot(*key.tokens, at, key.labels),
                     SortingPlaces(*key.tokens, round, key.moment)});
  };
  results.sorting = sorting_.ask(asking.pool, "the sorting", key, make, asking.patience);
  noteProblem(results.sorting, results.problem);
}

void HashingStages::show(const HashingAsking& asking, HashingResults& results) {
  HashingShownKey key{readBy(asking.scene.hashing), {}};
  if (!results.tokens.stale && results.tokens) { // labels are as many as they
    key.answer.tokens = results.tokens.value;
    key.answer.labels = labelsOf(asking);
  }
  // Beside the sorting they are drawn on their own, since they grow.
  if (!results.curves.stale && key.spec.picture == HashingPicture::Captured)
    key.answer.curves = results.curves.value;
  if (!results.circle.stale)
    key.answer.circle = results.circle.value;
  if (results.problem || !complete(key.spec, key.answer))
    return halt(shown_, results.shown);
  const auto make = [key](const Run& run) {
    return std::make_shared<const HashingShown>(makeHashingShown(key, run));
  };
  results.shown = shown_.ask(asking.pool, "the picture", key, make, asking.patience);
}

void HashingStages::waitForInput(HashingResults& results) {
  haltAll(results);
  results.shown.pending = true;
}

void HashingStages::haltAll(HashingResults& results) {
  halt(tokens_, results.tokens);
  halt(curves_, results.curves);
  halt(captured_, results.captured);
  halt(circle_, results.circle);
  halt(sorting_, results.sorting);
  halt(shown_, results.shown);
}

// What the picture does not read is forgotten, and its jobs end.
void HashingStages::dropUnread(HashingPicture picture, HashingResults& results) {
  const auto unless = [](bool read, auto& slot, auto& latest) {
    if (read)
      return;
    slot.drop();
    latest = {};
  };
  const bool sorting = picture == HashingPicture::Sorting;
  unless(sorting || picture == HashingPicture::Matrices, tokens_, results.tokens);
  unless(sorting || picture == HashingPicture::Captured, curves_, results.curves);
  unless(sorting, captured_, results.captured);
  unless(sorting, sorting_, results.sorting);
  unless(picture == HashingPicture::Circle, circle_, results.circle);
}

void HashingStages::drop() {
  tokens_.drop();
  curves_.drop();
  captured_.drop();
  circle_.drop();
  sorting_.drop();
  shown_.drop();
}

void HashingStages::retry() {
  tokens_.retry();
  curves_.retry();
  captured_.retry();
  circle_.retry();
  sorting_.retry();
  shown_.retry();
}

bool HashingStages::pending() const {
  return tokens_.pending() || curves_.pending() || captured_.pending() || circle_.pending() ||
         sorting_.pending() || shown_.pending();
}

} // namespace attention::gui
