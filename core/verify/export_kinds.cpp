// Kind export (T9): the arrays that other libraries take for a mask.
#include "core/verify/kinds.h"

#include "core/code/arrays/mask_arrays.h"
#include "core/support/error.h"
#include "core/support/text.h"

namespace attention {
namespace {

// FlexAttention's BlockMask goes by `flex` there.
ArrayFormat formatOf(const std::string& name) {
  const auto format = arrayFormatNamed(name == "flex" ? "blockmask" : name);
  if (!format)
    throw Error(ErrorCode::Unknown, "format",
                "format is " + excerpt(name) +
                    "; it must be flex, bsr, flashmask, magi or cu_seqlens");
  return *format;
}

BlockSize blockOf(const CaseJson& item) {
  BlockSize block;
  if (isGiven(item, "b_q"))
    block.queries = integerField(item, "b_q");
  if (isGiven(item, "b_k"))
    block.keys = integerField(item, "b_k");
  return block;
}

} // namespace

CaseJson exportOf(const std::string& format, const CaseJson& item, const CaseFile& file) {
  const Pattern pattern = file.pattern(item);
  const auto prepared = prepare(pattern, lengthsOfItem(item), file.run());
  return toJson(maskArrays(formatOf(format), pattern, *prepared, blockOf(item), file.run()));
}

void verifyExport(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json()))
    orExpectedError(item, compare, [&] {
      const std::string format = textField(item, "format");
      compare.json(format, exportOf(format, item, file), field(item, "expected"));
    });
}

} // namespace attention
