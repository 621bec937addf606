// A view whose cells can be followed from one picture to the next shows that itself; over all
// others the last picture fades.
#pragma once

namespace attention::gui {

// How far what was shown before has turned into what is shown now.
struct ViewMotion {
  int change = 0;  // a new number for every change
  float share = 1; // from 0, what was shown before, to 1, where nothing moves
};

// Beside ViewPane.
class MovingPane {
public:
  virtual ~MovingPane() = default;
  // Before every draw.
  virtual void follow(const ViewMotion& motion) = 0;
  // Whether the last draw showed the motion, so that nothing has to fade over it.
  virtual bool moves() const = 0;
};

} // namespace attention::gui
