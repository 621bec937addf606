// The kinds of reference cases that can be verified, one function per kind: it computes what the
// case describes through the library's public functions and compares it. Throwing an Error fails
// the case.
#pragma once

#include "core/analysis/check/mask_check.h"
#include "core/analysis/tiles/rank_work.h"
#include "core/analysis/tiles/tile_counts.h"
#include "core/verify/case_file.h"

#include <span>
#include <string_view>

namespace attention {

struct ChoiceBoard;

struct CaseKind {
  std::string_view name;
  // In double and in float precision. The same function where nothing depends on the precision; it
  // then runs once.
  void (*inDouble)(const CaseFile&, Comparison&);
  void (*inFloat)(const CaseFile&, Comparison&);
};

std::span<const CaseKind> caseKinds();

template <class T>
void verifyAttention(const CaseFile& file, Comparison& compare);
template <class T>
void verifyNsa(const CaseFile& file, Comparison& compare);
template <class T>
void verifyMetrics(const CaseFile& file, Comparison& compare);
template <class T>
void verifyMerge(const CaseFile& file, Comparison& compare);
template <class T>
void verifyMultihead(const CaseFile& file, Comparison& compare);
template <class T>
void verifyLsh(const CaseFile& file, Comparison& compare);
template <class T>
void verifyRoutingScatterMean(const CaseFile& file, Comparison& compare);
template <class T>
void verifyKernelAttention(const CaseFile& file, Comparison& compare);
template <class T>
void verifyFeatures(const CaseFile& file, Comparison& compare);
template <class T>
void verifyLinformer(const CaseFile& file, Comparison& compare);
template <class T>
void verifyAxial(const CaseFile& file, Comparison& compare);
void verifyMoments(const CaseFile& file, Comparison& compare);
void verifyLowRank(const CaseFile& file, Comparison& compare);
void verifyCounts(const CaseFile& file, Comparison& compare);
void verifyCoverage(const CaseFile& file, Comparison& compare);
void verifyHeadMasks(const CaseFile& file, Comparison& compare);
void verifyMaskMetrics(const CaseFile& file, Comparison& compare);
void verifyErrors(const CaseFile& file, Comparison& compare);
void verifyRandomNumbers(const CaseFile& file, Comparison& compare);
void verifyCost(const CaseFile& file, Comparison& compare);
void verifyReceptiveField(const CaseFile& file, Comparison& compare);
void verifyTiles(const CaseFile& file, Comparison& compare);
void verifyRanks(const CaseFile& file, Comparison& compare);
void verifyStack(const CaseFile& file, Comparison& compare);
void verifyKvCache(const CaseFile& file, Comparison& compare);
void verifyMaskCheck(const CaseFile& file, Comparison& compare);
void verifyExport(const CaseFile& file, Comparison& compare);
void verifyAlibiSlopes(const CaseFile& file, Comparison& compare);
void verifyT5Buckets(const CaseFile& file, Comparison& compare);

// Where the item expects an error, `compute` must throw one with that code; else it compares.
void orExpectedError(const CaseJson& item, Comparison& compare,
                     const std::function<void()>& compute);
// The lengths of an item of a list, which may leave n out where it has rows.
Lengths lengthsOfItem(const CaseJson& item);
// What an item describes, computed. Throws what is wrong with it.
TileCounts tilesOf(const CaseJson& item, const CaseFile& file); // with blocks of b_q × b_k
RankWork ranksOf(const CaseJson& item, const CaseFile& file);
CaseJson exportOf(const std::string& format, const CaseJson& item, const CaseFile& file);
MaskCheck checkOf(const CaseJson& item, const CaseFile& file);
Index cacheOf(const CaseJson& item); // bytes of keys and values

// The same for an item that is more than a mask, as its fields tell; false where it is none.
bool computeBesideMasks(const CaseJson& item, const CaseFile& file);

// Compares a field about how keys were chosen (S32): parts, block_mask, choose_flops, evicted_at,
// and what the choice found under that name. False where it is no such field.
bool checkChoice(const CaseFile& file, const Prepared& pattern, const std::string& name,
                 const CaseJson& value, Comparison& compare);
// Compares the members of a score board of S31. E_UNKNOWN: one that it does not have.
void compareBoard(const ChoiceBoard& board, const CaseJson& expected, Comparison& compare);

// Compares the cells of `pattern` with plane `plane` of a boolean array [planes, n_q, n_k] or
// [n_q, n_k].
void compareMask(const Prepared& pattern, const Tensor& expected, Index plane, Comparison& compare);

// The patterns of the heads that the case describes by heads, mode, num_subblocks and dilations.
std::vector<std::shared_ptr<const Prepared>> headsOf(const CaseFile& file);

} // namespace attention
