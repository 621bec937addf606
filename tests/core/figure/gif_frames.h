// Animated GIFs read back by giflib's reader, frame over frame.
#pragma once

#include "core/plot/display_list.h"

#include <string>
#include <vector>

struct GifFrame {
  attention::Image shown; // what the viewer sees
  int hundredths = 0;     // of a second
};

struct ReadGif {
  std::vector<GifFrame> frames;
  bool repeats = false; // for ever
};

// CHECKs that all frames lie within the picture and that the first one fills it.
ReadGif gifIn(const std::string& bytes);
