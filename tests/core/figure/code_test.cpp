// Generated sources are run by Python over all pairs of indices and give the mask, cell by cell.
#include "core/code/source.h"
#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace attention;

namespace {

bool runs(const std::string& command) {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

// An interpreter with NumPy: the system's if the first one on the path has none.
std::string python() {
  static const std::string kSystem = "/usr/bin/python3";
  return !runs("python3 -c 'import numpy'") && runs(kSystem + " -c 'import numpy'") ? kSystem
                                                                                    : "python3";
}

bool hasPython() {
  return runs(python() + " --version");
}

// The cells as texts of 0 and 1; nothing if the mask itself cannot be evaluated.
std::optional<std::vector<std::string>> rowsOf(const Pattern& pattern, const Lengths& lengths,
                                               const PatternData& data) {
  try {
    const auto p = prepare(pattern, lengths, data);
    std::vector<std::string> rows;
    for (Index i = 0; i < lengths.queries; ++i) {
      rows.emplace_back();
      for (Index j = 0; j < lengths.keys; ++j)
        rows.back() += p->contains(i, j) ? '1' : '0';
    }
    return rows;
  } catch (const Error&) {
    return std::nullopt;
  }
}

class Cases {
public:
  // Data-dependent patterns choose by random queries and keys.
  void add(const Pattern& pattern, const Lengths& lengths) {
    const PatternData data = needsData(pattern) ? randomData(lengths.keys) : PatternData{};
    const auto rows = rowsOf(pattern, lengths, data);
    if (!rows)
      return;
    nlohmann::json json{
        {"name", toJson(pattern).dump()}, {"rows", *rows}, {"offset", lengths.offset}};
    for (const auto& [name, target] : {std::pair("flex", CodeTarget::Flex),
                                       {"numpy", CodeTarget::Numpy},
                                       {"jax", CodeTarget::Jax},
                                       {"xformers", CodeTarget::Xformers},
                                       {"transformers", CodeTarget::Transformers}})
      json[name] = sourceOf(pattern, lengths, target, {}, data);
    json_.push_back(json);
  }

  // What the checker says.
  std::string run(const std::string& name) const {
    const auto file = std::filesystem::temp_directory_path() /
                      ("attention_code_" + std::to_string(::getpid()) + "_" + name + ".json");
    std::ofstream(file) << json_.dump();
    const std::string command = python() +
                                " \"" ATTENTION_TEST_DATA "/core/figure/check_code.py\" \"" +
                                file.string() + "\" 2>&1";
    std::string said;
    FILE* pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
      said.append(buffer, count);
    CHECK(::pclose(pipe) == 0);
    std::filesystem::remove(file);
    return said;
  }

  std::size_t size() const { return json_.size(); }

private:
  nlohmann::json json_ = nlohmann::json::array();
};

void checkRun(const Cases& cases, const std::string& name) {
  const std::string said = cases.run(name);
  INFO(said.substr(0, 3000));
  CHECK(said.find("FAILED") == std::string::npos);
  CHECK(said.find("ran " + std::to_string(cases.size()) + " cases") != std::string::npos);
  if (said.find("numpy") == std::string::npos)
    WARN("python3 has no numpy: its sources were not run");
}

std::string sourceText(const std::string& name, const std::string& params, CodeTarget target,
                       Index n = 64) {
  return sourceOf(patternFrom(name, params), squareLengths(n), target);
}

} // namespace

TEST_CASE("sources of every mechanism rebuild its mask cell by cell", "[code]") {
  if (!hasPython()) {
    WARN("python3 is missing: no source was run");
    return;
  }
  const int mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  Cases cases;
  for (int seed = 0; seed < 16; ++seed) {
    Dice dice(300 * mechanism + seed);
    const Index n = dice.within(1, 26);
    const Pattern pattern = randomPattern(dice, static_cast<std::size_t>(mechanism), n);
    cases.add(pattern, squareLengths(n));
  }
  REQUIRE(cases.size() > 0);
  checkRun(cases, std::to_string(mechanism));
}

TEST_CASE("sources of rectangular masks rebuild them", "[code]") {
  if (!hasPython()) {
    WARN("python3 is missing: no source was run");
    return;
  }
  Cases cases;
  for (const auto& [queries, keys] : {std::pair<Index, Index>(5, 9), {9, 5}, {1, 12}})
    for (const Align align : {Align::TopLeft, Align::BottomRight})
      for (std::size_t m = 0; m < allMechanisms().size(); ++m) {
        Dice dice(static_cast<int>(m));
        try {
          const Pattern pattern = randomPattern(dice, m, keys);
          if (!needsData(pattern))
            cases.add(pattern, alignedLengths(queries, keys, align));
        } catch (const Error&) { // what has no rectangular form
        }
      }
  REQUIRE(cases.size() > 60);
  checkRun(cases, "rectangular");
}

TEST_CASE("long lists and formulas with divisors that may be zero are written", "[code]") {
  if (!hasPython()) {
    WARN("python3 is missing: no source was run");
    return;
  }
  Cases cases;
  const auto add = [&](const std::string& name, const std::string& params, Index n) {
    cases.add(patternFrom(name, params), squareLengths(n));
  };
  add("expr", R"({"expr": "j > 0 && i % j == 0"})", 20);
  add("expr", R"({"expr": "min(i, j, 7) + max(i, 3) == abs(j - i) || (i ^ j) & 3 == 2"})", 20);
  add("expr", R"j({"expr": "1 < (i < j) + (j < 9) + (i != 4)"})j", 14);
  add("expr", "{\"expr\": \"j <= i\\n\"}", 5);
  add("expr", R"({"expr": "1 + 1 < n"})", 5);
  add("graph", R"({"kind": "random", "p": 0.5, "directed": true, "seed": 3})", 70);
  add("bigbird", R"({"block_size": 4, "random_blocks": 3})", 90);
  add("vertical_slash", R"({"vertical": [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
      32, 34, 36, 38, 40], "slash": [0, 7, 9, 11, 13]})",
      45);
  add("longformer", R"({"window": 2, "globals": [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27,
      29, 31, 33, 35, 37]})",
      40);
  std::string lengths;
  for (int k = 0; k < 45; ++k)
    lengths += (k == 0 ? "" : ", ") + std::to_string(k % 3);
  add("document", "{\"lengths\": [" + lengths + "]}", 45);
  REQUIRE(cases.size() == 10);
  checkRun(cases, "lists");
}

