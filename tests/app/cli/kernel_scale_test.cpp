// A file that states the scale of its scores, through the commands of kernels and random features.
#include "tests/app/cli/run_cli.h"

#include "core/input/array_file.h"

#include <cmath>
#include <fstream>

using namespace attention;
using namespace attention::cli;

namespace {

constexpr int kN = 6;
constexpr int kD = 2;

// q, k and v [6, 2] of float32, q and k times `factor`, and metadata where it is not empty.
std::string fileOf(const TemporaryFolder& folder, const std::string& name, double factor,
                   const std::string& metadata) {
  std::string bytes;
  for (int array = 0; array < 3; ++array)
    for (int at = 0; at < kN * kD; ++at) {
      const auto value =
          static_cast<float>((array < 2 ? factor : 1) * std::sin(3.0 * at + 2 * array + 1));
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  std::string header = "{\"__metadata__\":{" + metadata + "}";
  for (int array = 0; array < 3; ++array)
    header += std::string(",\"") + "qkv"[array] +
              R"(":{"dtype":"F32","shape":[6,2],"data_offsets":[)" + std::to_string(array * 48) +
              "," + std::to_string(array * 48 + 48) + "]}";
  header += "}";
  std::string length(8, '\0');
  for (std::size_t k = 0; k < 8; ++k)
    length[k] = static_cast<char>(header.size() >> (8 * k) & 0xFFU);
  const std::string path = folder.file(name);
  std::ofstream(path, std::ios::binary) << length << header << bytes;
  return path;
}

std::vector<double> written(const std::string& line, const std::string& out) {
  const Said said = attnx(line + " -o " + out);
  INFO(line << ": " << said.err);
  REQUIRE(said.code == 0);
  const Tensor tensor = readArrays(out).get("");
  std::vector<double> values;
  for (Index at = 0; at < tensor.elements(); ++at)
    values.push_back(number(tensor, at));
  return values;
}

void checkNear(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    CHECK(a[k] == Approx(b[k]).epsilon(1e-5).margin(1e-6));
}

bool far(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::max(most, std::abs(a[k] - b[k]));
  return most > 1e-2;
}

} // namespace

TEST_CASE("the softmax kernel of a file that states its scale is attention", "[cli]") {
  const TemporaryFolder folder;
  const std::string scale = GENERATE("1.5", "0.125", "-2");
  const std::string file = fileOf(folder, "a.safetensors", 1, "\"scale\":\"" + scale + "\"");
  const std::string out = folder.file("o.npy");
  const auto kernel =
      written("kernel --kernel softmax --dtype float64 --input " + file, folder.file("k.npy"));
  checkNear(kernel, written("attend full --dtype float64 --input " + file, out));
  CHECK(far(kernel, written("attend full --scale 0.7071 --input " + file, out)));
  const auto error =
      attnx("kernel --kernel softmax --dtype float64 --json -o " + out + " --input " + file)
          .json()["output_error"];
  CHECK(error["max_abs"].get<double>() < 1e-12);
}

TEST_CASE("kernels and features of exp(q·k) take a file's scale into queries and keys alike",
          "[cli]") {
  const TemporaryFolder folder;
  // 1.5 q·k = (f q)·(f k) / √2
  const double f = std::sqrt(1.5 * std::sqrt(2.0));
  const std::string stated = fileOf(folder, "a.safetensors", 1, R"("scale":"1.5")");
  const std::string multiplied = fileOf(folder, "b.safetensors", f, "");
  const std::string plain = fileOf(folder, "c.safetensors", 1, "");
  const std::string how = GENERATE(
      "--kernel softmax", "--kernel gaussian", "--kernel gaussian --normalized false",
      "--features trig --m 8", "--features gaussian_trig --m 8",
      "--features positive --m 8 --causal", "--features hyperbolic --m 8", "--features relu --m 8");
  const std::string line = "kernel " + how + " --dtype float64 --input ";
  const auto a = written(line + stated, folder.file("a.npy"));
  checkNear(a, written(line + multiplied, folder.file("b.npy")));
  if (how.find("relu") == std::string::npos) // there the scale changes only ε
    CHECK(far(a, written(line + plain, folder.file("c.npy"))));
  const auto implied = [&](const std::string& file) {
    REQUIRE(attnx(line + file + " --json --weights " + folder.file("w.npy")).code == 0);
    const Tensor w = readArrays(folder.file("w.npy")).get("");
    std::vector<double> values;
    for (Index at = 0; at < w.elements(); ++at)
      values.push_back(number(w, at));
    return values;
  };
  checkNear(implied(stated), implied(multiplied));
}

TEST_CASE("maps without scores leave the file's numbers unchanged", "[cli]") {
  const TemporaryFolder folder;
  const std::string stated = fileOf(folder, "a.safetensors", 1, R"("scale":"1.5")");
  const std::string plain = fileOf(folder, "c.safetensors", 1, "");
  const std::string how = GENERATE("--kernel elu1", "--kernel relu", "--features elu1");
  const std::string line =
      "kernel " + how + " --dtype float64 --json -o " + folder.file("o.npy") + " --input ";
  checkNear(written("kernel " + how + " --input " + stated, folder.file("a.npy")),
            written("kernel " + how + " --input " + plain, folder.file("c.npy")));
  // What they are compared with is attention with the scale.
  CHECK(attnx(line + stated).json()["output_error"]["max_abs"] !=
        attnx(line + plain).json()["output_error"]["max_abs"]);
}

TEST_CASE("errors of features of a file that states its scale are those of scaled queries and keys",
          "[cli]") {
  const TemporaryFolder folder;
  const double f = std::sqrt(1.5 * std::sqrt(2.0));
  const auto rows = [&](const std::string& file) {
    const Said said = attnx("kernel-error --m 4,8 --repeats 3 --json --input " + file);
    INFO(said.err);
    REQUIRE(said.code == 0);
    return said.json()["rows"];
  };
  const auto a = rows(fileOf(folder, "a.safetensors", 1, R"("scale":"1.5")"));
  const auto b = rows(fileOf(folder, "b.safetensors", f, ""));
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    CHECK(a[k]["mean"].get<double>() == Approx(b[k]["mean"].get<double>()).epsilon(1e-4));
}
