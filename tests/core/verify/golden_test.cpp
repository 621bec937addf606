// The reference cases of tests/golden/open and tests/golden/content, in double and float precision.
#include "core/input/npy_writer.h"
#include "core/support/error.h"
#include "core/verify/verify.h"
#include "tests/catch.h"

#include <fstream>

using namespace attention;

namespace {

const std::filesystem::path kFolder = std::filesystem::path(ATTENTION_TEST_DATA) / "golden/open";

// A separate case, in a folder that is removed with it.
class OwnCase {
public:
  OwnCase(const std::string& name, const std::string& text)
      : folder_(std::filesystem::temp_directory_path() / ("attention_verify_" + name)),
        name_(name) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / (name + ".json")) << text;
  }
  OwnCase(const OwnCase&) = delete;
  OwnCase& operator=(const OwnCase&) = delete;
  ~OwnCase() { std::filesystem::remove_all(folder_); }

  const std::filesystem::path& folder() const { return folder_; }
  CaseResult verify() const { return verifyCase(folder_, name_); }

private:
  std::filesystem::path folder_;
  std::string name_;
};

std::string mergeCase(const std::string& lse, const std::string& tolerance) {
  return R"({"id": "own", "kind": "merge", "items": [{"o1": [1.0], "lse1": "-inf", "o2": [4.0],
    "lse2": 2.0, "out": [4.0], "lse": )" +
         lse + R"(}], "tolerance": )" + tolerance + "}";
}

const std::string kTolerance =
    R"({"float64": {"abs": 1e-12, "rel": 0}, "float32": {"abs": 1e-5, "rel": 0}})";

} // namespace

TEST_CASE("every reference case passes in both precisions") {
  std::size_t passed = 0;
  for (const CaseResult& result : verifyFolder(kFolder)) {
    passed += result.passed ? 1 : 0;
    INFO(result.id << ": " << result.message);
    CHECK(result.passed);
    CHECK(result.passed == result.message.empty());
  }
  CHECK(passed == 87);
}

TEST_CASE("every reference case of mechanisms that choose passes in both precisions") {
  std::size_t passed = 0;
  for (const CaseResult& result : verifyFolder(kFolder.parent_path() / "content")) {
    passed += result.passed ? 1 : 0;
    INFO(result.id << ": " << result.message);
    CHECK(result.passed);
    CHECK((result.kind == "errors" || result.dtype == "float64 float32"));
  }
  CHECK(passed == 29);
}

TEST_CASE("a case without tolerances has those of the specification") {
  const auto result = [](const std::string& lse, const std::string& tolerance) {
    return OwnCase("usual", mergeCase(lse, tolerance)).verify();
  };
  CHECK(result("2.0", "null").dtype == "float64 float32");
  CHECK(result("2.00000000001", "null").passed); // 1e-11 of 2, with 1e-12
  CHECK_FALSE(result("2.0000000001", "null").passed);
  CHECK(result("2.0000000001", R"({"float32": {}})").passed);
  CHECK_FALSE(result("2.001", R"({"float32": {}})").passed);
}

TEST_CASE("attention cases are compared in double and float where they give both tolerances") {
  CHECK(verifyCase(kFolder, "strided-headunion-n16").dtype == "float64 float32");
  CHECK(verifyCase(kFolder, "large-logits-n10").dtype == "float64");
  const CaseResult result = verifyCase(kFolder, "d8-n32-fixed");
  CHECK(result.largestDeviation > 0);
  CHECK(result.largestDeviation < 1e-4);
}

TEST_CASE("a case with a wrong number fails and says which") {
  CHECK(OwnCase("right", mergeCase("2.0", kTolerance)).verify().passed);
  const CaseResult wrong = OwnCase("wrong", mergeCase("2.001", kTolerance)).verify();
  CHECK_FALSE(wrong.passed);
  CHECK(wrong.message == "float64: lse is 2; expected 2.001");
  CHECK(wrong.largestDeviation == Approx(0.001));
  // Only within the tolerance of floats.
  CHECK_FALSE(OwnCase("fine", mergeCase("2.000001", kTolerance)).verify().passed);
  CHECK(OwnCase("float", mergeCase("2.000001", R"({"float64": null,
    "float32": {"abs": 1e-5, "rel": 0}})"))
            .verify()
            .dtype == "float32");
}

TEST_CASE("an expected array of another shape fails, whatever its numbers") {
  const auto message = [](const std::vector<Index>& shape) {
    const OwnCase own("shaped", R"({"kind": "attention", "mechanism": "full", "n": 2,
      "params": {}, "inputs": {"Q": "x.npy", "K": "x.npy", "V": "x.npy"},
      "expected": {"out": "out.npy"}, "tolerance": )" +
                                    kTolerance + "}");
    const std::vector<double> same(6, 1.0); // equal values, of which every output is one
    writeNpy<double>(own.folder() / "x.npy", std::vector<Index>{2, 3},
                     std::span<const double>(same));
    writeNpy<double>(own.folder() / "out.npy", shape, std::span<const double>(same));
    return own.verify().message;
  };
  CHECK(message({2, 3}).empty());
  CHECK(message({1, 2, 3}).empty());
  CHECK(message({3, 2}) == "float64: the expected out has shape (3, 2); it must be (2, 3)");
  CHECK(message({6}) == "float64: the expected out has shape (6); it must be (2, 3)");
}

