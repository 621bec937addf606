#include "core/scene/differing_heads.h"

#include "core/pattern/heads.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/longformer.h"
#include "core/pattern/mechanism/strided.h"
#include "core/scene/shown_patterns.h"

#include <algorithm>

namespace attention {

HeadsSpec withDifferingHeads(HeadsSpec spec, const Pattern& pattern, Index inFile) {
  if (inFile > 0)
    spec.heads = std::min(inFile, kMostHeadsShown);
  if (spec.heads < 1 || spec.heads > kMostHeads) // as an edit or a file may have left it
    return spec;
  if ((pattern.is<Strided>() || pattern.is<Fixed>()) && spec.subblocks == 1)
    spec.alternate = true;
  if (pattern.is<Longformer>() && spec.dilations.empty())
    for (Index head = 0; head < spec.heads; ++head)
      spec.dilations.push_back(head + 1);
  return spec;
}

} // namespace attention
