// Radial attention on video (T5): the further two frames are apart, the narrower the band of
// positions that see each other, until only some distances are left.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct Radial {
  enum class Model { Wan, Hunyuan };  // Wan: all see the first frame
  enum class Reading { Code, Token }; // whole blocks, or the mask behind them

  std::optional<Index> frames;         // required
  std::optional<Index> tokensPerFrame; // required; what is behind the frames is text
  Index blockSize = 128;               // tokens; also the least half width of a band
  double decay = 1;                    // factor of the widths
  Index split = 128;                   // distances are left out where the width falls below
  Model model = Model::Wan;
  Reading reading = Reading::Code;
  bool operator==(const Radial&) const = default;
};

// How wide the band between frames at each distance 0 … frames − 1 is: positions up to so many
// apart; −1 where such frames do not see each other. At most tokens per frame − 1.
std::vector<Index> radialWidths(const Radial& radial);

const Description& describe(const Radial&);
void checkLengths(const Radial& radial, const Lengths& lengths);
std::shared_ptr<const Prepared> prepared(const Radial& radial, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
