// attnx heads: what heads do, and what a pattern captures of each.
#include "core/input/array_file.h"
#include "core/input/npy_writer.h"
#include "core/input/safetensors_writer.h"
#include "tests/app/cli/run_cli.h"

#include <array>
#include <cmath>
#include <fstream>

namespace attention::cli {
namespace {

using nlohmann::json;

const std::string kRandom = " --random gaussian --n 20 --d 4 --heads 3 --seed 5";

json rowsOf(const std::string& line) {
  const Said said = attnx("heads --json" + line);
  INFO(line << ": " << said.err);
  REQUIRE(said.code == 0);
  return said.json()["rows"];
}

// Two heads of 4 queries: one attends to the previous token, one to the first.
std::string weightFile(const TemporaryFolder& folder) {
  std::vector<double> numbers(2 * 4 * 4);
  for (std::size_t i = 0; i < 4; ++i) {
    numbers[i * 4 + (i > 0 ? i - 1 : 0)] = 1;
    numbers[16 + i * 4] = 1;
  }
  writeNpy<double>(folder.file("w.npy"), std::array<Index, 3>{2, 4, 4},
                   std::span<const double>(numbers));
  return folder.file("w.npy");
}

} // namespace

TEST_CASE("heads that attend to one place are found", "[cli]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("t.txt")) << "a\nb\na\nb\n";
  const json rows = rowsOf(" --attention " + weightFile(folder) + " --tokens " +
                           folder.file("t.txt") + " --near 1");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["layer"] == 0);
  CHECK(rows[1]["head"] == 1);
  CHECK(rows[0]["previous"] == 1);
  CHECK(rows[0]["first"].get<double>() == Approx(1.0 / 3));
  CHECK(rows[0]["self"] == 0.25); // of the first query
  CHECK(rows[0]["within"] == 1);
  CHECK(rows[0]["beyond"] == 0);
  CHECK(rows[0]["entropy"] == 0);
  CHECK(rows[0]["previous_occurrence"] == 0);
  CHECK(rows[0]["induction"] == 1); // after the token two before
  CHECK(rows[1]["first"] == 1);
  CHECK(rows[1]["within"] == 0.5);
  CHECK(rows[1]["previous_occurrence"] == 0.5);
  CHECK_FALSE(rows[0].contains("captured"));
}

TEST_CASE("numbers that do not exist are null", "[cli]") {
  const json rows = rowsOf(" --random gaussian --n 1 --d 4");
  REQUIRE(rows.size() == 1);
  for (const char* key : {"previous", "first", "previous_occurrence", "induction"})
    CHECK(rows[0].at(key).is_null());
  CHECK(rows[0]["self"] == 1);
  CHECK(rowsOf(kRandom)[0]["induction"].is_null());
}

TEST_CASE("the mass that a pattern captures of a head is what attend says", "[cli]") {
  const json rows = rowsOf(" strided --stride 5" + kRandom);
  REQUIRE(rows.size() == 3);
  for (std::size_t head = 0; head < 3; ++head) {
    const json attend = attnx("attend strided --stride 5 --dtype float64 --json" + kRandom +
                              " --head-index " + std::to_string(head))
                            .json();
    CHECK(rows[head]["captured"].get<double>() ==
          Approx(attend["captured_mass"].get<double>()).epsilon(1e-12));
  }
  CHECK(rowsOf(" topk --p.k 3" + kRandom)[1]["captured"].get<double>() > 0.15);
}

TEST_CASE("heads of a mechanism are shared out among those of the input", "[cli]") {
  const std::array<const char*, 3> factors{"1", "2", "1"};
  const json rows = rowsOf(" strided --stride 5 --head-mode alternate" + kRandom);
  const std::string steps = "steps strided --stride 5 --query 19 --json" + kRandom;
  REQUIRE(rows.size() == 3);
  for (std::size_t head = 0; head < 3; ++head) {
    const std::string of = " --head-index " + std::to_string(head);
    const std::string factor = std::string(" --p.head ") + factors[head];
    const json own = rowsOf(" strided --stride 5" + factor + kRandom + of);
    CHECK(rows[head]["captured"] == own[0]["captured"]);
    CHECK(rowsOf(" strided --stride 5 --head-mode alternate" + kRandom + of)[0] == rows[head]);
    CHECK(attnx(steps + of + " --head-mode alternate").json()["visible"] ==
          attnx(steps + of + factor).json()["visible"]);
  }
  const json dilated = rowsOf(" longformer --window 4 --dilations 1,2,4" + kRandom);
  for (std::size_t head = 0; head < 3; ++head)
    CHECK(dilated[head]["captured"] ==
          rowsOf(" longformer --window 4 --dilation " + std::to_string(1 << head) +
                 kRandom)[head]["captured"]);
}

