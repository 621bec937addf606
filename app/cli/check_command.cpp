// attnx check: what is to be said of a mask, which mechanisms it is, and promises about it.
#include "app/cli/check_report.h"
#include "app/cli/commands.h"
#include "app/cli/masks.h"

#include "core/analysis/check/model_layers.h"
#include "core/analysis/stack/models.h"
#include "core/support/error.h"

#include <ostream>

namespace attention::cli {
namespace {

// The mask of the layer that --against-model and --layer name; null without them.
std::shared_ptr<const Prepared> layerOfModel(const Arguments& arguments, const Lengths& lengths,
                                             const Context& context) {
  const std::string* name = arguments.find("against-model");
  const std::optional<Index> layer = arguments.integer("layer");
  if (!name && !layer)
    return nullptr;
  if (!name || !layer)
    throw Error(ErrorCode::Type, name ? "layer" : "against-model",
                std::string(name ? "layer is missing; it must be given with --against-model"
                                 : "against-model is missing; it must be given with --layer"));
  return maskOfLayer(stackNamed(*name), *layer, lengths, context.run.quiet());
}

// At most one other mask, and not in the place of the one that is checked.
void requireOneOther(const Arguments& arguments) {
  const std::size_t patterns = arguments.patterns().size();
  const bool against = arguments.has("against");
  if (against && patterns < 2)
    throw Error(ErrorCode::Type, "pattern",
                "the pattern is missing; it must stand before --against");
  if (patterns > 2 || (against && arguments.has("against-model")))
    throw Error(ErrorCode::Type, "against",
                "the mask is compared with several others; it must be one");
}

// The report has one offset, n_k − n_q, whatever the mask was made with (spec T12).
void sayOffset(const Arguments& arguments, const Lengths& lengths, std::ostream& notes) {
  if (arguments.has("align") && lengths.offset != lengths.keys - lengths.queries)
    notes << "attnx: note: align is top-left, but future keys and each query's own key are "
             "counted as if the last query were the last key\n";
}

// A list of keys, or the name of a file with one.
std::vector<Index> paddingFrom(const std::string& given) {
  ParameterFacts list;
  list.name = "padding";
  list.type = ParameterType::Integers;
  const auto keys = std::get<IndexList>(flagValue(list, given));
  return {keys.begin(), keys.end()};
}

int runCheck(const Arguments& arguments, const Context& context) {
  requireOneOther(arguments);
  const auto prepared = preparedPatterns(arguments, context.part(0, 0.1));
  const auto& mask = prepared.front();
  sayOffset(arguments, mask->lengths(), context.notes);
  MaskQuestion question;
  question.against =
      prepared.size() > 1 ? prepared[1] : layerOfModel(arguments, mask->lengths(), context);
  std::vector<Index> padding;
  if (const std::string* list = arguments.find("padding")) {
    padding = paddingFrom(*list);
    question.padding = padding;
  }
  const MaskCheck check = checkMask(mask, question, partOf(context.run, 0.1, 1));
  const Promises promises{arguments.on("no-future"), arguments.on("no-empty"),
                          arguments.has("against") ? "against" : "against-model"};
  const std::vector<BrokenPromise> broken = brokenPromises(promises, check, *mask);
  if (arguments.on("json"))
    print(context.out, checkJson(check, broken));
  else
    printCheck(context.out, check);
  if (broken.empty())
    return 0;
  context.notes << "attnx: " << broken.front().sentence << '\n';
  return 1;
}

} // namespace

Command checkCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.morePatterns = "against";
  grammar.beginners = {"given", "expr"};
  grammar.dataFlags = queryKeyFlags();
  Flag model{"against-model", "NAME|FILE",
             "promise: equal to a layer of that model (attnx stack --list, or a config.json)"};
  for (const ModelRow& row : modelTable())
    model.choices.emplace_back(row.name);
  grammar.flags = {
      {"n", "N", "length: queries and keys"},
      {"n-q", "A", "queries of a rectangular mask"},
      {"n-k", "B", "keys of a rectangular mask"},
      {"align", "top-left|bottom-right", "which token query i acts as"},
      {"no-future", "", "promise: no query attends to a later key"},
      {"no-empty", "", "promise: every query attends to a key"},
      {"against", "PATTERN", "promise: equal to that pattern; its flags follow"},
      model,
      {"layer", "L", "the layer of --against-model, from 0"},
      {"padding", "J,J,…|@FILE", "promise: no other query attends to these padding keys"},
      {"threads", "T", "number of threads; 0 uses all"},
      {"json", "", "one JSON object instead of lines"}};
  return {"check", "PATTERN --n N, or --mask FILE, or --expr TEXT --n N [promises]",
          "a mask's errors, the patterns that it equals, and whether it keeps promises", grammar,
          runCheck};
}

} // namespace attention::cli