TEST_CASE("unknown kinds and broken cases fail with a sentence") {
  const auto message = [](const std::string& name, const std::string& text) {
    const CaseResult result = OwnCase(name, text).verify();
    CHECK_FALSE(result.passed);
    return result.message;
  };
  CHECK_FALSE(message("text", "not json").empty());
  CHECK_FALSE(message("list", "[1, 2]").empty());
  CHECK(message("nokind", R"({"kind": "hearsay"})")
            .find("kind is hearsay; it must be one of attention") != std::string::npos);
  CHECK_FALSE(message("kindless", "{}").empty());
  CHECK_FALSE(message("no_tolerance", mergeCase("2.0", "{}")).empty());
  CHECK_FALSE(message("no_items", R"({"kind": "merge", "tolerance": )" + kTolerance + "}").empty());
  CHECK_FALSE(message("no_array", R"({"kind": "attention", "mechanism": "full", "n": 2,
    "params": {}, "inputs": {"Q": "q.npy", "K": "k.npy", "V": "v.npy"}, "expected": {},
    "tolerance": )" + kTolerance + "}")
                  .empty());
  CHECK_FALSE(verifyCase(kFolder, "no-such-case").passed);
}

TEST_CASE("errors of formulas that only one cell causes are found") {
  const auto verified = [&](const std::string& name, const std::string& formula) {
    return OwnCase(name, R"({"id": "own", "kind": "errors", "items": [{"mechanism": "expr", "n": 8,
      "params": {"expr": ")" +
                             formula + R"("}, "error": "E_EXPR"}], "tolerance": )" + kTolerance +
                             "}")
        .verify()
        .passed;
  };
  CHECK(verified("division", "i // j == 0"));
  CHECK_FALSE(verified("fine", "i // (j + 1) == 0"));
}

TEST_CASE("cases of masks need no Q, K or V and may be rectangular") {
  const auto verified = [](const std::string& name, const std::string& members) {
    return OwnCase(name, R"({"id": "own", "kind": "attention", )" + members + R"(, "tolerance": )" +
                             kTolerance + "}")
        .verify();
  };
  const std::string causal = R"("mechanism": "causal", "n": 5, "n_q": 3, "params": {}, )";
  CHECK(verified("last", causal + R"("align": "bottom-right", "expected": {"pairs": 12,
    "row_counts": [3, 4, 5], "empty_rows": []})")
            .message.empty());
  CHECK(verified("first", causal + R"("align": "top-left", "expected": {"pairs": 6,
    "row_counts": [1, 2, 3]})")
            .passed);
  CHECK_FALSE(
      verified("wrong", causal + R"("align": "top-left", "expected": {"pairs": 12})").passed);
  CHECK(verified("unaligned", causal + R"("expected": {"pairs": 6})")
            .message.find("E_SHAPE: there "
                          "are 3 queries and 5 keys; align must be") == 0);
  CHECK(verified("askew", causal + R"("align": "middle", "expected": {"pairs": 6})")
            .message.find("E_RANGE: align is middle") == 0);
  CHECK(verified("tall", R"("mechanism": "causal", "n": 3, "n_q": 5, "align": "bottom-right",
    "params": {}, "expected": {"pairs": 6, "empty_rows": [0, 1]})")
            .passed);
  // There is nothing to compare outputs with.
  CHECK(verified("out", causal + R"("align": "top-left", "expected": {"out": "o.npy"})")
            .message.find("out") != std::string::npos);
}

TEST_CASE("cases take masks from files beside them and from rows") {
  const auto verified = [](const OwnCase& own) { return own.verify(); };
  const OwnCase file("given", R"({"kind": "attention", "mechanism": "given", "n": 4, "n_q": 3,
    "params": {"mask": "m.mtx"}, "expected": {"pairs": 2, "row_counts": [1, 0, 1]},
    "tolerance": )" + kTolerance + "}");
  std::ofstream(file.folder() / "m.mtx")
      << "%%MatrixMarket matrix coordinate pattern general\n3 4 2\n1 1\n3 4\n";
  CHECK(verified(file).message.empty());
  const OwnCase rows("rows", R"({"kind": "attention", "n": 3, "rows": ["#..", "##.", "#.#"],
    "expected": {"pairs": 5, "row_counts": [1, 2, 2]}, "tolerance": )" +
                                 kTolerance + "}");
  CHECK(verified(rows).message.empty());
  const OwnCase bad("bad", R"({"kind": "attention", "n": 1, "rows": ["?"], "expected": {},
    "tolerance": )" + kTolerance +
                               "}");
  CHECK(verified(bad).message == "E_TYPE: rows is \"?\"; it must be a text of # and .");
}

