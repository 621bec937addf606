#include "core/scene/differing_heads.h"

namespace attention {

HeadsSpec withDifferingHeads(HeadsSpec spec, const Pattern& pattern) {
  const std::string& mechanism = description(pattern).name;
  if ((mechanism == "strided" || mechanism == "fixed") && spec.subblocks == 1)
    spec.alternate = true;
  if (mechanism == "longformer" && spec.dilations.empty())
    for (Index head = 0; head < spec.heads; ++head)
      spec.dilations.push_back(head + 1);
  return spec;
}

} // namespace attention
