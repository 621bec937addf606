// The buckets and orders that a prepared pattern reports, against the reference cases (S15).
#include "core/input/array_file.h"
#include "core/pattern/mechanism/lsh.h"
#include "core/pattern/pattern.h"
#include "core/pattern/pattern_json.h"
#include "tests/catch.h"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace attention;

namespace {

Tensor arrayOf(const std::string& file) {
  return readArrays(file).get("");
}

std::vector<double> valuesOf(const Tensor& tensor) {
  std::vector<double> values;
  for (Index at = 0; at < tensor.elements(); ++at)
    values.push_back(number(tensor, at));
  return values;
}

} // namespace

TEST_CASE("Patterns report the buckets of their reference cases") {
  const std::string name =
      GENERATE("lsh-1round-n16", "lsh-2rounds-causal-n24", "lsh-across-buckets-n16",
               "lsh-bucket-only-n16", "lsh-hf-exact-n16");
  INFO(name);
  const std::string base = std::string(ATTENTION_TEST_DATA) + "/golden/open/" + name;
  std::ifstream stream(base + ".json");
  const auto json = nlohmann::json::parse(stream);
  Pattern pattern = patternFromJson({{"mechanism", "lsh"}, {"params", json["params"]}});
  const Tensor x = arrayOf(base + ".QK.npy");
  const Tensor rotations = arrayOf(base + ".rotations.npy");
  pattern.as<Lsh>()->rotations =
      MatrixSource{"", IndexList(rotations.shape), SharedList<double>(valuesOf(rotations))};
  const Matrix<double> rows(x.shape[0], x.shape[1], valuesOf(x));
  const auto prepared = prepare(pattern, squareLengths(x.shape[0]),
                                patternData<double>(rows.view(), rows.view(), true));
  std::vector<double> buckets;
  std::vector<double> order;
  for (const GroupRound& round : prepared->groups()->rounds) {
    buckets.insert(buckets.end(), round.keys.group.begin(), round.keys.group.end());
    order.insert(order.end(), round.keys.order.begin(), round.keys.order.end());
  }
  CHECK(buckets == valuesOf(arrayOf(base + ".buckets.npy")));
  CHECK(order == valuesOf(arrayOf(base + ".order.npy")));
}
