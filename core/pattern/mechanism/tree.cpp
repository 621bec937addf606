#include "core/pattern/mechanism/tree.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/tree_cells.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>

namespace attention {
namespace {

using TreePath = std::vector<Index>;

std::string textOf(const TreePath& path) {
  std::string text;
  for (const Index turn : path)
    text += (text.empty() ? "[" : ", ") + std::to_string(turn);
  return text + "]";
}

void requirePath(const TreePath& path) {
  const bool turns = std::all_of(path.begin(), path.end(), [](Index turn) { return turn >= 0; });
  if (path.empty() || !turns)
    throw Error(ErrorCode::Type, "paths",
                "paths holds " + (path.empty() ? std::string("an empty list") : textOf(path)) +
                    "; a path must be a list of integers of at least 0");
}

// Nodes by length, then by their turns, behind the root (Medusa's generate_medusa_buffers).
std::vector<Index> parentsOfPaths(const PathList& paths) {
  std::vector<TreePath> sorted(paths.begin(), paths.end());
  std::for_each(sorted.begin(), sorted.end(), requirePath);
  std::sort(sorted.begin(), sorted.end(), [](const TreePath& a, const TreePath& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  std::map<TreePath, Index> nodes{{TreePath(), 0}};
  std::vector<Index> parents{-1};
  for (const TreePath& path : sorted) {
    if (!nodes.emplace(path, static_cast<Index>(parents.size())).second)
      throwRange("paths", "a list with " + textOf(path) + " twice", "a list of different paths");
    const auto parent = nodes.find(TreePath(path.begin(), path.end() - 1));
    if (parent == nodes.end())
      throwRange("paths", "a list with " + textOf(path) + " but not the path to its parent",
                 "a list with every beginning of its paths");
    parents.push_back(parent->second);
  }
  return parents;
}

void requireParents(const std::vector<Index>& parents) {
  for (std::size_t t = 0; t < parents.size(); ++t)
    if (parents[t] < -1 || parents[t] >= static_cast<Index>(t))
      throwRange("parents",
                 "a list with " + std::to_string(parents[t]) + " for node " + std::to_string(t),
                 "a list of earlier nodes, −1 for a root");
}

Part prefixPart(Index prefix) {
  PrimitiveSet cells{
      {band(0, kUnbounded, 1, {0, prefix, 0, prefix}), area({prefix, kUnbounded, 0, prefix})}};
  return {"prefix", "prefix, causal", std::move(cells), [prefix](Index i, Index j) {
            const std::string key = std::to_string(j);
            if (j >= prefix)
              return "key " + key + " is a node after the prefix of " + std::to_string(prefix);
            if (i >= prefix)
              return "key " + key + " is in the prefix, which every node sees";
            return key + (j <= i ? " ≤ " : " > ") + std::to_string(i);
          }};
}

Part nodePart(const std::shared_ptr<const TreeCells>& cells, Index prefix) {
  return {"tree", "itself and its ancestors", counted(cells), [cells, prefix](Index i, Index j) {
            if (i < prefix)
              return "query " + std::to_string(i) + " is in the prefix";
            if (j < prefix)
              return "key " + std::to_string(j) + " is in the prefix";
            const std::string node = "node " + std::to_string(i - prefix);
            const std::string depth = " at depth " + std::to_string(cells->depthOf(i));
            if (i == j)
              return node + depth + " sees itself";
            return "node " + std::to_string(j - prefix) +
                   (cells->contains(i, j) ? " is an ancestor of " : " is no ancestor of ") + node +
                   depth;
          }};
}

} // namespace

const Description& describe(const Tree&) {
  static const Description kDescription =
      DescriptionBuilder<Tree>("tree", "Tree of drafts", "Structure")
          .summary("Drafted tokens as a tree: each sees the prefix, itself and its ancestors.")
          .source("Cai et al. 2024 (Medusa), medusa/model/utils.py; attention-gym, jetspec.py")
          .definition({"i < p: Sᵢ = { j : j ≤ i }",
                       "node i: Sᵢ = { j : j < p } ∪ { i } ∪ { ancestors of i }"})
          .conventions("Medusa lists paths from a root that is not listed itself. attention-gym "
                       "has one root.")
          .complexity("O((p + nodes) p d + Σ depth d)")
          .given("parents", "", &Tree::parents, "The parent of every node, −1 for a root",
                 ParameterType::Integers, false, anyNumber())
          .visibleIf([](const Tree& tree) { return !tree.paths; })
          .given("paths", "", &Tree::paths,
                 "The nodes below a root by the turns that lead to them, such as 0, 1, 0-0",
                 ParameterType::Paths, false, anyNumber())
          .visibleIf([](const Tree& tree) { return !tree.parents; })
          .integer("prefix", "p", &Tree::prefix,
                   "Tokens of the prompt before the tree; they attend causally", "", atLeast(0))
          .build();
  return kDescription;
}

std::vector<Index> parentsOf(const Tree& tree) {
  if (tree.parents.has_value() == tree.paths.has_value())
    throw Error(ErrorCode::Type, "parents",
                tree.paths ? "parents and paths are both given; give only one of them"
                           : "parents is missing; tree requires parents or paths");
  std::vector<Index> parents = tree.parents ? tree.parents->get() : parentsOfPaths(*tree.paths);
  requireParents(parents);
  return parents;
}

void checkLengths(const Tree& tree, const Lengths& lengths) {
  requireInLayout("tree", lengths);
  const auto nodes = static_cast<Index>(parentsOf(tree).size());
  if (tree.prefix > lengths.keys || tree.prefix + nodes != lengths.keys)
    throwRange(tree.parents ? "parents" : "paths",
               "a tree of " + countText(nodes, "node") + " after a prefix of " +
                   std::to_string(tree.prefix),
               "one of n = " + std::to_string(lengths.keys) + " tokens with its prefix");
}

std::shared_ptr<const Prepared> prepared(const Tree& tree, const Lengths& lengths, const Run&) {
  const auto cells = std::make_shared<const TreeCells>(parentsOf(tree), tree.prefix);
  std::vector<Part> parts;
  if (tree.prefix > 0)
    parts.push_back(prefixPart(tree.prefix));
  parts.push_back(nodePart(cells, tree.prefix));
  return fromParts(lengths, std::move(parts));
}

} // namespace attention
