// In a comparison at equal pairs, the other patterns follow the edited one in the same undo step.
// Their parameters are found by counting many masks, which is slow where rows have to be counted
// one by one: a job finds them, and what is quick is there within the frame.
#pragma once

#include "app/gui/results/stage.h"

namespace attention::gui {

class PairMatching {
public:
  // The Scene was edited: the others follow, if it asks for that.
  void want() { wanted_ = true; }
  bool pending() const { return wanted_; }
  void forget();
  // Requests the matching patterns; puts them into the Scene once they are found.
  EditOfScene found(const Asking& asking, const std::shared_ptr<const Input>& input);

private:
  struct Key {
    CompareSpec compare;
    Lengths lengths;
    std::shared_ptr<const Input> input; // where a pattern reads it
    Index batch = 0;
    Index head = 0;
    bool operator==(const Key&) const = default;
  };
  static std::optional<Key> keyOf(const Scene& scene, const std::shared_ptr<const Input>& input);
  static std::shared_ptr<const std::vector<Panel>> make(const Key& key, const Run& run);

  Slot<Key, std::vector<Panel>> slot_;
  bool wanted_ = false;
};

} // namespace attention::gui
