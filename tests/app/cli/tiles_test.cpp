// attnx tiles and attnx ranks: numbers, text and errors.
#include "tests/app/cli/run_cli.h"

namespace attention::cli {

using nlohmann::json;

TEST_CASE("tiles are counted with the keys of the contract", "[cli]") {
  // Causal, n = 10, 4 × 3: the numbers of the reference case.
  const Said said = attnx({"tiles", "causal", "--n", "10", "--block", "4x3", "--json"});
  REQUIRE(said.code == 0);
  const json counts = said.json();
  CHECK(counts["full"] == 1);
  CHECK(counts["partial"] == 8);
  CHECK(counts["empty"] == 3);
  CHECK(counts["full_cut"] == 4);
  CHECK(counts["wanted_pairs"] == 55);
  CHECK(counts["computed_pairs"] == 108);
  CHECK(counts["computed_pairs_cut"] == 80);
  CHECK(counts["wasted_pairs"] == 53);
  CHECK(counts["waste"].get<double>() == Approx(53.0 / 108));
  CHECK(counts["block_density"] == 0.75);
  CHECK(counts["block"] == json{4, 3});
  CHECK(counts["exact"] == true);
}

TEST_CASE("tiles are 128 by 128 where nothing is asked for, one number is both sides", "[cli]") {
  CHECK(attnx({"tiles", "full", "--n", "256", "--json"}).json()["full"] == 4);
  CHECK(attnx({"tiles", "full", "--n", "256", "--block", "64", "--json"}).json()["full"] == 16);
  const Said said = attnx({"tiles", "full", "--n", "256"});
  CHECK(said.code == 0);
  CHECK(said.out.find("full tiles") != std::string::npos);
}

TEST_CASE("blocks that are none are refused", "[cli]") {
  for (const char* block : {"0x4", "4x", "4x4x4", "big", "-1"}) {
    const Said said = attnx({"tiles", "causal", "--n", "10", "--block", block});
    INFO(block << ": " << said.err);
    CHECK(said.code == 2);
    CHECK(said.out.empty());
    CHECK(said.err.find("block") != std::string::npos);
  }
}

TEST_CASE("ranks share the pairs by every scheme", "[cli]") {
  const auto pairsOf = [](const std::string& scheme) {
    const Said said = attnx({"ranks", "causal", "--n", "24", "--ranks", "4", "--scheme", scheme,
                             "--rank-chunk", "3", "--json"});
    INFO(said.err);
    REQUIRE(said.code == 0);
    return said.json()["pairs"];
  };
  CHECK(pairsOf("contiguous") == json{21, 57, 93, 129});
  CHECK(pairsOf("zigzag") == json{75, 75, 75, 75});
  for (const char* scheme : {"striped", "sorted", "greedy"}) {
    Index sum = 0;
    for (const json& pairs : pairsOf(scheme))
      sum += pairs.get<Index>();
    CHECK(sum == 300);
  }
  const Said said = attnx({"ranks", "causal", "--n", "24", "--ranks", "4"});
  CHECK(said.code == 0);
  CHECK(said.out.find("imbalance: 1.72") != std::string::npos);
}

TEST_CASE("ranks that are none are refused", "[cli]") {
  CHECK(attnx({"ranks", "causal", "--n", "24"}).err.find("ranks is missing") != std::string::npos);
  CHECK(attnx({"ranks", "causal", "--n", "24", "--ranks", "0"}).code == 2);
  const Said said = attnx({"ranks", "causal", "--n", "24", "--ranks", "2", "--scheme", "random"});
  CHECK(said.code == 2);
  CHECK(said.err.find("scheme is random; it must be contiguous, zigzag, striped, sorted or "
                      "greedy") != std::string::npos);
}

} // namespace attention::cli
