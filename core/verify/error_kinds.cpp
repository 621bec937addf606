// Items that expect an error, whatever they describe.
#include "core/verify/kinds.h"

#include "core/analysis/stack/stack.h"
#include "core/attention/modifiers_json.h"
#include "core/support/error.h"

namespace attention {
namespace {

// "E_RANGE", or "no error".
std::string codeOf(const std::function<void()>& compute) {
  try {
    compute();
  } catch (const Error& error) {
    return std::string(name(error.code()));
  }
  return "no error";
}

} // namespace

void orExpectedError(const CaseJson& item, Comparison& compare,
                     const std::function<void()>& compute) {
  const CaseJson& expected = field(item, "expected");
  if (!expected.contains("error"))
    return compute();
  compare.text("the code of " + item.dump(), codeOf(compute), textField(expected, "error"));
}

bool computeBesideMasks(const CaseJson& item, const CaseFile& file) {
  if (item.contains("modifiers")) {
    checkModifiers(scoreModifiers(item["modifiers"], "modifiers"), item.value("heads", Index{1}),
                   "modifiers");
  } else if (item.contains("config")) {
    stackFromConfig(item["config"]);
  } else if (item.contains("layers")) {
    cacheOf(item);
  } else if (item.contains("scheme")) {
    // Which mask is shared out does not matter to the error.
    CaseJson ranks{{"mechanism", "causal"}, {"n", 1}};
    ranks.update(item);
    ranksOf(ranks, file);
  } else if (item.contains("export")) {
    exportOf(textField(item, "export"), item, file);
  } else if (item.contains("against") || item.contains("padding")) {
    checkOf(item, file);
  } else if (item.contains("b_q")) {
    tilesOf(item, file);
  } else {
    return false;
  }
  return true;
}

} // namespace attention
