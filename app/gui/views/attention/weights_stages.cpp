#include "app/gui/results/view_stages.h"
#include "app/gui/views/attention/attention_shown.h"
#include "app/gui/views/attention/weights_view.h"

#include <chrono>

namespace attention::gui {
namespace {

struct AttentionHeadKey {
  AttentionQuestion question;
  ModelHead of;
  bool operator==(const AttentionHeadKey&) const = default;
};
struct AttentionMapsKey {
  std::shared_ptr<const AttentionHead> head;
  attention::Rect cells;
  AttentionPicture picture = AttentionPicture::Maps;
  bool operator==(const AttentionMapsKey&) const = default;
};
struct AttentionTilesKey {
  std::shared_ptr<const AttentionHead> head;
  TilesQuestion question;
  bool operator==(const AttentionTilesKey&) const = default;
};
struct AttentionRowKey {
  std::shared_ptr<const AttentionHead> head;
  Index query = 0;
  bool operator==(const AttentionRowKey&) const = default;
};
struct SketchesKey {
  AttentionQuestion question;
  std::shared_ptr<const Input> input;
  bool operator==(const SketchesKey&) const = default;
};

// The head's weights with its measures, the maps of what the camera shows, the sketches of all
// heads (which come one by one), the row of one query; and the picture with its facts, made from
// those that it reads.
class WeightsStages final : public PictureStages<AttentionResults> {
public:
  explicit WeightsStages(Results& all)
      : PictureStages(all, {&head_, &maps_, &tiles_, &sketches_, &shown_},
                      std::array<AnyStage*, 1>{&row_}) {}

  void update(const Asking& asking) override {
    const AttentionPicture picture = asking.scene.attention.picture;
    dropUnread(picture);
    const auto question =
        questionOfInput(asking, [&] { return attentionQuestion(asking.scene, all_.lengths); });
    if (!question)
      return;
    if (picture == AttentionPicture::Heads) {
      askSketches(asking, *question);
    } else {
      askHead(asking, *question);
      askTiles(asking);
      askRow(asking);
    }
    show(asking);
  }

private:
  void askHead(const Asking& asking, const AttentionQuestion& question) {
    head_.ask(asking, "attention weights", {question, modelHead(asking.scene, all_.input.value)},
              [](const AttentionHeadKey& key, const Run& run) {
                return attentionHead(key.question, key.of, run);
              });
    noteProblem(results_.head, results_.problem);
    if (!results_.head || results_.head.stale)
      return maps_.halt();
    maps_.ask(
        asking, "maps of weights",
        {results_.head.value, mapCells(asking.scene, all_.lengths), asking.scene.attention.picture},
        [](const AttentionMapsKey& key, const Run& run) {
          return attentionMaps(*key.head, key.cells, key.picture, run);
        });
    noteProblem(results_.maps, results_.problem);
  }

  void askTiles(const Asking& asking) {
    const auto question = tilesQuestion(asking.scene, all_.lengths);
    if (!question)
      return tiles_.drop();
    if (!results_.head || results_.head.stale)
      return tiles_.halt();
    tiles_.ask(asking, "weights by tile", {results_.head.value, *question},
               [](const AttentionTilesKey& key, const Run& run) {
                 return attentionTiles(*key.head, key.question, run);
               });
    noteProblem(results_.tiles, results_.problem);
  }

  void askSketches(const Asking& asking, const AttentionQuestion& question) {
    const SketchesKey key{question, all_.input.value};
    const auto make = [key](const Run& run, Parts<HeadSketches>& parts) {
      // Each part is redrawn as a whole: a few per second are enough to see it grow.
      constexpr std::chrono::milliseconds kPause{200};
      auto last = std::chrono::steady_clock::now();
      const auto onPart = [&](const HeadSketches& part) {
        const auto now = std::chrono::steady_clock::now();
        if (part.made.size() > 1 && now - last < kPause)
          return;
        last = now;
        parts.publish(std::make_shared<const HeadSketches>(part));
      };
      return std::make_shared<const HeadSketches>(
          headSketches(key.question, key.input, onPart, run));
    };
    sketches_.askInParts(asking, "all heads", key, make);
    noteProblem(results_.sketches, results_.problem);
  }

  // The query under the pointer, else the pinned one. Useless without the current head.
  void askRow(const Asking& asking) {
    std::optional<Index> query;
    for (const std::optional<Index>& at : {asking.scene.pins.query, asking.hover.query})
      if (at && *at >= 0 && *at < all_.lengths.queries)
        query = at;
    if (!query || !results_.head || results_.head.stale)
      return row_.drop();
    row_.ask(
        asking, "the query's weights", {results_.head.value, *query},
        [](const AttentionRowKey& key, const Run&) { return attentionRow(*key.head, key.query); });
  }

  void show(const Asking& asking) {
    AttentionShownKey key{asking.scene.attention, {}, lookOf(asking)};
    if (key.spec.picture == AttentionPicture::Heads) {
      key.answer.sketches = results_.sketches.stale ? nullptr : results_.sketches.value;
    } else if (!results_.head.stale && !results_.maps.stale) {
      key.answer.head = results_.head.value;
      key.answer.maps = results_.maps.value;
      key.answer.tiles = results_.tiles.stale ? nullptr : results_.tiles.value;
    }
    const bool tilesDue =
        tilesQuestion(asking.scene, all_.lengths) && (!results_.tiles || results_.tiles.stale);
    if (results_.problem || tilesDue || !complete(key.spec, key.answer))
      return shown_.halt();
    shown_.ask(asking, "the picture", key, makeAttentionShown);
    noteProblem(results_.shown, results_.problem); // logits of ready weights
  }

  // Lines belong to the token under the pointer, else to the pinned ones.
  AttentionLook lookOf(const Asking& asking) const {
    AttentionLook look =
        attentionLook(asking.scene, all_.lengths, modelHead(asking.scene, all_.input.value));
    const bool lines = asking.scene.attention.picture == AttentionPicture::Lines;
    if (lines && (asking.hover.query || asking.hover.key))
      look.pins = {asking.hover.query, asking.hover.key};
    return look;
  }

  // What the picture does not read is dropped, and its jobs end.
  void dropUnread(AttentionPicture picture) {
    if (picture != AttentionPicture::Heads)
      return sketches_.drop();
    head_.drop();
    maps_.drop();
    tiles_.drop();
    row_.drop();
  }

  StageOf<AttentionHeadKey, AttentionHead> head_{results_.head};
  StageOf<AttentionMapsKey, WeightMaps> maps_{results_.maps};
  StageOf<AttentionTilesKey, WeightTiles> tiles_{results_.tiles};
  StageOf<SketchesKey, HeadSketches> sketches_{results_.sketches};
  StageOf<AttentionRowKey, AttentionRow> row_{results_.row};
  StageOf<AttentionShownKey, AttentionShown> shown_{results_.shown};
};

} // namespace

std::unique_ptr<ViewStages> weightsStages(Results& results) {
  return std::make_unique<WeightsStages>(results);
}

} // namespace attention::gui