TEST_CASE("weights of heads are over the base", "[cli]") {
  const auto baseOf = [](const std::string& line) {
    return attnx("heads --json" + line).json()["base"];
  };
  CHECK(baseOf(kRandom) == "full");
  CHECK(baseOf(" causal" + kRandom) == "causal");
  CHECK(baseOf(" local" + kRandom) == "full");
  CHECK(baseOf(" --base causal" + kRandom) == "causal");
  CHECK(rowsOf(" --base causal" + kRandom)[0]["self"].get<double>() >
        rowsOf(kRandom)[0]["self"].get<double>());
  CHECK(rowsOf(" --base causal" + kRandom)[0]["entropy"].get<double>() <
        rowsOf(kRandom)[0]["entropy"].get<double>());
}

TEST_CASE("the base of masks of layers is that of attention over them", "[cli]") {
  const TemporaryFolder folder;
  std::vector<float> masks(2 * 16, 1.0F); // all cells, and the past
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j)
      masks[16 + i * 4 + j] = 0;
  writeNpy<float>(folder.file("m.npy"), std::array<Index, 3>{2, 4, 4},
                  std::span<const float>(masks));
  std::vector<float> numbers(2 * 3 * 4 * 2);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = static_cast<float>(k % 7) / 7;
  writeNpy<float>(folder.file("q.npy"), std::array<Index, 4>{2, 3, 4, 2},
                  std::span<const float>(numbers));
  const std::string line = " given --mask " + folder.file("m.npy") + " --qk " +
                           folder.file("q.npy") + " --v " + folder.file("q.npy") + " --json";
  for (const char* layer : {"", " --batch 0", " --batch 1"}) {
    INFO(layer);
    const auto heads = attnx("heads" + line + layer);
    const auto attend = attnx("attend" + line + layer);
    REQUIRE(heads.code == 0);
    REQUIRE(attend.code == 0);
    CHECK(heads.json()["base"] == attend.json()["base"]);
  }
}

TEST_CASE("all layers and heads of the sample are reported, or those that are chosen", "[cli]") {
  const json all = rowsOf(" --sample minilm_alice");
  REQUIRE(all.size() == 72);
  CHECK(all[12]["layer"] == 1);
  CHECK(all[12]["head"] == 0);
  for (const json& row : all) {
    CHECK(row["within"].get<double>() + row["beyond"].get<double>() == Approx(1));
    CHECK(row["induction"].is_number());
  }
  const json one = rowsOf(" --sample minilm_alice --batch 3 --head-index 7");
  REQUIRE(one.size() == 1);
  CHECK(one[0] == all[3 * 12 + 7]);
  CHECK(rowsOf(" --sample minilm_alice --batch 3").size() == 12);
}

TEST_CASE("heads are written to files", "[cli]") {
  const TemporaryFolder folder;
  const auto written = [&](const std::string& name) {
    const Said said = attnx("heads causal -o " + folder.file(name) + kRandom);
    INFO(said.err);
    REQUIRE(said.code == 0);
    return folder.file(name);
  };
  std::ifstream table(written("h.csv"));
  std::string line;
  std::getline(table, line);
  CHECK(line == "layer,head,self,previous,first,within,beyond,entropy,previous_occurrence,"
                "induction,captured");
  std::getline(table, line);
  CHECK(line.starts_with("0,0,"));
  CHECK(line.ends_with(",,,1"));
  const Tensor array = readArrays(written("h.npy")).get("");
  CHECK(array.shape == std::vector<Index>{3, 11});
  CHECK(number(array, 11 + 1) == 1); // its head
  CHECK(std::isnan(number(array, 8)));
  std::ifstream file(written("h.json"));
  CHECK(json::parse(file)["rows"].size() == 3);
}

TEST_CASE("heads printed as lines name what is measured", "[cli]") {
  const Said said = attnx("heads --near 3" + kRandom);
  CHECK(said.code == 0);
  CHECK(said.out.starts_with("layer  head  self "));
  CHECK(said.out.find("previous occurrence") != std::string::npos);
  CHECK(said.out.ends_with(
      "weights of full attention, means over the queries; within 3 tokens; entropy in nats\n"));
  CHECK(attnx("heads --random sinks --n 9 --d 4 --near 2").code == 0);
}

