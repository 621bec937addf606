#include "core/pattern/definition.h"

#include "core/pattern/mechanism/all.h"

#include <algorithm>

namespace attention {
namespace {

struct FactorOf {
  template <class M>
  Factor operator()(const M&) const {
    return Factor::Union;
  }
  Factor operator()(const Strided& strided) const { return strided.head; }
  Factor operator()(const Fixed& fixed) const { return fixed.head; }
};

} // namespace

std::vector<std::string> definitionOf(const Pattern& pattern) {
  std::vector<std::string> lines = description(pattern).definition;
  const Factor factor = std::visit(FactorOf{}, pattern.mechanism());
  if (factor == Factor::Union)
    return lines;
  const std::string name = factor == Factor::First ? "A¹ᵢ" : "A²ᵢ";
  std::erase_if(lines, [&](const std::string& line) { return !line.starts_with(name); });
  lines.push_back("Sᵢ = " + name);
  return lines;
}

} // namespace attention
