// Every field of a Scene with values that nobody has checked.
#include "tests/core/scene/unchecked.h"

#include "core/views/animation.h"
#include "tests/catch.h"

#include <set>

using namespace attention;
using namespace attention::test;

TEST_CASE("every field of a scene with every bad value is accepted or refused by its name") {
  const nlohmann::json whole(toJson(everyField()));
  const std::vector<nlohmann::json> values = badJson();
  std::set<std::string> read; // fields that took some bad value
  int refused = 0;
  const nlohmann::json leaves = whole.flatten();
  for (const auto& [pointer, leaf] : leaves.items())
    for (const nlohmann::json& value : values) {
      nlohmann::json changed = whole;
      changed[nlohmann::json::json_pointer(pointer)] = value;
      INFO(pointer << " = " << value);
      try {
        const Scene scene = sceneFromJson(changed).scene;
        askUnchecked(scene);
        ask([&] { sweepsOf(scene, 16); });
        read.insert(pointer);
      } catch (const Error& error) {
        ++refused;
        CHECK_FALSE(std::string(error.what()).empty());
      }
    }
  CHECK(read.size() > 100);
  CHECK(refused > 1000);
}
