// attnx verify-model: a folder's expected.safetensors against its model.safetensors.
#include "app/cli/commands.h"
#include "app/cli/report.h"

#include "core/model/verify_model.h"
#include "core/support/error.h"

#include <ostream>

namespace attention::cli {
namespace {

int runVerifyModel(const Arguments& arguments, const Context& context) {
  if (arguments.rest().size() != 1)
    throw Error(ErrorCode::Type, "DIR",
                "verify-model takes one folder with config.json, model.safetensors and "
                "expected.safetensors");
  int failed = 0;
  int arrays = 0;
  const auto report = [&](const ArrayCheck& check) {
    ++arrays;
    failed += check.passed() ? 0 : 1;
    context.out << (check.passed() ? "pass " : "FAIL ") << check.name;
    if (check.message.empty())
      context.out << "  largest deviation " << textNumber(check.deviation) << ", largest value "
                  << textNumber(check.largest) << '\n';
    else
      context.out << "  " << check.message << '\n';
  };
  verifyModel(arguments.rest().front(), report, context.run);
  context.out << arrays - failed << " passed, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}

} // namespace

Command verifyModelCommand() {
  Grammar grammar;
  grammar.rest = "DIR";
  grammar.flags = {{"threads", "T", "number of threads; 0 uses all"}};
  return {"verify-model", "DIR", "compare a model's results with those of another program", grammar,
          runVerifyModel};
}

} // namespace attention::cli
