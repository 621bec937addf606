#include "app/gui/widgets/widget_log.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <utility>

namespace attention::gui {
namespace {

// "Label#2" → label and 2; n = 0 if no number is given.
struct Address {
  std::string_view path;
  std::size_t n = 0;
};

Address parseAddress(std::string_view text) {
  const std::size_t hash = text.rfind('#');
  if (hash == std::string_view::npos || hash + 1 == text.size() || hash == 0)
    return {text, 0};
  std::size_t n = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data() + hash + 1, end, n);
  if (error != std::errc() || last != end || n == 0)
    return {text, 0};
  return {text.substr(0, hash), n};
}

// Whether the parts of `wanted` ("Sidebar/View") occur in this order among those of `scope`.
bool insideScope(std::string_view wanted, std::string_view scope) {
  const auto takePart = [](std::string_view& path) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    return part;
  };
  std::string_view next = takePart(wanted);
  while (!scope.empty())
    if (takePart(scope) == next) {
      if (wanted.empty())
        return true;
      next = takePart(wanted);
    }
  return false;
}

// "16384" matches what is shown as 16 384, since keyboards have no thin space.
bool named(std::string_view label, std::string_view typed) {
  constexpr std::string_view kThinSpace = "\u2009";
  while (!label.empty()) {
    if (label.starts_with(kThinSpace) && !typed.starts_with(kThinSpace)) {
      label.remove_prefix(kThinSpace.size());
      continue;
    }
    if (typed.empty() || typed.front() != label.front())
      return false;
    label.remove_prefix(1);
    typed.remove_prefix(1);
  }
  return typed.empty();
}

// Labels may hold '/' themselves, so every split of the path is tried.
bool matches(const Widget& widget, std::string_view path) {
  if (named(widget.label, path))
    return true;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1))
    if (named(widget.label, path.substr(slash + 1)) &&
        insideScope(path.substr(0, slash), widget.scope))
      return true;
  return false;
}

std::string fullPath(std::string_view scope, std::string_view label) {
  std::string path(scope);
  if (!path.empty())
    path += '/';
  return path.append(label);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

} // namespace

bool wholeInSight(const Widget& widget) {
  constexpr float kSlack = 0.5F; // pixels that rounding takes
  const bool clipped = widget.sight != Rect{};
  return widget.visible && (!clipped || (widget.rect.y0 >= widget.sight.y0 - kSlack &&
                                         widget.rect.y1 <= widget.sight.y1 + kSlack));
}

void WidgetLog::beginFrame() {
  last_ = std::move(current_);
  current_.clear();
  lastTip_ = std::exchange(tip_, std::nullopt);
  lastTooltips_ = std::move(tooltips_);
  tooltips_.clear();
  scopes_.clear();
}

void WidgetLog::record(Widget widget) {
  if (widget.scope.empty())
    for (const std::string& scope : scopes_)
      widget.scope = fullPath(widget.scope, scope);
  if (widget.kind != WidgetKind::Text && widget.visible && widget.enabled)
    seen_.insert(fullPath(widget.scope, widget.label));
  const auto same = [&](const Widget& other) { return other.id == widget.id; };
  if (widget.id != 0 && std::any_of(current_.begin(), current_.end(), same))
    clashes_.insert(fullPath(widget.scope, widget.label));
  current_.push_back(std::move(widget));
}

void WidgetLog::explain(std::string_view words) {
  tooltips_.push_back({scope(), std::string(words)});
}

void WidgetLog::pushScope(std::string_view scope) {
  scopes_.emplace_back(scope);
}

void WidgetLog::popScope() {
  if (!scopes_.empty())
    scopes_.pop_back();
}

std::string WidgetLog::scope() const {
  std::string path;
  for (const std::string& part : scopes_)
    path = fullPath(path, part);
  return path;
}

const Widget* WidgetLog::find(std::string_view address) const {
  const Address wanted = parseAddress(address);
  std::vector<const Widget*> controls;
  std::vector<const Widget*> texts;
  for (const Widget& widget : last_)
    if (matches(widget, wanted.path))
      (widget.kind == WidgetKind::Text ? texts : controls).push_back(&widget);
  const auto& found = controls.empty() ? texts : controls;
  if (wanted.n > 0)
    return wanted.n <= found.size() ? found[wanted.n - 1] : nullptr;
  const auto visible =
      std::find_if(found.begin(), found.end(), [](const Widget* w) { return w->visible; });
  if (visible != found.end())
    return *visible;
  return found.empty() ? nullptr : found.front();
}

std::vector<std::string> WidgetLog::suggestions(std::string_view address) const {
  const std::size_t slash = address.rfind('/');
  const std::string wanted =
      lower(slash == std::string_view::npos ? address : address.substr(slash + 1));
  std::vector<std::string> near;
  for (const Widget& widget : last_) {
    const std::string label = lower(widget.label);
    const bool alike =
        !label.empty() && !wanted.empty() &&
        (label.find(wanted) != std::string::npos || wanted.find(label) != std::string::npos ||
         label.compare(0, 3, wanted, 0, 3) == 0);
    if (alike && std::find(near.begin(), near.end(), widget.label) == near.end())
      near.push_back(widget.label);
    if (near.size() == 5)
      break;
  }
  return near;
}

bool WidgetLog::takeShow(const Widget& widget) {
  if (shown_.empty() || widget.kind == WidgetKind::Text)
    return false;
  Widget placed = widget;
  placed.scope = scope();
  const Address wanted = parseAddress(shown_);
  if (!matches(placed, wanted.path))
    return false;
  const auto before = std::count_if(current_.begin(), current_.end(), [&](const Widget& recorded) {
    return recorded.kind != WidgetKind::Text && matches(recorded, wanted.path);
  });
  if (wanted.n > 0 && static_cast<std::size_t>(before) + 1 != wanted.n)
    return false;
  shown_.clear();
  return !wholeInSight(widget); // else it is in sight by now
}

bool WidgetLog::takeFocus(std::uint32_t id) {
  if (id == 0 || id != focusWanted_)
    return false;
  focusWanted_ = 0;
  return true;
}

void WidgetLog::markUsed(std::string_view scope, std::string_view label) {
  used_.insert(fullPath(scope, label));
}

std::vector<std::string> WidgetLog::unused() const {
  std::vector<std::string> names;
  std::set_difference(seen_.begin(), seen_.end(), used_.begin(), used_.end(),
                      std::back_inserter(names));
  return names;
}

std::string_view shownLabel(std::string_view label) {
  return label.substr(0, label.find("##"));
}

} // namespace attention::gui
