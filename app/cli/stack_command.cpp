// attnx stack: the layers of a real model, their masks, and what they keep in the KV cache.
#include "app/cli/commands.h"
#include "app/cli/stack_report.h"

#include "core/input/mapped_file.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <filesystem>
#include <ostream>

namespace attention::cli {
namespace {

namespace fs = std::filesystem;

constexpr Index kUsualLength = 8192; // of a model whose context is not known

// A file, or a folder with a config.json; a name of the table has neither slash nor .json.
bool isFile(const std::string& word) {
  std::error_code ignored;
  return word.find('/') != std::string::npos || endingOf(word) == ".json" ||
         fs::exists(word, ignored);
}

Stack stackFromFile(const std::string& word) {
  std::error_code ignored;
  const fs::path path =
      fs::is_directory(word, ignored) ? fs::path(word) / "config.json" : fs::path(word);
  return stackFromConfig(parseJson(textOfFile(path), path.string()));
}

KvQuestion questionFrom(const Arguments& arguments, const Stack& stack) {
  KvQuestion question;
  question.n = lengthFrom(arguments, "n").value_or(stack.context.value_or(kUsualLength));
  if (question.n < 1)
    throw Error(ErrorCode::N, "n",
                "n is " + std::to_string(question.n) + "; it must be an integer of at least 1");
  question.bytes = arguments.integer("kv-bytes").value_or(2);
  if (question.bytes < 1)
    throwRange("kv-bytes", std::to_string(question.bytes), "an integer of at least 1");
  question.policy = kvPolicyNamed(arguments.text("kv-policy", "windowed"));
  return question;
}

int listModels(const Arguments& arguments, const Context& context) {
  if (!arguments.rest().empty())
    throw Error(ErrorCode::Type, "list", "a model is given with --list; leave one of them out");
  if (arguments.on("json"))
    print(context.out, modelsJson());
  else
    printModels(context.out);
  return 0;
}

int runStack(const Arguments& arguments, const Context& context) {
  if (arguments.on("list"))
    return listModels(arguments, context);
  if (arguments.rest().size() != 1)
    throw Error(ErrorCode::Type, "NAME",
                "stack takes one model: a name of attnx stack --list, or a config.json");
  const std::string& word = arguments.rest().front();
  const Stack stack = isFile(word) ? stackFromFile(word) : modelNamed(word);
  const KvQuestion question = questionFrom(arguments, stack);
  if (arguments.on("json"))
    print(context.out, stackJson(stack, question));
  else
    printStack(context.out, stack, question);
  return 0;
}

} // namespace

Command stackCommand() {
  Grammar grammar;
  grammar.rest = "NAME|FILE";
  for (const ModelRow& row : modelTable())
    grammar.others.emplace_back(row.name);
  grammar.flags = {{"n", "N", "tokens that the KV cache holds (the model's context)"},
                   {"kv-policy", "windowed|full|step",
                    "tokens that a layer with a window keeps: at most W, all, or W - 1"},
                   {"kv-bytes", "B", "bytes of a number in the cache (2)"},
                   {"list", "", "the models that are known, instead"},
                   {"json", "", "one JSON object instead of lines"}};
  return {"stack", "NAME|FILE [--n N], or --list",
          "the layers of a model or of its config.json: their masks and the KV cache", grammar,
          runStack};
}

} // namespace attention::cli
