// A verifier that passes everything would pass the reference cases too: each of them fails as soon
// as one of its numbers changes, or a field is added that nothing compares.
#include "core/support/error.h"
#include "core/verify/verify.h"
#include "tests/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <unistd.h>

using namespace attention;
using nlohmann::json;

namespace {

const std::filesystem::path kFolder = std::filesystem::path(ATTENTION_TEST_DATA) / "golden/open";

std::vector<std::string> caseNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    if (entry.path().extension() == ".json" && entry.path().filename() != "index.json")
      names.push_back(entry.path().stem().string());
  return names;
}

json readCase(const std::string& name) {
  return json::parse(std::ifstream(kFolder / (name + ".json")));
}

// Reference cases that were changed, beside the arrays of the true ones.
class ChangedCases {
public:
  ChangedCases()
      : folder_(std::filesystem::temp_directory_path() /
                ("attention_changed_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    for (const auto& entry : std::filesystem::directory_iterator(kFolder))
      if (entry.path().extension() == ".npy")
        std::filesystem::create_symlink(entry.path(), folder_ / entry.path().filename());
  }
  ChangedCases(const ChangedCases&) = delete;
  ChangedCases& operator=(const ChangedCases&) = delete;
  ~ChangedCases() { std::filesystem::remove_all(folder_); }

  CaseResult verify(const json& changed) const {
    std::ofstream(folder_ / "changed.json") << changed;
    return verifyCase(folder_, "changed");
  }

private:
  std::filesystem::path folder_;
};

// Calls with each number below `value` made larger by one, and puts it back.
void forEachNumber(json& value, const std::function<void()>& call) {
  if (value.is_structured()) {
    for (json& part : value)
      forEachNumber(part, call);
  } else if (value.is_number()) {
    const json before = value;
    value = value.is_number_integer() ? json(value.get<std::int64_t>() + 1)
                                      : json(value.get<double>() + 1);
    call();
    value = before;
  }
}

} // namespace

TEST_CASE("a reference case with any one number changed fails") {
  const ChangedCases cases;
  for (const std::string& name : caseNames()) {
    json changed = readCase(name);
    if (!changed.contains("expected"))
      continue;
    for (auto& [field, value] : changed["expected"].items()) {
      if (field == "decision_margin") // of the case, not something computed
        continue;
      forEachNumber(value, [&, key = field] {
        const CaseResult result = cases.verify(changed);
        INFO(name << ": " << key << ": " << result.message);
        CHECK_FALSE(result.passed);
        CHECK_FALSE(result.message.empty());
        CHECK(result.largestDeviation > 0);
      });
    }
  }
}

TEST_CASE("a reference case that expects what nothing compares fails, whatever its kind") {
  const ChangedCases cases;
  for (const std::string& name : caseNames()) {
    json changed = readCase(name);
    if (!changed.contains("expected"))
      continue;
    changed["expected"]["surprise"] = 1;
    const CaseResult result = cases.verify(changed);
    INFO(name << ": " << result.message);
    CHECK_FALSE(result.passed);
    CHECK(result.message.find("surprise") != std::string::npos);
  }
}

TEST_CASE("an expected NaN matches no number") {
  const ChangedCases cases;
  json merge = json::parse(R"({"id": "own", "kind": "merge", "tolerance": null, "items": [
    {"o1": [1.0], "lse1": "-inf", "o2": [4.0], "lse2": 2.0, "out": [4.0], "lse": 2.0}]})");
  CHECK(cases.verify(merge).passed);
  merge["items"][0]["lse"] = "nan";
  CHECK_FALSE(cases.verify(merge).passed);
}

TEST_CASE("whole numbers that differ are reported with their difference") {
  const ChangedCases cases;
  json causal = json::parse(R"({"id": "own", "kind": "attention", "mechanism": "causal", "n": 3,
    "params": {}, "tolerance": null, "expected": {"pairs": 6}})");
  CHECK(cases.verify(causal).largestDeviation == 0);
  causal["expected"]["pairs"] = 11;
  CHECK(cases.verify(causal).largestDeviation == 5);
}

