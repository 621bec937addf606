#include "core/verify/verify.h"

#include "core/support/error.h"
#include "core/verify/kinds.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

constexpr std::array kKinds{
    CaseKind{"attention", verifyAttention<double>, verifyAttention<float>},
    CaseKind{"nsa", verifyNsa<double>, verifyNsa<float>},
    CaseKind{"lsh", verifyLsh<double>, verifyLsh<float>},
    CaseKind{"routing_scatter_mean", verifyRoutingScatterMean<double>,
             verifyRoutingScatterMean<float>},
    CaseKind{"counts", verifyCounts, verifyCounts},
    CaseKind{"coverage", verifyCoverage, verifyCoverage},
    CaseKind{"head_masks", verifyHeadMasks, verifyHeadMasks},
    CaseKind{"multihead", verifyMultihead<double>, verifyMultihead<float>},
    CaseKind{"mask_metrics", verifyMaskMetrics, verifyMaskMetrics},
    CaseKind{"metrics", verifyMetrics<double>, verifyMetrics<float>},
    CaseKind{"merge", verifyMerge<double>, verifyMerge<float>},
    CaseKind{"rng", verifyRandomNumbers, verifyRandomNumbers},
    CaseKind{"errors", verifyErrors, verifyErrors},
    CaseKind{"cost", verifyCost, verifyCost},
    CaseKind{"kernel_attention", verifyKernelAttention<double>, verifyKernelAttention<float>},
    CaseKind{"features", verifyFeatures<double>, verifyFeatures<float>},
    CaseKind{"linformer", verifyLinformer<double>, verifyLinformer<float>},
    CaseKind{"moments", verifyMoments, verifyMoments},
    CaseKind{"low_rank", verifyLowRank, verifyLowRank},
    CaseKind{"axial", verifyAxial<double>, verifyAxial<float>},
    CaseKind{"receptive_field", verifyReceptiveField, verifyReceptiveField},
    CaseKind{"tiles", verifyTiles, verifyTiles},
    CaseKind{"ranks", verifyRanks, verifyRanks},
    CaseKind{"stack", verifyStack, verifyStack},
    CaseKind{"kv_cache", verifyKvCache, verifyKvCache},
    CaseKind{"mask_check", verifyMaskCheck, verifyMaskCheck},
    CaseKind{"export", verifyExport, verifyExport},
    CaseKind{"alibi_slopes", verifyAlibiSlopes, verifyAlibiSlopes},
    CaseKind{"t5_buckets", verifyT5Buckets, verifyT5Buckets},
};

const CaseKind& kindNamed(const std::string& name) {
  for (const CaseKind& kind : kKinds)
    if (kind.name == name)
      return kind;
  std::string known;
  for (const CaseKind& kind : kKinds)
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  throw Error(ErrorCode::Unknown, "kind", "kind is " + name + "; it must be one of " + known);
}

void runOne(const CaseFile& file, const std::string& dtype,
            void (*compute)(const CaseFile&, Comparison&), CaseResult& result) {
  const std::optional<Tolerance> tolerance = file.tolerance(dtype);
  if (!tolerance)
    return;
  Comparison compare(*tolerance);
  compute(file, compare);
  result.dtype += (result.dtype.empty() ? "" : " ") + dtype;
  result.largestDeviation = std::max(result.largestDeviation, compare.largestDeviation());
  if (!compare.passed() && result.message.empty())
    result.message = dtype + ": " + compare.message();
}

void runCase(const CaseFile& file, CaseResult& result) {
  const CaseKind& kind = kindNamed(result.kind);
  runOne(file, "float64", kind.inDouble, result);
  if (kind.inFloat != kind.inDouble || result.dtype.empty())
    runOne(file, "float32", kind.inFloat, result);
  if (result.dtype.empty())
    throw Error(ErrorCode::Type, "tolerance",
                "tolerance has neither float64 nor float32; it must have at least one of them");
  result.passed = result.message.empty();
}

} // namespace

std::span<const CaseKind> caseKinds() {
  return kKinds;
}

CaseResult verifyCase(const std::filesystem::path& folder, const std::string& name,
                      const Run& run) {
  CaseResult result;
  result.id = name;
  try {
    const CaseFile file(folder, name, run);
    result.id = file.id();
    result.kind = file.kind();
    runCase(file, result);
  } catch (const Error& error) {
    result.passed = false;
    result.message = error.text();
  } catch (const nlohmann::json::exception&) {
    result.passed = false;
    result.message =
        name +
        ".json is not a reference case: a field does not have the type that its kind of case needs";
  }
  return result;
}

std::vector<std::string> caseNames(const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::directory_iterator files(folder, problem);
  if (problem)
    throw Error(ErrorCode::Io, folder.string(),
                folder.string() + " cannot be read as a folder: " + problem.message());
  std::vector<std::string> names;
  for (const auto& file : files)
    if (file.path().extension() == ".json" && file.path().filename() != "index.json")
      names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<CaseResult> verifyFolder(const std::filesystem::path& folder,
                                     const std::function<void(const CaseResult&)>& onCase,
                                     const Run& run) {
  const std::vector<std::string> names = caseNames(folder);
  if (names.empty())
    throw Error(ErrorCode::Unsupported, folder.string(),
                folder.string() + " has no case; it must be a folder of .json reference cases");
  std::vector<CaseResult> results;
  for (const std::string& name : names) {
    results.push_back(verifyCase(folder, name, run));
    if (onCase)
      onCase(results.back());
    run.report(static_cast<double>(results.size()) / static_cast<double>(names.size()));
  }
  return results;
}

} // namespace attention
