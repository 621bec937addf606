// The heads of a case (S4.17).
#include "core/verify/kinds.h"

#include "core/pattern/heads.h"
#include "core/support/error.h"

namespace attention {
namespace {

HeadOptions headOptionsOf(const CaseJson& json) {
  const std::string mode = textField(json, "mode");
  if (mode != "merged" && mode != "alternate")
    throwRange("mode", mode, "merged or alternate");
  HeadOptions options;
  options.heads = integerField(json, "heads");
  options.alternate = mode == "alternate";
  if (isGiven(json, "num_subblocks"))
    options.subblocks = integerField(json, "num_subblocks");
  if (isGiven(json, "dilations"))
    options.dilations = listField(json, "dilations").get<std::vector<Index>>();
  return options;
}

} // namespace

std::vector<std::shared_ptr<const Prepared>> headsOf(const CaseFile& file) {
  const CaseJson& json = file.json();
  const Lengths lengths = lengthsOf(json);
  std::vector<std::shared_ptr<const Prepared>> heads;
  for (const Pattern& head : headPatterns(file.pattern(json), headOptionsOf(json), lengths.keys))
    heads.push_back(prepare(head, lengths));
  return heads;
}

} // namespace attention
