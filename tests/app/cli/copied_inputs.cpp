#include "tests/app/cli/copied_inputs.h"

#include "core/input/npy_writer.h"
#include "core/pattern/pattern_json.h"
#include "tests/core/input/model_file_for_tests.h"
#include "tests/core/input/npz_for_tests.h"

#include <fstream>
#include <numeric>

namespace attention::cli {
namespace {

using Shape = std::vector<Index>;

Index sizeOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
}

// Normal numbers.
std::vector<float> normal(const Shape& shape, std::uint64_t seed) {
  RandomInput random;
  random.n = sizeOf(shape);
  random.d = 1;
  random.seed = seed;
  return randomMatrix<float>(random, Role::Query, 0, 1).values();
}

// Rows of positive numbers that sum to 1.
std::vector<float> weights(const Shape& shape) {
  std::vector<float> numbers(static_cast<std::size_t>(sizeOf(shape)));
  const auto keys = static_cast<std::size_t>(shape.back());
  for (std::size_t row = 0; row < numbers.size() / keys; ++row) {
    float sum = 0;
    for (std::size_t j = 0; j < keys; ++j)
      sum += numbers[row * keys + j] = static_cast<float>(1 + (row * 7 + j * 5) % 11);
    for (std::size_t j = 0; j < keys; ++j)
      numbers[row * keys + j] /= sum;
  }
  return numbers;
}

// Each plane has its own cells, and every query has the key of its own number.
std::vector<std::uint8_t> cells(const Shape& shape) {
  const Index keys = shape.back();
  const Index queries = shape[shape.size() - 2];
  std::vector<std::uint8_t> mask;
  for (Index at = 0; at < sizeOf(shape); ++at) {
    const Index i = at / keys % queries;
    const Index j = at % keys;
    const Index plane = at / keys / queries;
    mask.push_back(i == j || (3 * i + 5 * j) % (plane + 3) == 0 ? 1 : 0);
  }
  return mask;
}

// Writes files into the folder; their names are the marks of their kinds.
class Writer {
public:
  explicit Writer(const TemporaryFolder& folder) : folder_(folder) {}

  std::string path(const std::string& name) const { return folder_.file(name); }
  template <class T>
  std::string npy(const std::string& name, const Shape& shape, const std::vector<T>& numbers) {
    writeNpy<T>(path(name), shape, std::span<const T>(numbers));
    return path(name);
  }
  std::string npy(const std::string& name, const Shape& shape, std::uint64_t seed) {
    return npy(name, shape, normal(shape, seed));
  }
  std::string bytes(const std::string& name, const std::string& bytes) {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  // .npz of float32 arrays of one shape.
  std::string npz(const std::string& name, const Shape& shape,
                  const std::vector<std::string>& arrays) {
    std::string text;
    for (const Index length : shape)
      text += std::to_string(length) + ",";
    std::vector<std::pair<std::string, std::string>> members;
    for (const std::string& array : arrays)
      members.emplace_back(
          array + ".npy",
          test::npy("<f4", "(" + text + ")", test::raw(normal(shape, members.size() + 40))));
    return bytes(name, test::npzOf(members));
  }
  // q, k and v of two layers and two heads of 24 tokens in bfloat16, with their metadata.
  std::string model(const std::string& name, const std::map<std::string, std::string>& metadata,
                    const std::vector<test::ModelArray>& more = {}) {
    const Shape shape{2, 2, 24, 8};
    std::vector<test::ModelArray> arrays;
    for (const char* role : {"q", "k", "v"}) {
      std::vector<std::uint16_t> halves;
      for (const float number : normal(shape, arrays.size() + 60))
        halves.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(number) >> 16U));
      arrays.push_back({role, "BF16", shape, test::raw(halves)});
    }
    arrays.insert(arrays.end(), more.begin(), more.end());
    return bytes(name, test::modelFile(metadata, arrays));
  }

private:
  const TemporaryFolder& folder_;
};

InputSpec specOf(FileInput files, Index batch = 0, Index head = 0) {
  InputSpec spec;
  spec.source = std::move(files);
  spec.batch = batch;
  spec.head = head;
  return spec;
}
InputSpec specOf(const std::string& oneFile, Index batch = 0, Index head = 0) {
  FileInput files;
  files.input = oneFile;
  return specOf(files, batch, head);
}
FileInput separate(const std::string& q, const std::string& k, const std::string& v) {
  FileInput files;
  files.q = q;
  files.k = k;
  files.v = v;
  return files;
}

