#include "core/input/csv_headings.h"

#include "core/input/text_lines.h"
#include "core/support/error.h"

#include <algorithm>
#include <map>
#include <variant>

namespace attention {
namespace {

struct Heading {
  std::string name;
  std::int64_t number = 0;
};

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

// "12" of "k12", "k_12", "k(12)"; what stands before it stays in `text`.
std::string_view takeNumber(std::string_view& text) {
  const char last = text.empty() ? '\0' : text.back();
  const char opening = last == ')' ? '(' : last == ']' ? '[' : '\0';
  if (opening != '\0') {
    const std::size_t at = text.rfind(opening);
    if (at == text.npos)
      return {};
    const std::string_view number = trimmed(text.substr(at + 1, text.size() - at - 2));
    text = trimmed(text.substr(0, at));
    return number;
  }
  std::size_t begin = text.size();
  while (begin > 0 && isDigit(text[begin - 1]))
    --begin;
  const std::string_view number = text.substr(begin);
  text = text.substr(0, begin);
  if (!text.empty() && std::string_view("_. ").find(text.back()) != text.npos)
    text.remove_suffix(1);
  return number;
}

std::optional<Heading> headingOf(std::string_view text) {
  const std::string_view digits = takeNumber(text);
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), isDigit))
    return std::nullopt;
  const auto number = integerOf(digits);
  const bool named = !text.empty() && !isDigit(text.back()) && !realOf(text) &&
                     std::string_view("([{<-+_.,;:").find(text.back()) == text.npos;
  if (!number || !named)
    return std::nullopt;
  return Heading{std::string(text), *number};
}

bool isCoordinate(std::string_view field) {
  return headingOf(field).has_value();
}

bool hasBlank(std::string_view field) {
  return field.find_first_of(" \t") != field.npos;
}

std::string twice(const std::string& name, std::int64_t number) {
  return "the heading " + name + std::to_string(number) + " occurs twice; every number of " + name +
         " must occur once";
}

std::string missing(const std::string& name, std::int64_t number, std::int64_t before) {
  return "the heading " + name + std::to_string(number) + " is missing before " + name +
         std::to_string(before) + "; the numbers of " + name + " must be 0, 1, 2 … without a gap";
}

// Columns by their numbers, which have to be 0, 1, … each once; or what is wrong with these.
std::variant<ColumnGroup, std::string>
groupOf(const std::string& name, std::vector<std::pair<std::int64_t, std::size_t>> columns) {
  std::sort(columns.begin(), columns.end());
  ColumnGroup group{name, {}};
  const std::string said = printableLabel(name);
  for (const auto& [number, column] : columns) {
    const auto expected = static_cast<std::int64_t>(group.columns.size());
    if (number < expected)
      return twice(said, number);
    if (number > expected)
      return missing(said, expected, number);
    group.columns.push_back(column);
  }
  return group;
}

std::string noHeading(std::string_view heading, std::size_t column) {
  return (isUnnamed(heading) ? "column " + std::to_string(column) + " has no heading"
                             : "the heading " + excerpt(heading) + " is not a name with a number") +
         "; every heading must be one, such as q0, q1, k0, k1";
}

using Groups = std::variant<std::vector<ColumnGroup>, std::string>;

// The groups of groupsOf, or its sentence.
Groups groupsOrFault(const std::vector<std::string_view>& headings) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::pair<std::int64_t, std::size_t>>> columns;
  for (std::size_t column = 0; column < headings.size(); ++column) {
    if (isUnnamed(headings[column]) && column == 0 && headings.size() > 1)
      continue;
    const auto heading = headingOf(headings[column]);
    if (isUnnamed(headings[column]) || !heading)
      return noHeading(headings[column], column);
    if (!columns.contains(heading->name))
      names.push_back(heading->name);
    columns[heading->name].emplace_back(heading->number, column);
  }
  std::vector<ColumnGroup> groups;
  groups.reserve(names.size());
  for (const std::string& name : names) {
    auto group = groupOf(name, std::move(columns[name]));
    if (auto* fault = std::get_if<std::string>(&group))
      return std::move(*fault);
    groups.push_back(std::get<ColumnGroup>(std::move(group)));
  }
  return groups;
}

} // namespace

bool areHeadings(const std::vector<std::string_view>& fields) {
  return std::none_of(fields.begin(), fields.end(),
                      [](std::string_view field) { return realOf(field).has_value(); });
}

std::vector<std::vector<std::string_view>> fieldsOfComment(std::string_view comment,
                                                           char separator) {
  std::vector<std::vector<std::string_view>> ways;
  for (const char by : {separator, separatorOf(comment), ' '}) {
    splitFields(comment, by, ways.emplace_back());
    if (ways.size() > 1 && ways.back() == ways[ways.size() - 2])
      ways.pop_back();
  }
  return ways;
}

std::vector<std::string_view> commentedHeadings(const std::vector<std::string_view>& comments,
                                                char separator, std::size_t fields) {
  for (auto comment = comments.rbegin(); comment != comments.rend(); ++comment)
    for (const auto& found : fieldsOfComment(*comment, separator))
      if (found.size() == fields && allCoordinates(found, 0))
        return found;
  std::vector<std::string_view> headings;
  if (comments.empty() || comments.back().empty())
    return headings;
  splitFields(comments.back(), separator, headings);
  if (headings.size() != fields || !areHeadings(headings) ||
      std::any_of(headings.begin(), headings.end(), hasBlank))
    headings.clear();
  return headings;
}

std::optional<std::string_view> misfitComment(const std::vector<std::string_view>& comments,
                                              char separator, std::size_t fields) {
  const auto countUp = [](const std::vector<std::string_view>& found) { // no "layer3 head5"
    return std::holds_alternative<std::vector<ColumnGroup>>(groupsOrFault(found));
  };
  for (const std::string_view comment : comments)
    for (const auto& found : fieldsOfComment(comment, separator))
      if (found.size() > 1 && found.size() != fields && allCoordinates(found, 0) && countUp(found))
        return comment;
  return std::nullopt;
}

bool anyCoordinate(const std::vector<std::string_view>& fields) {
  return std::any_of(fields.begin(), fields.end(), isCoordinate);
}

bool allCoordinates(const std::vector<std::string_view>& fields, std::size_t first) {
  return std::all_of(fields.begin() + static_cast<std::ptrdiff_t>(first), fields.end(),
                     isCoordinate);
}

bool countColumns(const std::vector<std::string_view>& fields, std::size_t first) {
  for (std::size_t k = first; k < fields.size(); ++k)
    if (fields[k] != std::to_string(k - first))
      return false;
  return first < fields.size();
}

bool numberColumns(const std::vector<std::string_view>& fields) {
  std::vector<double> numbers;
  numbers.reserve(fields.size());
  for (const std::string_view field : fields)
    numbers.push_back(realOf(field).value_or(-1));
  std::sort(numbers.begin(), numbers.end());
  const double first = numbers.empty() ? -1 : numbers.front();
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (numbers[k] != first + static_cast<double>(k))
      return false;
  return first == 0 || first == 1;
}

bool isUnnamed(std::string_view heading) {
  return heading.empty() || heading.starts_with("Unnamed:");
}

std::vector<ColumnGroup> groupsOf(const std::vector<std::string>& headings,
                                  const std::string& file) {
  Groups groups = groupsOrFault({headings.begin(), headings.end()});
  if (const auto* fault = std::get_if<std::string>(&groups))
    throwInFile(ErrorCode::Unsupported, file, *fault);
  return std::get<std::vector<ColumnGroup>>(std::move(groups));
}

} // namespace attention
