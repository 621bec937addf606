// Numbers of mechanisms that choose blocks or keys and of caches that evict keys (scene_facts.h).
#pragma once

#include "core/input/input.h"
#include "core/pattern/prepared.h"
#include "core/scene/scene.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The value of the fact `name` with its arguments, of mask k that a Scene shows (0 where it is not
// given); nothing if choices have no fact of that name.
//   oracle(blocks, k), oracle(keys, k): the share of attention that as many blocks, or keys, as the
//   mask has could keep (S31); overlap(k): of its blocks, the share that is among those;
//   choosing(k): FLOPs of choosing, over those of attention to what was chosen;
//   evicted(j, k): the first query after key j that does not see it; −1: none.
std::optional<double>
choiceFact(const attention::Scene& scene, const std::shared_ptr<const attention::Input>& input,
           const std::function<std::shared_ptr<const attention::Prepared>(attention::Index)>& mask,
           const std::string& name, const std::vector<std::string>& of);
