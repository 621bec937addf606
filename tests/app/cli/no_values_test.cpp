// Queries and keys without values: everything is given except outputs and what compares them.
#include "tests/app/cli/run_cli.h"

#include "core/input/npy_writer.h"

#include <cmath>

using namespace attention;
using namespace attention::cli;

namespace {

std::string matrix(const TemporaryFolder& folder, const std::string& name, double step) {
  std::vector<double> values;
  for (int k = 0; k < 24; ++k)
    values.push_back(std::sin(step * k));
  writeNpy(folder.file(name), Matrix<double>(8, 3, values));
  return folder.file(name);
}

struct Files {
  TemporaryFolder folder;
  std::string keys =
      " --q " + matrix(folder, "q.npy", 1.3) + " --k " + matrix(folder, "k.npy", 0.7);
  std::string all = keys + " --v " + matrix(folder, "v.npy", 2.1);
};

} // namespace

TEST_CASE("what needs no values is the same without them", "[cli]") {
  const Files files;
  for (const char* command :
       {"attend local --window 3 --json --dtype float64", "lsh --n-buckets 2 --json",
        "lowrank --linformer=false --json", "compare local --window 3 --features positive --json",
        "info local --window 3 --measure --json", "heads local --window 3 --json",
        "steps local --window 3 --query 2 --json"}) {
    INFO(command);
    const Said with = attnx(command + files.all);
    const Said without = attnx(command + files.keys);
    INFO(without.err);
    REQUIRE(with.code == 0);
    REQUIRE(without.code == 0);
    nlohmann::json expected = with.json();
    nlohmann::json found = without.json();
    int compared = 0;
    for (const char* key :
         {"captured_mass", "entropy", "recall", "singular_values", "buckets", "p"})
      if (expected.contains(key)) {
        CHECK(found[key] == expected[key]);
        ++compared;
      }
    if (std::string(command).starts_with("compare"))
      for (std::size_t k = 0; k < expected["rows"].size(); ++k) {
        CHECK(found["rows"][k]["topk_recall"] == expected["rows"][k]["topk_recall"]);
        CHECK(found["rows"][k]["flops"] == expected["rows"][k]["flops"]);
        CHECK(expected["rows"][k]["output_error"]["max_abs"].is_number());
        CHECK(found["rows"][k]["output_error"]["max_abs"].is_null());
        ++compared;
      }
    if (std::string(command).starts_with("heads")) {
      CHECK(found["rows"] == expected["rows"]);
      ++compared;
    }
    CHECK(compared > 0);
  }
  CHECK(attnx("attend full --json" + files.keys).json()["output_error"].is_null());
  CHECK(attnx("steps full --query 0 --json" + files.keys).json()["output"].is_null());
  const std::string weights = " --weights " + files.folder.file("w.npy");
  const Said kernel = attnx("kernel --features elu1 --json" + weights + files.keys);
  INFO(kernel.err);
  REQUIRE(kernel.code == 0);
  CHECK(kernel.json()["output_error"].is_null());
  CHECK(attnx("kernel --features elu1 --error=true" + weights + files.keys).code == 2);
  CHECK(attnx("lsh --json" + files.keys).json()["output_error"].is_null());
}

TEST_CASE("outputs without values are refused, and the error names what is missing", "[cli]") {
  const Files files;
  const std::string out = " -o " + files.folder.file("o.npy");
  for (const std::string& command :
       {"attend full" + out, "lsh" + out, "steps full --query 0" + out,
        std::string("lowrank --linformer=true"), "kernel --features positive --m 4" + out,
        std::string("kernel-error --m 4")}) {
    INFO(command);
    const Said said = attnx(command + files.keys);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    CHECK(said.err == "attnx: E_TYPE: v is missing; outputs need values: an array v in the file of "
                      "--input (or the one that --v-name names), or --v FILE beside --q and --k\n");
    CHECK_FALSE(std::filesystem::exists(files.folder.file("o.npy")));
  }
}
