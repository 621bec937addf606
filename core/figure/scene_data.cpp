#include "core/figure/scene_data.h"

#include "core/figure/attention_lists.h"
#include "core/figure/encodings_lists.h"
#include "core/figure/export_mask.h"
#include "core/figure/hashing_lists.h"
#include "core/figure/kernels_lists.h"
#include "core/figure/reach_lists.h"
#include "core/figure/scene_compare.h"
#include "core/figure/scene_reach.h"
#include "core/figure/scene_timings.h"
#include "core/scene/input_data.h"
#include "core/scene/shown_masks.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

constexpr Index kMostTextLines = 1'000'000;

constexpr std::array kMaskForms{DataForm{".npy", "The mask as a boolean NumPy array, n × n"},
                                DataForm{".csv", "The attended pairs i,j, one per line"},
                                DataForm{".mtx", "The attended pairs in Matrix Market's form"}};
constexpr std::array kReachForms{
    DataForm{".npy", "The matrix of hops as int32, n × n; −1 for never"},
    DataForm{".csv", "The growth: pairs reached after every layer, one line per curve and layer"}};

constexpr std::array kAttentionForms{
    DataForm{".npy", "The weights as float64: full, pattern and difference; heads; lines"},
    DataForm{".csv",
             "One line per query, with what the pattern keeps of it; per head; or per drawn line"}};

constexpr std::array kKernelsForms{
    DataForm{".npy", "The picture's numbers as float64: errors, matrices, normalisers …"},
    DataForm{".csv", "The picture's numbers as a table"}};
constexpr std::array kTimingForms{DataForm{
    ".csv", "Medians, quartiles, rates and predictions, one line per mechanism and length"}};

constexpr std::array kHashingForms{
    DataForm{".npy", "The picture's numbers: groups and ranks, the sorted matrix, curves"},
    DataForm{".csv", "The picture's numbers as a table"}};

constexpr std::array kEncodingForms{
    DataForm{".npy", "The encoding E as float32, n × (d1 + d2)"},
    DataForm{".csv", "One line per position: its rows of E1 and E2, then its encoding"}};

constexpr std::array kCompareForms{
    DataForm{".npy", "The masks as boolean NumPy arrays, the difference's cells last"},
    DataForm{".csv", "The score board: pairs, mass, error, recall, entropy, cost and time"}};

void requireForm(View view, const std::filesystem::path& path) {
  const auto forms = dataForms(view);
  std::string endings;
  for (const DataForm& form : forms) {
    if (form.ending == endingOf(path))
      return;
    endings += (endings.empty() ? "" : ", ") + std::string(form.ending);
  }
  throwEnding(path, endings);
}

Lengths lengthsIn(const Scene& scene, const SceneFigureOptions& options) {
  return currentLengths(scene.length, options.input.get());
}

ShownMasks masksOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return shownMasks(scene, lengthsIn(scene, options), options.input.get(), run);
}

void writeMasks(const Scene& scene, const SceneFigureOptions& options,
                const std::filesystem::path& path, const Run& run) {
  std::vector<std::shared_ptr<const Prepared>> prepared;
  for (const ShownMask& mask : masksOf(scene, options, run).masks)
    prepared.push_back(mask.prepared);
  exportMasks(prepared, path, run);
}

ReachAnswer reachOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  return options.reach ? *options.reach
                       : reachOfScene(scene, options.input.get(), options.threads, run);
}

void writeReach(const Scene& scene, const SceneFigureOptions& options,
                const std::filesystem::path& path, const Run& run) {
  const ReachAnswer answer = reachOf(scene, options, run);
  if (endingOf(path) == ".csv")
    return writeCsv(path, growthTable(answer.growth));
  if (!answer.hops)
    throwRange("n", std::to_string(answer.stack.n()),
               "at most " + std::to_string(kMostHopTokens) + " for the matrix of hops");
  writeHopsNpy(*answer.hops, path, run);
}

KernelsAnswer kernelsOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  if (options.kernels)
    return *options.kernels;
  Run here = run;
  here.threads = options.threads;
  return kernelsAnswer(scene, lengthsIn(scene, options),
                       {options.input, scene.input.batch, scene.input.head}, here);
}

void writeKernels(const Scene& scene, const SceneFigureOptions& options,
                  const std::filesystem::path& path, const Run& run) {
  const KernelsAnswer answer = kernelsOf(scene, options, run);
  if (endingOf(path) == ".csv")
    writeCsv(path, kernelsTable(scene.kernels, answer));
  else
    writeKernelsNpy(scene.kernels, answer, path);
}

HashingAnswer hashingOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  Run here = run;
  here.threads = options.threads;
  return hashingAnswer(scene, lengthsIn(scene, options),
                       {options.input, scene.input.batch, scene.input.head}, here);
}

