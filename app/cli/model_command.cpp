// attnx model: a real model on a text, under its own masks and others.
#include "app/cli/commands.h"
#include "app/cli/model_actions.h"
#include "app/cli/model_text.h"

#include "core/input/mapped_file.h"
#include "core/model/model_path.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/names.h"
#include "core/support/text.h"
#include "core/views/model/scene_model.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <string_view>
#include <vector>

namespace attention::cli {
namespace {

struct Action {
  std::string_view name;
  std::vector<std::string_view> flags; // besides those of the text, in `model`'s grammar
  int (*run)(const Arguments&, const std::filesystem::path&, const Context&);
};

const std::vector<Action>& actions() {
  static const std::vector<Action> kActions{
      {"tokens", {"text", "string", "special", "json"}, modelTokens},
      {"loss",
       {"text", "string", "ids", "special", "n", "variants", "along", "output", "threads", "json"},
       modelLoss},
      {"run",
       {"text", "string", "ids", "special", "n", "variants", "variant", "output", "threads",
        "json"},
       modelRun},
      {"capture",
       {"text", "string", "ids", "special", "n", "layers", "dtype", "output", "threads", "json"},
       modelCapture}};
  return kActions;
}

const Action& actionNamed(const std::string& name) {
  std::vector<std::string> names;
  for (const Action& action : actions()) {
    if (action.name == name)
      return action;
    names.emplace_back(action.name);
  }
  throw Error(ErrorCode::Unknown, name,
              "model " + excerpt(name) + " is unknown" + nearestHint(name, names) +
                  "; it must be tokens, loss, run or capture");
}

// A flag of another action would be without effect.
void requireOwnFlags(const Arguments& arguments, const Action& action, const Grammar& grammar) {
  for (const Flag& flag : grammar.flags)
    if (arguments.has(flag.name) &&
        std::find(action.flags.begin(), action.flags.end(), flag.name) == action.flags.end())
      throw Error(ErrorCode::Unknown, flag.name,
                  "flag --" + flag.name + " is unknown to model " + std::string(action.name) +
                      "; attnx model --help lists the flags");
}

Grammar modelGrammar() {
  Grammar grammar;
  grammar.rest = "tokens|loss|run|capture MODEL";
  for (const Action& action : actions())
    grammar.others.emplace_back(action.name);
  grammar.flags = modelTextFlags();
  grammar.add({{"variants", "FILE", "loss, run: other masks, as JSON: [{\"name\", \"rules\"}]"},
               {"along", "", "loss: the loss of every prediction too"},
               {"variant", "NAME", "run: the variant to compute, one of those in --variants"},
               {"layers", "LIST", "capture: only these layers, such as 0,2,4-5"},
               {"dtype", "float32|float16", "capture: how numbers are stored (float32)"},
               {"output", "FILE",
                "loss: all numbers as .json; run: a .npy; capture: a .safetensors (also -o)"},
               {"threads", "T", "loss, run, capture: number of threads; 0 uses all"},
               {"json", "", "one JSON object instead of lines"}});
  return grammar;
}

int runModel(const Arguments& arguments, const Context& context) {
  const std::vector<std::string>& words = arguments.rest();
  if (words.empty())
    throw Error(ErrorCode::Type, "model",
                "model needs an action (tokens, loss, run or capture) and a MODEL");
  const Action& action = actionNamed(words.front());
  requireOwnFlags(arguments, action, modelGrammar());
  if (words.size() != 2)
    throw Error(ErrorCode::Type, "MODEL",
                "model " + words.front() +
                    " takes one MODEL: a .gguf file, a folder with "
                    "config.json, or the name of a file that tools/get_model.sh downloaded");
  return action.run(arguments, modelPath(words[1]), context);
}

} // namespace

Command modelCommand() {
  return {"model", "tokens|loss|run|capture MODEL (--text FILE | --ids FILE) [--n N] …",
          "a real model on a text: its tokens, what masks cost it, its logits, its Q, K and V",
          modelGrammar(), runModel};
}

std::vector<ModelVariant> variantsFrom(const Arguments& arguments, const Model& model,
                                       const Run& run) {
  const std::string* file = arguments.find("variants");
  if (!file)
    return {};
  std::vector<ModelVariant> variants =
      variantsFromJson(parseJson(textOfFile(*file), *file), model, *file);
  for (ModelVariant& variant : variants)
    for (Rule& rule : variant.rules)
      rule.pattern = resolveFiles(std::move(rule.pattern), folderOf(*file), run);
  return variants;
}

void noteLaterTokens(const ModelVariant& variant, const Model& model, Index n,
                     const Context& context) {
  const auto ahead = [&](const Rule& rule) {
    return looksAhead(rule.pattern, n, context.run.quiet());
  };
  if (!model.encoder && std::any_of(variant.rules.begin(), variant.rules.end(), ahead))
    context.notes << "attnx: note: under variant " << excerpt(variant.name)
                  << " tokens see later tokens, which this model never does; patterns with "
                     "\"causal\": true keep to earlier ones\n";
}

} // namespace attention::cli
