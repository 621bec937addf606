#include "core/input/input.h"
#include "core/input/npy_writer.h"
#include "tests/catch.h"

#include "tests/core/input/input_files_for_tests.h"

#include <algorithm>

using namespace attention;
using namespace attention::test;

namespace {

// A .safetensors file of float32 arrays, values 0, 1, 2 … in each.
struct Array {
  std::string name;
  std::vector<Index> shape;
};

std::string tensorsOf(const std::vector<Array>& arrays, const std::string& metadata = {}) {
  std::string header = "{";
  std::string data;
  if (!metadata.empty())
    header += "\"__metadata__\":" + metadata + ",";
  for (const Array& array : arrays) {
    Index count = 1;
    std::string shape;
    for (const Index length : array.shape) {
      count *= length;
      shape += (shape.empty() ? "" : ",") + std::to_string(length);
    }
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i);
    const std::size_t begin = data.size();
    data += raw(values);
    header += (header.back() == '}' ? "," : "");
    header += "\"" + array.name + "\":{\"dtype\":\"F32\",\"shape\":[" + shape +
              "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(data.size()) +
              "]}";
  }
  return safetensors(header + "}", data);
}

InputSpec specOf(const std::string& path) {
  InputSpec spec;
  FileInput files;
  files.input = path;
  spec.source = files;
  return spec;
}

std::string loadError(const InputSpec& spec) {
  return errorOf([&] { loadInput(spec); });
}

} // namespace

TEST_CASE("the bundled sample loads with layers heads tokens and scale") {
  const auto asset = [](const std::string& name) {
    return std::filesystem::path(ATTENTION_SOURCE_DIR) / "assets/samples" / (name + ".safetensors");
  };
  InputSpec spec;
  spec.source = AssetInput{"minilm_alice"};
  spec.batch = 2;
  spec.head = 11;
  const auto input = loadInput(spec, asset);
  CHECK(input->heads == 12);
  CHECK(input->batchName == "layer");
  CHECK(input->batches >= 2);
  CHECK(input->batchLabels[1] == "layer 1");
  CHECK(input->queries >= 128);
  CHECK(input->d == 32);
  CHECK(static_cast<Index>(input->tokens.size()) == input->keys);
  CHECK(input->tokens.front() == "[CLS]");
  CHECK(input->modifiers.scale.value() == Approx(1.0 / std::sqrt(32.0)));
  CHECK(contains(input->description, "minilm_alice · 6 layers · 12 heads · n "));
  const Matrix<float> q = input->q<float>(11);
  CHECK(q.rows() == input->queries);
  CHECK(q.cols() == 32);
  CHECK(q == input->q<float>(11, 2));
  CHECK_FALSE(q == input->q<float>(11, 1));
}

TEST_CASE("planes of a four-dimensional array are found by batch and head") {
  const TemporaryFolder folder;
  const auto path = folder.write(
      "a.safetensors", tensorsOf({{"q", {2, 4, 3, 5}}, {"k", {2, 2, 3, 5}}, {"v", {2, 2, 3, 7}}}));
  InputSpec spec = specOf(path);
  spec.batch = 1;
  const auto input = loadInput(spec);
  CHECK(input->kvHeads == 2);
  CHECK(input->dv == 7);
  CHECK(input->q<double>(3)(2, 4) == (((1 * 4 + 3) * 3) + 2) * 5 + 4);
  CHECK(input->k<double>(3)(2, 4) == (((1 * 2 + 1) * 3) + 2) * 5 + 4); // heads 2 and 3 share it
  CHECK(input->k<double>(1)(0, 0) == 1 * 2 * 3 * 5);
  CHECK(input->v<float>(0, 0)(1, 6) == 13.0F);
  CHECK(input->description ==
        "a.safetensors · 2 batches · 4 heads (2 key/value heads) · n 3 · d 5");
}

