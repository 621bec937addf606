#include "app/cli/info_measures.h"

#include "app/cli/score_flags.h"

#include "core/figure/scene_attention.h"
#include "core/support/error.h"

#include <numeric>
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

std::string number(const Json& json) {
  return json.is_number_float() ? textNumber(json.get<double>()) : json.dump();
}

} // namespace

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
            {"output_error", nullptr},
            {"entropy", jsonNumber(meanOf(head.measures.patternEntropy))},
            {"base_entropy", jsonNumber(meanOf(head.measures.denseEntropy))}};
  if (const auto& error = head.measures.outputError)
    json["output_error"] = {{"relative_frobenius", jsonNumber(error->relativeFrobenius)},
                            {"max_abs", jsonNumber(error->maxAbs)}};
  return json;
}

void printMeasures(const Json& json, std::ostream& out) {
  const std::string base = " (of " + json["base"].get<std::string>() + " attention)";
  Lines lines{{"captured mass", number(json["captured_mass"]) + base}};
  if (!json["output_error"].is_null())
    lines.emplace_back("output error", number(json["output_error"]["relative_frobenius"]) +
                                           " relative, " + number(json["output_error"]["max_abs"]) +
                                           " largest");
  lines.emplace_back("row entropy, mean",
                     number(json["entropy"]) + " nats, of " + number(json["base_entropy"]));
  print(out, lines);
}

} // namespace attention::cli
