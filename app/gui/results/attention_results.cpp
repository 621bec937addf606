#include "app/gui/results/attention_results.h"

#include <chrono>

namespace attention::gui {
namespace {

// The query that is pointed at, else the pinned one.
std::optional<Index> queryOf(const AttentionAsking& asking) {
  for (const std::optional<Index>& query : {asking.hover.query, asking.scene.pins.query})
    if (query && *query >= 0 && *query < asking.lengths.queries)
      return query;
  return std::nullopt;
}

// Lines are those of the token that is pointed at, else of what is pinned.
AttentionLook lookOf(const AttentionAsking& asking) {
  AttentionLook look = attentionLook(asking.scene, asking.lengths, asking.head());
  const bool lines = asking.scene.attention.picture == AttentionPicture::Lines;
  if (lines && (asking.hover.query || asking.hover.key))
    look.pins = {asking.hover.query, asking.hover.key};
  return look;
}

} // namespace

void AttentionStages::update(const AttentionAsking& asking, AttentionResults& results) {
  const AttentionPicture picture = asking.scene.attention.picture;
  results.problem.reset();
  dropUnread(picture, results);
  if (!asking.input && (asking.input.pending || asking.input.problem)) {
    results.problem = asking.input.problem;
    return haltAll(results);
  }
  const auto question = outcomeOf<AttentionQuestion>(
      [&](const Run&) {
        return std::make_shared<const AttentionQuestion>(
            attentionQuestion(asking.scene, asking.lengths));
      },
      {});
  if (!question.value) {
    results.problem = question.problem;
    return haltAll(results);
  }
  if (picture == AttentionPicture::Heads) {
    askSketches(asking, *question.value, results);
  } else {
    askHead(asking, *question.value, results);
    askRow(asking, results);
  }
  show(asking, results);
}

void AttentionStages::haltAll(AttentionResults& results) {
  halt(head_, results.head);
  halt(maps_, results.maps);
  halt(sketches_, results.sketches);
  halt(row_, results.row);
  halt(shown_, results.shown);
}

void AttentionStages::askHead(const AttentionAsking& asking, const AttentionQuestion& question,
                              AttentionResults& results) {
  const AttentionHeadKey key{question, asking.head()};
  results.head = head_.ask(
      asking.pool, "attention weights", key,
      [key](const Run& run) {
        return std::make_shared<const AttentionHead>(attentionHead(key.question, key.of, run));
      },
      asking.patience);
  noteProblem(results.head, results.problem);
  if (!results.head || results.head.stale)
    return halt(maps_, results.maps);
  const AttentionMapsKey maps{results.head.value, mapCells(asking.scene, asking.lengths),
                              asking.scene.attention.picture};
  results.maps = maps_.ask(
      asking.pool, "maps of weights", maps,
      [maps](const Run& run) {
        return std::make_shared<const WeightMaps>(
            attentionMaps(*maps.head, maps.cells, maps.picture, run));
      },
      asking.patience);
  noteProblem(results.maps, results.problem);
}

void AttentionStages::askSketches(const AttentionAsking& asking, const AttentionQuestion& question,
                                  AttentionResults& results) {
  const SketchesKey key{question, asking.input.value};
  const auto make = [key](const Run& run, Parts<HeadSketches>& parts) {
    // Each part is drawn again as a whole: a few per second are enough to see it grow.
    constexpr std::chrono::milliseconds kPause{200};
    auto last = std::chrono::steady_clock::now();
    const auto onPart = [&](const HeadSketches& part) {
      const auto now = std::chrono::steady_clock::now();
      if (part.made.size() > 1 && now - last < kPause)
        return;
      last = now;
      parts.publish(std::make_shared<const HeadSketches>(part));
    };
    return std::make_shared<const HeadSketches>(headSketches(key.question, key.input, onPart, run));
  };
  results.sketches = sketches_.askInParts(asking.pool, "all heads", key, make, asking.patience);
  noteProblem(results.sketches, results.problem);
}

// Of no use without the present head.
void AttentionStages::askRow(const AttentionAsking& asking, AttentionResults& results) {
  const std::optional<Index> query = queryOf(asking);
  if (!query || !results.head || results.head.stale) {
    row_.drop();
    results.row = {};
    return;
  }
  const AttentionRowKey key{results.head.value, *query};
  results.row = row_.ask(
      asking.pool, "the query's weights", key,
      [key](const Run&) {
        return std::make_shared<const AttentionRow>(attentionRow(*key.head, key.query));
      },
      asking.patience);
}

void AttentionStages::show(const AttentionAsking& asking, AttentionResults& results) {
  AttentionShownKey key{asking.scene.attention, {}, lookOf(asking)};
  if (key.spec.picture == AttentionPicture::Heads) {
    key.answer.sketches = results.sketches.stale ? nullptr : results.sketches.value;
  } else if (!results.head.stale && !results.maps.stale) {
    key.answer.head = results.head.value;
    key.answer.maps = results.maps.value;
  }
  if (results.problem || !complete(key.spec, key.answer))
    return halt(shown_, results.shown);
  const auto make = [key](const Run& run) {
    return std::make_shared<const AttentionShown>(makeAttentionShown(key, run));
  };
  results.shown = shown_.ask(asking.pool, "the picture", key, make, asking.patience);
  noteProblem(results.shown, results.problem); // logits of ready weights
}

// What the picture does not read is forgotten, and its jobs end.
void AttentionStages::dropUnread(AttentionPicture picture, AttentionResults& results) {
  if (picture != AttentionPicture::Heads) {
    sketches_.drop();
    results.sketches = {};
    return;
  }
  head_.drop();
  maps_.drop();
  row_.drop();
  results.head = {};
  results.maps = {};
  results.row = {};
}

void AttentionStages::drop() {
  head_.drop();
  maps_.drop();
  sketches_.drop();
  row_.drop();
  shown_.drop();
}

void AttentionStages::retry() {
  head_.retry();
  maps_.retry();
  sketches_.retry();
  row_.retry();
  shown_.retry();
}

bool AttentionStages::pending() const {
  return head_.pending() || maps_.pending() || sketches_.pending() || row_.pending() ||
         shown_.pending();
}

} // namespace attention::gui
