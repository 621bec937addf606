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

  Description build() {
    d_.parameters = std::move(this->parameters_);
    return std::move(d_);
  }

private:
  Description d_;
};

} // namespace attention