TEST_CASE("sources read like what a person writes", "[code]") {
  const std::string flex = sourceText("strided", R"({"stride": 8})", CodeTarget::Flex);
  CHECK(flex == "# strided, stride 8: 64 queries, 64 keys\n"
                "# The previous ℓ positions, and every ℓ-th position before them. [Child et al. "
                "2019, §4.3]\n"
                "from torch.nn.attention.flex_attention import create_block_mask\n"
                "from torch.nn.attention.flex_attention import flex_attention\n\n\n"
                "def mask_mod(b, h, q_idx, kv_idx):\n"
                "    i = q_idx\n"
                "    j = kv_idx\n"
                "    # A¹ previous ℓ\n"
                "    a1 = (j <= i) & (i - j <= 8)\n"
                "    # A² every ℓ-th\n"
                "    a2 = (j <= i) & ((i - j) % 8 == 0)\n"
                "    return a1 | a2\n\n\n"
                "block_mask = create_block_mask(mask_mod, B=None, H=None, Q_LEN=64, KV_LEN=64)\n"
                "# On tensors without a GPU: create_block_mask(..., device=\"cpu\").\n"
                "# out = flex_attention(query, key, value, block_mask=block_mask)\n");
  CHECK(sourceText("fixed", R"({"stride": 8, "c": 1})", CodeTarget::Numpy)
            .find("a2 = (j % 8 == 7) & (j <= i)") != std::string::npos);
  CHECK(sourceText("fixed", R"({"stride": 8, "c": 1})", CodeTarget::Jax)
            .find("a1 = (j // 8 == i // 8) & (j <= i)") != std::string::npos);
  CHECK(sourceText("causal", "{}", CodeTarget::Tikz).find("\\begin{tikzpicture}") !=
        std::string::npos);
}