TEST_CASE("errors of unequal lengths are found") {
  const auto verified = [](const std::string& item) {
    return OwnCase("lengths", R"({"kind": "errors", "items": [)" + item + R"(], "tolerance": )" +
                                  kTolerance + "}")
        .verify()
        .passed;
  };
  CHECK(verified(R"({"mechanism": "topk", "n": 8, "n_k": 9, "params": {}, "error": "E_SHAPE"})"));
  CHECK(verified(R"({"mechanism": "causal", "n": 8, "n_k": 9, "params": {}, "error": "E_SHAPE"})"));
  CHECK(verified(R"({"mechanism": "strided", "n": 8, "params": {"stride": 0},
    "expected": {"error": "E_RANGE"}})"));
  CHECK(verified(R"({"mechanism": "causal", "n": 8, "n_k": 2.5, "params": {}, "error": "E_N"})"));
  CHECK(verified(R"({"mechanism": "causal", "n": 8, "n_k": 9, "align": "top-left", "params": {},
    "error": "no error"})"));
}

TEST_CASE("a folder that is missing or holds no cases is an error") {
  const OwnCase own("folder", "{}");
  std::filesystem::remove(own.folder() / "folder.json");
  CHECK_THROWS_AS(verifyFolder(own.folder()), Error);
  CHECK_THROWS_AS(verifyFolder(own.folder() / "none"), Error);
}

TEST_CASE("a case that expects a field that nothing compares fails") {
  const OwnCase own("field", R"({"kind": "metrics", "mechanism": "full", "n": 12, "params": {},
    "inputs": {"Q": ")" + (kFolder / "full-n8.Q.npy").string() +
                                 R"(", "K": ")" + (kFolder / "full-n8.K.npy").string() +
                                 R"("}, "expected": {"surprise": 1}, "tolerance": )" + kTolerance +
                                 "}");
  CHECK(own.verify().message.find("surprise") != std::string::npos);
}

TEST_CASE("a case that expects nothing fails") {
  for (const std::string expected : {"{}", R"({"mask": null})"}) {
    const OwnCase own("nothing", R"({"kind": "attention", "mechanism": "causal", "n": 5,
        "params": {}, "expected": )" +
                                     expected + R"(, "tolerance": )" + kTolerance + "}");
    CHECK(own.verify().message.find("expected has nothing to compare") != std::string::npos);
  }
}

TEST_CASE("cases of score modifiers pass in both precisions, and so do their errors") {
  const std::filesystem::path folder = std::filesystem::path(ATTENTION_TEST_DATA) / "golden/static";
  for (const char* id :
       {"mod-softcap", "mod-alibi-h6", "mod-sink-empty-rows", "mod-t5", "errors-static"}) {
    const CaseResult result = verifyCase(folder, id);
    INFO(id << ": " << result.message);
    CHECK(result.passed);
    if (result.kind == "attention")
      CHECK(result.dtype == "float64 float32");
  }
}

TEST_CASE("cases of mechanisms that lay tokens out pass in both precisions") {
  const std::filesystem::path folder = std::filesystem::path(ATTENTION_TEST_DATA) / "golden/static";
  for (const char* id : {"block-diffusion-n20",
                         "block-diffusion-sample",
                         "counts",
                         "longnet-figure2",
                         "longnet-lse-causal",
                         "na-1d-n12",
                         "na-2d-stride-dilation",
                         "na-3d-causal-time",
                         "na-gym-even-2d",
                         "na-sta-2d-text",
                         "na-zero-pad-2d",
                         "radial-code",
                         "radial-token",
                         "spans-clamp",
                         "spans-clamp_both",
                         "spans-drop",
                         "spans-full",
                         "spans-overlay",
                         "tree-jetspec",
                         "tree-paths",
                         "tree-verify-rows"}) {
    const CaseResult result = verifyCase(folder, id);
    INFO(id << ": " << result.message);
    CHECK(result.passed);
    if (result.kind == "attention")
      CHECK(result.dtype == "float64 float32");
  }
}

TEST_CASE("a case of counts with a wrong number fails and says which") {
  const auto result = OwnCase("counts", R"({"kind": "counts", "items": [{"mechanism": "causal",
    "n": 16777216, "expected": {"pairs": 140737496743937}}], "tolerance": )" +
                                            kTolerance + "}")
                          .verify();
  CHECK(result.message == "float64: causal pairs is 140737496743936; expected 140737496743937");
}

TEST_CASE("cases of tiles, ranks, stacks, KV caches, exports and checks pass") {
  const std::filesystem::path folder = std::filesystem::path(ATTENTION_TEST_DATA) / "golden/static";
  for (const char* id : {"tiles", "ranks", "stacks", "kv-published", "exports", "mask-check"}) {
    const CaseResult result = verifyCase(folder, id);
    INFO(id << ": " << result.message);
    CHECK(result.passed);
  }
}
