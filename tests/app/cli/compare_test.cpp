// attnx compare: the score board's answers, files and refusals.
#include "tests/app/cli/run_cli.h"

#include "core/analysis/cost.h"
#include "core/views/compare/scene_compare.h"

#include <fstream>

using namespace attention;
using namespace attention::cli;

namespace {

const std::string kInput = "--random gaussian --n 48 --d 8 --heads 2 --seed 3 ";

} // namespace

TEST_CASE("compare gives the numbers that attend gives for each pattern", "[cli]") {
  const Said said =
      attnx("compare strided --stride 6 --with topk --p.k 5 --with lsh --n-buckets 4 " + kInput +
            "--json --dtype float64");
  REQUIRE(said.err.empty());
  const auto json = said.json();
  REQUIRE(json["rows"].size() == 3);
  CHECK(json["heads"] == 2);
  CHECK(json["recall_keys"] == 10);
  const std::vector<std::string> patterns{"strided --stride 6", "topk --p.k 5",
                                          "lsh --n-buckets 4"};
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    const auto alone = attnx("attend " + patterns[k] + " " + kInput + "--json --dtype float64");
    REQUIRE(alone.err.empty());
    const auto& row = json["rows"][k];
    const auto one = alone.json();
    for (const char* key : {"captured_mass", "entropy"})
      CHECK(row[key].get<double>() == Approx(one[key].get<double>()));
    for (const char* key : {"relative_frobenius", "max_abs"})
      CHECK(row["output_error"][key].get<double>() ==
            Approx(one["output_error"][key].get<double>()));
    CHECK(row["base"] == one["base"]);
    for (const char* key : {"name", "pairs", "topk_recall", "flops", "bytes", "seconds"})
      CHECK(row.contains(key));
  }
  CHECK(json["rows"][1]["pairs"] == 2 * 5 * 48);
  CHECK(json["rows"][1]["topk_recall"].get<double>() == Approx(0.5));
  CHECK(json["rows"][0]["seed"].is_null());
  CHECK(json["rows"][2]["seed"] == 0);
  CHECK(json["rows"][2]["own_keys"] == true);
  CHECK(json["rows"][0]["pattern"]["mechanism"] == "strided");
}

TEST_CASE("the table of compare shows the time to choose keys beside that of attention", "[cli]") {
  const std::string table = attnx("compare strided --with topk " + kInput).out;
  const std::string heading = table.substr(0, table.find('\n'));
  CHECK(heading.find("prepare s") != std::string::npos);
  CHECK(heading.find("prepare s") < heading.find("seconds"));
}

TEST_CASE("compare takes random features and Linformer as well as patterns", "[cli]") {
  const Said said = attnx("compare full --features elu1,positive --m 16,32 --projection-seed 4 "
                          "--linformer 6 " +
                          kInput + "--head-index 1 --json");
  REQUIRE(said.err.empty());
  const auto rows = said.json()["rows"];
  REQUIRE(rows.size() == 5);
  CHECK(rows[0]["topk_recall"] == 1);
  CHECK(rows[1]["name"] == "elu1 features");
  CHECK(rows[1]["seed"].is_null());
  CHECK(rows[2]["name"] == "positive features, m 16, orthogonal");
  CHECK(rows[2]["seed"] == 4);
  CHECK(rows[3]["flops"] == randomFeatureCost(48, 8, 8, 32, 32).flops);
  CHECK(rows[4]["name"] == "linformer, k 6");
  CHECK(rows[4]["pairs"].is_null());
  CHECK(rows[4]["captured_mass"].is_null());
  const auto kernel = attnx("kernel --features positive --m 16 --projection-seed 4 " + kInput +
                            "--head-index 1 --json")
                          .json();
  CHECK(rows[2]["output_error"]["relative_frobenius"].get<double>() ==
        Approx(kernel["output_error"]["relative_frobenius"].get<double>()).epsilon(1e-4));
}

TEST_CASE("compare prints a table and writes it", "[cli]") {
  const TemporaryFolder folder;
  const std::string csv = folder.file("scores.csv");
  const Said said =
      attnx("compare local --window 8 --with strided --linformer 4 --with lsh --n-buckets 4 "
            "--p.seed 9 " +
            kInput + "-o " + csv);
  REQUIRE(said.err.empty());
  CHECK(said.out.find("local, window 8") != std::string::npos);
  CHECK(said.out.find("recall@10") != std::string::npos);
  std::ifstream file(csv);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  REQUIRE(lines.size() == 5);
  CHECK(lines[0] + "\n" == textOf(scoreTable({}))); // as the Compare view writes it
  for (const std::string& line : lines)
    CHECK(std::count(line.begin(), line.end(), ',') == 13);
  CHECK(lines[1].back() == ','); // nothing is drawn at random
  CHECK(lines[3].substr(lines[3].rfind(',')) == ",9");
  CHECK(lines[4].rfind("linformer; k 4,,,", 0) == 0);
}