InputSpec randomSpec(const std::string& generator, Index n) {
  RandomInput random;
  random.generator = generator;
  random.n = n;
  random.d = 8;
  random.heads = 2;
  random.seed = 3;
  InputSpec spec;
  spec.source = random;
  spec.head = 1;
  return spec;
}

void asLongAsTheInput(Scene& scene) {
  scene.length = {};
}

// That many words, one of them with a quote.
InputSpec typedSpec(Index words) {
  TypedInput typed;
  typed.words.assign(static_cast<std::size_t>(words), "a typed word");
  typed.words[1] = "it's";
  const auto matrix = [words](Index width, std::uint64_t seed) {
    const std::vector<float> numbers = normal({words, width}, seed);
    return Matrix<double>(words, width, {numbers.begin(), numbers.end()});
  };
  typed.q = matrix(4, 31);
  typed.k = matrix(4, 32);
  typed.v = matrix(3, 33);
  InputSpec spec;
  spec.source = std::move(typed);
  return spec;
}

std::vector<NamedInput> drawn() {
  InputSpec sample;
  sample.source = AssetInput{"minilm_alice"};
  sample.batch = 2;
  sample.head = 5;
  InputSpec lists = randomSpec("sinks", 24);
  std::get<RandomInput>(lists.source).parameters = {{"sink", {6, 2.5}}, {"near_span", {3}}};
  InputSpec rectangle = randomSpec("unit", 12); // which no flags draw
  std::get<RandomInput>(rectangle.source).keys = 24;
  return {{"its own", {}, ""},
          {"none", InputSpec(), ""},
          {"typed words", typedSpec(20), "a typed word"},
          {"the sample", sample, "minilm_alice"},
          {"random, longer", randomSpec("gaussian", 24), "gaussian"},
          {"random, shorter", randomSpec("clustered", 16), "clustered"},
          {"random with lists of parameters", lists, "near_span", asLongAsTheInput},
          {"random, more keys than queries", rectangle, "unit", asLongAsTheInput}};
}

// One file per array.
std::vector<NamedInput> arrayFiles(Writer& to) {
  FileInput shared;
  shared.qk = to.npy("shared.npy", {2, 24, 8}, 5);
  shared.v = to.npy("v3.npy", {2, 24, 8}, 6);
  const std::string k3 = to.npy("k3.npy", {2, 24, 8}, 18);
  FileInput embedded;
  embedded.x = to.npy("x.npy", {24, 16}, 7);
  embedded.wq = embedded.wk = embedded.wv = to.npy("w.npy", {16, 16}, 8);
  embedded.heads = 2;
  FileInput turned =
      separate(to.npy("turned.npy", {2, 24, 3, 8}, 11), to.npy("tk.npy", {2, 24, 3, 8}, 12),
               to.npy("tv.npy", {2, 24, 3, 6}, 13));
  turned.layout = "bnhd";
  const FileInput three =
      separate(to.npy("q.npy", {2, 2, 24, 8}, 1), to.npy("k.npy", {2, 2, 24, 8}, 2),
               to.npy("v.npy", {2, 2, 24, 6}, 3));
  const FileInput fewer = separate(to.npy("short q's.npy", {2, 12, 8}, 4), k3, shared.v);
  const FileInput grouped = separate(to.npy("four heads.npy", {4, 24, 8}, 9), k3, shared.v);
  FileInput last = fewer;
  last.q = to.npy("last q.npy", {2, 12, 8}, 10);
  FileInput valueless =
      separate(to.npy("no values.npy", {24, 8}, 14), to.npy("nk.npy", {24, 8}, 15), "");
  return {{"q, k and v", specOf(three, 1, 1), "q.npy"},
          {"q, k and v, all of it", specOf(three, 1, 0), "q.npy", asLongAsTheInput},
          {"shared queries and keys", specOf(shared, 0, 1), "shared.npy"},
          {"fewer queries than keys", specOf(fewer), "short q"},
          {"queries of the last tokens", specOf(last, 0, 1), "last q.npy",
           [](Scene& scene) {
             scene.length = {};
             scene.length.align = Align::BottomRight;
           }},
          {"more heads than keys have", specOf(grouped, 0, 3), "four heads.npy", asLongAsTheInput},
          {"queries and keys alone", specOf(valueless), "no values.npy", asLongAsTheInput},
          {"embeddings with weights", specOf(embedded, 0, 1), "w.npy"},
          {"heads after tokens", specOf(turned, 1, 2), "turned.npy", asLongAsTheInput}};
}

