// attnx why: whether a query attends to a key, and the rule.
#include "app/cli/commands.h"
#include "app/cli/masks.h"
#include "app/cli/report.h"

#include "core/pattern/branch_layers.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

#include <ostream>

namespace attention::cli {
namespace {

void requireIndex(const char* name, Index at, Index length) {
  if (at < 0 || at >= length)
    throwRange(name, std::to_string(at), "an integer from 0 to " + std::to_string(length - 1));
}

// The branches that read the key only within compressed keys.
Json layerNames(const Prepared& pattern, Index i, Index j) {
  Json names = Json::array();
  for (const Part* layer : layersAt(pattern, i, j))
    names.push_back(layer->name);
  return names;
}

int runWhy(const Arguments& arguments, const Context& context) {
  const auto pattern = onlyHead(arguments, context);
  if (!arguments.has("at"))
    throw Error(ErrorCode::Type, "at", "at is missing; it must be given by --at I,J");
  const auto at = integersFromText("at", arguments.text("at"));
  if (at.size() != 2)
    throw Error(ErrorCode::Type, "at",
                "at has " + countText(at.size(), "number") + "; it must be i,j");
  requireIndex("i", at[0], pattern->lengths().queries);
  requireIndex("j", at[1], pattern->lengths().keys);
  const Explanation why = pattern->why(at[0], at[1]);
  const std::string part =
      why.attends ? pattern->parts()[static_cast<std::size_t>(why.part)].name : "";
  if (arguments.on("json")) {
    Json json{{"attends", why.attends},
              {"part", why.attends ? Json(part) : Json(nullptr)},
              {"text", why.text}};
    if (pattern->branches())
      json["within"] = layerNames(*pattern, at[0], at[1]);
    print(context.out, json);
    return 0;
  }
  context.out << "query " << at[0] << (why.attends ? " attends to" : " does not attend to")
              << " key " << at[1] << (part.empty() ? "" : " through " + part) << ": " << why.text
              << '\n';
  return 0;
}

} // namespace

Command whyCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.dataFlags = queryKeyFlags();
  grammar.flags = withMaskFlags({{"at", "I,J", "query I and key J"}}, true);
  return {"why", "PATTERN --n N --at I,J", "whether query I attends to key J, and by which rule",
          grammar, runWhy};
}

} // namespace attention::cli
