// attnx time: times of mechanisms on this machine against n.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/method_flags.h"
#include "app/cli/picture_flags.h"
#include "app/cli/setting_flags.h"
#include "app/cli/time_report.h"

#include "core/scene/timings_spec.h"
#include "core/support/error.h"
#include "core/support/names.h"
#include "core/views/timings/scene_timings.h"

#include <algorithm>
#include <array>

namespace attention::cli {
namespace {

constexpr Index kSamples = 15;
constexpr double kSeconds = 60;

// A command may run longer than a view. Its --threads may be 0, which the view has no need for
// (threadsFrom).
const SettingFlags<TimingsSpec>& headFlags() {
  static const SettingFlags<TimingsSpec> kFlags(timingsSettings(),
                                                {{.setting = "d", .bounds = FlagBounds::Least},
                                                 {.setting = "heads",
                                                  .help = "model heads, one after the other",
                                                  .bounds = FlagBounds::Least}});
  return kFlags;
}

TimingOptions timingOptions(const Arguments& arguments) {
  if (!arguments.has("n"))
    throw Error(ErrorCode::Type, "n", "n is missing; give lengths: --n 256,512,1024");
  const TimingsSpec spec = headFlags().read(arguments);
  TimingOptions options;
  options.sizes = integersFromText("n", arguments.text("n"));
  options.d = spec.d;
  options.heads = spec.heads;
  options.threads = arguments.has("threads") ? threadsFrom(arguments) : 1;
  options.fitFrom = arguments.integer("fit-from").value_or(options.fitFrom);
  options.sampling.samples = arguments.integer("samples").value_or(kSamples);
  options.sampling.seconds = arguments.real("seconds").value_or(kSeconds);
  return options;
}

// Explains a flag that belongs to none of the mechanisms.
void refuseUnreadRanks(const Arguments& arguments) {
  const auto& words = arguments.rest();
  if (std::none_of(words.begin(), words.end(),
                   [](const std::string& word) { return sameName(word, "linformer"); }))
    refuse(arguments, {"k"}, "without linformer or a pattern that it belongs to");
}

// Where the seconds had no room for a single sample.
void requireRows(const TimeReport& report) {
  if (!report.timings.rows.empty() || report.timings.omitted.empty())
    return;
  const TimingOmission& first = report.timings.omitted.front();
  throwRange("seconds", textNumber(report.options.sampling.seconds),
             "enough for two runs of " + methodText(report.methods[first.method]) + " at n " +
                 std::to_string(first.n) +
                 (first.seconds > 0 ? ", about " + textNumber(2 * first.seconds) : std::string()));
}

int runTime(const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 7> kEndings{".csv", ".json", ".png", ".svg",
                                                            ".pdf", ".tex",  ".html"};
  const TimingOptions options = timingOptions(arguments);
  const PictureOptions picture = pictureFrom(arguments);
  const std::string path =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  requirePictureFlags(arguments, path);
  const std::uint64_t seed = seedFrom(arguments);
  const TimingInput input = timingInput(options.d, options.heads, seed);
  refuseUnreadRanks(arguments);
  const std::vector<ScoredMethod> methods = methodsFrom(arguments, options.d);
  context.releaseNotes();
  const TimeReport report{methods, options, seed,
                          measureTimings(methods, input, options, {}, context.run)};
  requireRows(report);
  if (!path.empty())
    write(report, path, picture, context.run.quiet());
  if (arguments.on("json"))
    print(context.out, json(report));
  else
    printTable(context.out, report);
  return 0;
}

} // namespace

Command timeCommand() {
  Grammar grammar;
  grammar.manyPatterns = true;
  grammar.morePatterns = "with";
  grammar.others = methodWords();
  grammar.patternFirst = false; // --seed and --heads belong to the command
  grammar.flags = {{"n", "N,N,…", "lengths"}};
  grammar.add(headFlags().flags());
  grammar.add(
      {{"output", "FILE", "the table as .csv or .json, or .png .svg .pdf .tex .html (also -o)"},
       {"threads", "T", "threads of each run, and of the measured peak (1); 0 uses all"},
       {"samples", "K", "samples of each mechanism and length (15)"},
       {"seconds", "S", "how long everything may take; short times allow fewer samples (60)"},
       {"fit-from", "N", "shortest length that counts for the exponent (256)"},
       {"seed", "S", "seed of the normal queries, keys and values (0)"},
       sizeFlag("pixels of a picture"),
       {"standalone", "", "a .tex that is a complete document"},
       themeFlag(),
       svgWordsFlag()});
  grammar.add(methodFlags());
  grammar.flags.push_back(
      {"causal", "", "random features and kernels over keys j ≤ i only", {}, true});
  grammar.flags.push_back({"k", "K,K,…", "projected keys of linformer (64)", {}, true});
  grammar.flags.push_back({"json", "", "one JSON object instead of a table"});
  return {"time", "MECHANISM… --n N,N,… [-o FILE]",
          "times on this machine against n: exponents, crossovers, share of the FMA peak", grammar,
          runTime};
}

} // namespace attention::cli
