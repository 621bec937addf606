// Receptive fields as files: .npy, .csv and .png.
#pragma once

#include "core/analysis/reach/reach.h"

#include <string>

namespace attention::cli {

// Bool, pairs i,j, or a picture of the matrix (also .svg, .pdf, .tex, .mtx). E_UNSUPPORTED,
// E_RANGE, E_IO.
void writeReach(BitMatrix reach, const std::string& path, int threads, const Run& run);

// int32 with −1 for never; lines i,j,hops of the reached pairs; or a picture, darker for more hops.
void writeHops(const HopMatrix& hops, const std::string& path, const Run& run);

} // namespace attention::cli
