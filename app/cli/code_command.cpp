// attnx code: source that rebuilds a mask, or the arrays that kernels take for it.
#include "app/cli/commands.h"
#include "app/cli/feature_flags.h"
#include "app/cli/input_flags.h"
#include "app/cli/masks.h"
#include "app/cli/report.h"
#include "app/cli/score_flags.h"

#include "core/code/arrays/mask_arrays.h"
#include "core/code/source.h"
#include "core/scene/input_data.h"

#include <nlohmann/json.hpp>

#include <array>
#include <ostream>

namespace attention::cli {
namespace {

// An input may read --heads; without one they are the model's, on which the source for
// FlexAttention depends where its scores have ALiBi's slopes.
void refuseUnreadHeads(const Arguments& arguments, const MaskSubject& subject, bool flex) {
  if (!subject.input && !flex)
    refuse(arguments, {"heads"},
           "for " + arguments.text("to") + " without an input; there it belongs to flex");
}

// Array formats say the mask for lengths, sources compute it.
int runArrays(ArrayFormat format, const Arguments& arguments, const Context& context) {
  static constexpr std::array<std::string_view, 2> kEndings{".json", ".npz"};
  const bool tiled = format == ArrayFormat::BlockMask || format == ArrayFormat::Bsr;
  if (!tiled)
    refuse(arguments, {"block"},
           "for " + arguments.text("to") + "; it belongs to blockmask and bsr");
  const std::string path =
      arguments.has("output") ? outputPath(arguments, "output", kEndings) : std::string();
  refuseScoreFlags(arguments, "for " + arguments.text("to"), "its arrays are the mask only");
  const BlockSize block = blockFrom(arguments);
  const MaskSubject subject = subjectFrom(arguments, context.part(0, 0.2));
  refuseUnreadHeads(arguments, subject, false);
  const auto prepared = preparedPatterns(subject, partOf(context.run, 0.2, 0.3)).front();
  const MaskArrays arrays =
      maskArrays(format, subject.patterns.front(), *prepared, block, partOf(context.run, 0.3, 1));
  if (path.empty())
    print(context.out, toJson(arrays));
  else
    writeMaskArrays(arrays, path);
  return 0;
}

int runSource(CodeTarget target, const Arguments& arguments, const Context& context) {
  refuse(arguments, {"output", "block"},
         "for " + arguments.text("to") +
             "; it belongs to blockmask, bsr, flashmask, magi and "
             "cu_seqlens");
  const MaskSubject subject = subjectFrom(arguments, context);
  refuseUnreadHeads(arguments, subject, target == CodeTarget::Flex);
  if (target != CodeTarget::Flex)
    refuseScoreFlags(arguments, "for " + arguments.text("to"), "its source is the mask only");
  const CodeScores scores = subject.input
                                ? CodeScores{subject.input->modifiers, subject.input->heads}
                                : scoresWithoutInput(arguments);
  context.out << sourceOf(subject.patterns.front(), subject.lengths, target, context.run,
                          subject.data, scores);
  return 0;
}

int runCode(const Arguments& arguments, const Context& context) {
  const std::string to = arguments.text("to");
  if (const auto format = arrayFormatNamed(to))
    return runArrays(*format, arguments, context);
  std::vector<std::string> formats;
  for (const ArrayFormatName& format : arrayFormats())
    formats.emplace_back(format.name);
  return runSource(codeTargetNamed(to, formats), arguments, context);
}

Flag targetFlag() {
  std::string sources;
  std::string arrays;
  std::vector<std::string> choices;
  const auto add = [&](std::string_view name, std::string& to) {
    to += (to.empty() ? "" : " ") + std::string(name);
    choices.emplace_back(name);
  };
  for (const CodeTargetName& target : codeTargets())
    add(target.name, sources);
  for (const ArrayFormatName& format : arrayFormats())
    add(format.name, arrays);
  return {"to", "LIBRARY", sources + ": a source; " + arrays + ": arrays as JSON", choices};
}

} // namespace

Command codeCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.flags = {
      {"n", "N", "length: queries and keys"},
      {"n-q", "A", "queries of a rectangular mask"},
      {"n-k", "B", "keys of a rectangular mask"},
      {"align", "top-left|bottom-right", "which token query i acts as"},
      targetFlag(),
      {"block", "BQxBK", "blockmask, bsr: queries and keys of a tile (128x128)"},
      {"heads", "H",
       "heads of a random input; without an input, for flex: of the model, for --alibi standard"},
      {"output", "FILE", "arrays as .json or .npz (also -o)"}};
  grammar.dataFlags = queryKeyFlags();
  grammar.add(scoreFlags());
  return {"code", "PATTERN --n N --to LIBRARY [--block BQxBK] [-o FILE]",
          "source that rebuilds the mask, or the arrays that kernels take for it", grammar,
          runCode};
}

} // namespace attention::cli
