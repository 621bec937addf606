// attnx model tokens: the ids and raw pieces of a text.
#include "app/cli/model_actions.h"
#include "app/cli/report.h"

#include "core/input/mapped_file.h"
#include "core/model/tokenizer.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <ostream>

namespace attention::cli {
namespace {

// The bytes as they are: a mark of the byte order is part of the text.
std::string textFrom(const Arguments& arguments) {
  const std::string* file = arguments.find("text");
  const std::string* string = arguments.find("string");
  if ((file == nullptr) == (string == nullptr))
    throw Error(ErrorCode::Type, "text",
                std::string(file ? "both --text and --string are given" : "the text is missing") +
                    "; give either --text FILE or --string TEXT");
  if (string)
    return *string;
  const std::shared_ptr<const MappedFile> mapped = MappedFile::open(*file);
  return {reinterpret_cast<const char*>(mapped->bytes().data()), mapped->bytes().size()};
}

} // namespace

int modelTokens(const Arguments& arguments, const std::filesystem::path& model,
                const Context& context) {
  const std::string text = textFrom(arguments);
  const Encoding tokens = openTokenizer(model)->encode(text, arguments.on("special"));
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
