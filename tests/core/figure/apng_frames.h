// Animated PNGs read back as the specification says: chunk by chunk, frame over frame.
#pragma once

#include "core/plot/display_list.h"

#include <string>
#include <vector>

struct ApngFrame {
  attention::Image shown; // what the viewer sees
  int left = 0;           // of the part written
  int top = 0;
  attention::Image part;
  int milliseconds = 0;
};

// CHECKs that checksums and sequence numbers are right, that the first frame fills the picture,
// that all lie within it, and that there are as many as the file says.
std::vector<ApngFrame> framesIn(const std::string& apng);
