// attnx: the window and the command line of Attention Explorer.
#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "core/support/keep_memory.h"

#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

int main(int argc, char** argv) {
  try {
    using namespace attention::cli;
    attention::keepFreedMemory();
    const Interrupts interrupts;
    std::signal(SIGXFSZ, SIG_IGN); // a file over its size limit is a write error like others
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    ProgressBar bar(std::cerr);
    ClearingBuffer outBuffer(*std::cout.rdbuf(), bar);
    std::ostream out(&outBuffer);
    ClearingBuffer errBuffer(*std::cerr.rdbuf(), bar);
    std::ostream err(&errBuffer);
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    const attention::Run run{interrupts.token(),
                             terminal ? bar.reporter() : std::function<void(double)>()};
    const int code = runCommandLine(words, {out, err, run});
    out.flush();
    if (!out && code == 0) {
      err << "attnx: E_IO: cannot write to standard output\n";
      return 1;
    }
    return code;
  } catch (const std::exception& failure) {
    std::cerr << "attnx: E_IO: " << failure.what() << '\n';
    return 1;
  }
}
