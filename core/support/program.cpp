#include "core/support/program.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern "C" char** environ; // POSIX: the program's own

namespace attention {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLook{20};       // between checks of the running program
constexpr std::chrono::milliseconds kToTidyUp{2000}; // that a stopped program has

// A running program in a group of its own; it is ended with all of the group if it is abandoned.
class Child {
public:
  Child(const fs::path& program, const std::vector<std::string>& arguments, const fs::path& said) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions, stream, said.c_str(),
                                       O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // Signals that this program blocks or ignores reach the other one all the same.
    sigset_t none;
    sigset_t usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGCHLD, SIGPIPE})
      sigaddset(&usual, signal);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    std::string name = program.string();
    std::vector<std::string> words = arguments;
    std::vector<char*> pointers{name.data()};
    for (std::string& word : words)
      pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const int code =
        posix_spawn(&process_, program.c_str(), &actions, &attributes, pointers.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0)
      throw Error(ErrorCode::Io, program.string(),
                  program.string() + " cannot be started: " + std::strerror(code));
  }
  Child(Child&&) = delete;
  ~Child() {
    if (ended_)
      return;
    ::kill(-process_, SIGTERM);
    for (auto waited = kLook; waited < kToTidyUp && !hasEnded(); waited += kLook)
      std::this_thread::sleep_for(kLook);
    ::kill(-process_, SIGKILL);
    if (!ended_)
      ::waitpid(process_, nullptr, 0);
  }

  // Whether it succeeded. Stopped.
  bool wait(const Run& run) {
    while (!hasEnded()) {
      run.check();
      std::this_thread::sleep_for(kLook);
    }
    return known_ && WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
  }

private:
  bool hasEnded() {
    if (ended_)
      return true;
    const pid_t found = ::waitpid(process_, &status_, WNOHANG);
    known_ = found == process_; // where children are not waited for, how it ended is not known
    ended_ = known_ || (found < 0 && errno != EINTR);
    return ended_;
  }

  pid_t process_ = 0;
  int status_ = 0;
  bool ended_ = false;
  bool known_ = false; // how it ended
};

// As fs::temp_directory_path, which does not say where it looked if there is no folder.
fs::path temporaryParent() {
  for (const char* variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (const char* value = std::getenv(variable); value && *value != '\0')
      return value;
  return "/tmp";
}

} // namespace

bool runProgram(const fs::path& program, const std::vector<std::string>& arguments,
                const fs::path& said, const Run& run) {
  Child child(program, arguments, said);
  return child.wait(run);
}

std::string lastWords(const fs::path& said) {
  std::ifstream stream(said);
  std::string last;
  for (std::string line; std::getline(stream, line);)
    if (!trimmed(line).empty())
      last = line;
  if (last.starts_with('['))
    last.erase(0, last.find(']') + 1);
  return last.empty() ? "it ended without a message" : excerpt(trimmed(last));
}

WorkFolder::WorkFolder() {
  const fs::path parent = temporaryParent();
  std::string name = (parent / "attention-explorer-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw Error(ErrorCode::Io, parent.string(),
                "cannot make a folder in " + parent.string() + ": " + std::strerror(errno) +
                    "; it must be a folder that can be written to (TMPDIR may name one)");
  path_ = name;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

} // namespace attention
