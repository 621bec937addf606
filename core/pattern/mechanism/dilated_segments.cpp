#include "core/pattern/mechanism/dilated_segments.h"

#include "core/pattern/description_builder.h"
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

// LongNet's own settings: each branch has segments and dilations that are multiples of the last
// one's, and tokens that take part in it take part in the last one too.
bool nested(const SegmentBranches& branches) {
  for (std::size_t k = 0; k < branches.size(); ++k) {
    const DilatedBranch& b = branches[k];
    if (b.segment % b.dilation != 0)
      return false;
    if (k == 0)
      continue;
    const DilatedBranch& a = branches[k - 1];
    if (b.segment % a.segment != 0 || b.dilation % a.dilation != 0 || a.segment % b.dilation != 0 ||
        b.shift % a.dilation != a.shift)
      return false;
  }
  return true;
}

// What all branches say of a cell.
struct BranchFacts {
  SegmentBranches branches;
  bool causal = false;
  bool counts = false; // a key of several branches counts more than once

  SegmentGrid grid(std::size_t k) const {
    const DilatedBranch& b = branches[k];
    return {b.segment, b.segment, b.dilation, b.shift, causal};
  }

  std::string explain(std::size_t k, Index i, Index j) const {
    const DilatedBranch& b = branches[k];
    if (causal && j > i)
      return "key " + std::to_string(j) + " > query " + std::to_string(i);
    const std::string of = " of " + std::to_string(b.segment);
    if (i / b.segment != j / b.segment)
      return "query in segment " + std::to_string(i / b.segment) + ", key in segment " +
             std::to_string(j / b.segment) + of;
    const std::string dilation = " mod " + std::to_string(b.dilation);
    for (const Index token : {i, j})
      if (!grid(k).holds(token))
        return std::string(token == i ? "query" : "key") + " at position " +
               std::to_string(token % b.segment) + of + ", which" + dilation + " is not " +
               std::to_string(b.shift);
    return "both in segment " + std::to_string(i / b.segment) + of + ", at positions that are " +
           std::to_string(b.shift) + dilation + times(i, j);
  }

private:
  std::string times(Index i, Index j) const {
    Index holding = 0;
    for (std::size_t k = 0; k < branches.size(); ++k)
      holding += grid(k).contains(i, j) ? 1 : 0;
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

Cells cellsOf(const SegmentGrid& all, const std::optional<SegmentGrid>& within, Index n) {
  return counted(std::make_shared<const SegmentCells>(all, within, n));
}

// Cells that the branches before do not have: those outside the shorter segments. Of these, branch
// l > k holds the ones of its own residue, which count once more.
Part nestedPart(const std::shared_ptr<const BranchFacts>& facts, std::size_t k, Index n) {
  const auto ring = [&](std::size_t of) {
    SegmentGrid all = facts->grid(of);
    all.segment = facts->branches[k].segment;
    std::optional<SegmentGrid> within;
    if (k > 0) {
      within = all;
      within->segment = facts->branches[k - 1].segment;
    }
    if (of == k) { // counted: dilations divide all these segments
      all.origin = all.segment;
      if (within)
        within->origin = within->segment;
    }
    return cellsOf(all, within, n);
  };
  Part part = branchPart(facts, k, ring(k));
  for (std::size_t l = k + 1; l < facts->branches.size(); ++l)
    part.repeats.push_back(ring(l));
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
  const bool disjoint = nested(facts->branches);
  std::vector<Part> parts;
  for (std::size_t k = 0; k < facts->branches.size(); ++k)
    parts.push_back(
        disjoint ? nestedPart(facts, k, lengths.keys)
                 : branchPart(facts, k, cellsOf(facts->grid(k), std::nullopt, lengths.keys)));
  return std::make_shared<const Prepared>(lengths, std::move(parts), Outputs{of.combine, {}, {}},
                                          disjoint ? Parts::Disjoint : Parts::Overlapping);
}

} // namespace attention
