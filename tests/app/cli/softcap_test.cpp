// Files that say how their model makes scores and which mask it has, through the commands.
#include "tests/app/cli/run_cli.h"

#include "core/input/array_file.h"
#include "core/input/input.h"
#include "core/pattern/pattern.h"

#include <cmath>
#include <fstream>

using namespace attention;
using namespace attention::cli;

namespace {

const std::string kFolder = std::string(ATTENTION_TEST_DATA) + "/golden/softcap/";
const std::string kCapped = kFolder + "cap.safetensors"; // scale 1, softcap 20

std::vector<double> numbersOf(const std::string& path) {
  const Tensor tensor = readArrays(path).get("");
  std::vector<double> values;
  for (Index at = 0; at < tensor.elements(); ++at)
    values.push_back(number(tensor, at));
  return values;
}

double largestGap(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

std::vector<double> attended(const std::string& flags) {
  const TemporaryFolder folder;
  const std::string out = folder.file("o.npy");
  const Said said = attnx("attend " + flags + " -o " + out);
  INFO(said.err);
  REQUIRE(said.code == 0);
  return numbersOf(out);
}

// Two layers of one head: a file as the exporter writes it, q = k = v = the numbers.
std::string fileWith(const TemporaryFolder& folder, const std::string& metadata) {
  constexpr Index kN = 6;
  std::vector<float> numbers;
  for (int k = 0; k < 2 * kN; ++k)
    numbers.push_back(static_cast<float>(std::sin(3.0 * k)));
  const std::string bytes(reinterpret_cast<const char*>(numbers.data()), 48);
  const auto entry = [](const char* name, int begin) {
    return std::string(",\"") + name + R"(":{"dtype":"F32","shape":[2,1,6,1],"data_offsets":[)" +
           std::to_string(begin) + "," + std::to_string(begin + 48) + "]}";
  };
  const std::string header =
      "{\"__metadata__\":" + metadata + entry("q", 0) + entry("k", 48) + entry("v", 96) + "}";
  std::string length(8, '\0');
  for (std::size_t k = 0; k < 8; ++k)
    length[k] = static_cast<char>(header.size() >> (8 * k) & 0xFFU);
  const std::string path = folder.file("m.safetensors");
  std::ofstream(path, std::ios::binary) << length << header << bytes << bytes << bytes;
  return path;
}

} // namespace

TEST_CASE("commands say that a file names a mask that it does not hold", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = fileWith(folder, R"({"mask":"other"})");
  for (const char* command :
       {"info causal --measure", "attend causal --json", "compare causal", "lowrank"}) {
    INFO(command);
    const Said said = attnx(std::string(command) + " --input " + file);
    CHECK(said.code == 0);
    CHECK(said.err.find("attnx: note: The file says that the model's own mask is neither full nor "
                        "causal") != std::string::npos);
  }
}

TEST_CASE("a file's soft cap is used, in both precisions, and a flag replaces it", "[cli]") {
  const std::vector<double> reference = numbersOf(kFolder + "ref.npy");
  CHECK(largestGap(attended("full --input " + kCapped), reference) < 1e-5);
  CHECK(largestGap(attended("full --dtype float64 --input " + kCapped), reference) < 1e-6);
  CHECK(largestGap(attended("full --softcap 20 --scale 1 --modifiers {} --input " + kCapped),
                   reference) < 1e-5);
  CHECK(largestGap(attended("full --softcap 1e6 --input " + kCapped), reference) > 1);
  CHECK(largestGap(attended("full --modifiers {\"scale\":1} --input " + kCapped), reference) > 1);
  CHECK(largestGap(attended("full --softcap 1e6 --input " + kCapped),
                   attended("full --modifiers {\"scale\":1} --input " + kCapped)) < 1e-3);
}

TEST_CASE("weights, metrics, roll-out and the score board apply the cap", "[cli]") {
  const TemporaryFolder folder;
  const std::string weights = folder.file("w.npy");
  REQUIRE(attnx("attend full --input " + kCapped + " -o " + folder.file("o.npy") + " --weights " +
                weights)
              .code == 0);
  // Row 0 of head 0 from the file's q and k, by the formula.
  InputSpec spec;
  FileInput files;
  files.input = kCapped;
  spec.source = files;
  const auto input = loadInput(spec);
  const Matrix<double> q = input->q<double>(0);
  const Matrix<double> k = input->k<double>(0);
  double sum = 0;
  std::vector<double> row;
  for (Index j = 0; j < 32; ++j) {
    double s = 0;
    for (Index c = 0; c < 8; ++c)
      s += q(0, c) * k(j, c);
    row.push_back(std::exp(20 * std::tanh(s / 20)));
    sum += row.back();
  }
  const std::vector<double> found = numbersOf(weights);
  for (std::size_t j = 0; j < 32; ++j)
    CHECK(found[j] == Approx(row[j] / sum).margin(1e-5));

  const auto number = [](const std::string& line, auto read) {
    const Said said = attnx(line);
    INFO(said.err);
    REQUIRE(said.code == 0);
    return read(said.json());
  };
  const auto differs = [&](const std::string& command, auto read) {
    const double capped = number(command + " --input " + kCapped + " --json", read);
    const double free = number(command + " --softcap 1e9 --input " + kCapped + " --json", read);
    INFO(command << ": " << capped << " with the cap, " << free << " without");
    CHECK(std::abs(capped - free) > 1e-4);
  };
  using Json = nlohmann::json;
  differs("attend local --window 4 --no-metrics false -o " + folder.file("m.npy"),
          [](const Json& json) { return json["captured_mass"].get<double>(); });
  differs("attend local --window 4 -o " + folder.file("m.npy"),
          [](const Json& json) { return json["entropy"].get<double>(); });
  differs("compare local --window 4",
          [](const Json& json) { return json["rows"][0]["captured_mass"].get<double>(); });
  differs("reach full --rollout",
          [](const Json& json) { return json["mean_entropy"].get<double>(); });
  differs("lowrank --ranks 1 --linformer false",
          [](const Json& json) { return json["singular_values"][0].get<double>(); });
}

TEST_CASE("commands that cannot apply a soft cap refuse it", "[cli]") {
  const Said features = attnx("compare full --features positive --m 16 --input " + kCapped);
  CHECK(features.code == 2);
  CHECK(features.err.find("softcap") != std::string::npos);
  for (const std::string command : {"kernel --features positive --json", "kernel-error"}) {
    const Said said = attnx(command + " --input " + kCapped);
    INFO(command << ": " << said.err);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    CHECK(said.err.find("soft") != std::string::npos);
  }
  for (const std::string wrong : {"0", "-1", "nan", "x"}) {
    const Said said = attnx("attend full --softcap " + wrong + " --input " + kCapped + " -o x.npy");
    INFO(said.err);
    CHECK(said.code == 2);
    CHECK(said.err.find("softcap") != std::string::npos);
  }
}

TEST_CASE("code for FlexAttention caps scores where the input does", "[cli]") {
  const Said said = attnx("code causal --n 8 --to flex --softcap 50");
  REQUIRE(said.code == 0);
  CHECK(said.out.find("import torch\n") != std::string::npos);
  CHECK(said.out.find("score = 50 * torch.tanh(score / 50)") != std::string::npos);
  CHECK(said.out.find("score_mod=score_mod, block_mask=block_mask") != std::string::npos);
  const Said plain = attnx("code causal --n 8 --to flex");
  CHECK(plain.out.find("score_mod") == std::string::npos);
  CHECK(plain.out.find("import torch\n") == std::string::npos);
  CHECK(attnx("code topk --to flex --input " + kCapped).out.find("score / 20") !=
        std::string::npos);
}

TEST_CASE("the base is the input's mask where its file names one", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = " -o " + folder.file("o.npy") + " --json";
  const auto base = [&](const std::string& metadata, const std::string& rest) {
    const Said said = attnx("attend " + rest + " --input " + fileWith(folder, metadata) + out);
    INFO(said.err);
    REQUIRE(said.code == 0);
    return said.json()["base"].get<std::string>();
  };
  const std::string encoder = R"({"mask":"full"})";
  const std::string decoder = R"({"mask":"causal"})";
  const std::string sliding = R"({"patterns":"[{\"mechanism\":\"local\",\"params\":)"
                              R"({\"window\":2,\"causal\":true}},{\"mechanism\":\"causal\"}]"})";
  CHECK(base(encoder, "causal") == "full");
  CHECK(base(decoder, "full") == "causal");
  CHECK(base("{}", "causal") == "causal");
  CHECK(base("{}", "full") == "full");
  CHECK(base(encoder, "causal --base causal") == "causal");
  CHECK(base(sliding, "full") == "own");
  CHECK(base(sliding, "full --batch 1") == "causal");
  const auto json = [&](const std::string& line) { return attnx(line).json(); };
  const std::string file = fileWith(folder, sliding);
  // The model's own pattern against itself: nothing is lost; the full pattern keeps all of it as
  // well.
  const auto same = json("attend local --window 2 --causal true --batch 0 --input " + file + out);
  CHECK(same["captured_mass"].get<double>() == Approx(1));
  CHECK(same["output_error"]["relative_frobenius"].get<double>() == Approx(0).margin(1e-6));
  const auto full = json("attend full --batch 0 --input " + file + out);
  CHECK(full["captured_mass"].get<double>() == Approx(1));
  CHECK(full["output_error"]["relative_frobenius"].get<double>() > 1e-3);
  const auto rows =
      json("compare full --with causal --batch 0 --input " + file + " --json")["rows"];
  CHECK(rows[0]["base"] == "own");
  CHECK(rows[1]["base"] == "own");
  CHECK(json("compare causal --input " + fileWith(folder, encoder) +
             " --json")["rows"][0]["base"] == "full");
}
