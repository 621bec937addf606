// attnx model tokens: the ids and raw pieces of a text.
#include "app/cli/model_actions.h"
#include "app/cli/model_text.h"
#include "app/cli/report.h"

#include "core/model/tokenizer.h"
#include "core/support/text.h"

#include <ostream>

namespace attention::cli {
int modelTokens(const Arguments& arguments, const std::filesystem::path& model,
                const Context& context) {
  const std::string given = givenText(arguments);
  const Encoding tokens = openTokenizer(model)->encode(given, arguments.on("special"));
  if (arguments.on("json")) {
    print(context.out, Json{{"ids", tokens.ids}, {"pieces", tokens.pieces}});
    return 0;
  }
  std::vector<Cells> lines{{"id", "piece"}};
  for (std::size_t i = 0; i < tokens.ids.size(); ++i)
    lines.push_back({std::to_string(tokens.ids[i]), printableLabel(tokens.pieces[i])});
  printAligned(context.out, lines);
  return 0;
}

} // namespace attention::cli
