#include "core/support/json_text.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <set>
#include <vector>

namespace attention {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& subject, const std::string& what) {
  throw Error(ErrorCode::Type, subject, subject + what);
}

// Watches the parser to refuse what the parsed value no longer shows.
class Guard {
public:
  explicit Guard(const std::string& subject) : subject_(subject) {}

  // nlohmann's depth is that of the parent: an outermost object begins at depth 0.
  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= kMaxJsonDepth)
        fail(subject_, " is nested deeper than " + std::to_string(kMaxJsonDepth) +
                           " levels; it must have at most that many");
      keys_.resize(static_cast<std::size_t>(depth) + 1);
      keys_.back().clear();
    } else if (event == Event::key) {
      checkKey(static_cast<std::size_t>(depth) - 1, parsed.get_ref<const std::string&>());
    }
    return true;
  }

private:
  void checkKey(std::size_t object, const std::string& key) {
    if (object < keys_.size() && !keys_[object].insert(key).second)
      fail(subject_,
           " has the key \"" + key + "\" twice in one object; each key must occur only once");
  }

  const std::string& subject_;
  std::vector<std::set<std::string>> keys_; // of every open object
};

} // namespace

json parseJson(std::string_view text, const std::string& subject) {
  try {
    return json::parse(text, Guard(subject));
  } catch (const json::parse_error& error) {
    if (text.empty())
      fail(subject, " is empty; it must be JSON");
    fail(subject, " is not JSON: it goes wrong at byte " + std::to_string(error.byte));
  } catch (const json::exception&) { // 1e999, which the parser does not call an error of parsing
    fail(subject, " holds a number beyond float64; every number must be at most 1.8e308 in size");
  }
}

std::string jsonExcerpt(const nlohmann::json& value) {
  if (value.is_string())
    return excerpt(value.get<std::string>());
  constexpr std::size_t kLongest = 40; // letters
  return shortened(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), kLongest);
}

void failJsonType(const std::string& subject, const nlohmann::json& found,
                  const std::string& wanted) {
  throw Error(ErrorCode::Type, subject,
              subject + " is " + jsonExcerpt(found) + "; it must be " + wanted);
}

} // namespace attention