// Several arrays in one file.
std::vector<NamedInput> namedArrays(Writer& to) {
  FileInput named;
  named.input = to.npz("named.npz", {2, 24, 8}, {"query", "my keys", "it's"});
  named.qName = "query";
  named.kName = "my keys";
  named.vName = "it's";
  const std::string many = to.npz("many.npz", {2, 24, 8}, {"a", "b", "c"});
  FileInput each = separate(many, many, many);
  each.qName = "c";
  each.kName = "a";
  each.vName = "b";
  FileInput ready;
  ready.attention = to.npy("a.npy", {2, 24, 24}, weights({2, 24, 24}));
  FileInput valued = ready;
  valued.v = to.npy("av.npy", {1, 24, 5}, 18);
  FileInput readyBy;
  const std::vector<float> equal(24 * 24, 1.0F / 24);
  readyBy.attention = to.bytes(
      "ready.npz",
      test::npzOf({{"equal.npy", test::npy("<f4", "(24, 24)", test::raw(equal))},
                   {"probs.npy", test::npy("<f4", "(24, 24)", test::raw(weights({24, 24})))}}));
  readyBy.attentionName = "probs";
  std::string table = "q1,q0,k0,k1,v0\n";
  const std::vector<float> numbers = normal({24, 5}, 16);
  for (std::size_t at = 0; at < numbers.size(); ++at)
    table += std::to_string(numbers[at]) + (at % 5 == 4 ? "\n" : ",");
  return {{"one array", specOf(to.npy("one.npy", {24, 16}, 17)), "one.npy"},
          {"arrays by names of their own", specOf(named, 0, 1), "named.npz", asLongAsTheInput},
          {"each array by its name", specOf(each, 0, 1), "many.npz", asLongAsTheInput},
          {"a table", specOf(to.bytes("table.csv", table)), "table.csv", asLongAsTheInput},
          {"ready weights", specOf(ready, 0, 1), "a.npy"},
          {"ready weights with values", specOf(valued, 0, 1), "av.npy"},
          {"ready weights by name", specOf(readyBy), "ready.npz", asLongAsTheInput}};
}

// What files say about their model, and labels.
std::vector<NamedInput> modelFiles(Writer& to) {
  std::string ids = "[0";
  std::string words = R"(["<s>")";
  std::string labels = "it's\n";
  for (int token = 1; token < 24; ++token) {
    ids += "," + std::to_string(3 * token);
    words += ",\"▁w" + std::to_string(token) + "\"";
    labels += token % 2 == 0 ? "a, \"b\"\n" : "字 $HOME\n";
  }
  std::string longWords = R"([")" + std::string(300, 'a') + "\"";
  for (int token = 1; token < 24; ++token)
    longWords += ",\"" + std::string(300, 'b') + " it's $HOME " + std::to_string(token) + "\"";
  const std::string longName = "own, of a long label, " + std::string(150, 'n') + ".safetensors";
  const test::ModelArray mask{"mask", "BOOL", {2, 24, 24}, test::raw(cells({2, 24, 24}))};
  InputSpec labelled = specOf(to.model("unlabelled.safetensors", {}), 0, 1);
  labelled.tokens = to.bytes("its labels.txt", labels);
  return {
      {"scale, tokens and ids",
       specOf(to.model("scaled.safetensors",
                       {{"scale", "0.75"}, {"tokens", words + "]"}, {"ids", ids + "]"}}),
              1, 1),
       "scaled.safetensors", asLongAsTheInput},
      {"a soft cap", specOf(to.model("capped.safetensors", {{"softcap", "1.5"}}), 0, 1),
       "capped.safetensors", asLongAsTheInput},
      {"score modifiers",
       specOf(to.model(
           "modified.safetensors",
           {{"modifiers", R"({"scale": -0.5, "softcap": 2, "order": ["softcap", "bias"]})"}})),
       "modified.safetensors"},
      {"a causal model", specOf(to.model("causal.safetensors", {{"mask", "causal"}}), 1),
       "causal.safetensors", asLongAsTheInput},
      {"a mask of its own",
       specOf(to.model("own.safetensors",
                       {{"patterns", R"([{"mechanism": "local", "params": {"window": 5}}, null])"},
                        {"layers", "[4, 9]"}},
                       {mask}),
              1, 1),
       "own.safetensors", asLongAsTheInput},
      {"a mask of its own, cut",
       specOf(to.model("own cut.safetensors", {{"mask", "other"}}, {mask}), 1),
       "own cut.safetensors"},
      {"a mask of its own, of long labels and a long name",
       specOf(to.model(longName, {{"mask", "other"}, {"tokens", longWords + "]"}}, {mask}), 1, 1),
       longName, asLongAsTheInput},
      {"labels of a file", labelled, "its labels.txt", asLongAsTheInput}};
}

