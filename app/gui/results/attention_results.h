// What the Attention view shows, by jobs: the head's weights with its measures, the maps of what
// the camera shows, the sketches of all heads (which come one by one), the row of one query; and
// the picture with its facts, made of those that it reads.
#pragma once

#include "app/gui/jobs/slot.h"
#include "app/gui/view/actions.h"
#include "app/gui/view/results.h"

namespace attention::gui {

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
struct AttentionShownKey {
  AttentionSpec spec;
  AttentionAnswer answer;
  AttentionLook look;
  bool operator==(const AttentionShownKey&) const = default;
};

// What the stages work with in a frame.
struct AttentionAsking {
  JobPool& pool;
  const Scene& scene;
  const Hover& hover;
  const Lengths& lengths; // current
  const Latest<Input>& input;
  Deadline patience;

  ModelHead head() const { return {input.value, scene.input.batch, scene.input.head}; }
};

class AttentionStages {
public:
  // Brings `results` up to the Scene.
  void update(const AttentionAsking& asking, AttentionResults& results);
  // Nothing can be asked for yet: jobs end, and what there is is of an older Scene.
  void haltAll(AttentionResults& results);
  void drop();
  void retry();
  bool pending() const;

private:
  void dropUnread(AttentionPicture picture, AttentionResults& results);
  void askHead(const AttentionAsking& asking, const AttentionQuestion& question,
               AttentionResults& results);
  void askSketches(const AttentionAsking& asking, const AttentionQuestion& question,
                   AttentionResults& results);
  void askRow(const AttentionAsking& asking, AttentionResults& results);
  void show(const AttentionAsking& asking, AttentionResults& results);

  Slot<AttentionHeadKey, AttentionHead> head_;
  Slot<AttentionMapsKey, WeightMaps> maps_;
  Slot<SketchesKey, HeadSketches> sketches_;
  Slot<AttentionRowKey, AttentionRow> row_;
  Slot<AttentionShownKey, AttentionShown> shown_;
};

// The picture with its facts; the answer must be complete.
AttentionShown makeAttentionShown(const AttentionShownKey& key, const Run& run);

} // namespace attention::gui
