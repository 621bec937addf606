// Widgets that are read, not pressed: headings, values, bars, notes, cards. All are recorded as
// Text, so that scripts can check what the window says.
#pragma once

#include "app/gui/widgets/ui.h"

namespace attention::gui {

// Words in the current font, wrapped at the right edge.
void words(const Ui& ui, std::string_view text);
// The height in points that they take in `font`, in lines of at most `width`.
float wrappedHeight(ImFont* font, std::string_view text, float width);
// The same in the secondary colour and small.
void caption(const Ui& ui, std::string_view text);
// Monospaced, for rules and definitions.
void code(const Ui& ui, std::string_view text);
// "PARAMETERS": small, bold, upper case, secondary colour; `aside` in the accent on the right
// end, or on lines below where it does not fit.
void sectionHeading(const Ui& ui, std::string_view text, std::string_view aside = {});
// The same, only as wide as its words: for groups side by side.
void groupHeading(const Ui& ui, std::string_view text);
// A heading in as many lines as it needs, without upper-casing: for names of papers.
void wrappedHeading(const Ui& ui, std::string_view text);
// "captured mass        0.87": name left, value right in bold.
void valueRow(const Ui& ui, std::string_view label, std::string_view value,
              std::string_view tooltip = {});
// The same with a bar below that is filled to `share` in [0, 1].
void numberBar(const Ui& ui, std::string_view label, std::string_view value, double share,
               std::string_view tooltip = {});

enum class NoteKind { Error, Warning, Info, Good };
// A note in place: a symbol (✗ ! i ✓) and words, wrapped.
void note(const Ui& ui, NoteKind kind, std::string_view text);

// A thin line over the width.
void separator(const Ui& ui);
// Vertical space of `length` at scale 1.
void space(const Ui& ui, float length);

// A framed box as high as its content, across the available width; draw while it lives.
class Card {
public:
  Card(const Ui& ui, std::string_view id);
  ~Card();
  Card(Card&&) = delete;

private:
  const Ui& ui_;
  ImVec2 start_;
  float width_;
  float right_;
  ImDrawListSplitter layers_;
};

} // namespace attention::gui
