// attnx verify: reference cases of a folder.
#include "app/cli/commands.h"
#include "app/cli/report.h"

#include "core/support/error.h"
#include "core/verify/verify.h"

#include <ostream>

namespace attention::cli {
namespace {

int runVerify(const Arguments& arguments, const Context& context) {
  if (arguments.rest().size() != 1)
    throw Error(ErrorCode::Type, "DIR", "verify takes exactly one folder of reference cases");
  int passed = 0;
  int failed = 0;
  const auto report = [&](const CaseResult& result) {
    ++(result.passed ? passed : failed);
    context.out << (result.passed ? "pass " : "FAIL ") << result.id << "  " << result.kind << "  "
                << result.dtype << "  largest deviation " << textNumber(result.largestDeviation);
    if (!result.message.empty())
      context.out << "  " << result.message;
    context.out << std::endl; // one line per case, as it ends
  };
  verifyFolder(arguments.rest().front(), report, context.run);
  context.out << passed << " passed, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}

} // namespace

Command verifyCommand() {
  Grammar grammar;
  grammar.rest = "DIR";
  return {"verify", "DIR", "check every reference case of a folder", grammar, runVerify};
}

} // namespace attention::cli
