#include "core/input/token_numbers.h"

#include <map>
#include <string>

namespace attention {

std::vector<Index> tokenNumbers(const Input& input) {
  if (!input.ids.empty())
    return input.ids;
  std::map<std::string, Index> known;
  std::vector<Index> numbers;
  for (const std::string& token : input.pieces.empty() ? input.tokens : input.pieces)
    numbers.push_back(known.try_emplace(token, static_cast<Index>(known.size())).first->second);
  return numbers;
}

} // namespace attention
