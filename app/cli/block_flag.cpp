#include "app/cli/block_flag.h"

#include "core/support/error.h"

namespace attention::cli {

BlockSize blockFrom(const Arguments& arguments) {
  const std::string* text = arguments.find("block");
  if (!text)
    return {};
  const std::size_t cross = text->find_first_of("xX");
  const auto numberOf = [&](const std::string& part) {
    const auto numbers = integersFromText("block", part);
    if (numbers.size() == 1 && numbers.front() < 1)
      throwRange("block", *text, "at least 1 in both directions");
    if (numbers.size() != 1)
      throw Error(ErrorCode::Type, "block",
                  "block is " + *text +
                      "; it must be BQxBK, as in 128x64, or one integer for both");
    return numbers.front();
  };
  if (cross == std::string::npos) {
    const Index both = numberOf(*text);
    return {both, both};
  }
  return {numberOf(text->substr(0, cross)), numberOf(text->substr(cross + 1))};
}

} // namespace attention::cli
