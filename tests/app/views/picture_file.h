// Pictures that tests draw, and their comparison.
#pragma once

#include "app/gl/pixels.h"

#include <filesystem>
#include <string>

namespace attention::gui {

struct PictureDifference {
  int largest = 0; // of any channel
  double mean = 0; // of all channels
};

// Where the pictures of a test go: the folder that the environment variable ATTENTION_PICTURES
// names, for anyone to look at; otherwise a temporary one that is removed with the test.
class PictureFolder {
public:
  PictureFolder();
  ~PictureFolder();
  PictureFolder(PictureFolder&&) = delete;

  std::filesystem::path operator/(const std::string& file) const { return path_ / file; }

  // Writes NAME.png.
  void save(const gl::Pixels& pixels, const std::string& name) const;

  // Compares two pictures of the same size; where they differ by more than `most` or `mean` allow,
  // the new one and the difference (amplified) are saved as NAME_new and NAME_difference.
  PictureDifference compare(const gl::Pixels& wanted, const gl::Pixels& found, int most,
                            double mean, const std::string& name) const;

private:
  std::filesystem::path path_;
  bool temporary_ = false;
};

} // namespace attention::gui
