// Small pictures of published figures, made from their Scenes as the figures themselves are: one
// texture per figure, made in the background when it first comes into sight.
#pragma once

#include "app/gl/texture.h"
#include "app/gui/files/figure_list.h"
#include "app/gui/jobs/slot.h"
#include "app/gui/widgets/ui.h"
#include "core/plot/display_list.h"

#include <map>
#include <string>

namespace attention::gui {

class FigureThumbnails {
public:
  explicit FigureThumbnails(JobPool& pool) : pool_(pool) {}

  void beginFrame(Deadline patience) { patience_ = patience; }
  // Stops work on figures that went out of sight since beginFrame.
  void endFrame();
  // Draws the figure into `area`: a placeholder until it is made, or why it cannot be. Does nothing
  // where `area` is out of sight. `type`: times the size of its words.
  void draw(const Ui& ui, const ShownFigure& figure, const Rect& area, double type = 1);
  bool pending() const;

private:
  struct Key {
    Scene scene;
    FigureTheme theme = FigureTheme::Light;
    Size size;       // pixels, at a type of 1
    double type = 1; // pixels of a unit of the picture
    bool operator==(const Key&) const = default;
  };
  struct Entry {
    Slot<Key, Image> slot;    // empty once the texture has its picture
    std::optional<Key> shown; // by the texture
    std::optional<gl::Texture> texture;
    bool seen = false; // in this frame
  };
  static std::shared_ptr<const Image> make(const Key& key, const Run& run);
  static void upload(Entry& entry, const Image& image);
  // The texture for the key, now or once it is made, or why it cannot be made.
  std::optional<Problem> bring(Entry& entry, const Key& key);

  JobPool& pool_;
  Deadline patience_;
  std::map<std::string, Entry> entries_; // by the figures' names
};

} // namespace attention::gui
