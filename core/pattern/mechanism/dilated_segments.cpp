#include "core/pattern/mechanism/dilated_segments.h"

#include "core/pattern/description_builder.h"
#include "core/pattern/heads.h"
#include "core/pattern/segment_cells.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <memory>
#include <string>

namespace attention {
namespace {

using SegmentBranches = std::vector<DilatedBranch>;

// Longer than any sequence: longer segments and dilations change nothing.
constexpr Index kLongestSegment = 2 * kMaxLength;

// What all branches say of a cell.
struct BranchFacts {
  SegmentBranches branches;
  bool causal = false;
  bool counts = false; // a key of several branches counts more than once

  std::string explain(std::size_t k, Index i, Index j) const {
    const DilatedBranch& b = branches[k];
    if (causal && j > i)
      return "key " + std::to_string(j) + " > query " + std::to_string(i);
    const std::string of = " of " + std::to_string(b.segment);
    if (i / b.segment != j / b.segment)
      return "query in segment " + std::to_string(i / b.segment) + ", key in segment " +
             std::to_string(j / b.segment) + of;
    const std::string dilation = " mod " + std::to_string(b.dilation);
    const auto leftOut = [&](const char* what, Index token) {
      return what + (" at position " + std::to_string(token % b.segment)) + of + ", which" +
             dilation + " is not " + std::to_string(b.shift);
    };
    if (!b.holds(i))
      return leftOut("query", i);
    if (!b.holds(j))
      return leftOut("key", j);
    return "both in segment " + std::to_string(i / b.segment) + of + ", at positions that are " +
           std::to_string(b.shift) + dilation + times(i, j);
  }

private:
  std::string times(Index i, Index j) const {
    Index holding = 0;
    for (const DilatedBranch& b : branches)
      holding += b.holds(i, j) ? 1 : 0;
    const std::string several = ", in " + std::to_string(holding) + " branches";
    return holding < 2 ? "" : several + (counts ? ": the key counts as often" : "");
  }
};

Part branchPart(const std::shared_ptr<const BranchFacts>& facts, std::size_t k, Cells cells) {
  const DilatedBranch& b = facts->branches[k];
  return {"branch " + std::to_string(k),
          "segments of " + std::to_string(b.segment) +
              (b.dilation == 1 ? "" : ", one token in " + std::to_string(b.dilation)),
          std::move(cells), [facts, k](Index i, Index j) { return facts->explain(k, i, j); }};
}

Cells cellsOf(const BranchFacts& facts, SegmentBranches in, SegmentBranches out, Index n) {
  return counted(
      std::make_shared<const SegmentCells>(std::move(in), std::move(out), n, facts.causal));
}

// Cells of branch k that no branch before has. Branches after it hold some of them, which count
// once more.
Part newPart(const std::shared_ptr<const BranchFacts>& facts, std::size_t k, Index n) {
  const SegmentBranches& branches = facts->branches;
  const SegmentBranches before(branches.begin(), branches.begin() + static_cast<Index>(k));
  Part part = branchPart(facts, k, cellsOf(*facts, {branches[k]}, before, n));
  for (std::size_t l = k + 1; facts->counts && l < branches.size(); ++l)
    part.repeats.push_back(cellsOf(*facts, {branches[k], branches[l]}, before, n));
  return part;
}

} // namespace

std::vector<DilatedBranch> branchesOf(const DilatedSegments& of) {
  SegmentBranches branches;
  for (std::size_t k = 0; k < of.segments->size(); ++k) {
    const Index r = (*of.dilations)[k];
    const Index shift = of.reading == DilatedSegments::Reading::Paper
                            ? of.head % r
                            : of.head / ((of.heads - 1) / r + 1);
    branches.push_back({std::min((*of.segments)[k], kLongestSegment), std::min(r, kLongestSegment),
                        std::min(shift, kLongestSegment)});
  }
  return branches;
}

const Description& describe(const DilatedSegments&) {
  using Reading = DilatedSegments::Reading;
  static const Description kDescription =
      DescriptionBuilder<DilatedSegments>("dilated_segments", "Dilated segments", "Windows")
          .summary("Segments of several lengths, the longer the sparser: LongNet.")
          .source("Ding et al. 2023 (LongNet); microsoft/torchscale, dilated_attention.py")
          .definition({"branch k: i div w = j div w, (i mod w) mod r = s = (j mod w) mod r",
                       "p_ij = m_ij exp(s_ij) / Σ m_ij exp(s_ij), m_ij: branches with (i, j)"})
          .conventions("The shift s is head mod r in the paper, head div ⌈heads/r⌉ in torchscale. "
                       "Where torchscale pads segments, its keys of zeros are left out here.")
          .complexity("O(n Σ (w/r²) d)")
          .given("segments", "w", &DilatedSegments::segments, "Tokens per segment of each branch",
                 ParameterType::Integers, true, atLeast(1))
          .given("dilations", "r", &DilatedSegments::dilations,
                 "Step from one token to the next, of each branch", ParameterType::Integers, true,
                 atLeast(1))
          .integer("head", "", &DilatedSegments::head, "Which head this is", "",
                   [](const DilatedSegments& of, Index) {
                     return Bounds{0, static_cast<double>(of.heads) - 1};
                   })
          .integer("heads", "", &DilatedSegments::heads,
                   "Number of heads that the shifts are spread over", "", atLeast(1))
          .boolean("causal", &DilatedSegments::causal, causalMeaning())
          .choice("combine", &DilatedSegments::combine, "How the branches become one output",
                  {{Combine::Lse, "lse", "count",
                    "Weighted by their softmax denominators: a key in m branches counts m times"},
                   {Combine::Union, "union", "union", "One softmax over the keys of all branches"}})
          .choice("reading", &DilatedSegments::reading, "How heads shift the tokens",
                  {{Reading::Paper, "paper", "paper", "By head mod r"},
                   {Reading::Code, "code", "code", "By head div ⌈heads/r⌉, as in torchscale"}})
          .visibleIf([](const DilatedSegments& of) { return of.heads > 1; })
          .heads(
              {}, {"head", "heads"},
              [](DilatedSegments& of, const HeadOptions& options, Index index, Index) {
                of.head = index;
                of.heads = options.heads;
              },
              [](const HeadOptions& options) { return options.heads > 1; })
          .build();
  return kDescription;
}

void checkLengths(const DilatedSegments& of, const Lengths&) {
  if (of.segments->empty() || of.segments->size() != of.dilations->size())
    throw Error(ErrorCode::Shape, "dilations",
                "dilations has " + countText(of.dilations->size(), "value") + " for " +
                    countText(of.segments->size(), "segment length") +
                    "; both must have one for each branch");
}

std::shared_ptr<const Prepared> prepared(const DilatedSegments& of, const Lengths& lengths,
                                         const Run&) {
  const auto facts = std::make_shared<const BranchFacts>(
      BranchFacts{branchesOf(of), of.causal, of.combine == Combine::Lse});
  // Where edges of segments are too many to count between them, the parts overlap and rows are
  // counted.
  const bool disjoint = fewPieces(facts->branches, lengths.keys);
  std::vector<Part> parts;
  for (std::size_t k = 0; k < facts->branches.size(); ++k)
    parts.push_back(
        disjoint ? newPart(facts, k, lengths.keys)
                 : branchPart(facts, k, cellsOf(*facts, {facts->branches[k]}, {}, lengths.keys)));
  return std::make_shared<const Prepared>(lengths, std::move(parts), Outputs{of.combine, {}, {}},
                                          disjoint ? Parts::Disjoint : Parts::Overlapping);
}

} // namespace attention
