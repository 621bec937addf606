#include "core/scene/choosing_picture.h"

namespace attention {

bool groupsTokens(const Pattern& pattern) {
  return description(pattern).chooses == Chooses::Groups;
}

bool ranksKeys(const Pattern& pattern) {
  return description(pattern).chooses == Chooses::Ranks;
}

bool evictsKeys(const Pattern& pattern) {
  return description(pattern).chooses == Chooses::Evicts;
}

ChoosingPicture pictureFor(const Pattern& pattern) {
  if (groupsTokens(pattern))
    return ChoosingPicture::Sorting;
  return evictsKeys(pattern) ? ChoosingPicture::Cache : ChoosingPicture::Scores;
}

} // namespace attention
