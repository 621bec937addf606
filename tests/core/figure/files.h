// A folder for one test, and files read whole.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

class TestFolder {
public:
  TestFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "attention-figure-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr)
      path_ = name;
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  // Files and folders inside.
  long entries() const { return std::distance(std::filesystem::directory_iterator(path_), {}); }

private:
  std::filesystem::path path_;
};

inline std::string textOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
