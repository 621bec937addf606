#include "app/gui/parameters/draft_field.h"

#include "core/pattern/pattern_json.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

namespace attention::gui {

Value valueOf(const ParameterFacts& p, const std::string& text) {
  const std::string typed(trimmed(text));
  if (p.type == ParameterType::Text)
    return text;
  if (typed.empty())
    return {};
  if (p.type == ParameterType::Matrix && typed.front() == '[')
    return valueFromJson(p, parseJson(typed, p.name));
  if (p.type != ParameterType::IntegersOrCount)
    return valueFromText(p, typed);
  constexpr std::string_view kFirst = "first ";
  if (typed.starts_with(kFirst))
    return integerFromText(p.name, trimmed(typed).substr(kFirst.size()));
  return IndexList(integersFromText(p.name, typed));
}

} // namespace attention::gui
