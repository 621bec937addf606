// Results that are not finite are failures that say where; large finite ones are results.
#include "tests/app/cli/run_cli.h"

#include "core/input/array_file.h"
#include "core/input/npy_writer.h"

using namespace attention;
using namespace attention::cli;

namespace {

// q = k = `key` and v = `value` everywhere: the flags that read them.
std::string flat(const TemporaryFolder& folder, double key, double value) {
  const std::string q = folder.file("q.npy");
  const std::string v = folder.file("v.npy");
  writeNpy(q, Matrix<double>(9, 2, std::vector<double>(18, key)));
  writeNpy(v, Matrix<double>(9, 2, std::vector<double>(18, value)));
  return " --q " + q + " --k " + q + " --v " + v;
}

bool saysNan(const Said& said) {
  for (const char* word : {"nan", "NaN"})
    if (said.out.find(word) != std::string::npos ||
        said.err.find(word + std::string(")")) != std::string::npos)
      return true;
  return false;
}

} // namespace

TEST_CASE("values of 1e38 everywhere have the mean 1e38 in every pattern", "[cli]") {
  const TemporaryFolder folder;
  const std::string in = flat(folder, 0, 1e38);
  const std::string out = folder.file("o.npy");
  for (const std::string pattern : {"full", "causal", "strided --stride 3", "local --window 2"}) {
    INFO(pattern);
    const Said said = attnx("attend " + pattern + in + " --json -o " + out);
    REQUIRE(said.code == 0);
    const Tensor written = readArrays(out).get("");
    for (Index at = 0; at < written.elements(); ++at)
      CHECK(number(written, at) == static_cast<double>(1e38F));
    CHECK(said.json()["output_error"]["relative_frobenius"].get<double>() < 1e-6);
    CHECK_FALSE(saysNan(said));
  }
  const std::string most = flat(folder, 0, 1.7e308);
  const Said said = attnx("attend causal --dtype float64" + most + " --json -o " + out);
  REQUIRE(said.code == 0);
  CHECK(said.json()["output_error"]["relative_frobenius"].get<double>() < 1e-12);
}

TEST_CASE("the mean of equal values is that value in kernels too", "[cli]") {
  const TemporaryFolder folder;
  const std::string in = flat(folder, 0, 1e38);
  const std::string out = folder.file("o.npy");
  for (const char* how : {"--kernel elu1", "--kernel elu1 --causal", "--features positive --m 8",
                          "--features elu1", "--kernel softmax", "--features relu --m 4"}) {
    INFO(how);
    const Said said = attnx("kernel " + std::string(how) + in + " -o " + out);
    INFO(said.err);
    REQUIRE(said.code == 0);
    const Tensor written = readArrays(out).get("");
    for (Index at = 0; at < written.elements(); ++at)
      CHECK(number(written, at) == Approx(static_cast<double>(1e38F)).epsilon(1e-5));
  }
}

TEST_CASE("features without a finite error are a failure", "[cli]") {
  const TemporaryFolder folder;
  for (const auto& [key, value] : {std::pair(1e160, 1.0), std::pair(0.0, 1.7e308)}) {
    const Said said = attnx("kernel-error --m 2,4" + flat(folder, key, value));
    CHECK(said.code == 1);
    CHECK(said.out.empty());
    CHECK(said.err == "attnx: E_NONFINITE: the mean squared error is not finite in all 12 rows; it "
                      "must be finite (smaller queries, keys and values, --stabilize robust, or "
                      "other features)\n");
  }
  CHECK(attnx("kernel-error --m 2,4" + flat(folder, 0.5, 2)).code == 0);
}

TEST_CASE("a mean error that is not finite is a failure that names its row", "[cli]") {
  const TemporaryFolder folder;
  const std::string line = "kernel-error --random gaussian --n 16 --d 4 --sigma 60 --repeats 3";
  for (const std::string& form : {std::string(), std::string(" --json"),
                                  " -o " + folder.file("e.csv"), " -o " + folder.file("e.png")}) {
    const Said said = attnx(line + " --m 4,8" + form);
    INFO(form);
    CHECK(said.code == 1);
    CHECK(said.out.empty());
    CHECK(said.err ==
          "attnx: E_NONFINITE: the mean squared error is not finite in rows trig iid m "
          "4, trig orthogonal m 4, trig iid m 8, trig orthogonal m 8; it must be finite "
          "(smaller queries, keys and values, --stabilize robust, or other features)\n");
  }
  CHECK(folder.empty());
  CHECK(attnx(line + " --m 4 --features trig --projection iid")
            .err.find("not finite in row trig iid m 4; ") != std::string::npos);
  CHECK(attnx(line + " --m 4 --features positive").code == 0);
  CHECK(attnx(line + " --m 4 --stabilize robust").code == 0);
}

TEST_CASE("scores beyond the type are a failure that names the query, in every command", "[cli]") {
  const TemporaryFolder folder;
  const std::string in = flat(folder, 1e160, 1);
  for (const std::string& command :
       {"attend full --dtype float64 -o " + folder.file("o.npy"),
        std::string("compare full --dtype float64"), std::string("reach full --rollout"),
        std::string("heads"), std::string("steps full --query 0")})
    for (const char* form : {"", " --json"}) {
      const Said said = attnx(command + in + form);
      INFO(command << form << ": " << said.err);
      CHECK(said.code == 1);
      CHECK(said.out.empty());
      CHECK(said.err.find("E_NONFINITE: the scores of query 0 are beyond float64") !=
            std::string::npos);
    }
}

TEST_CASE("every command spells NaN so, and prints no message of the JSON library", "[cli]") {
  const TemporaryFolder folder;
  for (const double value : {1e38, 1e160, 1e308}) {
    const std::string in = flat(folder, 0, value);
    for (const std::string& command :
         {"attend causal --dtype float64 -o " + folder.file("o.npy"),
          std::string("compare causal --with full --dtype float64"),
          std::string("compare causal --features elu1,positive --m 4 --dtype float64"),
          std::string("kernel --kernel softmax --dtype float64"),
          std::string("kernel --features elu1"), std::string("lowrank --ranks 1"),
          std::string("kernel-error --m 2 --repeats 2"), std::string("heads causal"),
          std::string("steps causal --query 1"), std::string("steps causal --query 1 --by online"),
          std::string("steps causal --query 1 --by linear"),
          std::string("steps causal --query 1 --by features --m 4")})
      for (const char* form : {"", " --json"}) {
        const Said said = attnx(command + in + form);
        INFO(command << form << ": " << said.out << said.err);
        CHECK(said.out.find("nan") == std::string::npos);
        CHECK(said.out.find("-NaN") == std::string::npos);
        CHECK(said.err.find("nan") == std::string::npos);
        CHECK(said.err.find("json.exception") == std::string::npos);
        CHECK((said.code == 0) == said.err.empty());
      }
  }
}
