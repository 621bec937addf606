#include "core/scene/fields.h"

#include "core/support/json_text.h"

namespace attention::fields {

void requireThisVersion(const Json& json, const std::string& what, const std::string& kind,
                        Index newest) {
  const std::string type = "attention-explorer " + kind;
  if (!json.is_object() || !json.contains("type") || json["type"] != type)
    throw Error(ErrorCode::Type, what,
                what + " is not a " + kind + "; it must be an object with \"type\": \"" + type +
                    "\"");
  const auto version = json.find("version");
  if (version == json.end())
    throw Error(ErrorCode::Type, what, what + " has no version; it must be an integer");
  if (!version->is_number_integer())
    throw Error(ErrorCode::Type, what,
                what + " has version " + jsonExcerpt(*version) + "; it must be an integer");
  if (*version < 1)
    throw Error(ErrorCode::Range, what,
                what + " has version " + version->dump() + "; it must be at least 1");
  if (*version > newest)
    throw Error(ErrorCode::Unsupported, what,
                what + " has version " + version->dump() +
                    ", made by a newer program; this one reads up to version " +
                    std::to_string(newest));
}

} // namespace attention::fields
