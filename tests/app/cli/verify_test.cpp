// attnx verify: scripts rely on its exit code.
#include "tests/app/cli/run_cli.h"

#include <fstream>

using namespace attention::cli;

namespace {

std::string mergeCase(const std::string& id, const std::string& lse) {
  return R"({"id": ")" + id + R"(", "kind": "merge", "tolerance": null, "items": [{"o1": [1.0],
    "lse1": "-inf", "o2": [4.0], "lse2": 2.0, "out": [4.0], "lse": )" +
         lse + "}]}";
}

} // namespace

TEST_CASE("verify exits with 0 where every case passes and with 1 where one fails", "[cli]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("right.json")) << mergeCase("right", "2.0");
  const Said passed = attnx({"verify", folder.file("")});
  INFO(passed.out << passed.err);
  CHECK(passed.code == 0);
  CHECK(passed.out.find("1 passed, 0 failed\n") != std::string::npos);

  std::ofstream(folder.file("wrong.json")) << mergeCase("wrong", "3.0");
  const Said failed = attnx({"verify", folder.file("")});
  INFO(failed.out << failed.err);
  CHECK(failed.code == 1);
  CHECK(failed.out.find("1 passed, 1 failed\n") != std::string::npos);
  CHECK(failed.out.find("FAIL wrong") != std::string::npos);
}
