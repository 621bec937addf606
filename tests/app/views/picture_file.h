// Pictures beside the build, for whoever looks, and their comparison.
#pragma once

#include "app/gl/pixels.h"

#include <string>

namespace attention::gui {

// Writes pictures/NAME.png in the folder that the tests run in.
void savePicture(const gl::Pixels& pixels, const std::string& name);

struct PictureDifference {
  int largest = 0; // of any channel
  double mean = 0; // of all channels
};

// Compares two pictures of the same size; where they differ by more than `most` or `mean` allow,
// the new one and the difference (amplified) are saved as NAME_new and NAME_difference.
PictureDifference comparePictures(const gl::Pixels& wanted, const gl::Pixels& found, int most,
                                  double mean, const std::string& name);

} // namespace attention::gui
