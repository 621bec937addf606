// Small pictures of patterns, drawn by their exact counts: one texture a slot, made anew when the
// pattern or the length changes.
#pragma once

#include "app/gl/texture.h"
#include "app/gui/jobs/slot.h"
#include "app/gui/widgets/ui.h"
#include "core/pattern/pattern.h"

#include <map>
#include <string>

namespace attention::gui {

class Thumbnails {
public:
  explicit Thumbnails(JobPool& pool) : pool_(pool) {}

  void beginFrame(Deadline patience) { patience_ = patience; }
  // Draws the mask of `pattern` for `lengths` into `area` in one hue; a sign where it cannot be
  // prepared. `slot` names the place: "gallery strided".
  void draw(const Ui& ui, const std::string& slot, const Pattern& pattern, const Lengths& lengths,
            const Rect& area, const ImVec4& hue);
  bool pending() const;

private:
  struct Key {
    Pattern pattern;
    Lengths lengths;
    bool operator==(const Key&) const = default;
  };
  struct Shares {
    std::vector<std::uint8_t> alpha; // kSide × kSide
  };
  struct Entry {
    Slot<Key, Shares> slot;
    std::shared_ptr<const Shares> uploaded;
    std::optional<gl::Texture> texture;
  };
  static std::shared_ptr<const Shares> make(const Key& key, const Run& run);
  static void upload(Entry& entry, const std::shared_ptr<const Shares>& shares);

  JobPool& pool_;
  Deadline patience_;
  std::map<std::string, Entry> entries_;
};

} // namespace attention::gui
