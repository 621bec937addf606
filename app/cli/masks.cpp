#include "app/cli/masks.h"

#include "core/scene/input_data.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"

#include <algorithm>

namespace attention::cli {

Align alignFrom(const Arguments& arguments) {
  const std::string align = arguments.text("align");
  if (sameName(align, "top-left"))
    return Align::TopLeft;
  if (sameName(align, "bottom-right"))
    return Align::BottomRight;
  throwRange("align", align, "top-left or bottom-right");
}

bool hasHeadFlags(const Arguments& arguments) {
  return arguments.has("head-mode") || arguments.has("num-subblocks") || arguments.has("dilations");
}

HeadOptions headsFrom(const Arguments& arguments) {
  HeadOptions options;
  options.heads = arguments.integer("heads").value_or(1);
  const std::string mode = arguments.text("head-mode", "merged");
  if (mode != "merged" && mode != "alternate")
    throwRange("head-mode", mode, "merged or alternate");
  options.alternate = mode == "alternate";
  if (const auto subblocks = arguments.integer("num-subblocks"))
    options.subblocks = *subblocks;
  if (const auto* dilations = arguments.find("dilations"))
    options.dilations = integersFromText("dilations", *dilations);
  return options;
}

std::vector<Flag> maskFlags() {
  return {
      {"n", "N", "length: queries and keys"},
      {"n-q", "A", "queries of a rectangular mask"},
      {"n-k", "B", "keys of a rectangular mask"},
      {"align", "top-left|bottom-right", "which token query i acts as, where n-q and n-k differ"},
      {"heads", "H", "attention heads of the mechanism, each with its mask"},
      {"head-mode", "merged|alternate", "factors in every head, or by turns"},
      {"num-subblocks", "K", "fixed: distinct sub-blocks over the heads"},
      {"dilations", "R,R,…", "longformer: the dilation of each head"},
      {"threads", "T", "threads; 0 takes all"}};
}

std::vector<Flag> withMaskFlags(std::vector<Flag> own, bool json) {
  std::vector<Flag> flags = maskFlags();
  flags.insert(flags.end(), own.begin(), own.end());
  if (json)
    flags.push_back({"json", "", "one JSON object instead of lines"});
  return flags;
}

Lengths lengthsFrom(const Arguments& arguments) {
  const auto number = [&](const char* flag) -> std::optional<Index> {
    try {
      return arguments.integer(flag);
    } catch (const Error& error) { // a length that is no integer is E_N (S1)
      throw Error(ErrorCode::N, error.subject(), std::string(error.what()) + " ≥ 1");
    }
  };
  const auto n = number("n");
  const auto queries = number("n-q");
  const auto keys = number("n-k");
  if (!n && !(queries && keys))
    throw Error(ErrorCode::N, "n", "n is missing; allowed is --n with an integer ≥ 1");
  const Index rows = queries ? *queries : *n;
  const Index columns = keys ? *keys : *n;
  if (arguments.has("align"))
    return alignedLengths(rows, columns, alignFrom(arguments));
  if (rows != columns)
    throw Error(ErrorCode::Shape, "n-q",
                "n-q is " + std::to_string(rows) + " and n-k is " + std::to_string(columns) +
                    "; different lengths need --align top-left or bottom-right");
  return squareLengths(rows);
}

MaskSubject subjectFrom(const Arguments& arguments, const Run& run) {
  const auto& patterns = arguments.patterns();
  if (std::none_of(patterns.begin(), patterns.end(), needsData))
    return {lengthsFrom(arguments), {}, std::nullopt};
  if (arguments.has("n-q") || arguments.has("n-k") || arguments.has("align"))
    throw Error(ErrorCode::Unsupported, "align",
                "a pattern depends on the data of every token; allowed are square masks");
  MaskSubject subject;
  subject.spec = inputSpecFrom(arguments);
  const auto input = inputFrom(arguments, run);
  subject.lengths = squareLengths(arguments.integer("n").value_or(input->keys));
  subject.data = inputData(*input, input->batch, input->head, subject.lengths.keys, run);
  return subject;
}

std::vector<std::shared_ptr<const Prepared>> preparedPatterns(const Arguments& arguments,
                                                              const Context& context) {
  const MaskSubject subject = subjectFrom(arguments, context.run);
  std::vector<std::shared_ptr<const Prepared>> prepared;
  for (const Pattern& pattern : arguments.patterns())
    prepared.push_back(prepare(resolveFiles(pattern), subject.lengths, subject.data, context.run));
  return prepared;
}

std::vector<std::shared_ptr<const Prepared>> preparedHeads(const Arguments& arguments,
                                                           const Context& context) {
  const bool several = arguments.has("heads") || arguments.has("head-mode") ||
                       arguments.has("num-subblocks") || arguments.has("dilations");
  // There --heads are the input's.
  if (!several || needsData(arguments.patterns().front()))
    return {preparedPatterns(arguments, context).front()};
  const Lengths lengths = lengthsFrom(arguments);
  const Pattern pattern = resolveFiles(arguments.patterns().front());
  std::vector<std::shared_ptr<const Prepared>> heads;
  for (const Pattern& head : headPatterns(pattern, headsFrom(arguments), lengths.keys))
    heads.push_back(prepare(head, lengths, context.run));
  return heads;
}

std::shared_ptr<const Prepared> onlyHead(const Arguments& arguments, const Context& context) {
  auto heads = preparedHeads(arguments, context);
  if (heads.size() != 1)
    throw Error(ErrorCode::Unsupported, "heads",
                "heads is " + std::to_string(heads.size()) + "; this answers for one head");
  return heads.front();
}

} // namespace attention::cli
