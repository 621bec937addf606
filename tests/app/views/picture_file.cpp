#include "tests/app/views/picture_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace attention::gui {

void savePicture(const gl::Pixels& pixels, const std::string& name) {
  std::filesystem::create_directories("pictures");
  std::ofstream file("pictures/" + name + ".ppm", std::ios::binary);
  file << "P6\n" << pixels.width << ' ' << pixels.height << "\n255\n";
  for (std::size_t k = 0; k < pixels.rgba.size(); ++k)
    if (k % 4 != 3)
      file.put(static_cast<char>(pixels.rgba[k]));
}

PictureDifference comparePictures(const gl::Pixels& wanted, const gl::Pixels& found, int most,
                                  double mean, const std::string& name) {
  PictureDifference difference{wanted.rgba.size() == found.rgba.size() ? 0 : 255, 0};
  gl::Pixels shown = found;
  double sum = 0;
  for (std::size_t k = 0; k < std::min(wanted.rgba.size(), found.rgba.size()); ++k) {
    const int step = std::abs(int{wanted.rgba[k]} - int{found.rgba[k]});
    difference.largest = std::max(difference.largest, step);
    sum += step;
    shown.rgba[k] = static_cast<std::uint8_t>(std::min(8 * step, 255));
  }
  difference.mean = sum / static_cast<double>(std::max<std::size_t>(found.rgba.size(), 1));
  if (difference.largest > most || difference.mean > mean) {
    savePicture(found, name + "_new");
    savePicture(shown, name + "_difference");
  }
  return difference;
}

} // namespace attention::gui
