#include "tests/app/views/picture_file.h"

#include "core/export/png_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace attention::gui {

PictureFolder::PictureFolder() {
  if (const char* kept = std::getenv("ATTENTION_PICTURES")) {
    path_ = kept;
    std::filesystem::create_directories(path_);
    return;
  }
  std::string name =
      (std::filesystem::temp_directory_path() / "attention-pictures-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("no temporary folder can be made: " + name);
  path_ = name;
  temporary_ = true;
}

PictureFolder::~PictureFolder() {
  std::error_code code;
  if (temporary_)
    std::filesystem::remove_all(path_, code);
}

void PictureFolder::save(const gl::Pixels& pixels, const std::string& name) const {
  std::ofstream file(path_ / (name + ".png"), std::ios::binary);
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

PictureDifference PictureFolder::compare(const gl::Pixels& wanted, const gl::Pixels& found,
                                         int most, double mean, const std::string& name) const {
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
    save(found, name + "_new");
    save(shown, name + "_difference");
  }
  return difference;
}

} // namespace attention::gui
