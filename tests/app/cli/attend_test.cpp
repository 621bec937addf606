#include "core/pattern/mechanism/strided.h"
#include "tests/app/cli/run_cli.h"

#include "core/analysis/metrics.h"
#include "core/attention/reference.h"
#include "core/input/array_file.h"
#include "core/input/input.h"
#include "core/input/npy_writer.h"
#include "core/pattern/pattern.h"

#include <array>
#include <fstream>
#include <span>

using namespace attention;
using namespace attention::cli;

namespace {

Tensor readNpy(const std::string& path) {
  return readArrays(path).get("");
}

} // namespace

TEST_CASE("attend writes the outputs of the plain twin and reports its metrics", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.file("o.npy");
  const Said said = attnx("attend strided --stride 5 --random gaussian --n 40 --d 8 --seed 3 "
                          "--dtype float64 --json -o " +
                          out);
  REQUIRE(said.err.empty());
  const auto json = said.json();
  CHECK(json["base"] == "causal");
  CHECK(json["dtype"] == "float64");
  CHECK(json["captured_mass"].get<double>() > 0);
  CHECK(json["captured_mass"].get<double>() < 1);
  InputSpec spec;
  RandomInput random;
  random.n = 40;
  random.d = 8;
  random.seed = 3;
  spec.source = random;
  const auto input = loadInput(spec);
  const Matrix<double> q = input->q<double>(0);
  const Matrix<double> k = input->k<double>(0);
  const Matrix<double> v = input->v<double>(0);
  Strided strided;
  strided.stride = 5;
  const auto pattern = prepare(strided, squareLengths(40));
  const auto twin = attendReference(*pattern, q.view(), k.view(), v.view());
  const auto written = slice<double>(readNpy(out));
  REQUIRE(written.rows() == 40);
  for (std::size_t x = 0; x < twin.out.values().size(); ++x)
    CHECK(written.values()[x] == Approx(twin.out.values()[x]).epsilon(1e-12));
}

TEST_CASE("attend gives an entropy of scores so large that only one key counts", "[cli]") {
  const TemporaryFolder folder;
  const Said said = attnx("attend causal --random gaussian --n 64 --d 32 --scale 1e10 --json -o " +
                          folder.file("o.npy"));
  REQUIRE(said.code == 0);
  const auto answer = said.json();
  REQUIRE(answer["entropy"].is_number());
  CHECK(answer["entropy"].get<double>() >= 0);
  CHECK(answer["entropy"].get<double>() < 0.7); // ln 2: rounding may leave two keys
}

TEST_CASE("attend keeps the shape of inputs with heads", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.file("o.npy");
  const std::string lse = folder.file("lse.npy");
  const std::string weights = folder.file("w.npy");
  const Said said = attnx("attend causal --random gaussian --n 12 --d 4 --heads 3 -o " + out +
                          " --lse " + lse + " --weights " + weights);
  REQUIRE(said.code == 0);
  CHECK(readNpy(out).shape == std::vector<Index>{3, 12, 4});
  CHECK(readNpy(lse).shape == std::vector<Index>{3, 12});
  const Tensor w = readNpy(weights);
  REQUIRE(w.shape == std::vector<Index>{3, 12, 12});
  for (Index row = 0; row < 36; ++row) {
    double sum = 0;
    for (Index j = 0; j < 12; ++j)
      sum += number(w, row * 12 + j);
    CHECK(sum == Approx(1.0).margin(1e-5));
  }
  CHECK(attnx("attend causal --random gaussian --n 12 --d 4 --heads 3 --head-index 1 -o " + out)
            .code == 0);
  CHECK(readNpy(out).shape == std::vector<Index>{12, 4});
}

TEST_CASE("attend without an input or an output says so", "[cli]") {
  CHECK(attnx("attend causal -o x.npy").err ==
        "attnx: E_TYPE: the input is missing; give one of --random NAME, --sample NAME, "
        "--input FILE, --q --k --v, --qk --v, --x with weights, --attention FILE, --typed JSON, "
        "--input-model MODEL\n");
  CHECK(attnx("attend causal --random gaussian --n 4").err ==
        "attnx: E_TYPE: -o is missing; give -o out.npy, or --json\n");
  const TemporaryFolder folder;
  const Said said = attnx("attend causal --q " + folder.file("no.npy") +
                          " --k a.npy --v b.npy -o " + folder.file("o.npy"));
  CHECK(said.code == 1);
  CHECK(folder.empty());
}

