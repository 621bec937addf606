// --attention, ready attention weights, in every command that lists it.
#include "tests/app/cli/run_cli.h"

#include "core/input/array_file.h"
#include "core/input/npy_writer.h"
#include "core/input/safetensors_writer.h"
#include "tests/core/input/npz_for_tests.h"

#include <array>
#include <cmath>
#include <fstream>
#include <set>

using namespace attention;
using namespace attention::cli;

namespace {

// Four tokens; rows sum to 1, and row 1 attends ahead.
const std::vector<double> kWeights{0.4, 0.3, 0.2, 0.1, 0.1, 0.5, 0.4, 0,
                                   0.2, 0.2, 0.6, 0,   0.1, 0.2, 0.3, 0.4};
const std::vector<double> kValues{1, 0, 0, 1, 2, -1, 0.5, 4};

class Files {
public:
  std::string weights() const { return written("w.npy", std::array<Index, 2>{4, 4}, kWeights); }
  std::string values() const { return written("v.npy", std::array<Index, 2>{4, 2}, kValues); }
  // "attention" and "v" in one file.
  std::string both() const {
    const std::string bytes =
        test::npzOf({{"attention.npy", test::npy("<f8", "(4, 4)", test::raw(kWeights))},
                     {"v.npy", test::npy("<f8", "(4, 2)", test::raw(kValues))}});
    std::ofstream(folder_.file("both.npz"), std::ios::binary) << bytes;
    return folder_.file("both.npz");
  }
  std::string out(const std::string& name = "o.npy") const { return folder_.file(name); }

private:
  template <std::size_t N>
  std::string written(const std::string& name, const std::array<Index, N>& shape,
                      const std::vector<double>& numbers) const {
    writeNpy<double>(folder_.file(name), shape, std::span<const double>(numbers));
    return folder_.file(name);
  }
  TemporaryFolder folder_;
};

Matrix<double> matrixIn(const std::string& path) {
  return slice<double>(readArrays(path).arrays.front().tensor);
}

double weight(int i, int j) {
  return kWeights[static_cast<std::size_t>(4 * i + j)];
}

// The causal weights by hand: cut to j ≤ i and normalised again.
double causalWeight(int i, int j) {
  double sum = 0;
  for (int k = 0; k <= i; ++k)
    sum += weight(i, k);
  return j <= i ? weight(i, j) / sum : 0;
}

} // namespace

TEST_CASE("attend multiplies ready weights, cut to the pattern, with the values", "[cli]") {
  const Files files;
  const std::string kept = files.out("kept.npy");
  const Said said = attnx("attend causal --dtype float64 --json --attention " + files.weights() +
                          " --v " + files.values() + " --weights " + kept + " -o " + files.out());
  REQUIRE(said.err.empty());
  const Matrix<double> out = matrixIn(files.out());
  const Matrix<double> weights = matrixIn(kept);
  double entropy = 0;
  for (int i = 0; i < 4; ++i) {
    double x = 0;
    double y = 0;
    for (int j = 0; j < 4; ++j) {
      const double p = causalWeight(i, j);
      CHECK(weights(i, j) == Approx(p));
      x += p * kValues[static_cast<std::size_t>(2 * j)];
      y += p * kValues[static_cast<std::size_t>(2 * j + 1)];
      entropy -= p > 0 ? p * std::log(p) / 4 : 0;
    }
    CHECK(out(i, 0) == Approx(x));
    CHECK(out(i, 1) == Approx(y));
  }
  const auto json = said.json();
  CHECK(json["base"] == "causal");
  CHECK(json["captured_mass"].get<double>() == Approx(1));
  CHECK(json["output_error"]["max_abs"].get<double>() == Approx(0).margin(1e-15));
  CHECK(json["entropy"].get<double>() == Approx(entropy));
}

TEST_CASE("ready weights without values give measures and weights, and no outputs", "[cli]") {
  const Files files;
  const std::string blocks = "attend block_local --p.block-size 2 --json --attention ";
  const auto full = attnx(blocks + files.weights()).json();
  CHECK(full["base"] == "full"); // since the pattern attends ahead:
  // 0.4 + 0.3, 0.1 + 0.5, 0.6 + 0, 0.3 + 0.4
  CHECK(full["captured_mass"].get<double>() == Approx((0.7 + 0.6 + 0.6 + 0.7) / 4));
  const auto causal = attnx(blocks + files.weights() + " --p.causal true").json();
  CHECK(causal["base"] == "causal");
  // Of the rows cut to j ≤ i and normalised again, 0.4, 0.6, 1 and 1.
  CHECK(causal["captured_mass"].get<double>() == Approx((1 + 1 + 0.6 + 0.7) / 4));
  for (const auto& json : {full, causal})
    CHECK(json["output_error"].is_null());
  const Said refused = attnx("attend causal --attention " + files.weights() + " -o " + files.out());
  CHECK(refused.code == 2);
  CHECK(refused.err.find("E_UNSUPPORTED: v is missing") != std::string::npos);
  CHECK(attnx("attend causal --json --lse " + files.out() + " --attention " + files.weights())
            .err.find("E_UNSUPPORTED: lse") != std::string::npos);
}