TEST_CASE("compare gives each feature map the flags that it reads", "[cli]") {
  const Said said =
      attnx("compare full --features elu1,positive --m 8 --stabilize robust " + kInput + "--json");
  REQUIRE(said.err.empty());
  const auto rows = said.json()["rows"];
  CHECK(rows[1]["name"] == "elu1 features");
  CHECK(rows[2]["name"] == "positive features, m 8, orthogonal, stabilize robust");
  CHECK(attnx("compare full --features elu1,relu --scale 2 " + kInput).err.empty());
}

TEST_CASE("compare takes attention by kernels", "[cli]") {
  const Said said = attnx("compare full --kernel softmax,gaussian " + kInput + "--json");
  REQUIRE(said.err.empty());
  const auto rows = said.json()["rows"];
  REQUIRE(rows.size() == 3);
  CHECK(rows[1]["name"] == "softmax kernel");
  CHECK(rows[1]["output_error"]["relative_frobenius"].get<double>() < 1e-5);
  CHECK(rows[2]["name"] == "gaussian kernel");
  CHECK(rows[2]["pairs"].is_null());
}

TEST_CASE("compare refuses what it cannot measure in one line", "[cli]") {
  const auto refused = [](const std::string& line) {
    const Said said = attnx("compare " + line);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    return said.err;
  };
  CHECK(refused("local").find("E_TYPE: ") != std::string::npos); // no input
  CHECK(refused(kInput).find("E_TYPE: the pattern is missing") != std::string::npos);
  CHECK(refused("local --linformer 4 --base causal " + kInput).find("E_UNSUPPORTED: base") !=
        std::string::npos);
  CHECK(refused("local --base all " + kInput).find("E_RANGE: base") != std::string::npos);
  CHECK(refused("local --m 8 " + kInput).find("E_TYPE: --m is given without") != std::string::npos);
  CHECK(refused("local --linformer-seed 8 " + kInput).find("E_TYPE: --linformer-seed") !=
        std::string::npos);
  CHECK(refused("local --features positive --m 0 " + kInput).find("E_RANGE: m is 0") !=
        std::string::npos);
  CHECK(refused("local --features postive " + kInput).find("positive") != std::string::npos);
  CHECK(refused("local --linformer 0 " + kInput).find("E_RANGE: linformer is 0") !=
        std::string::npos);
  CHECK(refused("local --recall-keys 0 " + kInput).find("E_RANGE: recall-keys is 0") !=
        std::string::npos);
  CHECK(refused("local --features trig --scale 2 " + kInput).find("E_RANGE: scale") !=
        std::string::npos);
  CHECK(refused("local --features trig --scale 2.5 " + kInput).find("scale is 2.5; it must be") !=
        std::string::npos);
  const std::string elu1 = "local --features elu1 " + kInput;
  for (const char* flag : {"--m 8", "--projection iid", "--norms chi", "--projection-seed 1"})
    CHECK(refused(elu1 + flag).find("take no projections") != std::string::npos);
  CHECK(refused(elu1 + "--eps 0.1").find("E_TYPE: --eps is given with features that do not") !=
        std::string::npos);
  CHECK(refused(elu1 + "--stabilize robust").find("E_TYPE: --stabilize") != std::string::npos);
  CHECK(refused("local --features elu1,positive --projection foo " + kInput)
            .find("E_RANGE: projection") != std::string::npos);
  CHECK(refused("local -o x.png " + kInput).find("E_UNSUPPORTED") != std::string::npos);
}

TEST_CASE("compare fails where an approximation overflows, and names it", "[cli]") {
  const TemporaryFolder folder;
  const std::string q = folder.file("q.npy");
  writeNpy(q, Matrix<double>(3, 1, {1, 20, 1})); // exp(20²) is beyond float32, not float64
  const std::string line = "compare causal --features trig --m 2 --q " + q + " --k " + q + " --v " +
                           q + " -o " + folder.file("o.csv");
  for (const char* form : {"", " --json"}) {
    const Said said = attnx(line + form);
    CHECK(said.code == 1);
    CHECK(said.out.empty());
    CHECK(said.err.find("E_NONFINITE: the output is not finite with trig features") !=
          std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("o.csv")));
  CHECK(attnx(line + " --dtype float64").code == 0);
}
