// Files that say which mask their model has, in the window.
#include "app/gui/results/ready_weights.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "tests/app/gui/shell_window.h"

#include <cmath>

namespace attention::gui {
namespace {

// Two layers of one head of 24 tokens, q = k = v, with these metadata.
std::string modelFile(const std::string& metadata) {
  constexpr std::size_t kN = 24;
  std::string numbers;
  for (std::size_t k = 0; k < 2 * kN * 2; ++k) {
    const auto x = static_cast<float>(2 * std::sin(3.0 * static_cast<double>(k)));
    numbers.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  std::string header = "{\"__metadata__\":" + metadata;
  for (std::size_t a = 0; a < 3; ++a)
    header +=
        std::string(",\"") + "qkv"[a] + R"(":{"dtype":"F32","shape":[2,1,24,2],"data_offsets":[)" +
        std::to_string(a * numbers.size()) + "," + std::to_string((a + 1) * numbers.size()) + "]}";
  header += "}";
  std::string length(8, '\0');
  for (std::size_t k = 0; k < 8; ++k)
    length[k] = static_cast<char>(header.size() >> (8 * k) & 0xFFU);
  return length + header + numbers + numbers + numbers;
}

const std::string kSliding = R"({"patterns":"[{\"mechanism\":\"local\",\"params\":)"
                             R"({\"window\":5,\"causal\":true}},{\"mechanism\":\"causal\"}]",)"
                             R"("modifiers":"{\"softcap\":1.5}","scale":"1"})";

TEST_CASE("An opened file begins with its model's mask, against which nothing is lost", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "m.safetensors", modelFile(kSliding));
  TestWindow window;
  window.play("drop " + quoted(folder / "m.safetensors") + "\nframes 3\nwait\nframes 2\n");
  const auto* local = window.scene().pattern.as<Local>();
  REQUIRE(local);
  CHECK(local->window == 5);
  CHECK(local->causal);
  CHECK(window.says("This model is a decoder"));
  CHECK(window.says("capped at ±1.5"));
  REQUIRE(window.results().metrics);
  CHECK(name(window.results().metrics->base) == "own");
  CHECK(window.results().metrics->capturedMass == Approx(1));
  CHECK(window.results().metrics->outputError->relativeFrobenius == Approx(0).margin(1e-6));
  CHECK(window.says("Against the model's own attention"));
}

TEST_CASE("The Attention view says that the model is an encoder and measures against all keys",
          "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "m.safetensors", modelFile(R"({"mask":"full"})"));
  TestWindow window;
  window.play("drop " + quoted(folder / "m.safetensors") + "\nframes 3\nwait\n");
  CHECK(window.scene().pattern.is<Full>());
  window.play("key 3\nframes 3\nwait\nframes 2\n");
  CHECK(window.says("This model is an encoder: every token attends to all others"));
  CHECK(window.says("Against full attention"));
}

TEST_CASE("A mask that a file speaks of and does not hold is said to be missing", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "m.safetensors", modelFile(R"({"mask":"other"})"));
  TestWindow window;
  const Pattern before = window.scene().pattern;
  window.play("drop " + quoted(folder / "m.safetensors") + "\nframes 3\nwait\n");
  CHECK(window.scene().pattern == before);
  CHECK(window.says("neither full nor causal"));
}

TEST_CASE("Weights on the screen are capped, and Kernels says why it shows none", "[shell]") {
  const TemporaryFolder folder;
  writeText(folder / "m.safetensors", modelFile(kSliding));
  TestWindow window;
  window.play("drop " + quoted(folder / "m.safetensors") + "\nframes 3\nwait\n");
  const auto& attention = *window.results().attention;
  const Index query = 9;
  std::vector<double> p;
  double sum = 0;
  for (Index j = query - 4; j <= query; ++j) {
    double s = 0;
    for (Index c = 0; c < 2; ++c)
      s += static_cast<double>(attention.q(query, c)) * static_cast<double>(attention.k(j, c));
    p.push_back(std::exp(1.5 * std::tanh(s / 1.5)));
    sum += p.back();
  }
  for (Index j = query - 4; j <= query; ++j)
    CHECK(p[static_cast<std::size_t>(j - query + 4)] / sum ==
          Approx(cellWeight(attention, query, j).value()).epsilon(1e-4));
  window.bench().document.apply({"loaded", [](Scene& s) { s.kernels.loaded = true; }});
  window.play("key 4\nframes 3\nwait\n");
  CHECK(window.says("the input has a soft cap of 1.5; it must have none, since kernels and random "
                    "features approximate"));
}

} // namespace
} // namespace attention::gui
