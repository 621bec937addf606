// Fields about how keys were chosen (S32), which cases of attention and of nsa have.
#include "core/verify/kinds.h"

#include "core/analysis/score/choice_board.h"
#include "core/support/error.h"

namespace attention {
namespace {

// Cells in the lengths of `expected`, whose last two axes are rows and columns.
template <class Contains>
void compareCells(const std::string& name, const Tensor& expected, Index rows, Index columns,
                  const Contains& contains, Comparison& compare) {
  if (expected.fromEnd(1) != rows || expected.fromEnd(0) != columns)
    return compare.fail(name + " is expected as " + shapeText(expected.shape) + "; it is " +
                        std::to_string(rows) + " × " + std::to_string(columns));
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      if (const bool in = number(expected, i * columns + j) != 0; in != contains(i, j))
        compare.fail(name + "(" + std::to_string(i) + ", " + std::to_string(j) + ") is " +
                     (in ? "false; expected true" : "true; expected false"));
}

// A part of the mask, or one of the softmaxes that are added up.
std::function<bool(Index, Index)> partNamed(const Prepared& pattern, const std::string& name) {
  for (std::size_t p = 0; p < pattern.parts().size(); ++p)
    if (pattern.parts()[p].name == name)
      return [&pattern, p](Index i, Index j) { return pattern.contains(p, i, j); };
  if (pattern.branches())
    for (const Branch& branch : pattern.branches()->of)
      if (branch.part.name == name)
        return [&branch](Index i, Index j) { return contains(branch.part.cells, i, j); };
  throw Error(ErrorCode::Unknown, name, "the case expects part " + name + ", which there is not");
}

void compareParts(const CaseFile& file, const Prepared& pattern, const CaseJson& parts,
                  Comparison& compare) {
  const Lengths& lengths = pattern.lengths();
  forEachMember(parts, [&](const std::string& name, const CaseJson&) {
    compareCells("part " + name, file.array(parts, name), lengths.queries, lengths.keys,
                 partNamed(pattern, name), compare);
    return true;
  });
}

// A finding against a value, or against the array that the value names.
struct Against {
  const CaseFile& file;
  const std::string& name;
  const CaseJson& value;
  Comparison& compare;

  void operator()(double x) const { compare.number(name, x, value); }
  void operator()(const std::string& text) const {
    compare.text(name, text, value.is_string() ? value.get<std::string>() : value.dump());
  }
  void operator()(const std::vector<Index>& list) const { compare.integers(name, list, value); }
  void operator()(const std::vector<bool>& list) const {
    compare.length(name, list.size(), value.size());
    for (std::size_t k = 0; k < std::min(list.size(), value.size()); ++k)
      if (value[k] != CaseJson(bool{list[k]}) && value[k] != CaseJson(list[k] ? 1 : 0))
        compare.fail(name + "[" + std::to_string(k) + "] is " +
                     (list[k] ? "true; expected false" : "false; expected true"));
  }
  void operator()(const Matrix<double>& matrix) const {
    compare.numbers<double>(name, matrix.values(), file.array(file.expected(), name));
  }
};

} // namespace

bool checkChoice(const CaseFile& file, const Prepared& pattern, const std::string& name,
                 const CaseJson& value, Comparison& compare) {
  if (name == "parts") {
    compareParts(file, pattern, value, compare);
    return true;
  }
  if (!pattern.choice())
    return false;
  const KeyChoice& choice = *pattern.choice();
  if (name == "block_mask") {
    const ChosenBlocks blocks(pattern);
    compareCells(
        name, file.array(file.expected(), name), blocks.queryBlocks(), blocks.keyBlocks(),
        [&](Index a, Index c) { return blocks.contains(a, c); }, compare);
  } else if (name == "choose_flops")
    compare.integer(name, static_cast<Index>(choice.flops), value);
  else if (name == "evicted_at" && choice.tellsEvictions)
    compare.integers(name, evictedAt(pattern), value);
  else if (const auto at = choice.found.find(name); at != choice.found.end())
    std::visit(Against{file, name, value, compare}, at->second);
  else
    return false;
  return true;
}

void compareBoard(const ChoiceBoard& board, const CaseJson& expected, Comparison& compare) {
  forEachMember(expected, [&](const std::string& name, const CaseJson& value) {
    if (name == "recall")
      compare.number(name, board.recall, value);
    else if (name == "recall_rows")
      compare.numbers<double>(name, board.recallRows, value);
    else if (name == "oracle_keys_recall")
      compare.number(name, board.oracleKeysRecall, value);
    else if (name == "oracle_blocks_recall")
      compare.number(name, board.oracleBlocksRecall, value);
    else if (name == "block_overlap")
      compare.number(name, board.blockOverlap, value);
    else if (name == "blocks_chosen")
      compare.integer(name, board.blocksChosen, value);
    else if (name == "blocks_possible")
      compare.integer(name, board.blocksPossible, value);
    else if (name == "block_density")
      compare.number(name, board.blockDensity, value);
    else if (name == "cell_density")
      compare.number(name, board.cellDensity, value);
    else
      throw Error(ErrorCode::Unknown, name,
                  "the case expects " + name + " of the score board, which it does not have");
    return true;
  });
}

} // namespace attention
