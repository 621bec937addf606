// Block diffusion (T2; BD3-LM): blocks are denoised one after the other, each whole at once. In
// training one sequence holds a noised copy and the clean text.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct BlockDiffusion {
  enum class Stage { Train, Sample };

  std::optional<Index> blockSize; // tokens; required
  Stage part = Stage::Train;      // n = noised + clean tokens, or the text alone
  bool operator==(const BlockDiffusion&) const = default;
};

const Description& describe(const BlockDiffusion&);
void checkLengths(const BlockDiffusion& diffusion, const Lengths& lengths);
std::shared_ptr<const Prepared> prepared(const BlockDiffusion& diffusion, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
