// attnx code: source that rebuilds a mask.
#include "app/cli/commands.h"
#include "app/cli/input_flags.h"
#include "app/cli/masks.h"
#include "app/cli/score_flags.h"

#include "core/code/source.h"
#include "core/scene/input_data.h"

#include <ostream>

namespace attention::cli {
namespace {

int runCode(const Arguments& arguments, const Context& context) {
  const CodeTarget target = codeTargetNamed(arguments.text("to"));
  const MaskSubject subject = subjectFrom(arguments, context);
  if (target != CodeTarget::Flex)
    refuseScoreFlags(arguments, "for " + arguments.text("to"), "its source is the mask only");
  const AttendOptions scores =
      attendOptions(subject.input ? *subject.input : withScoreFlags(arguments, Input()));
  context.out << sourceOf(subject.patterns.front(), subject.lengths, target, context.run,
                          subject.data, scores);
  return 0;
}

} // namespace

Command codeCommand() {
  Grammar grammar;
  grammar.patterns = 1;
  grammar.flags = {{"n", "N", "length: queries and keys"},
                   {"n-q", "A", "queries of a rectangular mask"},
                   {"n-k", "B", "keys of a rectangular mask"},
                   {"align", "top-left|bottom-right", "which token query i acts as"},
                   {"to", "flex|numpy|jax|deepspeed|xformers|tikz", "the library"}};
  grammar.dataFlags = queryKeyFlags();
  grammar.add(scoreFlags());
  return {"code", "PATTERN --n N --to flex|numpy|jax|deepspeed|xformers|tikz",
          "source that rebuilds the mask, on standard output", grammar, runCode};
}

} // namespace attention::cli