TEST_CASE("heads are printed with the names that the file gives its layers", "[cli]") {
  const Said said = attnx("heads --sample smollm2_pride --batch 3 --head-index 0");
  CHECK(said.code == 0);
  CHECK(said.out.find("layer 16") != std::string::npos);
}

TEST_CASE("heads give the numbers that layers and heads have in their model", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("some.safetensors");
  const std::vector<float> numbers(std::size_t{2 * 2 * 3 * 2}, 0.5F);
  {
    std::ofstream out(file, std::ios::binary);
    const std::vector<Index> shape{2, 2, 3, 2};
    SafetensorsWriter writer(out, {{"q", DType::Float32, shape}, {"k", DType::Float32, shape}},
                             {{"layers", "[3, 7]"}, {"heads", "[1, 5]"}});
    writer.write(0, 0, numbers);
    writer.write(1, 0, numbers);
  }
  const std::vector<std::array<int, 4>> expected{
      {0, 0, 3, 1}, {0, 1, 3, 5}, {1, 0, 7, 1}, {1, 1, 7, 5}};
  const json rows =
      attnx("heads --json --input " + file + " -o " + folder.file("h.csv")).json()["rows"];
  std::ifstream csv(folder.file("h.csv"));
  std::string text;
  std::getline(csv, text);
  CHECK(text.starts_with("layer,head,"));
  CHECK(text.find(",layer_number,head_number") != std::string::npos);
  REQUIRE(rows.size() == 4);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const auto [layer, head, layerNumber, headNumber] = expected[k];
    CHECK(rows[k]["layer"] == layer);
    CHECK(rows[k]["head"] == head);
    CHECK(rows[k]["layer_number"] == layerNumber);
    CHECK(rows[k]["head_number"] == headNumber);
    std::getline(csv, text);
    CHECK(text.starts_with(std::to_string(layer) + "," + std::to_string(head) + ","));
    CHECK(text.find("," + std::to_string(layerNumber) + "," + std::to_string(headNumber)) !=
          std::string::npos);
  }
  const json plain = attnx("heads --json --random gaussian --n 4 --d 2 --heads 2").json()["rows"];
  CHECK_FALSE(plain[0].contains("layer_number")); // the input numbers nothing
}

TEST_CASE("labels that repeat elsewhere than the input's own tokens are noted", "[cli]") {
  const TemporaryFolder folder;
  const std::string line = "heads --input-model " + std::string(ATTENTION_TEST_DATA) +
                           "/golden/models/llama --batch 0 --input-ids 3,1,3,1 --json --tokens ";
  std::ofstream(folder.file("same.txt")) << "a\nb\na\nb\n";
  std::ofstream(folder.file("other.txt")) << "a\nb\nc\nc\n";
  const Said same = attnx(line + folder.file("same.txt"));
  CHECK(same.err == "");
  const Said other = attnx(line + folder.file("other.txt"));
  CHECK(other.err == "attnx: note: " + folder.file("other.txt") +
                         " gives only labels; repeated tokens are found by the input's own ids, "
                         "which repeat in other places\n");
  CHECK(other.json()["rows"] == same.json()["rows"]);
}

TEST_CASE("heads refuse what they cannot measure", "[cli]") {
  const auto error = [](const std::string& line) {
    const Said said = attnx("heads" + line);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    return said.err;
  };
  CHECK(error("") == "attnx: E_TYPE: the input is missing; give one of --random NAME, --sample "
                     "NAME, --input FILE, --q --k --v, --qk --v, --x with weights, --attention "
                     "FILE, --typed JSON, --input-model MODEL\n");
  CHECK(error(kRandom + " --near -1") ==
        "attnx: E_RANGE: near is -1; it must be an integer of at least 0\n");
  CHECK(error(kRandom + " -o h.png").starts_with("attnx: E_UNSUPPORTED"));
  CHECK(error(" strided local" + kRandom).starts_with("attnx: E_UNKNOWN"));
  CHECK(error(kRandom + " --head-mode alternate") ==
        "attnx: E_TYPE: heads of a mechanism are given without a pattern; it must be given too\n");
  CHECK(error(" longformer --window 4 --dilations 1,2" + kRandom) ==
        "attnx: E_SHAPE: dilations has 2 values for 3 heads; it must have one per head\n");
  const TemporaryFolder folder;
  CHECK(error(" --softcap 3 --attention " + weightFile(folder))
            .starts_with("attnx: E_UNSUPPORTED: softcap is given with ready attention weights"));
}

} // namespace attention::cli
