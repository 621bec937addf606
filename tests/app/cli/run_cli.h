// Runs the command line within this process and keeps its output.
#pragma once

#include "app/cli/command.h"

#include "tests/catch.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace attention::cli {

struct Said {
  int code = 0;
  std::string out;
  std::string err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline Said attnx(const std::vector<std::string>& words) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = runCommandLine(words, {out, err, {}});
  return {code, out.str(), err.str()};
}

// The words of a line, between blanks.
inline std::vector<std::string> wordsOf(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

inline Said attnx(const std::string& line) {
  return attnx(wordsOf(line));
}

// A folder that is removed with everything in it.
class TemporaryFolder {
public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("attnx-test-" + std::to_string(::getpid()) + "-" + std::to_string(next()))) {
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  bool empty() const { return std::filesystem::is_empty(path_); }

private:
  static int next() {
    static int count = 0;
    return count++;
  }
  std::filesystem::path path_;
};

} // namespace attention::cli
