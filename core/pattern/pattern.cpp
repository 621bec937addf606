#include "core/pattern/pattern.h"

#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <type_traits>

namespace attention {
namespace {

template <class V>
struct AllOf;
template <class... M>
struct AllOf<std::variant<M...>> {
  static_assert((MechanismLike<M> && ...), "a mechanism lacks describe() or prepared()");
  static std::vector<Pattern> defaults() { return {Pattern(M{})...}; }
};

std::vector<std::string> mechanismNames() {
  std::vector<std::string> names;
  for (const Pattern& pattern : allMechanisms()) {
    const Description& d = description(pattern);
    names.push_back(d.name);
    names.insert(names.end(), d.aliases.begin(), d.aliases.end());
  }
  return names;
}

// Letters to insert, delete or replace (Levenshtein), '-' and '_' being the same.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = sameName(a.substr(i - 1, 1), b.substr(j - 1, 1));
      const std::size_t next = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (same ? 0 : 1)});
      diagonal = std::exchange(row[j], next);
    }
  }
  return row.back();
}

[[noreturn]] void throwUnknown(const std::string& kind, std::string_view name,
                               std::span<const std::string> known) {
  const std::string near = nearest(name, known);
  std::string text = kind + " \"" + std::string(name) + "\" is unknown";
  if (!near.empty())
    text += "; the nearest is " + near;
  throw Error(ErrorCode::Unknown, std::string(name), text);
}

} // namespace

std::span<const Pattern> allMechanisms() {
  static const std::vector<Pattern> kAll = AllOf<Mechanism>::defaults();
  return kAll;
}

const Description& description(const Pattern& pattern) {
  return std::visit([](const auto& m) -> const Description& { return describe(m); },
                    pattern.mechanism);
}

Pattern patternNamed(std::string_view name) {
  for (const Pattern& pattern : allMechanisms()) {
    const Description& d = description(pattern);
    const auto same = [&](const std::string& known) { return sameName(known, name); };
    if (same(d.name) || std::any_of(d.aliases.begin(), d.aliases.end(), same))
      return pattern;
  }
  throwUnknown("mechanism", name, mechanismNames());
}

std::string nearest(std::string_view name, std::span<const std::string> names) {
  const std::string* best = nullptr;
  std::size_t least = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const std::string& known : names)
    if (const std::size_t d = distance(name, known); d < least) {
      least = d;
      best = &known;
    }
  return best ? *best : std::string();
}

const Parameter& parameterNamed(const Pattern& pattern, std::string_view name) {
  const Description& d = description(pattern);
  if (const Parameter* parameter = d.find(name))
    return *parameter;
  std::vector<std::string> names;
  for (const Parameter& p : d.parameters)
    names.push_back(p.name);
  throwUnknown("parameter of " + d.name, name, names);
}

void set(Pattern& pattern, std::string_view parameter, const Value& value) {
  parameterNamed(pattern, parameter).set(pattern, value);
}

bool needsData(const Pattern& pattern) {
  return std::visit(
      [](const auto& m) {
        if constexpr (PreparesFromData<std::decay_t<decltype(m)>>)
          return readsData(m);
        else
          return false;
      },
      pattern.mechanism);
}

std::shared_ptr<const Prepared> prepare(const Pattern& pattern, const Lengths& lengths,
                                        const PatternData& data, const Run& run) {
  check(pattern, lengths);
  return std::visit(
      [&](const auto& m) {
        if constexpr (PreparesFromData<std::decay_t<decltype(m)>>)
          return prepared(m, lengths, data, run);
        else
          return prepared(m, lengths, run);
      },
      pattern.mechanism);
}

std::shared_ptr<const Prepared> prepare(const Pattern& pattern, const Lengths& lengths,
                                        const Run& run) {
  return prepare(pattern, lengths, PatternData{}, run);
}

std::shared_ptr<const Prepared> fromParts(const Lengths& lengths, std::vector<Part> parts) {
  return std::make_shared<const Prepared>(lengths, std::move(parts));
}

} // namespace attention
