// Kinds without masks: rng (S9) and cost (S14).
#include "core/verify/kinds.h"

#include "core/analysis/cost.h"
#include "core/support/error.h"
#include "core/support/philox.h"

#include <array>
#include <charconv>
#include <map>

namespace attention {
namespace {

// 64-bit numbers are texts in the cases, since JSON readers lose their digits.
std::uint64_t wideField(const CaseJson& json, const std::string& name) {
  const std::string text = textField(json, name);
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size())
    throw Error(ErrorCode::Type, name, name + " is " + text + "; it must be a 64-bit integer");
  return value;
}

std::string hexadecimal(std::uint64_t x) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x, 16).ptr;
  const std::string text(digits.data(), end);
  return "0x" + std::string(16 - text.size(), '0') + text;
}

void compareDraw(const CaseJson& item, Comparison& compare) {
  const philox::Stream stream{wideField(item, "seed"),
                              static_cast<philox::Purpose>(integerField(item, "purpose")),
                              static_cast<std::uint32_t>(integerField(item, "sub"))};
  const std::uint64_t index = wideField(item, "index");
  const philox::Draw draw = philox::draw(stream, index);
  const std::array<std::uint64_t, 2> both{draw.a, draw.b};
  for (std::size_t k = 0; k < 2; ++k) {
    compare.text("u64", hexadecimal(both[k]), listField(item, "u64").at(k).get<std::string>());
    compare.number("unit", philox::unit(both[k]), listField(item, "unit").at(k));
    compare.integer("below_10", static_cast<Index>(philox::below(both[k], 10)),
                    listField(item, "below_10").at(k));
    compare.number("normals_2k_2k+1", philox::normal(stream, 2 * index + k),
                   listField(item, "normals_2k_2k+1").at(k));
  }
}

using Numbers = std::map<std::string, double>;

Numbers numbersOf(const SparseCost& cost) {
  return {{"flops", cost.flops},
          {"matmul_flops", cost.matmulFlops},
          {"score_elements", cost.scoreElements},
          {"io_elements", cost.ioElements}};
}

Numbers numbersOf(const RandomFeatureCost& cost) {
  return {{"flops", cost.flops},
          {"matmul_flops", cost.matmulFlops},
          {"state_elements", cost.stateElements},
          {"feature_elements", cost.featureElements},
          {"projection_elements", cost.projectionElements},
          {"io_elements", cost.ioElements}};
}

Numbers numbersOf(const LinformerCost& cost) {
  return {{"flops", cost.flops},
          {"matmul_flops", cost.matmulFlops},
          {"score_elements", cost.scoreElements},
          {"parameter_elements", cost.parameterElements}};
}

Numbers numbersOf(const LshCost& cost) {
  Numbers numbers = numbersOf(cost.sparse);
  numbers["hash_flops"] = cost.hashFlops;
  numbers["sort_comparisons"] = cost.sortComparisons;
  return numbers;
}

Numbers costOf(const CaseJson& item) {
  const std::string model = textField(item, "model");
  const CaseJson& arguments = field(item, "arguments");
  const auto of = [&](const char* name) { return integerField(arguments, name); };
  if (model == "sparse")
    return numbersOf(sparseCost(of("n"), of("d"), of("dv"), of("P")));
  if (model == "random_features")
    return numbersOf(randomFeatureCost(of("n"), of("d"), of("dv"), of("v"), of("m")));
  if (model == "linformer")
    return numbersOf(linformerCost(of("n"), of("d"), of("dv"), of("k")));
  if (model == "lsh")
    return numbersOf(
        lshCost(of("n"), of("d"), of("dv"),
                {of("rounds"), of("rot_cols"), of("chunk"), of("before"), of("after")}));
  throw Error(ErrorCode::Unknown, "model",
              "model is " + model + "; it must be one of sparse, random_features, linformer, lsh");
}

} // namespace

void verifyRandomNumbers(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json()))
    compareDraw(item, compare);
}

void verifyCost(const CaseFile& file, Comparison& compare) {
  for (const CaseJson& item : itemsOf(file.json())) {
    const Numbers numbers = costOf(item);
    forEachMember(field(item, "expected"), [&](const std::string& name, const CaseJson& value) {
      const auto at = numbers.find(name);
      if (at != numbers.end())
        compare.number(name, at->second, value);
      return at != numbers.end();
    });
  }
}

} // namespace attention
