// Kind mask_check (T12): the report on a mask, and which mechanisms it is.
#include "core/verify/kinds.h"

namespace attention {
namespace {

std::shared_ptr<const Prepared> checkedMask(const CaseJson& item, const CaseFile& file) {
  return prepare(file.pattern(item), lengthsOfItem(item), file.run());
}

} // namespace

MaskCheck checkOf(const CaseJson& item, const CaseFile& file) {
  MaskQuestion question;
  if (isGiven(item, "against"))
    question.against = checkedMask(field(item, "against"), file);
  std::vector<Index> padding;
  if (isGiven(item, "padding")) {
    for (const CaseJson& position : listField(item, "padding"))
      padding.push_back(position.get<Index>());
    question.padding = padding;
  }
  return checkMask(checkedMask(item, file), question, file.run());
}

void verifyMaskCheck(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json()))
    orExpectedError(item, compare, [&] {
      compare.json("check", toJson(checkOf(item, file)), field(item, "expected"));
    });
}

} // namespace attention
