#include "app/gui/results/view_stages.h"
#include "app/gui/views/attention/weights_view.h"

#include <functional>

namespace attention::gui {
namespace {

HeadSketches sketchesOf(const AttentionQuestion& question,
                        const std::shared_ptr<const Input>& input,
                        const std::function<void(HeadSketches)>& publish, const Run& run) {
  Pace pace;
  const auto onPart = [&](const HeadSketches& part) {
    if (part.made.size() <= 1 || pace.due())
      publish(part);
  };
  return headSketches(question, input, onPart, run);
}

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
      sketches_.askInParts(asking, "all heads", sketchesOf, *question, all_.input.value);
    } else {
      askHead(asking, *question);
      askRow(asking);
    }
    show(asking);
  }

private:
  void askHead(const Asking& asking, const AttentionQuestion& question) {
    const Scene& scene = asking.scene;
    head_.ask(asking, "attention weights", attentionHead, question,
              modelHead(scene, all_.input.value));
    maps_.ask(asking, "maps of weights", attentionMaps, results_.head,
              mapCells(scene, all_.lengths), scene.attention.picture);
    const auto tiles = tilesQuestion(scene, all_.lengths);
    if (tiles_.keepIf(tiles.has_value()))
      tiles_.ask(asking, "weights by tile", attentionTiles, results_.head, *tiles);
  }

  // The query under the pointer, else the pinned one. Useless without the current head.
  void askRow(const Asking& asking) {
    std::optional<Index> query;
    for (const std::optional<Index>& at : {asking.scene.pins.query, asking.hover.query})
      if (at && *at >= 0 && *at < all_.lengths.queries)
        query = at;
    if (row_.keepIf(query && isFresh(results_.head)))
      row_.ask(asking, "the query's weights", attentionRow, results_.head, *query);
  }

  void show(const Asking& asking) {
    const AttentionSpec& spec = asking.scene.attention;
    AttentionAnswer answer;
    if (spec.picture == AttentionPicture::Heads) {
      answer.sketches = freshOf(results_.sketches);
    } else if (!results_.head.stale && !results_.maps.stale) {
      answer.head = results_.head.value;
      answer.maps = results_.maps.value;
      answer.tiles = freshOf(results_.tiles);
    }
    const bool tilesDue = tilesQuestion(asking.scene, all_.lengths) && !isFresh(results_.tiles);
    if (results_.problem || tilesDue || !complete(spec, answer))
      return shown_.halt();
    shown_.ask(asking, "the picture", makeAttentionShown, spec, answer, lookOf(asking));
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
    const bool heads = picture == AttentionPicture::Heads;
    sketches_.keepIf(heads);
    for (AnyStage* stage : std::initializer_list<AnyStage*>{&head_, &maps_, &tiles_, &row_})
      stage->keepIf(!heads);
  }

  StageOf<AttentionHead, AttentionQuestion, ModelHead> head_{results_.head, results_.problem};
  StageOf<WeightMaps, Latest<AttentionHead>, attention::Rect, AttentionPicture> maps_{
      results_.maps, results_.problem};
  StageOf<WeightTiles, Latest<AttentionHead>, TilesQuestion> tiles_{results_.tiles,
                                                                    results_.problem};
  StageOf<HeadSketches, AttentionQuestion, std::shared_ptr<const Input>> sketches_{
      results_.sketches, results_.problem};
  StageOf<AttentionRow, Latest<AttentionHead>, Index> row_{results_.row};
  StageOf<AttentionShown, AttentionSpec, AttentionAnswer, AttentionLook> shown_{
      results_.shown, results_.problem}; // logits of ready weights
};

} // namespace

std::unique_ptr<ViewStages> weightsStages(Results& results) {
  return std::make_unique<WeightsStages>(results);
}

} // namespace attention::gui