TEST_CASE("arrays named by layer are layers") {
  const TemporaryFolder folder;
  std::vector<Array> arrays;
  for (const char* layer : {"3", "10"})
    for (const char* name : {"q", "k", "v"})
      arrays.push_back({std::string("layer.") + layer + "." + name, {4, 2}});
  const auto input = loadInput(specOf(folder.write("l.safetensors", tensorsOf(arrays))));
  CHECK(input->batches == 2);
  CHECK(input->batchLabels == std::vector<std::string>{"layer 3", "layer 10"});
  CHECK(input->q<double>(0, 1)(3, 1) == 7.0);
  arrays.erase(arrays.begin() + 4); // keys of layer 10
  CHECK(contains(loadError(specOf(folder.write("l.safetensors", tensorsOf(arrays)))),
                 "has no array \"layer.10.k\"; it has"));
}

TEST_CASE("shapes that do not match are reported with both arrays") {
  const TemporaryFolder folder;
  const auto error = [&](const std::vector<Array>& arrays) {
    return loadError(specOf(folder.write("m.safetensors", tensorsOf(arrays))));
  };
  CHECK(contains(error({{"q", {12, 8, 2}}, {"k", {12, 7, 2}}, {"v", {12, 8, 2}}}),
                 "m.safetensors: array \"k\" has shape (12, 7, 2), \"q\" has (12, 8, 2): the "
                 "lengths must agree"));
  CHECK(contains(error({{"q", {8, 2}}, {"k", {8, 3}}, {"v", {8, 2}}}), "the widths must agree"));
  CHECK(contains(error({{"q", {3, 8, 2}}, {"k", {2, 8, 2}}, {"v", {2, 8, 2}}}),
                 "the heads of keys must divide those of queries"));
  CHECK(contains(error({{"q", {3, 8, 2}}, {"k", {8, 2}}, {"v", {8, 2}}}), "E_SHAPE"));
  CHECK(contains(error({{"q", {8, 2}}, {"v", {8, 2}}, {"w", {8, 2}}}),
                 "has no array \"k\"; it has q, v, w"));
  CHECK(contains(error({{"q", {2, 1, 8, 2}}, {"k", {1, 1, 8, 2}}, {"v", {1, 1, 8, 2}}}),
                 "the leading axes must agree"));
}

TEST_CASE("queries and keys of different lengths load, and are refused where they must be equal") {
  const TemporaryFolder folder;
  const auto path =
      folder.write("r.safetensors", tensorsOf({{"q", {3, 2}}, {"k", {5, 2}}, {"v", {5, 2}}}));
  const auto input = loadInput(specOf(path));
  CHECK(input->queries == 3);
  CHECK(input->keys == 5);
  CHECK(contains(errorOf([&] { input->requireSquare(); }),
                 "array \"k\" has shape (5, 2), \"q\" has (3, 2): the lengths must agree"));
}

TEST_CASE("separate files and a shared query–key matrix load") {
  const TemporaryFolder folder;
  const Matrix<float> m(3, 2, {0, 1, 2, 3, 4, 5});
  for (const char* name : {"q.npy", "k.npy", "v.npy"})
    writeNpy(folder / name, m);
  InputSpec spec;
  FileInput files;
  files.q = (folder / "q.npy").string();
  files.k = (folder / "k.npy").string();
  files.v = (folder / "v.npy").string();
  spec.source = files;
  const auto input = loadInput(spec);
  CHECK(input->v<float>(0) == m);
  CHECK_FALSE(input->sharedQk);
  CHECK(contains(input->description, "q.npy, k.npy, v.npy · 1 head · n 3 · d 2"));
  files.qk = files.q;
  files.q = files.k = "";
  spec.source = files;
  CHECK(loadInput(spec)->sharedQk);
  files.v = (folder / "none.npy").string();
  spec.source = files;
  CHECK(contains(loadError(spec), "none.npy: No such file or directory"));
  files.v = "";
  spec.source = files;
  const auto without = loadInput(spec); // values are only needed where they are used
  CHECK_FALSE(without->hasValues());
  CHECK(without->q<float>(0) == m);
  CHECK(contains(errorOf([&] { without->v<float>(0); }), "E_TYPE: v is missing; the input must"));
}

