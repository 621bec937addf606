#include "app/cli/input_flags.h"

#include "core/input/assets.h"
#include "core/support/error.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace attention::cli {
namespace {

constexpr const char* kFileFlags[] = {"q", "k",  "v",  "qk", "input",
                                      "x", "wq", "wk", "wv", "attention"};

GeneratorValues numbersFrom(const std::string& name, const std::string& text) {
  GeneratorValues values;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    values.push_back(realFromText(name, std::string_view(text).substr(from, comma - from)));
    from = comma + 1;
  }
  return values;
}

std::uint64_t seedFrom(const Arguments& arguments) {
  const std::string text = arguments.text("seed", "0");
  std::uint64_t seed = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (code != std::errc() || end != text.data() + text.size())
    throwRange("seed", text, "an integer from 0 to 2^64 − 1");
  return seed;
}

RandomInput randomFrom(const Arguments& arguments) {
  RandomInput random;
  random.generator = arguments.text("random");
  const GeneratorInfo& info = generatorInfo(random.generator);
  random.n = arguments.integer("n").value_or(random.n);
  random.d = arguments.integer("d").value_or(random.d);
  random.heads = arguments.integer("heads").value_or(random.heads);
  random.seed = seedFrom(arguments);
  for (const GeneratorParameter& parameter : info.parameters)
    if (const std::string* text = arguments.find(parameter.name))
      random.parameters[std::string(parameter.name)] =
          numbersFrom(std::string(parameter.name), *text);
  checkRandom(random);
  return random;
}

FileInput filesFrom(const Arguments& arguments) {
  FileInput files;
  const auto take = [&](const char* flag, std::string& into) {
    if (const std::string* text = arguments.find(flag))
      into = *text;
  };
  take("input", files.input);
  take("q-name", files.qName);
  take("k-name", files.kName);
  take("v-name", files.vName);
  take("attention-name", files.attentionName);
  take("q", files.q);
  take("k", files.k);
  take("v", files.v);
  take("qk", files.qk);
  take("x", files.x);
  take("wq", files.wq);
  take("wk", files.wk);
  take("wv", files.wv);
  take("wo", files.wo);
  take("attention", files.attention);
  files.heads = arguments.integer("heads").value_or(files.heads);
  return files;
}

} // namespace

std::vector<Flag> inputFlags() {
  std::vector<Flag> flags{
      {"random", "NAME", "a random input: gaussian, unit, clustered, lowrank, periodic"},
      {"n", "N", "length of a random input"},
      {"d", "D", "width of a random input"},
      {"heads", "H", "heads of a random input, or of the weights"},
      {"seed", "S", "seed of a random input"},
      {"sample", "NAME", "a bundled sample"},
      {"input", "FILE", ".npz, .safetensors or .csv with named arrays"},
      {"q-name", "NAME", "name of the queries in FILE (q)"},
      {"k-name", "NAME", "name of the keys (k)"},
      {"v-name", "NAME", "name of the values (v)"},
      {"attention-name", "NAME", "name of ready weights (attention)"},
      {"q", "FILE", "queries, .npy"},
      {"k", "FILE", "keys, .npy"},
      {"v", "FILE", "values, .npy"},
      {"qk", "FILE", "queries and keys in one, .npy"},
      {"x", "FILE", "embeddings, with --wq --wk --wv [--wo]"},
      {"wq", "FILE", "weights of the queries"},
      {"wk", "FILE", "weights of the keys"},
      {"wv", "FILE", "weights of the values"},
      {"wo", "FILE", "weights of the output"},
      {"attention", "FILE", "ready attention weights, .npy"},
      {"batch", "B", "item of the leading axis"},
      {"head-index", "H", "one model head"},
      {"tokens", "FILE", "token labels: text, one a line, or JSON"}};
  std::set<std::string_view> names;
  for (const GeneratorInfo& info : generators())
    for (const GeneratorParameter& parameter : info.parameters)
      if (names.insert(parameter.name).second)
        flags.push_back({std::string(parameter.name), "X", std::string(parameter.meaning)});
  return flags;
}

InputSpec inputSpecFrom(const Arguments& arguments) {
  InputSpec spec;
  const bool files = std::any_of(std::begin(kFileFlags), std::end(kFileFlags),
                                 [&](const char* flag) { return arguments.has(flag); });
  const int given =
      (arguments.has("random") ? 1 : 0) + (arguments.has("sample") ? 1 : 0) + (files ? 1 : 0);
  if (given != 1)
    throw Error(ErrorCode::Type, "input",
                std::string(given == 0 ? "the input is missing" : "several inputs are given") +
                    "; allowed is one of --random NAME, --sample NAME, --input FILE, --q --k --v");
  if (arguments.has("random"))
    spec.source = randomFrom(arguments);
  else if (arguments.has("sample"))
    spec.source = AssetInput{arguments.text("sample")};
  else
    spec.source = filesFrom(arguments);
  spec.tokens = arguments.text("tokens");
  spec.batch = arguments.integer("batch").value_or(0);
  spec.head = arguments.integer("head-index").value_or(0);
  return spec;
}

std::shared_ptr<const Input> inputFrom(const Arguments& arguments, const Run& run) {
  return loadInput(inputSpecFrom(arguments), samplePath, run);
}

} // namespace attention::cli
