// attnx info: counts, density and cost of a pattern.
#include "app/cli/commands.h"
#include "app/cli/masks.h"
#include "app/cli/report.h"
#include "app/cli/score_flags.h"

#include "core/analysis/cost.h"
#include "core/analysis/metrics.h"
#include "core/analysis/reach/reach.h"
#include "core/analysis/reach/reach_forms.h"
#include "core/analysis/ready_weights.h"
#include "core/analysis/row_statistics.h"
#include "core/support/error.h"
#include "core/views/attention/scene_attention.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <ostream>

namespace attention::cli {
namespace {

AttentionBase attentionBaseFrom(const Arguments& arguments) {
  const std::optional<Base> base = baseFrom(arguments);
  return !base                 ? AttentionBase::Meaningful
         : *base == Base::Full ? AttentionBase::Full
                               : AttentionBase::Causal;
}

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Only an error relative to an output of zero has no number.
std::string number(const Json& json) {
  if (json.is_null())
    return "∞";
  return json.is_number_float() ? textNumber(json.get<double>()) : json.dump();
}

// The captured mass as a share of all weight, the sink's included; nothing without a sink.
std::optional<double> massOfAll(const AttentionHead& head) {
  const Attention<float>& dense = head.weights->whole();
  if (dense.lseOfKeys.empty())
    return std::nullopt;
  std::vector<double> masses;
  for (std::size_t i = 0; i < head.measures.captured.size(); ++i)
    masses.push_back(head.measures.captured[i] *
                     std::exp(static_cast<double>(dense.lseOfKeys[i] - dense.lse[i])));
  return meanOf(masses);
}

// captured_mass, mass, output_error, entropy and base of the subject's pattern on the input's head.
// E_SHAPE: the input is shorter.
Json measuresJson(const Arguments& arguments, const MaskSubject& subject, Align align,
                  const Run& run) {
  const auto& input = subject.input;
  const AttentionQuestion question{subject.patterns.front(), subject.lengths,
                                   attentionBaseFrom(arguments), align};
  Run working = run;
  working.threads = threadsFrom(arguments);
  const AttentionHead head = attentionHead(question, {input, input->batch, input->head}, working);
  Json json{{"captured_mass", jsonNumber(meanOf(head.measures.captured))},
            {"base", name(head.weights->base())},
            {"output_error", errorJson(head.measures.outputError)},
            {"entropy", jsonNumber(meanOf(head.measures.patternEntropy))},
            {"base_entropy", jsonNumber(meanOf(head.measures.denseEntropy))}};
  if (const auto mass = massOfAll(head))
    json["mass"] = jsonNumber(*mass);
  return json;
}

void printMeasures(const Json& json, std::ostream& out) {
  const std::string base = " (of " + wordOfBase(json["base"].get<std::string>()) + " attention)";
  Lines lines{{"captured mass", number(json["captured_mass"]) + base}};
  if (json.contains("mass"))
    lines.emplace_back("captured mass, with sink", number(json["mass"]));
  if (!json["output_error"].is_null())
    lines.emplace_back("output error", number(json["output_error"]["relative_frobenius"]) +
                                           " relative, " + number(json["output_error"]["max_abs"]) +
                                           " largest");
  lines.emplace_back("row entropy, mean",
                     number(json["entropy"]) + " nats, of " + number(json["base_entropy"]));
  print(out, lines);
}

constexpr Index kDefaultWidth = 64; // of queries, keys and values
constexpr Index kFloatBytes = 4;
constexpr Index kMostPathTokens = 1024; // n up to which paths are searched one by one

struct Widths {
  Index d = kDefaultWidth;
  Index dv = kDefaultWidth;
};

// As requested, else those of the pattern's input (may be null).
Widths widthsFrom(const Arguments& arguments, const MaskSubject* subject) {
  Widths widths;
  if (subject)
    widths.d = widths.dv = subject->d > 0 ? subject->d : kDefaultWidth; // ready weights have none
  if (subject && subject->dv > 0) // an input may be without values
    widths.dv = subject->dv;
  if (const auto d = arguments.integer("d"))
    widths = {*d, *d};
  widths.dv = arguments.integer("dv").value_or(widths.dv);
  for (const auto& [name, width] : {std::pair("d", widths.d), std::pair("dv", widths.dv)})
    if (width < 1)
      throwRange(name, std::to_string(width), "an integer of at least 1");
  return widths;
}

Json costJson(Index n, Index pairs, const Widths& widths) {
  const SparseCost cost = sparseCost(n, widths.d, widths.dv, pairs);
  return {{"pairs", pairs},
          {"flops", jsonNumber(cost.flops)},
          {"bytes", jsonNumber(sparseBytes(cost, kFloatBytes))}};
}

Json headJson(const Prepared& pattern, const Widths& widths, const Arguments& arguments,
              const Run& run) {
  const Lengths& lengths = pattern.lengths();
  RowStatisticsOptions options;
  options.threads = threadsFrom(arguments);
  options.seed = seedFrom(arguments, "sample-seed");
  if (!arguments.on("exact"))
    options.rowBudget = affordableRows(pattern);
  const RowStatistics rows = rowStatistics(pattern, options, run);
  const Json cost = costJson(lengths.queries, rows.pairs, widths);
  Json json{{"n", lengths.keys}, {"pairs", rows.pairs}};
  if (lengths.queries != lengths.keys)
    json["n_q"] = lengths.queries;
  json["density"] = jsonNumber(density(rows.pairs, lengths));
  json["row_min"] = rows.minimum;
  json["row_mean"] = jsonNumber(rows.mean);
  json["row_max"] = rows.maximum;
  json["empty_rows"] = rows.emptyRows;
  json["flops"] = cost["flops"];
  json["bytes"] = cost["bytes"];
  json["full"] = costJson(lengths.queries, lengths.queries * lengths.keys, widths);
  json["exact"] = rows.exact;
  if (pattern.choice())
    json["choose_flops"] = jsonNumber(pattern.choice()->flops);
  if (!rows.exact) {
    json["sampled_rows"] = rows.sampledRows;
    json["sample_seed"] = options.seed;
  }
  return json;
}

// Between any two tokens through layers of these heads with a residual connection; null where
// neither a closed form nor an affordable search finds it.
Json longestPath(const Pattern& pattern, const PreparedHeads& heads, const Arguments& arguments,
                 const Run& run) {
  const Lengths& lengths = heads.front()->lengths();
  if (!lengths.square())
    return nullptr;
  if (heads.size() == 1)
    if (const auto form = maximumPathForm(pattern, lengths.keys, true))
      return *form;
  if (lengths.keys > kMostPathTokens)
    return nullptr;
  // A layer connects whatever any of its heads connects.
  const auto layer = heads.size() == 1
                         ? heads.front()
                         : compose(Operation::Union, heads, std::vector<std::string>(heads.size()));
  return maximumPath({{layer}, true}, threadsFrom(arguments), run);
}

// Table 1 of Vaswani et al. 2017: complexity per layer and maximum path length.
Json tableRow(const Arguments& arguments, const PreparedHeads& heads, const Run& run) {
  const Pattern pattern = patternsOfHeads(arguments).front();
  return {{"complexity", description(pattern).complexity},
          {"max_path", longestPath(pattern, heads, arguments, run)}};
}

Json sumOf(const std::vector<Json>& heads, const Json::json_pointer& key) {
  bool whole = true;
  double sum = 0;
  Index exactSum = 0; // of counts, which need not fit a double
  for (const Json& head : heads) {
    whole = whole && head.at(key).is_number_integer();
    sum += head.at(key).get<double>();
    exactSum += whole ? head.at(key).get<Index>() : 0;
  }
  return whole && sum < 0x1p62 ? Json(exactSum) : jsonNumber(sum);
}

// Several heads: counts and costs of all together, the rows of all, then each head.
Json totalsJson(const std::vector<Json>& heads) {
  const auto sum = [&](const char* key) { return sumOf(heads, Json::json_pointer(key)); };
  const auto less = [](const char* key) {
    return [key](const Json& a, const Json& b) { return a[key] < b[key]; };
  };
  const auto count = static_cast<double>(heads.size());
  Json json = heads.front();
  json["pairs"] = sum("/pairs");
  json["density"] = jsonNumber(sum("/density").get<double>() / count);
  json["row_min"] = (*std::min_element(heads.begin(), heads.end(), less("row_min")))["row_min"];
  json["row_mean"] = jsonNumber(sum("/row_mean").get<double>() / count);
  json["row_max"] = (*std::max_element(heads.begin(), heads.end(), less("row_max")))["row_max"];
  for (const char* key : {"empty_rows", "flops", "bytes", "choose_flops"})
    if (json.contains(key))
      json[key] = sum((std::string("/") + key).c_str());
  for (const char* key : {"pairs", "flops", "bytes"})
    json["full"][key] = sum((std::string("/full/") + key).c_str());
  json["exact"] = std::all_of(heads.begin(), heads.end(),
                              [](const Json& head) { return head["exact"].get<bool>(); });
  json["heads"] = heads;
  return json;
}

std::string exactText(const Json& json) {
  return json.is_number_float() ? textNumber(json.get<double>()) : json.dump();
}

std::string sampleText(const Json& json) {
  if (json["exact"].get<bool>())
    return {};
  return " (sampled: " + exactText(json["sampled_rows"]) + " rows, seed " +
         exactText(json["sample_seed"]) + ")";
}

void printHead(const Json& json, std::ostream& out) {
  const Json& full = json["full"];
  Lines lines{{"n", exactText(json["n"])},
              {"pairs", exactText(json["pairs"]) + sampleText(json)},
              {"density", exactText(json["density"])},
              {"keys per query", "min " + exactText(json["row_min"]) + ", mean " +
                                     exactText(json["row_mean"]) + ", max " +
                                     exactText(json["row_max"])},
              {"empty rows", exactText(json["empty_rows"])},
              {"FLOPs", exactText(json["flops"]) + " of " + exactText(full["flops"]) + " (full)"},
              {"bytes", exactText(json["bytes"]) + " of " + exactText(full["bytes"]) + " (full)"}};
  if (json.contains("choose_flops"))
    lines.emplace_back("FLOPs to choose", exactText(json["choose_flops"]));
  print(out, lines);
}

void printTableRow(const Json& row, std::ostream& out) {
  const Json& path = row["max_path"];
  print(out, Lines{{"complexity", row["complexity"].get<std::string>() + " per layer"},
                   {"longest path", path.is_null()
                                        ? "not known; attnx reach follows one token"
                                        : exactText(path) + (path == 1 ? " layer" : " layers") +
                                              ", over connected pairs"}});
}

int runInfo(const Arguments& arguments, const Context& context) {
  threadsFrom(arguments);
  const bool measured = arguments.on("measure");
  if (!measured && arguments.has("base"))
    throw Error(ErrorCode::Type, "base",
                "base is given without --measure; it must be given with --measure");
  if (!measured)
    refuseScoreFlags(arguments, "without --measure", "only --measure computes scores");
  if (measured && hasHeadFlags(arguments))
    throw Error(ErrorCode::Unsupported, "head-mode",
                "heads of the mechanism are given with --measure; it must be one pattern");
  std::optional<MaskSubject> subject; // where an input is read
  if (readsInput(arguments))
    subject = subjectFrom(arguments, context.part(0, 0.05));
  const Widths widths = widthsFrom(arguments, subject ? &*subject : nullptr);
  const PreparedHeads prepared = subject
                                     ? preparedPatterns(*subject, partOf(context.run, 0.05, 0.1))
                                     : preparedHeads(arguments, context.part(0, 0.1));
  const Run run = partOf(context.run, 0.1, 0.9);
  std::vector<Json> heads;
  for (const auto& head : prepared)
    heads.push_back(headJson(
        *head, widths, arguments,
        stepOf(run, static_cast<Index>(heads.size()), static_cast<Index>(prepared.size()))));
  const Json row = tableRow(arguments, prepared, partOf(context.run, 0.9, 0.95));
  std::optional<Json> measures;
  if (measured)
    measures = measuresJson(arguments, *subject,
                            arguments.has("align") ? alignFrom(arguments) : Align::TopLeft,
                            partOf(context.run, 0.95, 1));
  if (!arguments.on("json")) {
    for (std::size_t h = 0; h < heads.size(); ++h) {
      if (heads.size() > 1)
        context.out << (h == 0 ? "" : "\n") << "head " << h << '\n';
      printHead(heads[h], context.out);
    }
    if (heads.size() > 1)
      context.out << "\nall heads\n";
    printTableRow(row, context.out);
    if (measures)
      printMeasures(*measures, context.out);
    return 0;
  }
  Json json = heads.size() == 1 ? heads.front() : totalsJson(heads);
  json.update(row);
  if (measures)
    json.update(*measures);
  print(context.out, json);
  return 0;
}

} // namespace

Command infoCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.dataFlags = inputFlags();
  const std::vector<Flag> scores = scoreFlags();
  grammar.dataFlags.insert(grammar.dataFlags.end(), scores.begin(), scores.end());
  grammar.dataSwitch = "measure";
  grammar.flags =
      withMaskFlags({{"d", "D", "width of queries and keys for the cost (the input's, or 64)"},
                     {"dv", "DV", "width of values for the cost (d)"},
                     {"measure", "", "also what the pattern keeps of INPUT's attention"},
                     baseFlag(),
                     {"sample-seed", "S", "seed of the sampled rows (0)"},
                     {"exact", "",
                      "count every row, even of a mask beyond 16384 tokens "
                      "that has no closed form, however long it takes"}},
                    true);
  return {"info", "PATTERN --n N [--d D]", "counts, density and cost", grammar, runInfo};
}

} // namespace attention::cli
