// Numbers of the layers of real models (scene_facts.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

// The value of the fact `name` with its arguments; nothing if stacks have no fact of that name. A
// model is named with "_" for "-": gemma_3_27b.
//   layers(MODEL), layers(MODEL, KIND): how many there are, of a kind such as full_attention;
//   kv(MODEL, n): bytes of its cache for n tokens, two per number, where a layer with a window
//   keeps no more than that; kv.full(MODEL, n): where every layer keeps all n.
std::optional<double> stackFact(const std::string& name, const std::vector<std::string>& of);
