// attnx reach --rollout: weighted reach of the layers of an input.
#include "tests/app/cli/run_cli.h"

#include "core/analysis/reach/rollout.h"
#include "core/input/array_file.h"
#include "core/input/npy_writer.h"

#include <cmath>
#include <fstream>

using namespace attention;
using namespace attention::cli;

namespace {

Matrix<double> matrixIn(const std::string& path) {
  return slice<double>(readArrays(path).arrays.front().tensor);
}

// Ready weights of two layers of one head over two tokens.
std::string twoLayers(const TemporaryFolder& folder) {
  const std::string path = folder.file("weights.npy");
  const std::array<Index, 4> shape{2, 1, 2, 2};
  const std::vector<double> weights{1, 0, 0.5, 0.5, 0.25, 0.75, 0, 1};
  writeNpy<double>(path, shape, std::span<const double>(weights));
  return path;
}

} // namespace

TEST_CASE("the weighted reach of two layers equals the one computed by hand", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.file("rollout.npy");
  const Said said = attnx("reach full --rollout --residual-share 0 --attention " +
                          twoLayers(folder) + " --json --path 0,1 --token 0 -o " + out);
  REQUIRE(said.err.empty());
  // [[¼, ¾], [0, 1]] · [[1, 0], [½, ½]]
  const auto json = said.json();
  CHECK(json["layers_in_stack"] == 2);
  CHECK(json["of"] == nlohmann::json::parse("[0, 1]"));
  CHECK_FALSE(json.contains("path"));
  CHECK(json["weight"] == 0.375);
  CHECK(json["influenced_by"] == nlohmann::json::parse("[0.625, 0.375]"));
  CHECK(json["influences"] == nlohmann::json::parse("[0.625, 0.5]"));
  CHECK(json["mean_self"].get<double>() == Approx((0.625 + 0.5) / 2));
  CHECK(json["mean_entropy"].get<double>() ==
        Approx((std::log(2.0) - 0.625 * std::log(0.625) - 0.375 * std::log(0.375)) / 2));
  const Matrix<double> written = matrixIn(out);
  CHECK(written == Matrix<double>(2, 2, {0.625, 0.375, 0.5, 0.5}));
}

TEST_CASE("ready weights are cut to the pattern and normalised again", "[cli]") {
  const TemporaryFolder folder;
  const auto json = attnx("reach causal --rollout --residual-share 0 --attention " +
                          twoLayers(folder) + " --json --token 1")
                        .json();
  // The upper layer becomes the identity, the lower one is already causal.
  CHECK(json["influenced_by"] == nlohmann::json::parse("[0.5, 0.5]"));
  const auto lowest = attnx("reach full --rollout --layers 1 --residual-share 0.5 --attention " +
                            twoLayers(folder) + " --json --token 1")
                          .json();
  CHECK(lowest["influenced_by"] == nlohmann::json::parse("[0.25, 0.75]"));
}

TEST_CASE("reach takes the weights of every layer and head over the patterns in turn", "[cli]") {
  const TemporaryFolder folder;
  const std::string q = folder.file("q.npy");
  const std::string out = folder.file("rollout.npy");
  const Index layers = 2;
  const Index heads = 2;
  const Index n = 6;
  const std::array<Index, 4> shape{layers, heads, n, 3};
  std::vector<double> values;
  for (Index x = 0; x < layers * heads * n * 3; ++x)
    values.push_back(std::sin(static_cast<double>(x)));
  writeNpy<double>(q, shape, std::span<const double>(values));
  const std::string input = " --q " + q + " --k " + q + " --v " + q;
  REQUIRE(attnx("reach local --window 3 --then causal --rollout -o " + out + input).err.empty());
  std::vector<Matrix<double>> weights(2, Matrix<double>(n, n));
  for (Index t = 0; t < layers; ++t) {
    const std::string one = folder.file("w.npy");
    const std::string pattern = t == 0 ? "local --window 3" : "causal";
    REQUIRE(attnx("attend " + pattern + input + " --dtype float64 --batch " + std::to_string(t) +
                  " -o " + folder.file("o.npy") + " --weights " + one)
                .err.empty());
    const ArrayFile file = readArrays(one);
    for (Index h = 0; h < heads; ++h) {
      const Matrix<double> w = slice<double>(file.arrays.front().tensor, 0, h);
      for (Index x = 0; x < n * n; ++x)
        weights[static_cast<std::size_t>(t)].data()[x] += w.data()[x] / 2;
    }
  }
  const Matrix<double> expected = attentionRollout(weights, 0.5);
  const Matrix<double> written = matrixIn(out);
  REQUIRE(written.rows() == n);
  for (Index x = 0; x < n * n; ++x)
    CHECK(written.data()[x] == Approx(expected.data()[x]).margin(1e-12));
}

