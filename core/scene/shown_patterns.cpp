#include "core/scene/shown_patterns.h"

#include "core/support/error.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

void requireRange(const std::string& name, Index value, Index most) {
  if (value < 1 || value > most)
    throwRange(name, std::to_string(value), "an integer in 1 … " + std::to_string(most));
}

Index integerOf(const Pattern& pattern, const char* parameter, Index n) {
  return std::get<Index>(parameterNamed(pattern, parameter).resolved(pattern, n));
}

// Head `head` of a factorized pattern: both factors, or one by turns.
void setFactor(Pattern& pattern, const HeadsSpec& heads, Index head) {
  const char* alternate = head % 2 == 0 ? "1" : "2";
  set(pattern, "head", Value(std::string(heads.alternate ? alternate : "union")));
}

void setSubblock(Pattern& pattern, const HeadsSpec& heads, Index head, Index n) {
  requireRange("num_subblocks", heads.subblocks,
               std::max<Index>(integerOf(pattern, "stride", n) / integerOf(pattern, "c", n), 1));
  const Index turn = heads.alternate ? head / 2 : head;
  const bool hasSummaries = !heads.alternate || head % 2 == 1;
  set(pattern, "subblock", Value(hasSummaries ? turn % heads.subblocks : Index{0}));
}

Pattern headPattern(Pattern pattern, const HeadsSpec& heads, Index head, Index n) {
  const std::string& name = description(pattern).name;
  if (name == "strided" || name == "fixed")
    setFactor(pattern, heads, head);
  if (name == "fixed")
    setSubblock(pattern, heads, head, n);
  if (name == "longformer" && !heads.dilations.empty())
    set(pattern, "dilation", Value(heads.dilations.at(static_cast<std::size_t>(head))));
  if (name == "bigbird")
    set(pattern, "head", Value(head));
  return pattern;
}

Pattern merged(const std::vector<Pattern>& heads) {
  std::vector<Pattern> different;
  for (const Pattern& head : heads)
    if (std::find(different.begin(), different.end(), head) == different.end())
      different.push_back(head);
  if (different.size() == 1)
    return different.front();
  return Compose(Operation::Union, std::move(different));
}

} // namespace

std::vector<Pattern> headPatterns(const Pattern& pattern, const HeadsSpec& heads, Index n) {
  requireRange("heads", heads.heads, kMostHeads);
  const bool dilated = description(pattern).name == "longformer" && !heads.dilations.empty();
  if (dilated && static_cast<Index>(heads.dilations.size()) != heads.heads)
    throwRange("dilations", "a list of " + std::to_string(heads.dilations.size()),
               "one for each of the " + std::to_string(heads.heads) + " heads");
  std::vector<Pattern> patterns;
  for (Index head = 0; head < heads.heads; ++head)
    patterns.push_back(headPattern(pattern, heads, head, n));
  return patterns;
}

std::vector<Panel> shownPatterns(const Scene& scene, const Lengths& lengths) {
  if (!scene.mask.panels.empty())
    return scene.mask.panels;
  const HeadsSpec& heads = scene.mask.heads;
  if (heads.shown == HeadsShown::One)
    return {{"", scene.pattern}};
  const std::vector<Pattern> patterns = headPatterns(scene.pattern, heads, lengths.keys);
  if (heads.shown == HeadsShown::Merged)
    return {{"", merged(patterns)}};
  std::vector<Panel> panels;
  for (std::size_t head = 0; head < patterns.size(); ++head)
    panels.push_back({"head " + std::to_string(head), patterns[head]});
  return panels;
}

} // namespace attention
