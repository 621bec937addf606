// The heads of a case (S4.17), by the parameters that each head's mechanism gets.
#include "core/verify/kinds.h"

#include "core/support/error.h"

#include <string>

namespace attention {
namespace {

Index optionalInteger(const CaseJson& json, const std::string& name, Index fallback) {
  return json.contains(name) && !json[name].is_null() ? integerField(json, name) : fallback;
}

// Blocks of stride l have ⌊l / c⌋ sub-blocks of c columns, counted from the end.
void requireSubblocks(const CaseJson& params, Index n, Index subblocks) {
  const Index stride = optionalInteger(params, "stride", roundedSqrt(n));
  const Index columns = optionalInteger(params, "c", std::max<Index>(1, stride / 16));
  if (subblocks < 1 || columns < 1 || subblocks > stride / columns)
    throwRange("num_subblocks", std::to_string(subblocks), "an integer from 1 to stride / c");
}

CaseJson paramsOf(const CaseJson& json, Index h) {
  CaseJson params = field(json, "params");
  const std::string mechanism = textField(json, "mechanism");
  const bool merged = textField(json, "mode") == "merged";
  const Index subblocks = optionalInteger(json, "num_subblocks", 1);
  if (mechanism == "strided")
    params["head"] = merged ? CaseJson("union") : CaseJson(h % 2 + 1);
  if (mechanism == "fixed") {
    requireSubblocks(params, integerField(json, "n"), subblocks);
    params["head"] = merged ? CaseJson("union") : CaseJson(h % 2 + 1);
    const bool summary = merged || h % 2 == 1;
    params["subblock"] = summary ? (merged ? h : h / 2) % subblocks : 0;
  }
  if (mechanism == "longformer" && json.contains("dilations") && !json["dilations"].is_null())
    params["dilation"] = listField(json, "dilations").at(static_cast<std::size_t>(h));
  if (mechanism == "bigbird")
    params["head"] = h;
  return params;
}

} // namespace

std::vector<std::shared_ptr<const Prepared>> headsOf(const CaseJson& json) {
  const Lengths lengths = lengthsOf(json);
  const std::string mode = textField(json, "mode");
  if (mode != "merged" && mode != "alternate")
    throwRange("mode", mode, "merged or alternate");
  const Index heads = integerField(json, "heads");
  if (heads < 1 || heads > 4096)
    throwRange("heads", std::to_string(heads), "an integer from 1 to 4096");
  std::vector<std::shared_ptr<const Prepared>> patterns;
  for (Index h = 0; h < heads; ++h)
    patterns.push_back(
        prepare(patternOf({{"mechanism", field(json, "mechanism")}, {"params", paramsOf(json, h)}}),
                lengths));
  return patterns;
}

} // namespace attention
