// attnx model: what a real model does with a text.
#include "app/cli/commands.h"
#include "app/cli/model_actions.h"

#include "core/support/error.h"
#include "core/support/names.h"
#include "core/support/text.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace attention::cli {
namespace {

struct Action {
  std::string_view name;
  std::vector<std::string_view> flags; // of the command's
  int (*run)(const Arguments&, const std::filesystem::path&, const Context&);
};

const std::vector<Action>& actions() {
  static const std::vector<Action> kActions{
      {"tokens", {"text", "string", "special", "json"}, modelTokens},
  };
  return kActions;
}

std::vector<std::string> actionNames() {
  std::vector<std::string> names;
  for (const Action& action : actions())
    names.emplace_back(action.name);
  return names;
}

const Action& actionNamed(const std::string& name) {
  for (const Action& action : actions())
    if (sameName(action.name, name))
      return action;
  const std::string hint = nearestHint(name, actionNames());
  throw Error(ErrorCode::Unknown, name,
              "model " + excerpt(name) + " is unknown" +
                  (hint.empty() ? "; attnx model --help lists what it does" : hint));
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
  grammar.rest = "tokens MODEL";
  grammar.others = actionNames();
  grammar.flags = {
      {"text", "FILE", "the text"},
      {"string", "TEXT", "the text itself, instead of a file"},
      {"special", "", "with the tokens that the model's tokenizer adds before and after a text"},
      {"json", "", "one JSON object instead of lines"}};
  return grammar;
}

int runModel(const Arguments& arguments, const Context& context) {
  const std::vector<std::string>& words = arguments.rest();
  if (words.empty())
    throw Error(ErrorCode::Type, "model",
                "model is given nothing to do; it must be followed by tokens and a MODEL");
  const Action& action = actionNamed(words.front());
  requireOwnFlags(arguments, action, modelGrammar());
  if (words.size() != 2)
    throw Error(ErrorCode::Type, "MODEL",
                "model " + words.front() +
                    " takes one MODEL: a .gguf file, or a folder with a tokenizer.json or a "
                    "tokenizer.model");
  return action.run(arguments, words[1], context);
}

} // namespace

Command modelCommand() {
  return {"model", "tokens MODEL (--text FILE | --string TEXT) [--special]",
          "a real model on a text: its tokens", modelGrammar(), runModel};
}

} // namespace attention::cli
