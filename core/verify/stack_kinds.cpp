// Kinds about real models (T11): the layers that a configuration stands for, and the KV cache.
#include "core/verify/kinds.h"

#include "core/analysis/stack/stack.h"
#include "core/support/error.h"

namespace attention {
namespace {

CaseJson typesOf(const Stack& stack) {
  CaseJson types = CaseJson::array();
  for (const StackLayer& layer : stack.layers)
    types.push_back(layer.kind);
  return types;
}

CaseJson layersOf(const Stack& stack) {
  CaseJson layers = CaseJson::array();
  for (const StackLayer& layer : stack.layers)
    layers.push_back(CaseJson{{"kind", layer.kind}, {"pattern", CaseJson(layer.pattern)}});
  return layers;
}

void compareStack(const CaseJson& item, Comparison& compare) {
  const Stack stack = stackFromConfig(field(item, "config"));
  forEachMember(field(item, "expected"), [&](const std::string& name, const CaseJson& value) {
    if (name == "layer_types")
      compare.json(name, typesOf(stack), value);
    else if (name == "layers")
      compare.json(name, layersOf(stack), value);
    else
      return false;
    return true;
  });
}

void compareCache(const CaseJson& item, Comparison& compare) {
  const Index bytes = cacheOf(item);
  forEachMember(field(item, "expected"), [&](const std::string& name, const CaseJson& value) {
    if (name != "bytes")
      return false;
    compare.integer(name, bytes, value);
    return true;
  });
}

} // namespace

Index cacheOf(const CaseJson& item) {
  std::vector<KvLayer> layers;
  for (const CaseJson& layer : listField(item, "layers"))
    layers.push_back(kvLayerFromJson(layer));
  KvQuestion question;
  question.n = integerField(item, "n");
  if (isGiven(item, "bytes"))
    question.bytes = integerField(item, "bytes");
  if (isGiven(item, "policy"))
    question.policy = kvPolicyNamed(textField(item, "policy"));
  return kvBytes(layers, question);
}

void verifyStack(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json()))
    orExpectedError(item, compare, [&] { compareStack(item, compare); });
}

void verifyKvCache(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json()))
    orExpectedError(item, compare, [&] { compareCache(item, compare); });
}

} // namespace attention
