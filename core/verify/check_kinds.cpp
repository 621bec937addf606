// Kind mask_check (T12): the report on a mask, and which mechanisms it is.
#include "core/verify/kinds.h"

#include "core/analysis/check/mask_check.h"

namespace attention {
namespace {

std::shared_ptr<const Prepared> checkedMask(const CaseJson& item, const CaseFile& file) {
  return prepare(file.pattern(item), lengthsOfItem(item), file.run());
}

void compareCheck(const CaseJson& item, const CaseFile& file, Comparison& compare) {
  MaskQuestion question;
  if (isGiven(item, "against"))
    question.against = checkedMask(field(item, "against"), file);
  std::vector<Index> padding;
  if (isGiven(item, "padding")) {
    for (const CaseJson& position : listField(item, "padding"))
      padding.push_back(position.get<Index>());
    question.padding = padding;
  }
  const MaskCheck check = checkMask(checkedMask(item, file), question, file.run());
  compare.json("check", toJson(check), field(item, "expected"));
}

} // namespace

void verifyMaskCheck(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : listField(file.json(), "items"))
    orExpectedError(item, compare, [&] { compareCheck(item, file, compare); });
}

} // namespace attention
