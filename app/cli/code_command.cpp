// attnx code: source that rebuilds a mask.
#include "app/cli/commands.h"
#include "app/cli/input_flags.h"
#include "app/cli/masks.h"

#include "core/figure/code/source.h"

#include <ostream>

namespace attention::cli {
namespace {

int run(const Arguments& arguments, const Context& context) {
  const CodeTarget target = codeTargetNamed(arguments.text("to"));
  const Pattern& pattern = arguments.patterns().front();
  const MaskSubject subject = subjectFrom(arguments, context);
  context.out << sourceOf(pattern, subject.lengths, target, context.run, subject.data);
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
  return {"code", "PATTERN --n N --to flex|numpy|jax|deepspeed|xformers|tikz",
          "source that rebuilds the mask, on standard output", grammar, run};
}

} // namespace attention::cli
