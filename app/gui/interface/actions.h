// What drawing code may ask for: edits of the Scene, and actions by name. Views and panels emit
// them while they draw; the application applies them after the frame is drawn.
#pragma once

#include "core/scene/scene.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace attention::gui {

// A camera move is not an undo step. None: everything is shown (fit).
struct SetCamera {
  std::optional<Camera> camera;
};
// An undo step; consecutive ones of the same gesture become one, as with EditScene.
struct SetPins {
  Pins pins;
  std::string gesture = {};
};

// The cell under the pointer; nothing if there is none. Not part of the Scene. Emit it when it
// changes.
struct Hover {
  std::optional<Index> query;
  std::optional<Index> key;
  std::size_t mask = 0; // of those side by side
  bool operator==(const Hover&) const = default;
};

// The query that strips, images and counts show: the pinned one, else the one under the pointer;
// none beyond the lengths.
inline std::optional<Index> shownQuery(const Pins& pins, const Hover& hover,
                                       const Lengths& lengths) {
  for (const std::optional<Index>& query : {pins.query, hover.query})
    if (query && *query >= 0 && *query < lengths.queries)
      return query;
  return std::nullopt;
}

// The pinned key; none beyond the lengths.
inline std::optional<Index> shownKey(const Pins& pins, const Lengths& lengths) {
  return pins.key && *pins.key >= 0 && *pins.key < lengths.keys ? pins.key : std::nullopt;
}

using EditOfScene = std::function<void(Scene&)>;

// A change of the document: one undo step, called `label` ("stride"). Consecutive edits of the same
// gesture (a drag, typing in a field) are one step until EndGesture.
struct EditScene {
  std::string label;
  EditOfScene edit;
  std::string gesture = {}; // empty: a step of its own
};
struct EndGesture {};

// An entry of the action table, by its id: "file.open".
struct RunAction {
  std::string id;
};

using Action = std::variant<SetCamera, SetPins, Hover, EditScene, EndGesture, RunAction>;

class ActionSink {
public:
  // Constructed in place: when a whole variant is moved, g++ 12 warns about alternatives that it
  // does not hold.
  template <typename A>
  void push(A&& action) {
    actions_.emplace_back(std::forward<A>(action));
  }
  void edit(std::string label, EditOfScene change) {
    push(EditScene{std::move(label), std::move(change)});
  }
  void run(std::string id) { push(RunAction{std::move(id)}); }
  // Runs `emit` and takes back what it emits, in order.
  template <typename Emit>
  std::vector<Action> emittedBy(const Emit& emit) {
    std::vector<Action> before = std::exchange(actions_, {});
    emit();
    return std::exchange(actions_, std::move(before));
  }
  // What was emitted since the last call, in order.
  std::vector<Action> take() { return std::exchange(actions_, {}); }
  bool empty() const { return actions_.empty(); }

private:
  std::vector<Action> actions_;
};

} // namespace attention::gui
