// Heads of a mechanism that differ: what there is to see where they are shown.
#pragma once

#include "core/scene/scene.h"

namespace attention {

// `spec` with which the heads of `pattern` differ, where it makes them all the same: factors by
// turns, or a dilation for each head (heads.h); of a mask file that has one mask for each of
// `inFile` heads, these as far as they have room. Other mechanisms have no setting for each head,
// and their spec comes back as it is, and so does one of a number of heads that is out of its
// range.
HeadsSpec withDifferingHeads(HeadsSpec spec, const Pattern& pattern, Index inFile = 0);

} // namespace attention
