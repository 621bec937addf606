#include "app/gui/script/script_runner.h"

namespace attention::gui {
namespace {

std::string plainSpaces(std::string text) {
  for (const std::string_view space : {"\u2009", "\u202F", "\u00A0"})
    for (std::size_t at = text.find(space); at != std::string::npos; at = text.find(space))
      text.replace(at, space.size(), " ");
  return text;
}

std::string named(const std::string& text) {
  return "\"" + text + "\"";
}

std::string complainAboutText(const CheckWidgetStep& step, const Widget& widget) {
  const std::string shown = widget.value.empty() ? widget.label : widget.value;
  const std::string found = plainSpaces(shown);
  const std::string wanted = plainSpaces(step.text);
  const bool equal = step.what == WidgetCheck::Value;
  const bool holds = equal ? found == wanted : found.find(wanted) != std::string::npos;
  if (holds)
    return {};
  return named(step.address) + " shows " + named(shown) + "; expected " +
         (equal ? "" : "something with ") + named(step.text);
}

bool compare(const nlohmann::json& found, const std::string& comparison,
             const nlohmann::json& wanted) {
  if (comparison == "==")
    return found == wanted;
  if (comparison == "!=")
    return found != wanted;
  if (!found.is_number() || !wanted.is_number())
    return false;
  const auto a = found.get<double>();
  const auto b = wanted.get<double>();
  if (comparison == "<")
    return a < b;
  if (comparison == "<=")
    return a <= b;
  return comparison == ">" ? a > b : a >= b;
}

} // namespace

std::string complain(const CheckWidgetStep& step, const WidgetLog& log) {
  const Widget* widget = log.find(step.address);
  if (step.what == WidgetCheck::Missing)
    return widget == nullptr ? "" : named(step.address) + " is on the screen";
  if (widget == nullptr)
    return named(step.address) + " is not on the screen";
  const auto unless = [&](bool holds, const char* found) {
    return holds ? std::string() : named(step.address) + " is " + found;
  };
  switch (step.what) {
  case WidgetCheck::Enabled:
    return unless(widget->enabled, "disabled");
  case WidgetCheck::Disabled:
    return unless(!widget->enabled, "enabled");
  case WidgetCheck::Checked:
    return unless(widget->checked, "unchecked");
  case WidgetCheck::Unchecked:
    return unless(!widget->checked, "checked");
  case WidgetCheck::Focused:
    return unless(widget->focused, "without the keyboard");
  case WidgetCheck::Value:
  case WidgetCheck::Contains:
    return complainAboutText(step, *widget);
  default:
    return {};
  }
}

std::string complain(const CheckDocumentStep& step, const nlohmann::json& document) {
  const std::string where = "scene" + step.pointer;
  const nlohmann::json wanted = nlohmann::json::parse(step.value, nullptr, false);
  try {
    const nlohmann::json& found = document.at(nlohmann::json::json_pointer(step.pointer));
    if (compare(found, step.comparison, wanted))
      return {};
    return where + " is " + found.dump() + "; expected " + step.comparison + " " + wanted.dump();
  } catch (const nlohmann::json::exception&) {
    return where + " is missing";
  }
}

} // namespace attention::gui
