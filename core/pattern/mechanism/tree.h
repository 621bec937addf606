// Draft tokens as a tree behind a causal prefix (T4): each sees the prefix, itself and its
// ancestors. Medusa and other speculative decoders verify all branches at once.
#pragma once

#include "core/pattern/mechanism/mechanism.h"
#include "core/pattern/value.h"

#include <optional>

namespace attention {

struct Tree {
  std::optional<IndexList> parents; // of each node, earlier ones; −1: a root
  std::optional<PathList> paths;    // Medusa's choices; node 0 is the root above them
  Index prefix = 0;                 // tokens before the nodes
  bool operator==(const Tree&) const = default;
};

// The parent of every node, whichever way they are given. E_TYPE, E_RANGE.
std::vector<Index> parentsOf(const Tree& tree);

const Description& describe(const Tree&);
void checkLengths(const Tree& tree, const Lengths& lengths);
std::shared_ptr<const Prepared> prepared(const Tree& tree, const Lengths& lengths, const Run& run);

} // namespace attention
