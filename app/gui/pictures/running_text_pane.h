// Running text in a view: laid out for its room, scrolled by the wheel, pointed at token by token.
#pragma once

#include "app/gui/pictures/plot_pane.h"
#include "core/plot/running_text.h"

#include <memory>
#include <optional>

namespace attention::gui {

class RunningTextPane {
public:
  struct Pointed {
    bool inside = false;        // the pointer is over the text's room
    std::optional<Index> token; // the one under it; nothing between words
    bool clicked = false;
  };

  // Draws the text from the line to which it was scrolled; a token that is pinned anew, and in
  // another room the same, is brought into sight. `of` is what the mark was made from: the text is
  // laid out again when it changes. `slot` names it for painters and scripts.
  Pointed draw(const ViewContext& context, const std::shared_ptr<const void>& of,
               const RunningTextMark& mark, const Rect& room, const char* slot);

  // Of the text that was drawn last: −1 for a token above its page, 1 for one below, else 0.
  int sideOf(Index token) const { return token < shownFirst_ ? -1 : token >= lines_.end ? 1 : 0; }
  // Whether some of it is on no page but others.
  bool scrolls(const RunningTextMark& mark) const {
    return shownFirst_ > 0 || lines_.end < std::ssize(mark.tokens);
  }
  // Brings a token into sight when the text is drawn next.
  void show(Index token) { asked_ = token; }

private:
  void layOut(const std::shared_ptr<const void>& of, const RunningTextMark& mark, const Rect& room,
              const ViewContext& context);
  bool reveal(const RunningTextMark& mark, const ViewContext& context);
  bool turnTo(const RunningTextMark& mark, Index token, double above, const Ui& ui);
  void scroll(float notches, const Rect& box, const Ui& ui);

  PlotPane pane_;
  float rest_ = 0;  // of the wheel
  Index first_ = 0; // token of the first line
  std::optional<Pins> revealed_;
  std::optional<Index> asked_; // token to bring into sight
  // The text from there on, laid out when one of these changes.
  std::shared_ptr<const void> of_;
  std::shared_ptr<const Plot> plot_;
  TextLines lines_;
  Index shownFirst_ = 0;
  Size size_;
  double base_ = 0; // the type of plots
  double type_ = 0;
};

} // namespace attention::gui