TEST_CASE("data-dependent patterns choose the keys of every layer in a weighted reach", "[cli]") {
  const Said said = attnx("reach topk --k 1 --rollout --random gaussian --n 12 --d 4 --heads 1 "
                          "--residual-share 0 --json --token 3");
  REQUIRE(said.err.empty());
  double sum = 0;
  int others = 0;
  const auto json = said.json();
  for (const auto& share : json["influenced_by"]) {
    sum += share.get<double>();
    others += share.get<double>() > 0 ? 1 : 0;
  }
  CHECK(sum == Approx(1));
  CHECK(others == 1);
}

TEST_CASE("a weighted reach of one head reads only its weights", "[cli]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("heads.npy");
  const std::array<Index, 3> shape{2, 2, 2};
  const std::vector<double> weights{1, 0, 0.5, 0.5, 0.25, 0.75, 0, 1};
  writeNpy<double>(path, shape, std::span<const double>(weights));
  const std::string line =
      "reach full --rollout --residual-share 0 --json --token 0 --attention " + path;
  const auto one = attnx(line + " --head-index 1").json();
  CHECK(one["heads"] == 1);
  CHECK(one["influenced_by"] == nlohmann::json::parse("[0.25, 0.75]"));
  const auto both = attnx(line).json();
  CHECK(both["heads"] == 2);
  CHECK(both["influenced_by"] == nlohmann::json::parse("[0.625, 0.375]"));
}

TEST_CASE("negative ready weights are refused with their file and index", "[cli]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("negative.npy");
  const std::array<Index, 4> shape{2, 1, 2, 2};
  const std::vector<double> weights{1, 0, 0.5, 0.5, 1.5, -0.5, 0, 1};
  writeNpy<double>(path, shape, std::span<const double>(weights));
  const Said said = attnx("reach full --rollout --attention " + path);
  CHECK(said.code == 2);
  CHECK(said.err.find("E_RANGE: ") != std::string::npos);
  CHECK(said.err.find("negative.npy holds -0.5 at (1, 0, 0, 1); weights must not be negative") !=
        std::string::npos);
}

TEST_CASE("a negative ready weight is reported with the digits of its type", "[cli]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("negative.npy");
  const auto refused = [&]<class T>(const std::vector<T>& weights) {
    writeNpy<T>(path, std::array<Index, 2>{2, 2}, std::span<const T>(weights));
    const std::string said = attnx("reach full --rollout --attention " + path).err;
    const std::size_t at = said.find(" holds ");
    return at == std::string::npos ? said : said.substr(at, said.find(';') - at);
  };
  CHECK(refused(std::vector<float>{1, 0, -0.1F, 1}) == " holds -0.1 at (1, 0)");
  CHECK(refused(std::vector<double>{1, 0, -0.1, 1}) == " holds -0.1 at (1, 0)");
  CHECK(refused(std::vector<double>{1, 0, static_cast<double>(-0.1F), 1}) ==
        " holds -0.10000000149011612 at (1, 0)");
}

TEST_CASE("a weighted reach is written as lines of i, j and weight", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.file("rollout.csv");
  const Said said = attnx("reach full --rollout --attention " + twoLayers(folder) + " -o " + out);
  REQUIRE(said.err.empty());
  CHECK(said.out.find("entropy of the shares") != std::string::npos);
  std::ifstream file(out);
  std::string heading;
  std::string first;
  std::getline(file, heading);
  std::getline(file, first);
  CHECK(heading == "i,j,weight");
  CHECK(first.rfind("0,0,0.", 0) == 0);
}

TEST_CASE("a weighted reach refuses flags that it does not read", "[cli]") {
  const TemporaryFolder folder;
  const std::string input = "--attention " + twoLayers(folder);
  const auto refused = [&](const std::string& line) {
    const Said said = attnx("reach full " + line);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    return said.err;
  };
  CHECK(refused("--rollout").find("E_TYPE") != std::string::npos); // no input
  CHECK(refused("--rollout --n 5 " + input).find("E_TYPE") != std::string::npos);
  CHECK(refused("--rollout --no-residual " + input).find("--no-residual") != std::string::npos);
  CHECK(refused("--rollout --layers 3 " + input).find("E_RANGE: layers is 3") != std::string::npos);
  CHECK(refused("--rollout --residual-share 2 " + input).find("E_RANGE: residual-share") !=
        std::string::npos);
  CHECK(refused("--rollout --path 0,2 " + input).find("E_RANGE: path is 2") != std::string::npos);
  CHECK(refused("--rollout --token 2 " + input).find("E_RANGE: token is 2") != std::string::npos);
  CHECK(refused("--rollout -o x.png " + input).find("E_UNSUPPORTED") != std::string::npos);
  CHECK(refused("--residual-share 0.5 --n 8").find("without --rollout") != std::string::npos);
  CHECK(refused("--n 8 " + input).find("E_UNKNOWN") != std::string::npos);
}