TEST_CASE("kernels of a case are normalised unless it says otherwise") {
  const ChangedCases cases;
  json kernel = readCase("kernel-gaussian-causal-n7");
  REQUIRE(kernel["normalized"] == true);
  CHECK(cases.verify(kernel).passed);
  kernel.erase("normalized");
  CHECK(cases.verify(kernel).message.empty());
  kernel["normalized"] = false;
  CHECK_FALSE(cases.verify(kernel).passed);
}

TEST_CASE("64-bit numbers of a case keep all their digits") {
  const ChangedCases cases;
  json draws = readCase("rng-vectors");
  CHECK(cases.verify(draws).passed);
  for (const char* seed : {"0x", "0 ", "", "x", "-1", "18446744073709551616"}) {
    draws["items"][0]["seed"] = seed;
    INFO(seed);
    CHECK(cases.verify(draws).message ==
          "E_TYPE: seed is " + std::string(seed) + "; it must be a 64-bit integer");
  }
}

TEST_CASE("a case with a field of another type fails and says so") {
  const ChangedCases cases;
  json draws = readCase("rng-vectors");
  draws["items"][0]["u64"] = {1, 2}; // numbers, not their texts
  const CaseResult result = cases.verify(draws);
  CHECK_FALSE(result.passed);
  CHECK(result.message.find("changed.json is not a reference case") == 0);
}

TEST_CASE("a case that compares nothing fails and says so", "[verify]") {
  const ChangedCases cases;
  for (const char* folder : {"golden/open", "golden/static"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(ATTENTION_TEST_DATA) / folder)) {
      if (entry.path().extension() != ".json" || entry.path().filename() == "index.json")
        continue;
      json changed = json::parse(std::ifstream(entry.path()));
      if (!changed.contains("items"))
        continue;
      INFO(changed["id"]);
      for (json& item : changed["items"])
        if (item.contains("expected")) {
          item["expected"] = json::object();
          break;
        }
      if (changed["items"][0].contains("expected"))
        CHECK_FALSE(cases.verify(changed).passed);
      changed["items"] = json::array();
      CHECK(cases.verify(changed).message ==
            "E_TYPE: items is empty, which leaves nothing to compare; it must have at least one "
            "item");
    }
  json slopes = json::parse(R"({"id": "own", "kind": "t5_buckets", "items": [
    {"buckets": 32, "rel": [], "expected": []}]})");
  CHECK(cases.verify(slopes).message.find("E_TYPE: rel is empty") == 0);
}

TEST_CASE("a misspelt base of a case is refused", "[verify]") {
  const ChangedCases cases;
  const json causal = json::parse(R"({"id": "own", "kind": "attention", "mechanism": "causal",
    "n": 3, "params": {}, "expected": {"pairs": 6}})");
  const auto said = [&](const char* more) {
    json changed = causal;
    changed.update(json::parse(more));
    return cases.verify(changed).message;
  };
  CHECK(said(R"({"base": "causal", "tolerance": {"mask": "exact", "float64": {"abs": 1e-9}}})") ==
        "");
  CHECK(said(R"({"base": "fulll"})") == "E_RANGE: base is \"fulll\"; it must be full or causal");
  CHECK(said(R"({"tolerance": 1})").find("E_TYPE: tolerance is 1") == 0);
}

TEST_CASE("verifying a folder reports shares of at most 1, and 1 at its end") {
  std::vector<double> shares;
  Run run;
  run.progress = [&](double share) { shares.push_back(share); };
  const std::size_t cases = verifyFolder(kFolder, {}, run).size();
  REQUIRE(shares.size() >= cases);
  CHECK(*std::max_element(shares.begin(), shares.end()) == 1);
  CHECK(shares.back() == 1);
}
