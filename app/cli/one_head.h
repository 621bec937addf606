// The model head that --batch and --head-index choose, with the pattern prepared for it: for
// commands that look at one head.
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/head_selection.h"
#include "core/pattern/prepared.h"

#include <memory>

namespace attention::cli {

// E_SHAPE: the input has different numbers of queries and keys, and nothing says how they are
// aligned. Names the other order of axes where heads outnumber tokens.
[[noreturn]] void failLengths(const Input& input);

// The lengths of the input's masks. E_SHAPE where it has different numbers of queries and keys, and
// neither --align nor patterns made only of masks say how they are aligned.
Lengths lengthsOfInput(const Arguments& arguments, const Input& input);

struct OneHead {
  std::shared_ptr<const Prepared> pattern;
  HeadMatrices<double> in;
};

// For the only pattern. E_UNSUPPORTED where the input has only ready weights; also throws what
// prepare throws.
OneHead oneHeadFrom(const Arguments& arguments, const Input& input, const Run& run);

} // namespace attention::cli
