// How a mechanism writes its description. Used only by the mechanisms' sources.
#pragma once

#include "core/pattern/description.h"
#include "core/pattern/parameter_list.h"

#include <utility>

namespace attention {

inline const char* causalMeaning() {
  return "Keep j ≤ i: no query sees the future";
}

template <class M>
class DescriptionBuilder : public ParameterList<DescriptionBuilder<M>, M, Pattern> {
public:
  DescriptionBuilder(std::string name, std::string title, std::string group) {
    d_.name = std::move(name);
    d_.title = std::move(title);
    d_.group = std::move(group);
  }

  DescriptionBuilder& alias(std::string name) {
    d_.aliases.push_back(std::move(name));
    return *this;
  }
  DescriptionBuilder& summary(std::string text) {
    d_.summary = std::move(text);
    return *this;
  }
  DescriptionBuilder& source(std::string text) {
    d_.source = std::move(text);
    return *this;
  }
  DescriptionBuilder& definition(std::vector<std::string> lines) {
    d_.definition = std::move(lines);
    return *this;
  }
  DescriptionBuilder& conventions(std::string text) {
    d_.conventions = std::move(text);
    return *this;
  }
  DescriptionBuilder& complexity(std::string text) {
    d_.complexity = std::move(text);
    return *this;
  }

  DescriptionBuilder& array(std::string name, std::string meaning) {
    d_.arrays.push_back({std::move(name), std::move(meaning)});
    return *this;
  }

  // budget: the name of a parameter, or which one it is for this M.
  DescriptionBuilder& chooses(Chooses how) {
    d_.chooses = how;
    return *this;
  }
  DescriptionBuilder& budget(std::string_view name) {
    d_.budget = [name](const Pattern&) { return name; };
    return *this;
  }
  DescriptionBuilder& budget(std::string_view (*name)(const M&)) {
    d_.budget = [name](const Pattern& pattern) { return name(*pattern.as<M>()); };
    return *this;
  }

  // How its heads differ: HeadRule, `make` for this M.
  DescriptionBuilder& heads(std::vector<std::string_view> reads, std::vector<std::string_view> sets,
                            void (*make)(M&, const HeadOptions&, Index index, Index n),
                            bool (*differ)(const HeadOptions&) = nullptr) {
    d_.heads = HeadRule{std::move(reads), std::move(sets), differ,
                        [make](Pattern& pattern, const HeadOptions& options, Index index, Index n) {
                          make(*pattern.as<M>(), options, index, n);
                        }};
    return *this;
  }

  Description build() {
    d_.parameters = std::move(this->parameters_);
    return std::move(d_);
  }

private:
  Description d_;
};

} // namespace attention
