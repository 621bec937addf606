// attnx: the window and the command line of Attention Explorer.
#include "app/cli/command.h"
#include "app/cli/interrupt.h"

#include <exception>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  try {
    const attention::cli::Interrupts interrupts;
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    const attention::Run run{interrupts.token(), attention::cli::terminalProgress()};
    const int code = attention::cli::runCommandLine(words, {std::cout, std::cerr, run});
    std::cout.flush();
    if (!std::cout && code == 0) {
      std::cerr << "attnx: E_IO: cannot write to standard output\n";
      return 1;
    }
    return code;
  } catch (const std::exception& failure) {
    std::cerr << "attnx: E_IO: " << failure.what() << '\n';
    return 1;
  }
}