TEST_CASE("DeepSpeed has configurations for masks of its blocks and says why not for others",
          "[code]") {
  const auto config = [](const std::string& name, const std::string& params) {
    return sourceText(name, params, CodeTarget::DeepSpeed, 512);
  };
  const std::string fixed = config("fixed", R"({"stride": 128, "c": 32})");
  CHECK(fixed.find("FixedSparsityConfig(\n    num_heads=1,\n    block=32,\n    "
                   "num_local_blocks=4,\n    num_global_blocks=1,\n    "
                   "attention=\"unidirectional\",\n)") != std::string::npos);
  CHECK(config("block_local", R"({"block_size": 64, "before": 1, "after": 1})")
            .find("num_sliding_window_blocks=3") != std::string::npos);
  CHECK(
      config("bigbird", R"({"random_blocks": 0, "global_last": 0})").find("num_global_blocks=1") !=
      std::string::npos);
  CHECK(config("full", "{}").find("DenseSparsityConfig") != std::string::npos);
  const auto why = [&](const std::string& name, const std::string& params) {
    CHECK(codeOf([&] { config(name, params); }) == "E_UNSUPPORTED");
    return messageOf([&] { config(name, params); });
  };
  CHECK(why("strided", "{}").find("no strides") != std::string::npos);
  CHECK(why("fixed", R"({"stride": 8, "c": 1})").find("8, 1, 512 are not all multiples of 16") !=
        std::string::npos);
  CHECK(why("bigbird", "{}").find("random_blocks 0") != std::string::npos);
  why("longformer", "{}");
  why("causal", "{}");
  why("block_local", R"({"block_size": 64, "before": 1})");
  CHECK(why("block_local", R"({"block_size": 64, "before": 4, "after": 4})")
            .find("more blocks in a window than in a row, and 9 is more than 8") !=
        std::string::npos);
  why("bigbird",
      R"({"block_size": 128, "window_blocks": 5, "random_blocks": 0, "global_last": 0})");
  why("bigbird", R"({"block_size": 128, "global_first": 5, "random_blocks": 0, "global_last": 0})");
}

TEST_CASE("unknown targets and masks too large for code are errors", "[code]") {
  CHECK(messageOf([] { codeTargetNamed("flax"); }) ==
        "to is flax; it must be one of flex, numpy, jax, deepspeed, xformers, transformers, tikz");
  CHECK(codeOf([] {
          sourceText("graph", R"({"kind": "random", "p": 0.5})", CodeTarget::Flex, 1500);
        }) == "E_RANGE");
}

TEST_CASE("Sources say what attention does beyond the mask", "[code]") {
  const auto source = [](const Pattern& pattern, CodeTarget target) {
    const PatternData data = needsData(pattern) ? randomData(64) : PatternData{};
    return sourceOf(pattern, squareLengths(64), target, {}, data);
  };
  const auto says = [&](const Pattern& pattern, const std::string& words) {
    for (const CodeTarget target : {CodeTarget::Flex, CodeTarget::Numpy, CodeTarget::Transformers})
      if (source(pattern, target).find(words) == std::string::npos)
        return false;
    return true;
  };
  CHECK(says(Nsa{8, 4, 8, 3, 1, 1, 8}, "the branch of compressed keys and the gates"));
  DilatedSegments longnet{IndexList{4, 8}, IndexList{1, 2}};
  CHECK(says(longnet, "a key of several parts counts once here"));
  longnet.combine = Combine::Union;
  CHECK_FALSE(says(longnet, "# Only the cells"));
  BigBird bigbird;
  bigbird.blockSize = 8;
  CHECK_FALSE(says(bigbird, "# Only the cells"));
  bigbird.reading = BigBird::Reading::HfEval;
  CHECK(says(bigbird, "keys of block 0 count once here, but 4 times"));
}
