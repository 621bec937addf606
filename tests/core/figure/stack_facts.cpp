#include "tests/core/figure/stack_facts.h"

#include "core/analysis/stack/models.h"

#include <algorithm>

using namespace attention;

namespace {

Stack stackOfModel(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return modelNamed(name);
}

double layersOf(const Stack& stack, const std::vector<std::string>& of) {
  return static_cast<double>(
      std::count_if(stack.layers.begin(), stack.layers.end(),
                    [&](const StackLayer& layer) { return of.size() < 2 || layer.kind == of[1]; }));
}

} // namespace

std::optional<double> stackFact(const std::string& name, const std::vector<std::string>& of) {
  if (name == "layers")
    return layersOf(stackOfModel(of.at(0)), of);
  if (name != "kv" && name != "kv.full")
    return std::nullopt;
  KvQuestion question;
  question.n = std::stoll(of.at(1));
  question.policy = name == "kv" ? KvPolicy::Windowed : KvPolicy::Full;
  return static_cast<double>(kvBytes(stackOfModel(of.at(0)), question).value());
}