// The scene's masks and layers are this pattern.
std::function<void(Scene&)> masked(const std::string& json, LengthSpec length) {
  return [json, length](Scene& scene) {
    scene.length = length;
    scene.pattern = patternFromJson(nlohmann::json::parse(json));
    scene.mask = {};
    scene.reach.stack.clear();
    scene.compare.patterns = {{"", scene.pattern},
                              {"", patternFromJson({{"mechanism", "causal"}})}};
    scene.compare.first = 0;
    scene.compare.second = 1;
  };
}
std::string given(const std::string& file) {
  return R"({"mechanism": "given", "params": {"mask": )" + nlohmann::json(file).dump() + "}}";
}

std::vector<NamedInput> masks(Writer& to) {
  const InputSpec input =
      specOf(separate(to.path("q.npy"), to.path("k.npy"), to.path("v.npy")), 1, 1);
  const InputSpec rectangle =
      specOf(separate(to.path("short q's.npy"), to.path("k3.npy"), to.path("v3.npy")));
  const std::string heads = to.npy("a mask per head.npy", {2, 24, 24}, cells({2, 24, 24}));
  const std::string unchosen = to.npy("unchosen.npy", {2, 24, 24}, cells({2, 24, 24}));
  const std::string planes = to.npy("planes.npy", {2, 2, 24, 24}, cells({2, 2, 24, 24}));
  const std::string whole = to.npy("it's a mask.npy", {20, 20}, cells({20, 20}));
  const std::string wide = to.npy("wide.npy", {12, 24}, cells({12, 24}));
  const std::string pairs = to.bytes("pairs.csv", "kv_idx,q_idx\n0,0\n0,1\n2,3\n3,19\n19,19\n");
  const std::string market =
      to.bytes("market.mtx",
               "%%MatrixMarket matrix coordinate pattern symmetric\n20 20 3\n1 1\n4 2\n20 7\n");
  const LengthSpec twenty{20, {}};
  const LengthSpec own;
  return {{"a mask without an input", InputSpec(), "a mask.npy", masked(given(whole), twenty)},
          {"pairs of a file", InputSpec(), "pairs.csv", masked(given(pairs), twenty)},
          {"a sparse matrix", InputSpec(), "market.mtx", masked(given(market), twenty)},
          {"listed cells", InputSpec(), "[[0,0],[3,2]]",
           masked(R"({"mechanism": "given", "params": {"mask": [[0, 0], [3, 2]]}})", twenty)},
          {"the mask of a head", input, "head.npy[head=1]", masked(given(heads + "[head=1]"), own)},
          {"the mask of a layer and head", input, "planes.npy[batch=1,head=0]",
           masked(given(planes + "[batch=1,head=0]"), own)},
          {"a mask per head, none chosen", input, "unchosen.npy", masked(given(unchosen), own)},
          {"a mask in a union", input, "union",
           masked(R"({"mechanism": "compose", "params": {"op": "union", "of": [)" +
                      given(planes + "[batch=0,head=1]") +
                      R"(, {"mechanism": "local", "params": {"window": 2}}]}})",
                  own)},
          {"a mask of fewer queries", rectangle, "wide.npy", masked(given(wide), own)}};
}

// A small random model, which has no tokenizer, on 24 tokens.
std::vector<NamedInput> models() {
  ModelInput of;
  of.model = std::string(ATTENTION_TEST_DATA) + "/golden/models/llama";
  for (Index token = 0; token < 24; ++token)
    of.ids.push_back(5 * token);
  InputSpec spec;
  spec.source = of;
  spec.batch = 2;
  spec.head = 3;
  return {{"a model that reads tokens", spec, "--input-model", asLongAsTheInput}};
}

} // namespace

std::vector<NamedInput> kindsOfInput(const TemporaryFolder& folder) {
  Writer to(folder);
  std::vector<NamedInput> kinds = drawn();
  for (std::vector<NamedInput> more :
       {arrayFiles(to), namedArrays(to), modelFiles(to), masks(to), models()})
    std::move(more.begin(), more.end(), std::back_inserter(kinds));
  return kinds;
}

} // namespace attention::cli
