// The keys of a presentation: those of the keyboard, and those that clickers send (PageDown,
// PageUp, full stop or B, F5, Escape). Digits choose an answer, in a presentation or not.
#include "app/gui/frame/workbench.h"

#include <array>

namespace attention::gui {
namespace {

using Do = std::function<void(Workbench&)>;
using When = std::function<bool(const Workbench&)>;

bool presents(const Workbench& bench) {
  return bench.present.has_value();
}

// Whether Space plays what the view shows, in a presentation as in the window.
bool playsBySpace(const Workbench& bench) {
  const auto enabled = [&](const char* id) {
    const ActionEntry* entry = bench.actions.find(id);
    return entry && entry->isEnabled(bench);
  };
  return enabled("reach.play") || enabled("kernels.play") || enabled("choosing.play");
}

// Any key first brings back a black screen.
Do lit(Do step) {
  return [step = std::move(step)](Workbench& bench) {
    if (bench.present && bench.present->blank)
      bench.present->blank = false;
    else
      step(bench);
  };
}

void add(ActionTable& table, const char* id, const char* label, const char* tooltip,
         std::vector<Chord> chords, Do run, When enabled = presents) {
  table.add({std::string("present.") + id, "", label, tooltip, std::move(chords), std::move(run),
             std::move(enabled)});
}

// Digits, which otherwise switch views.
void addChoices(ActionTable& table) {
  static constexpr std::array kOrdinals{"first", "second", "third", "fourth"};
  static_assert(kOrdinals.size() == kMostChoices);
  for (std::size_t k = 0; k < kOrdinals.size(); ++k) {
    const Index number = static_cast<Index>(k) + 1;
    const Key key = static_cast<Key>(static_cast<int>(Key::Digit1) + static_cast<int>(k));
    table.add({"lesson.choose." + std::to_string(number),
               "",
               "Choice " + std::to_string(number),
               std::string("gives the ") + kOrdinals[k] + " answer, where a question has choices",
               {{key}},
               lit([number](Workbench& b) { chooseAnswer(b, number); }),
               offersChoices});
  }
}

} // namespace

void addPresentActions(ActionTable& table) {
  constexpr Key kF5 = static_cast<Key>(static_cast<int>(Key::F1) + 4);
  const auto letter = [](char c) { return Chord{static_cast<Key>(c)}; };
  add(table, "next", "Forward",
      "the answer, then the next step of a lesson; one more layer, group or head; the paper's next "
      "figure; the next query",
      {{Key::Right}, {Key::Down}}, lit([](Workbench& b) { presentStep(b, 1); }));
  add(table, "back", "Back", "the same the other way", {{Key::Left}, {Key::Up}},
      lit([](Workbench& b) { presentStep(b, -1); }));
  add(table, "nextPage", "Next, by clicker",
      "like →, but in a published figure always the paper's next one", {{Key::PageDown}},
      lit([](Workbench& b) { presentPage(b, 1); }));
  add(table, "backPage", "Back, by clicker",
      "like ←, but in a published figure always the paper's previous one", {{Key::PageUp}},
      lit([](Workbench& b) { presentPage(b, -1); }));
  const auto reveal = lit([](Workbench& b) { revealAnswer(b, true); });
  const auto reveals = [](const Workbench& b) {
    return b.present && (b.present->blank || asksQuestion(b));
  };
  add(table, "reveal", "Reveal", "the answer to the step's question",
      {{Key::Enter}, {Key::KeypadEnter}}, reveal, reveals);
  add(table, "revealBySpace", "Play or reveal",
      "what the view plays (layers, sorting, projections); otherwise the answer", {{Key::Space}},
      reveal, [reveals](const Workbench& b) {
        return reveals(b) && (b.present->blank || !playsBySpace(b));
      });
  addChoices(table);
  add(table, "blank", "Black screen", "and back", {{Key::Period}, letter('B')},
      [](Workbench& b) { b.present->blank = !b.present->blank; });
  add(table, "spotlight", "Spotlight", "dims all but what is pointed at, and back", {letter('S')},
      lit([](Workbench& b) { b.present->spotlight = !b.present->spotlight; }));
  add(table, "leave", "Leave", "return to the window as it was", {{Key::Escape}, {kF5}},
      stopPresenting);
}

} // namespace attention::gui