TEST_CASE("embeddings with weights are projected and split into heads") {
  const TemporaryFolder folder;
  // X is the identity, so Q = Wq.
  const Matrix<double> x(4, 4, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  Matrix<double> w(4, 4);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j)
      w(i, j) = static_cast<double>(10 * i + j);
  writeNpy(folder / "x.npy", x);
  writeNpy(folder / "w.npy", w);
  InputSpec spec;
  FileInput files;
  files.x = (folder / "x.npy").string();
  files.wq = files.wk = files.wv = files.wo = (folder / "w.npy").string();
  files.heads = 2;
  spec.source = files;
  const auto input = loadInput(spec);
  CHECK(input->heads == 2);
  CHECK(input->d == 2);
  CHECK(input->q<double>(1) == Matrix<double>(4, 2, {2, 3, 12, 13, 22, 23, 32, 33}));
  CHECK(*input->outputProjection() == w);
  files.heads = 3;
  spec.source = files;
  CHECK(loadError(spec) == "E_RANGE: heads is 3; it must be a divisor of the model dimension, 4");
  files.heads = 2;
  writeNpy(folder / "w3.npy", Matrix<double>(3, 4));
  files.wk = (folder / "w3.npy").string();
  spec.source = files;
  CHECK(loadError(spec) == "E_SHAPE: " + files.wk + " has shape (3, 4), " + files.x +
                               " has (4, 4): the rows must be as many as the columns of x");
}

TEST_CASE("ready attention weights load by themselves or beside queries and keys") {
  const TemporaryFolder folder;
  InputSpec spec;
  FileInput files;
  files.attention = folder.write("a.safetensors", tensorsOf({{"attention", {2, 3, 3}}}));
  spec.source = files;
  const auto input = loadInput(spec);
  CHECK_FALSE(input->hasQkv());
  CHECK(input->heads == 2);
  CHECK(input->queries == 3);
  CHECK(input->attention<double>(1)(2, 2) == 17.0);
  CHECK(contains(errorOf([&] { input->q<float>(0); }), "E_UNSUPPORTED"));
  const auto both = folder.write(
      "b.safetensors",
      tensorsOf({{"q", {2, 4, 1}}, {"k", {2, 4, 1}}, {"v", {2, 4, 1}}, {"attention", {2, 3, 3}}}));
  CHECK(contains(loadError(specOf(both)), "(1, 2, 4, 4)"));
}

TEST_CASE("ready attention weights take values beside them, whose heads may be fewer") {
  const TemporaryFolder folder;
  FileInput files;
  files.attention = folder.write("a.safetensors", tensorsOf({{"attention", {4, 3, 3}}}));
  const auto loaded = [&](const std::vector<Index>& shape) {
    files.v = folder.write("v.safetensors", tensorsOf({{"v", shape}}));
    InputSpec spec;
    spec.source = files;
    return loadInput(spec);
  };
  const auto input = loaded({2, 3, 5});
  CHECK(input->hasValues());
  CHECK_FALSE(input->hasQkv());
  CHECK(input->dv == 5);
  CHECK(input->kvHeads == 2);
  CHECK(input->v<double>(3)(2, 4) == 29.0); // the last of the second head
  CHECK(input->v<double>(1)(0, 0) == 0.0);
  CHECK(contains(errorOf([&] { input->q<float>(0); }), "no queries and keys"));
  CHECK(contains(errorOf([&] { loaded({3, 3, 5}); }), "the heads of values must divide"));
  CHECK(contains(errorOf([&] { loaded({4, 2, 5}); }), "a row of values for each key"));
  CHECK(contains(errorOf([&] { loaded({2, 4, 3, 5}); }), "the leading axes must agree"));
}

