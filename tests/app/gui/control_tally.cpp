#include "tests/app/gui/control_tally.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace attention::gui {
namespace {

const std::string kParameters = "Sidebar/Parameters/";
const std::string kCard = "operand card/";

bool startsWith(const std::string& text, const std::string& with) {
  return text.rfind(with, 0) == 0;
}

// The part of an address that is the card of a pattern within another, with its slash at the end.
bool isCard(const std::string& part) {
  const std::string word = "operand ";
  return part == "drawn on/" || (startsWith(part, word) && part.back() == '/' &&
                                 std::isdigit(static_cast<unsigned char>(part[word.size()])));
}

bool endsWithCard(const std::string& name) {
  return name.size() >= kCard.size() &&
         name.compare(name.size() - kCard.size(), kCard.size(), kCard) == 0;
}

// "…/operand 2/operand 1/stride l" is the same control as "…/operand 1/stride l": one function
// draws both. Both become "…/operand card/stride l".
std::string withoutNesting(const std::string& address) {
  std::string name;
  std::size_t at = 0;
  while (at < address.size()) {
    const std::size_t slash = std::min(address.find('/', at), address.size() - 1);
    const std::string part = address.substr(at, slash + 1 - at);
    if (!isCard(part))
      name += part;
    else if (!endsWithCard(name))
      name += kCard;
    at = slash + 1;
  }
  return name;
}

// "Layers/layer 3/up" is the same control as "Layers/layer 1/up": rows of lists and pictures side
// by side, each drawn by one function.
std::string withoutPlaces(std::string address) {
  for (const std::string word : {"layer ", "timed ", "compared ", "scored ", "choice ", "Mask ",
                                 "Image ", "model ", "told ", "variant ", "rule "})
    for (std::size_t at = 0; (at = address.find(word, at)) != std::string::npos;) {
      at += word.size();
      std::size_t end = at;
      while (end < address.size() && std::isdigit(static_cast<unsigned char>(address[end])))
        ++end;
      const bool whole = end > at && (end == address.size() || address[end] == '/');
      if (whole)
        address.replace(at, end - at, "n");
    }
  return address;
}

// "variant n/Strided" is named by the user. "compared n/(b) Strided" is the same control as
// "compared n/(a) Full": it is named after the pattern that it chooses.
std::string withoutTitles(const std::string& address) {
  struct Row {
    std::string words;
    std::string other; // what else is in it
  };
  for (const Row& row : {Row{"model n/", "beside"}, Row{"variant n/", "remove"}}) // searched, named
    if (const std::size_t at = address.find(row.words);
        at != std::string::npos && address.substr(at + row.words.size()) != row.other)
      return address.substr(0, at + row.words.size()) + "name";
  const std::size_t letter = address.find("/(");
  const bool choice = address.find("compared n/(") != std::string::npos;
  return choice ? address.substr(0, letter) + "/pattern" : address;
}

// "Menu/Menu/File/Quit", from the menus folded into one, is "Menu/File/Quit".
std::string unfolded(const std::string& address) {
  const std::string one = "Menu/Menu/";
  return startsWith(address, one) ? "Menu/" + address.substr(one.size()) : address;
}

std::string controlOf(const std::string& address) {
  return withoutTitles(withoutPlaces(withoutNesting(unfolded(address))));
}

} // namespace

bool ofOperand(const std::string& address) {
  return startsWith(withoutNesting(address), kParameters + kCard);
}

bool ofPattern(const std::string& address) {
  return startsWith(address, kParameters) && !ofOperand(address);
}

bool ofCard(const std::string& address) {
  const std::string card = kParameters + kCard;
  const std::string name = withoutNesting(address);
  return name == card + "remove operand" || name == card + "operand" || name == card + "pattern" ||
         startsWith(name, card + "operand/") || startsWith(name, card + "pattern/");
}

void ControlTally::take(const WidgetLog& log, const Chosen& chosen, const std::string& place) {
  const auto add = [&](std::set<std::string>& to, const std::string& address) {
    if (!chosen(address))
      return;
    to.insert(controlOf(address));
    if (!place.empty() && !ofCard(address))
      to.insert(place + ": " + controlOf(address));
  };
  clashes_.insert(log.clashes().begin(), log.clashes().end());
  for (const std::string& address : log.seen())
    add(seen_, address);
  for (const std::string& address : log.used())
    add(used_, address);
}

std::vector<std::string> ControlTally::unused() const {
  std::vector<std::string> names;
  std::set_difference(seen_.begin(), seen_.end(), used_.begin(), used_.end(),
                      std::back_inserter(names));
  return names;
}

std::string listed(const std::vector<std::string>& addresses) {
  std::string text;
  for (const std::string& address : addresses)
    text += "\n  " + address;
  return text;
}

std::string addressOf(const Widget& widget) {
  return widget.scope.empty() ? widget.label : widget.scope + "/" + widget.label;
}

// New controls on the screen.
void Presser::find(const Way& before) {
  for (const Widget& widget : window_.app().log().widgets()) {
    const std::string address = addressOf(widget);
    if (widget.kind == WidgetKind::Text || !widget.enabled || !chosen_(address) ||
        !known_.insert(address).second)
      continue;
    Way way = before;
    way.push_back(address);
    ways_.push_back(std::move(way));
  }
}

void Presser::press(const std::string& address) {
  const Widget* widget = window_.app().log().find(address);
  if (!widget || !widget->enabled)
    return; // the tally reports them
  const std::string name = quoted(address);
  if (widget->kind == WidgetKind::Field)
    return window_.play("click " + name + "\ntype \"1\"\nkey Enter\nframes 2\n");
  if (widget->kind != WidgetKind::Slider)
    return window_.play("click " + name + "\nframes 2\n");
  const bool right = widget->grip.centerX() > widget->rect.centerX();
  window_.play("drag " + name + (right ? " -40 0\nframes 2\n" : " 40 0\nframes 2\n"));
}

void Presser::pressAll() {
  restart_();
  find({});
  while (!ways_.empty()) {
    const Way way = std::move(ways_.front());
    ways_.pop_front();
    restart_();
    for (const std::string& address : way)
      press(address);
    find(way);
  }
}

} // namespace attention::gui
