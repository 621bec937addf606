// What attnx reach writes: receptive fields as files (.npy, .csv and .png), and the rollout.
#pragma once

#include "app/cli/command.h"
#include "app/cli/picture_flags.h"
#include "core/analysis/reach/reach.h"
#include "core/plot/figure.h"

#include <string>

namespace attention::cli {

// Bool, pairs i,j, or a picture of the matrix (also .svg, .pdf, .tex, .mtx). `of`: whose reach it
// is, "3 layers of local". E_UNSUPPORTED, E_RANGE, E_IO.
struct ReachWords {
  Index layers = 0;
  std::string of;
};
void writeReach(BitMatrix reach, const ReachWords& words, const std::string& path,
                const PictureOptions& how, const Run& run);

// int32 with −1 for never; lines i,j,hops of the reached pairs; or a picture, paler for more hops,
// in which pairs that are lost again (null: none) have a colour of their own.
void writeHops(const HopMatrix& hops, const LostPairs* lost, const std::string& path,
               const PictureOptions& how, const Run& run);

// A plot under a title, as a picture.
void writePicture(Plot plot, const std::string& title, const std::string& path,
                  const PictureOptions& how, const Run& run);

// attnx reach --rollout: weighted reach (attention rollout) of the layers of an input, with the
// weights of attention over patterns. The layers are the items of the input's leading axis, the
// patterns in turn. E_UNSUPPORTED, E_RANGE, and what attend throws.
int printRollout(const Arguments& arguments, const Context& context);

} // namespace attention::cli