namespace {

// q, k, v of every layer, [n, d] or [1, n, d] …, each filled with different numbers.
std::string layeredFile(const TemporaryFolder& folder, const std::string& shape, Index numbers,
                        int layers) {
  std::string header = "{";
  std::string data;
  for (int layer = 0; layer < layers; ++layer)
    for (const char* name : {"q", "k", "v"}) {
      const std::size_t begin = data.size();
      for (Index x = 0; x < numbers; ++x) {
        const auto value = static_cast<float>(x * (layer + 2) % 7) - 3 + static_cast<float>(layer);
        data.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
      header += (header.size() > 1 ? "," : "") + ("\"layer." + std::to_string(layer) + "." + name) +
                R"(": {"dtype": "F32", "shape": )" + shape + R"(, "data_offsets": [)" +
                std::to_string(begin) + "," + std::to_string(data.size()) + "]}";
    }
  header += "}";
  const std::string path = folder.file("layers.safetensors");
  std::ofstream file(path, std::ios::binary);
  for (std::size_t k = 0; k < 8; ++k)
    file.put(static_cast<char>(header.size() >> (8 * k) & 0xFFU));
  file << header << data;
  return path;
}

std::vector<Index> shapeOf(const std::string& path) {
  return readNpy(path).shape;
}

} // namespace

TEST_CASE("attend gives input with one array per layer a leading axis and no axis of heads",
          "[cli]") {
  const TemporaryFolder folder;
  const std::string input = layeredFile(folder, "[5, 4]", 20, 2);
  const std::string out = folder.file("o.npy");
  const std::string lse = folder.file("lse.npy");
  const std::string weights = folder.file("w.npy");
  const std::string all =
      "attend causal --input " + input + " -o " + out + " --lse " + lse + " --weights " + weights;
  REQUIRE(attnx(all).err.empty());
  CHECK(shapeOf(out) == std::vector<Index>{2, 5, 4});
  CHECK(shapeOf(lse) == std::vector<Index>{2, 5});
  CHECK(shapeOf(weights) == std::vector<Index>{2, 5, 5});
  const Tensor both = readNpy(out);
  const Tensor bothWeights = readNpy(weights);
  REQUIRE(attnx(all + " --batch 1").code == 0);
  CHECK(shapeOf(out) == std::vector<Index>{5, 4});
  CHECK(shapeOf(weights) == std::vector<Index>{5, 5});
  for (Index x = 0; x < 20; ++x)
    CHECK(number(readNpy(out), x) == number(both, 20 + x));
  for (Index x = 0; x < 25; ++x)
    CHECK(number(readNpy(weights), x) == number(bothWeights, 25 + x));
}

TEST_CASE("attend keeps axes of length one", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.file("o.npy");
  const std::string lse = folder.file("lse.npy");
  const std::string q = folder.file("q.npy");
  const std::vector<float> values(1 * 3 * 6 * 4, 0.5F);
  const Index four[] = {1, 3, 6, 4};
  writeNpy<float>(q, four, std::span<const float>(values));
  const std::string line = "attend causal --qk " + q + " --v " + q + " -o " + out + " --lse " + lse;
  REQUIRE(attnx(line).code == 0);
  CHECK(shapeOf(out) == std::vector<Index>{1, 3, 6, 4});
  CHECK(shapeOf(lse) == std::vector<Index>{1, 3, 6});
  REQUIRE(attnx(line + " --batch 0 --head-index 2").code == 0);
  CHECK(shapeOf(out) == std::vector<Index>{6, 4});
  const std::string layered = layeredFile(folder, "[1, 5, 4]", 20, 2);
  REQUIRE(attnx("attend causal --input " + layered + " -o " + out).code == 0);
  CHECK(shapeOf(out) == std::vector<Index>{2, 1, 5, 4});
}

TEST_CASE("attend without metrics gives the same outputs and null for the rest", "[cli]") {
  const TemporaryFolder folder;
  const std::string with = folder.file("with.npy");
  const std::string without = folder.file("without.npy");
  const std::string line =
      "attend strided --stride 4 --random gaussian --n 32 --d 4 --heads 2 --json -o ";
  const auto metrics = attnx(line + with).json();
  const auto none = attnx(line + without + " --no-metrics").json();
  CHECK(none["captured_mass"].is_null());
  CHECK(none["output_error"].is_null());
  CHECK(none["entropy"].is_null());
  CHECK(none["empty_rows"] == metrics["empty_rows"]);
  for (Index x = 0; x < 2 * 32 * 4; ++x)
    CHECK(number(readNpy(with), x) == number(readNpy(without), x));
}

TEST_CASE("attend reports the captured mass that a second pass over the scores finds", "[cli]") {
  const std::string pattern = GENERATE("strided --stride 5", "local --window 6", "bigbird");
  const auto json = attnx("attend " + pattern +
                          " --random gaussian --n 128 --d 8 --seed 3 --dtype float64 --json")
                        .json();
  RandomInput random;
  random.n = 128;
  random.d = 8;
  random.seed = 3;
  InputSpec spec;
  spec.source = random;
  const auto input = loadInput(spec);
  const Matrix<double> q = input->q<double>(0);
  const Matrix<double> k = input->k<double>(0);
  Pattern twin = patternNamed(pattern.substr(0, pattern.find(' ')));
  if (pattern.find("5") != std::string::npos)
    set(twin, "stride", Index{5});
  if (pattern.find("6") != std::string::npos)
    set(twin, "window", Index{6});
  const auto prepared = prepare(twin, squareLengths(128));
  const Base base = meaningfulBase(prepared);
  CHECK(json["base"] == std::string(name(base)));
  CHECK(json["captured_mass"].get<double>() ==
        Approx(capturedMass<double>(prepared, q.view(), k.view(), base).mean).epsilon(1e-9));
}

TEST_CASE("attend measures all heads against all keys where one of them sees the future", "[cli]") {
  const TemporaryFolder folder;
  // The nearest key of query i: i in the first head, 5 − i in the second.
  const std::vector<double> queries{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5};
  const std::vector<double> keys{0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 0};
  const std::array<Index, 3> shape{2, 6, 1};
  const std::string q = folder.file("q.npy");
  const std::string k = folder.file("k.npy");
  writeNpy<double>(q, shape, std::span<const double>(queries));
  writeNpy<double>(k, shape, std::span<const double>(keys));
  const std::string input = " --q " + q + " --k " + k + " --v " + k + " --dtype float64 --json ";
  const std::string pattern = "topk --p.k 1 --metric euclidean";
  CHECK(attnx("attend " + pattern + input + "--head-index 0").json()["base"] == "causal");
  const auto both = attnx("attend " + pattern + input).json();
  const auto full = attnx("compare " + pattern + input + "--base full").json()["rows"][0];
  CHECK(both["base"] == "full");
  CHECK(both["captured_mass"].get<double>() == Approx(full["captured_mass"].get<double>()));
  CHECK(both["entropy"].get<double>() == Approx(full["entropy"].get<double>()).margin(1e-12));
  CHECK(both["output_error"]["relative_frobenius"].get<double>() ==
        Approx(full["output_error"]["relative_frobenius"].get<double>()));
}

TEST_CASE("writing weights as well changes neither outputs nor metrics", "[cli]") {
  const TemporaryFolder folder;
  const std::string line = "attend topk --p.k 3 --random gaussian --n 20 --d 4 --heads 3 --seed 5 "
                           "--dtype float64 --json -o ";
  const auto plain = attnx(line + folder.file("a.npy")).json();
  const auto withWeights =
      attnx(line + folder.file("b.npy") + " --weights " + folder.file("w.npy")).json();
  for (const char* key : {"captured_mass", "base", "output_error", "entropy", "empty_rows"})
    CHECK(plain[key] == withWeights[key]);
  const Tensor a = readNpy(folder.file("a.npy"));
  const Tensor b = readNpy(folder.file("b.npy"));
  const Tensor w = readNpy(folder.file("w.npy"));
  REQUIRE(w.shape == std::vector<Index>{3, 20, 20});
  for (Index at = 0; at < a.elements(); ++at)
    REQUIRE(number(a, at) == number(b, at));
  for (Index row = 0; row < 60; ++row) {
    Index keys = 0;
    for (Index j = 0; j < 20; ++j)
      keys += number(w, row * 20 + j) > 0 ? 1 : 0;
    CHECK(keys == 3);
  }
}

TEST_CASE("Heads of embeddings are concatenated before the output weights", "[cli]") {
  const TemporaryFolder folder;
  writeNpy(folder.file("x.npy"), Matrix<double>(3, 4, {1, 0, 2, 0, 0, 1, 0, -1, 1, 1, 0, 0}));
  writeNpy(folder.file("w.npy"),
           Matrix<double>(4, 4, {1, 0, 0, 2, 0, 1, 1, 0, 0, 0, 1, 0, 3, 0, 0, 1}));
  writeNpy(folder.file("one.npy"),
           Matrix<double>(4, 4, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}));
  const std::string w = folder.file("w.npy");
  const std::string line = "attend causal --dtype float64 --x " + folder.file("x.npy") + " --wq " +
                           w + " --wk " + w + " --wv " + w + " --heads 2 -o " +
                           folder.file("o.npy");
  const auto outputOf = [&](const std::string& flags) {
    REQUIRE(attnx(line + flags).err.empty());
    return readNpy(folder.file("o.npy"));
  };
  const Tensor joined = outputOf("");
  CHECK(joined.shape == std::vector<Index>{3, 4});
  CHECK(slice<double>(joined) == slice<double>(outputOf(" --wo " + folder.file("one.npy"))));
  const Tensor second = outputOf(" --head-index 1");
  REQUIRE(second.shape == std::vector<Index>{3, 2});
  for (Index i = 0; i < 3; ++i)
    for (Index e = 0; e < 2; ++e)
      CHECK(slice<double>(joined)(i, 2 + e) == slice<double>(second)(i, e));
}
