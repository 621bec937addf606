#include "app/cli/json_file.h"

#include "core/input/replace_file.h"

#include <ostream>

namespace attention::cli {

void writeJson(const std::filesystem::path& path, const Json& json) {
  replaceFile(path, [&](std::ostream& out) {
    out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  });
}

} // namespace attention::cli
