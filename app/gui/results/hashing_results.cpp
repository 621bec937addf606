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

// The first problem of a part that hinders the picture: where something was stopped, what there is
// stays on the screen.
template <class T>
void noteProblem(const Latest<T>& part, HashingResults& results) {
  const bool kept = part && part.problem && part.problem->text == "stopped";
  if (part.problem && !kept && !results.problem)
    results.problem = part.problem;
}

std::vector<std::string> labelsOf(const HashingAsking& asking) {
  return tokenLabels(asking.scene, asking.input.value.get(), asking.lengths.keys);
}

} // namespace

void HashingStages::update(const HashingAsking& asking, HashingResults& results) {
  results.problem.reset();
  results.groups = groupsTokens(asking.scene.pattern);
  results.needsInput = needsData(asking.scene.pattern) && !asking.input;
  if (asking.scene.hashing.picture == HashingPicture::Circle)
    askCircle(asking, results);
  else
    askGroups(asking, results);
  show(asking, results);
}

void HashingStages::askCircle(const HashingAsking& asking, HashingResults& results) {
  curves_.stop();
  const CircleSpec key = asking.scene.hashing.circle;
  results.circle = circle_.ask(
      asking.pool, "points on a circle", key,
      [key](const Run& run) {
        return std::make_shared<const CircleAnswer>(circleAnswer(key, run));
      },
      asking.patience);
  noteProblem(results.circle, results);
}

void HashingStages::askGroups(const HashingAsking& asking, HashingResults& results) {
  if (needsData(asking.scene.pattern) && !asking.input && asking.input.pending)
    return;
  const auto key = keyOf(asking, results);
  if (!key) {
    tokens_.stop();
    curves_.stop();
    return;
  }
  const HashingPicture picture = asking.scene.hashing.picture;
  if (picture != HashingPicture::Captured)
    askTokens(asking, *key, results);
  if (picture == HashingPicture::Sorting)
    askSorting(asking, results);
  if (picture != HashingPicture::Matrices)
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
  noteProblem(results.tokens, results);
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
    noteProblem(results.curves, results);
  if (!results.curves)
    return;
  const auto curves = results.curves.value;
  results.captured = captured_.ask(
      asking.pool, "curves", curves,
      [curves](const Run&) { return std::make_shared<const Plot>(capturedPlot(*curves)); },
      asking.patience);
}

void HashingStages::askSorting(const HashingAsking& asking, HashingResults& results) {
  if (!results.tokens || results.tokens.stale || results.problem)
    return sorting_.stop();
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
  noteProblem(results.sorting, results);
}

void HashingStages::show(const HashingAsking& asking, HashingResults& results) {
  HashingShownKey key{asking.scene.hashing, {}};
  key.spec.moment = 1;
  const HashingPicture picture = key.spec.picture;
  if (picture == HashingPicture::Circle) {
    key.answer.circle = results.circle.value;
  } else {
    if (picture != HashingPicture::Captured)
      key.answer.tokens = results.tokens.value;
    else // else they are drawn on their own, since they grow
      key.answer.curves = results.curves.value;
    key.answer.labels = labelsOf(asking);
  }
  if (results.problem || !complete(key.spec, key.answer))
    return shown_.stop();
  const auto make = [key](const Run& run) {
    return std::make_shared<const HashingShown>(makeHashingShown(key, run));
  };
  results.shown = shown_.ask(asking.pool, "the picture", key, make, asking.patience);
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
  circle_.retry();
  sorting_.retry();
  shown_.retry();
}

bool HashingStages::pending() const {
  return tokens_.pending() || curves_.pending() || captured_.pending() || circle_.pending() ||
         sorting_.pending() || shown_.pending();
}

} // namespace attention::gui