TEST_CASE("values beside ready weights in one file make outputs", "[cli]") {
  const Files files;
  const std::string both = files.both();
  const std::string line = "attend causal --dtype float64 --json --input " + both;
  const Said said = attnx(line + " -o " + files.out());
  REQUIRE(said.err.empty());
  CHECK(said.json()["output_error"]["max_abs"].get<double>() == Approx(0).margin(1e-15));
  double sum = 0;
  for (int j = 0; j < 4; ++j)
    sum += causalWeight(3, j) * kValues[static_cast<std::size_t>(2 * j)];
  CHECK(matrixIn(files.out())(3, 0) == Approx(sum));
  CHECK(attnx(line + " --v-name w -o " + files.out()).err.find("v-name is \"w\", but ") !=
        std::string::npos);
}

TEST_CASE("compare scores patterns on ready weights, with the error only where there are values",
          "[cli]") {
  const Files files;
  const std::string line =
      "compare causal --with sinks --p.sinks 1 --p.window 1 --json --recall-keys 1 --attention " +
      files.weights();
  const auto rows = attnx(line).json()["rows"];
  REQUIRE(rows.size() == 2);
  // The largest weight of every causal row is on the diagonal.
  CHECK(rows[1]["topk_recall"] == 1);
  CHECK(rows[1]["base"] == "causal");
  CHECK(rows[1]["pairs"] == 7);
  CHECK(rows[1]["captured_mass"].get<double>() ==
        Approx((1 + 1 + (causalWeight(2, 0) + causalWeight(2, 2)) +
                (causalWeight(3, 0) + causalWeight(3, 3))) /
               4));
  for (const char* unknown : {"flops", "bytes", "seconds"})
    CHECK(rows[1][unknown].is_null());
  CHECK(rows[1]["output_error"]["max_abs"].is_null());
  const auto with = attnx(line + " --v " + files.values()).json()["rows"];
  CHECK(with[0]["output_error"]["max_abs"].get<double>() == Approx(0).margin(1e-15));
  CHECK(with[1]["output_error"]["max_abs"].get<double>() > 0.1);
  CHECK(
      attnx("compare causal --features elu1 --attention " + files.weights())
          .err.find("E_UNSUPPORTED: input has attention weights without queries and keys; elu1") !=
      std::string::npos);
}

TEST_CASE("data-dependent patterns say that ready weights are not enough", "[cli]") {
  const Files files;
  for (const char* line : {"attend topk --json", "compare lsh --json", "info topk --measure"}) {
    const Said said = attnx(std::string(line) + " --attention " + files.weights());
    CHECK(said.code == 2);
    CHECK(said.err.find("E_UNSUPPORTED: input has attention weights without queries and keys") !=
          std::string::npos);
  }
  CHECK(attnx("info causal --measure --json --attention " + files.weights())
            .json()["captured_mass"] == 1);
}

TEST_CASE("lowrank takes ready weights unchanged or cut to causal ones", "[cli]") {
  const Files files;
  const std::string line = "lowrank --ranks 0 --json --attention " + files.weights();
  double all = 0;
  double causal = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      all += weight(i, j) * weight(i, j);
      causal += causalWeight(i, j) * causalWeight(i, j);
    }
  CHECK(attnx(line).json()["frobenius"].get<double>() == Approx(std::sqrt(all)));
  CHECK(attnx(line + " --causal").json()["frobenius"].get<double>() == Approx(std::sqrt(causal)));
  CHECK(attnx(line + " --matrix exp").err.find("E_UNSUPPORTED: matrix") != std::string::npos);
}

