// Another program, run until it ends, with what it said.
#pragma once

#include "core/support/run.h"

#include <filesystem>
#include <string>
#include <vector>

namespace attention {

// Runs `program` without an input; both of its outputs are added to the file `said`. Returns
// whether it succeeded. E_IO where it cannot be started; Stopped, with the program and those that
// it has started ended.
bool runProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                const std::filesystem::path& said, const Run& run);

// The program's last message, which sums up the earlier ones, without "[part @ address]".
std::string lastWords(const std::filesystem::path& said);

// A folder for the time of its life, in the system's folder for temporary files. E_IO.
class WorkFolder {
public:
  WorkFolder();
  WorkFolder(WorkFolder&&) = delete;
  ~WorkFolder();
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace attention
