// Numbers that follow from the Choosing view of a Scene (scene_facts.h).
#pragma once

#include "core/input/input.h"
#include "core/scene/scene.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

// The value of the fact `name` with its arguments, of the Scene with its loaded input; nothing if
// hashing has no fact of that name.
//   met(PAIR): rounds of the circle in which the points of PAIR, far or near, share a bucket;
//   meets(PAIR): the probability of that in a round of rotations, meets(PAIR, R): in one of R;
//   groups: how many hold a query; group.least, group.most: queries of one, in the current round;
//   group(i), place(i): the group of token i, and its place when tokens are sorted by it;
//   together: pairs of tokens in one group; cuts: neighbours in one group that a chunk border
//   separates; round.pairs(r): pairs of only round r; rounds.pairs: their sum; empty: queries
//   without a key; captured(c), recall(c), read(c): share of attention, of the largest weights and
//   of the pairs with c rounds, clusters or centroids; chance(c): of attention, by as many keys at
//   random.
std::optional<double> hashingFact(const attention::Scene& scene,
                                  const std::shared_ptr<const attention::Input>& input,
                                  const std::string& name, const std::vector<std::string>& of);