TEST_CASE(
    "values beside ready weights that do not fit are told, and refused where they are named") {
  const TemporaryFolder folder;
  const auto path =
      folder.write("b.safetensors", tensorsOf({{"attention", {3, 3}}, {"v", {2, 5}}}));
  const auto input = loadInput(specOf(path));
  CHECK_FALSE(input->hasValues());
  REQUIRE(input->valuesProblem);
  const std::string problem = input->valuesProblem->what();
  CHECK(problem.ends_with("there must be a row of values for each key"));
  const auto notes = notesOf(*input, false);
  CHECK(std::ranges::count(notes, problem + "; these values are not used.") == 1);
  FileInput files;
  files.input = path;
  files.vName = "w";
  InputSpec spec;
  spec.source = files;
  CHECK(contains(loadError(spec), "v-name is \"w\""));
}

TEST_CASE("there must be as many token labels as tokens") {
  const TemporaryFolder folder;
  InputSpec spec;
  RandomInput random;
  random.n = 3;
  spec.source = random;
  spec.tokens = folder.write("t.txt", "the\ncat\nsat\n");
  CHECK(loadInput(spec)->tokens == std::vector<std::string>{"the", "cat", "sat"});
  spec.tokens = folder.write("u.txt", "the\ncat\n");
  CHECK(contains(loadError(spec), "has 2 labels; it must have one for each token, 3"));
  const auto unnamed = loadInput(spec, {}, {}, Labels::Wanted);
  CHECK(unnamed->keys == 3);
  CHECK(unnamed->tokens.empty());
  CHECK(contains(unnamed->tokensProblem, "has 2 labels"));
  // One blank last line is an editor's; more of them may be tokens.
  spec.tokens = folder.write("b.txt", "the\ncat\nsat\n\n");
  CHECK(loadInput(spec)->notes.empty());
  spec.tokens = folder.write("e.txt", "the\n\n\n");
  CHECK(loadInput(spec)->notes ==
        std::vector<std::string>{spec.tokens +
                                 " ends with 2 blank labels, taken as those of the last tokens."});
  const auto path =
      folder.write("m.safetensors", tensorsOf({{"q", {2, 1}}, {"k", {2, 1}}, {"v", {2, 1}}},
                                              R"({"tokens":"[\"a\",\"b\\n\"]","scale":"0.25"})"));
  const auto input = loadInput(specOf(path));
  CHECK(input->tokens == std::vector<std::string>{"a", "b\\n"});
  CHECK(input->modifiers.scale == 0.25);
}

TEST_CASE("batch and head beyond the input are refused") {
  InputSpec spec;
  RandomInput random;
  random.heads = 2;
  spec.source = random;
  spec.head = 2;
  CHECK(loadError(spec) == "E_RANGE: head-index is 2; it must be 0 to 1");
  spec.head = 0;
  spec.batch = 1;
  CHECK(loadError(spec) == "E_RANGE: batch is 1; it must be 0");
  spec.batch = 0;
  CHECK(loadInput(spec)->description == "Gaussian · sigma 1 · seed 0 · 2 heads · n 128 · d 64");
  CHECK(loadInput(InputSpec{}) == nullptr);
}

TEST_CASE("a scene notices changed files by their hashes") {
  const TemporaryFolder folder;
  const auto bytes = tensorsOf({{"q", {2, 1}}, {"k", {2, 1}}, {"v", {2, 1}}});
  const auto path = folder.write("h.safetensors", bytes);
  const std::string before = loadInput(specOf(path))->contentHash;
  CHECK(before == loadInput(specOf(path))->contentHash);
  std::string changed = bytes;
  changed.back() = 'A';
  folder.write("h.safetensors", changed);
  CHECK_FALSE(before == loadInput(specOf(path))->contentHash);
}
