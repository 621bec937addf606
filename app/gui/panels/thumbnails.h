// Small pictures of patterns, drawn by their exact counts: one texture per slot, made again when
// the pattern or the length changes.
#pragma once

#include "app/gl/texture.h"
#include "app/gui/jobs/slot.h"
#include "app/gui/widgets/ui.h"
#include "core/input/input.h"
#include "core/pattern/pattern.h"

#include <map>
#include <string>

namespace attention::gui {

class Thumbnails {
public:
  explicit Thumbnails(JobPool& pool) : pool_(pool) {}

  // `input` (may be null), its batch and head: for patterns that depend on the data.
  void beginFrame(Deadline patience, std::shared_ptr<const Input> input, Index batch, Index head) {
    patience_ = patience;
    input_ = std::move(input);
    batch_ = batch;
    head_ = head;
  }
  // Forgets everything: files may hold other masks now.
  void clear();
  // Stops work on pictures that went out of sight since beginFrame, and releases their input.
  void endFrame();
  // Draws the mask of `pattern` for `lengths` into `area` in one hue; a placeholder where it cannot
  // be prepared. `slot` names the place: "gallery strided".
  void draw(const Ui& ui, const std::string& slot, const Pattern& pattern, const Lengths& lengths,
            const Rect& area, const ImVec4& hue);
  bool pending() const;

private:
  struct Key {
    Pattern pattern;
    Lengths lengths;
    Index side = 0;                     // texels
    std::shared_ptr<const Input> input; // where the pattern depends on the data, else none
    Index batch = 0;
    Index head = 0;
    bool operator==(const Key&) const = default;
  };
  struct Shares {
    Index side = 0;                  // texels
    std::vector<std::uint8_t> alpha; // side × side
  };
  struct Entry {
    Slot<Key, Shares> slot;
    std::shared_ptr<const Shares> uploaded;
    std::optional<gl::Texture> texture;
    bool seen = false;    // in this frame
    bool ofInput = false; // its slot holds one
  };
  static std::shared_ptr<const Shares> make(const Key& key, const Run& run);
  static void upload(Entry& entry, const std::shared_ptr<const Shares>& shares);

  JobPool& pool_;
  Key keyOf(const Pattern& pattern, const Lengths& lengths, Index side) const;

  Deadline patience_;
  std::shared_ptr<const Input> input_;
  Index batch_ = 0;
  Index head_ = 0;
  std::map<std::string, Entry> entries_;
};

} // namespace attention::gui
