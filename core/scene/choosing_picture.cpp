#include "core/scene/choosing_picture.h"

#include "core/pattern/mechanism/all.h"

namespace attention {
namespace {

template <class... M>
bool isOneOf(const Pattern& pattern) {
  return (pattern.is<M>() || ...);
}

} // namespace

bool groupsTokens(const Pattern& pattern) {
  return isOneOf<Lsh, Cluster, Routing>(pattern);
}

bool ranksKeys(const Pattern& pattern) {
  return isOneOf<Moba, Nsa, Dsa, Msa, Quest, XAttention, FlexPrefill, Sparge, BlockTopK, TopK>(
      pattern);
}

bool evictsKeys(const Pattern& pattern) {
  return pattern.is<Cache>();
}

ChoosingPicture pictureFor(const Pattern& pattern) {
  if (groupsTokens(pattern))
    return ChoosingPicture::Sorting;
  return evictsKeys(pattern) ? ChoosingPicture::Cache : ChoosingPicture::Scores;
}

} // namespace attention
