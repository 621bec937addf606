// What a file's name and bytes say: its role among several, and its fingerprint.
#include "core/input/file_stamp.h"
#include "core/input/input_files.h"
#include "tests/catch.h"

#include <set>
#include <vector>

using namespace attention;

TEST_CASE("the first word of a name is a role if the last is not") {
  const std::vector<std::filesystem::path> files{"/m/value3_b.npy", "/m/query3_b.npy",
                                                 "/m/key3_b.npy"};
  const auto input = asRoles(files);
  REQUIRE(input);
  CHECK(input->q == "/m/query3_b.npy");
  CHECK(input->k == "/m/key3_b.npy");
  CHECK(input->v == "/m/value3_b.npy");
}

TEST_CASE("the fingerprint of a large file includes its first and its last byte") {
  constexpr std::size_t kLooked = std::size_t{64} << 20;
  for (const std::size_t more : std::vector<std::size_t>{1, 1000, 65535, 3000000}) {
    std::vector<std::byte> bytes(kLooked + more, std::byte{7});
    std::set<std::string> seen{contentHash(bytes)};
    for (const std::size_t at : {std::size_t{0}, bytes.size() - 1}) {
      bytes[at] = std::byte{8};
      seen.insert(contentHash(bytes));
      bytes[at] = std::byte{7};
    }
    INFO(more);
    CHECK(seen.size() == 3);
  }
}