TEST_CASE("every command that lists --attention computes with ready weights", "[cli]") {
  const Files files;
  const std::string input = " --json --attention " + files.weights();
  std::set<std::string> tried;
  for (const Command& command : commands()) {
    const auto& flags = command.grammar.flags;
    const bool lists = std::any_of(flags.begin(), flags.end(),
                                   [](const Flag& flag) { return flag.name == "attention"; });
    if (!lists || command.name == "gui")
      continue;
    const std::string pattern = command.grammar.patterns > 0 ? " causal" : "";
    const Said said = attnx(command.name + pattern + input);
    INFO(command.name << ": " << said.err);
    CHECK(said.code == 0);
    CHECK(said.err.empty());
    CHECK_FALSE(said.json().empty());
    tried.insert(command.name);
  }
  CHECK(tried == std::set<std::string>{"attend", "compare", "heads", "lowrank"});
  for (const char* other : {"kernel --kernel relu", "kernel-error", "lsh", "steps full"}) {
    const Said said = attnx(other + input);
    CHECK(said.code == 2);
    CHECK(said.err.find("E_UNKNOWN: flag --attention is unknown") != std::string::npos);
  }
}

TEST_CASE("weights below zero are refused with their place", "[cli]") {
  const TemporaryFolder folder;
  const std::vector<double> numbers{1, 0, 1.5, -0.5};
  writeNpy<double>(folder.file("w.npy"), std::array<Index, 2>{2, 2},
                   std::span<const double>(numbers));
  for (const char* command : {"attend causal", "compare causal", "heads"})
    CHECK(attnx(std::string(command) + " --json --attention " + folder.file("w.npy"))
              .err.find("holds -0.5 at (1, 1)") != std::string::npos);
}

namespace {

// Weights of heads × 2 × 2, in float32.
std::string weightFile(const TemporaryFolder& folder, const std::vector<float>& numbers) {
  const auto heads = static_cast<Index>(numbers.size()) / 4;
  writeNpy<float>(folder.file("w.npy"), std::array<Index, 3>{heads, 2, 2},
                  std::span<const float>(numbers));
  return folder.file("w.npy");
}

} // namespace

TEST_CASE("rows of ready weights that do not sum to 1 are reported, with what is done", "[cli]") {
  const TemporaryFolder folder;
  const std::string odd = weightFile(folder, {0.5F, 0.5F, 1, 0, 0, 0, 2, 0.5F});
  const std::string note = "attnx: note: Row 1 of head 1 in " + odd + " sums to 2.5, not 1; ";
  for (const char* command :
       {"attend full", "compare full", "heads", "info causal --measure --head-index 0"})
    CHECK(attnx(std::string(command) + " --json --attention " + odd).err ==
          note + "each row is divided by the sum of the weights that the pattern keeps.\n");
  const std::string lowrank = "lowrank --ranks 0 --json --head-index 1 --attention " + odd;
  CHECK(attnx(lowrank).err == note + "the weights are used as they are.\n");
  CHECK(attnx(lowrank).json()["frobenius"].get<double>() == Approx(std::sqrt(4.25)));
  CHECK(attnx(lowrank + " --causal").err ==
        note + "each row is divided by the sum of the weights that the pattern keeps.\n");
  // Rounding, and rows without any weight.
  const float third = 1.0F / 3;
  CHECK(attnx("attend full --json --attention " +
              weightFile(folder, {third, 1 - third, 0, 0, 0.1F, 0.9F, 1, 0}))
            .err.empty());
}

TEST_CASE("info measures the output error of ready weights as compare does", "[cli]") {
  const Files files;
  const std::string of =
      " --json --base full --attention " + files.weights() + " --v " + files.values();
  const auto error = attnx("info local --window 2 --causal --measure" + of).json()["output_error"];
  const auto row = attnx("compare local --window 2 --causal" + of).json()["rows"][0];
  REQUIRE_FALSE(error.is_null());
  for (const auto& [measure, value] : error.items()) // here in float32
    CHECK(value.get<double>() == Approx(row["output_error"][measure].get<double>()).epsilon(1e-5));
  CHECK(attnx("info causal --measure --json --attention " + files.weights())
            .json()["output_error"]
            .is_null());
}

TEST_CASE("masks that a file names beside ready weights are not used, and that is said", "[cli]") {
  const Files files;
  const TemporaryFolder folder;
  const std::string file = folder.file("w.safetensors");
  {
    std::ofstream stream(file, std::ios::binary);
    SafetensorsWriter writer(stream, {{"attention", DType::Float32, {4, 4}}},
                             {{"patterns", "[1, 2, 3]"}});
    writer.write(0, 0, std::vector<float>(kWeights.begin(), kWeights.end()));
  }
  const Said said = attnx("info causal --measure --json --input " + file);
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK(said.err == "attnx: note: " + file +
                        ": metadata patterns is not used beside ready "
                        "attention weights, which are taken as they are.\n");
  const Said own = attnx("info causal --measure --base own --input " + file);
  CHECK(own.code == 2);
  CHECK(own.err.find("E_UNSUPPORTED: base is own") != std::string::npos);
}