void writeHashing(const Scene& scene, const SceneFigureOptions& options,
                  const std::filesystem::path& path, const Run& run) {
  const HashingAnswer answer = hashingOf(scene, options, run);
  if (endingOf(path) == ".csv")
    writeCsv(path, hashingTable(scene.hashing, answer));
  else
    writeHashingNpy(scene.hashing, answer, path);
}

CsvTable timingsOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  const TimingQuestion question = timingQuestion(scene);
  const std::vector<ScoredMethod> methods = methodsOf(question, run);
  return timingTable(options.timings ? *options.timings : timingsForFile(question, methods, run),
                     namesOf(question, methods));
}

struct AttentionData {
  AttentionAnswer answer;
  AttentionLook look;
};
AttentionData attentionOf(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  Run here = run;
  here.threads = options.threads;
  const Lengths lengths = lengthsIn(scene, options);
  const ModelHead head{options.input, scene.input.batch, scene.input.head};
  return {attentionAnswer(scene, lengths, head, here), attentionLook(scene, lengths, head)};
}

void writeAttention(const Scene& scene, const SceneFigureOptions& options,
                    const std::filesystem::path& path, const Run& run) {
  const AttentionData data = attentionOf(scene, options, run);
  if (endingOf(path) == ".csv")
    writeCsv(path, attentionTable(scene.attention, data.answer, data.look, run));
  else
    writeAttentionNpy(scene.attention, data.answer, data.look, path);
}

CsvTable scoresIn(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  Run scoring = run;
  scoring.threads = options.threads;
  return scoreTable(scoresOf(scoresQuestion(scene, lengthsIn(scene, options)),
                             {options.input, scene.input.batch, scene.input.head}, {}, scoring));
}

// The attended pairs of the first mask, "i,j" a line.
std::string pairsText(const Prepared& prepared, const Run& run) {
  const Index pairs = prepared.pairs(run);
  if (pairs > kMostTextLines)
    throwRange("pairs", std::to_string(pairs), "at most 1000000 on the clipboard; export them");
  std::string text = "i,j\n";
  KeyRanges ranges;
  for (Index i = 0; i < prepared.lengths().queries; ++i) {
    run.check();
    prepared.row(i, ranges);
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j)
          text += std::to_string(i) + "," + std::to_string(j) + "\n";
      });
  }
  return text;
}

} // namespace

std::span<const DataForm> dataForms(View view) {
  switch (view) {
  case View::Reach:
    return kReachForms;
  case View::Attention:
    return kAttentionForms;
  case View::Kernels:
    return kKernelsForms;
  case View::Hashing:
    return kHashingForms;
  case View::Timings:
    return kTimingForms;
  case View::Encodings:
    return kEncodingForms;
  case View::Compare:
    return kCompareForms;
  case View::Mask:
    break;
  }
  return kMaskForms;
}

void writeSceneData(const Scene& scene, const SceneFigureOptions& options,
                    const std::filesystem::path& path, const Run& run) {
  requireForm(scene.view, path);
  switch (scene.view) {
  case View::Reach:
    return writeReach(scene, options, path, run);
  case View::Attention:
    return writeAttention(scene, options, path, run);
  case View::Kernels:
    return writeKernels(scene, options, path, run);
  case View::Hashing:
    return writeHashing(scene, options, path, run);
  case View::Timings:
    return writeCsv(path, timingsOf(scene, options, run));
  case View::Encodings:
    return writeEncodings(scene.encodings, path, run);
  case View::Compare:
    if (endingOf(path) == ".csv")
      return writeCsv(path, scoresIn(scene, options, run));
    return writeMasks(scene, options, path, run);
  case View::Mask:
    return writeMasks(scene, options, path, run);
  }
}

std::string sceneDataText(const Scene& scene, const SceneFigureOptions& options, const Run& run) {
  if (scene.view == View::Reach)
    return textOf(growthTable(reachOf(scene, options, run).growth));
  if (scene.view == View::Attention) {
    const AttentionData data = attentionOf(scene, options, run);
    return textOf(attentionTable(scene.attention, data.answer, data.look, run));
  }
  if (scene.view == View::Kernels)
    return textOf(kernelsTable(scene.kernels, kernelsOf(scene, options, run)));
  if (scene.view == View::Hashing)
    return textOf(hashingTable(scene.hashing, hashingOf(scene, options, run)));
  if (scene.view == View::Timings)
    return textOf(timingsOf(scene, options, run));
  if (scene.view == View::Encodings)
    return textOf(encodingsTable(scene.encodings, run));
  if (scene.view == View::Compare)
    return textOf(scoresIn(scene, options, run));
  return pairsText(*masksOf(scene, options, run).masks.front().prepared, run);
}

} // namespace attention
