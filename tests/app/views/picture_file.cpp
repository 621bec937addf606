#include "tests/app/views/picture_file.h"

#include "core/figure/png_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace attention::gui {

void savePicture(const gl::Pixels& pixels, const std::string& name) {
  std::filesystem::create_directories("pictures");
  std::ofstream file("pictures/" + name + ".png", std::ios::binary);
  PngWriter writer(file, {pixels.width, pixels.height}, "");
  std::vector<Color> row(static_cast<std::size_t>(pixels.width));
  for (int y = 0; y < pixels.height; ++y) {
    for (int x = 0; x < pixels.width; ++x) {
      const std::uint8_t* p = pixels.at(x, y);
      row[static_cast<std::size_t>(x)] = {p[0], p[1], p[2], 255};
    }
    writer.rows(row);
  }
  writer.finish();
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
