// Masks in files: Matrix Market, lists of pairs, archives and SciPy's sparse matrices (S4.19).
#include "core/input/mask_file.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"
#include "tests/core/input/npz_for_tests.h"

using namespace attention;
using namespace attention::test;

namespace {

MaskFile mtx(const std::string& text) {
  return parseMtxMask(bytesOf(text), "a.mtx");
}

std::string mtxError(const std::string& text) {
  return errorOf([&] { mtx(text); });
}

MaskFile pairs(const std::string& text) {
  return parseCsvMask(bytesOf(text), "p.csv");
}

std::string pairsError(const std::string& text) {
  return errorOf([&] { pairs(text); });
}

const std::string kBanner = "%%MatrixMarket matrix coordinate pattern general\n";

MaskFile npz(const std::vector<std::pair<std::string, std::string>>& members,
             const MaskPlane& plane = {}) {
  const std::string bytes = npzOf(members);
  return maskOf(parseNpz(bytesOf(bytes), "m.npz"), plane);
}

std::string text(const std::string& word) {
  return npy("|S" + std::to_string(word.size()), "()", word);
}

std::string integers(const std::vector<std::int32_t>& values) {
  return npy("<i4", "(" + std::to_string(values.size()) + ",)", raw(values));
}

std::string shape(std::int64_t rows, std::int64_t cols) {
  return npy("<i8", "(2,)", raw<std::int64_t>({rows, cols}));
}

std::string ones(std::size_t count) {
  return npy("<f4", "(" + std::to_string(count) + ",)", raw(std::vector<float>(count, 1.0F)));
}

// Cells (0, 0), (0, 2), (1, 1), (3, 0) and (3, 3) of 4 × 4.
const MaskFile kExpected = maskOf({{0, 0}, {0, 2}, {1, 1}, {3, 0}, {3, 3}}, 4, 4, true);

} // namespace

TEST_CASE("matrix market patterns become runs of keys", "[mask]") {
  const MaskFile mask = mtx(kBanner + "% words\n3 4 5\n1 1\n1 2\n1 4\n3 3\n3 3\n");
  CHECK(mask.rows == 3);
  CHECK(mask.cols == 4);
  CHECK(mask.sized);
  CHECK(mask.pairs() == 4);
  CHECK(mask.runs == std::vector<QueryRun>{{0, 0, 2}, {0, 3, 4}, {2, 2, 3}});
  CHECK(mask.row(0).size() == 2);
  CHECK(mask.row(1).empty());
  CHECK(mask.row(2).front() == QueryRun{2, 2, 3});
}

TEST_CASE("matrix market masks may have values and be symmetric", "[mask]") {
  const std::string entries = "2 2 3\n1 1 0\n2 1 1\n2 2 1\n";
  const std::vector<QueryRun> mirrored{{0, 1, 2}, {1, 0, 2}};
  const std::vector<QueryRun> plain{{1, 0, 2}};
  for (const char* field : {"integer", "real", "unsigned-integer"}) {
    INFO(field);
    const std::string start = std::string("%%MatrixMarket MATRIX Coordinate ") + field;
    CHECK(mtx(start + " SYMMETRIC\n" + entries).runs == mirrored);
    CHECK(mtx(start + " general\n" + entries).runs == plain);
  }
  CHECK(mtx("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n").runs ==
        mirrored);
  CHECK(mtx("%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 1.0e0\n").pairs() == 1);
}

TEST_CASE("matrix market masks have one number per cell", "[mask]") {
  const std::string integers = "%%MatrixMarket matrix coordinate integer ";
  for (const char* entries : {"general\n2 2 3\n1 2 1\n2 2 1\n1 2 1\n",
                              "general\n2 2 2\n1 2 0\n1 2 1\n", "symmetric\n2 2 2\n2 1 1\n1 2 1\n"})
    CHECK(contains(mtxError(integers + entries),
                   "E_TYPE: a.mtx: it has two numbers for row 1, "
                   "column 2; a cell of a mask must have one, 0 or 1"));
}

TEST_CASE("dense matrix market arrays are masks too", "[mask]") {
  const std::vector<QueryRun> runs{{0, 0, 1}, {1, 0, 2}};
  for (const char* field : {"integer", "real"}) {
    const std::string start = std::string("%%MatrixMarket matrix array ") + field;
    CHECK(mtx(start + " general\n2 2\n1\n1\n0\n1\n").runs == runs); // column by column
    CHECK(mtx(start + " general\n2 2\n0\n0\n-1e9\n0\n").runs == runs);
    CHECK(mtx(start + " symmetric\n2 2\n0\n1\n1\n").runs ==
          std::vector<QueryRun>{{0, 1, 2}, {1, 0, 2}});
  }
  CHECK(contains(mtxError("%%MatrixMarket matrix array real general\n1 2\n1\n0.5\n"),
                 "E_TYPE: a.mtx holds 0.5 at (0, 1)"));
}

TEST_CASE("matrix market files that contradict themselves are refused", "[mask]") {
  CHECK(contains(mtxError(""), "the first line is \"\""));
  for (const char* kind : {"coordinate complex general", "coordinate integer skew-symmetric",
                           "coordinate real hermitian", "coordinate text general"})
    CHECK(contains(mtxError(std::string("%%MatrixMarket matrix ") + kind + "\n1 1 0\n"),
                   "E_UNSUPPORTED: a.mtx: the first line is \"%%MatrixMarket matrix coo"));
  CHECK(contains(mtxError(kBanner + "2 2 2\n1 1\n"), "ends after line 3, before its last entry"));
  CHECK(contains(mtxError(kBanner + "2 2 1\n1 1\n2 2\n"), "line 4 comes after the last entry"));
  CHECK(contains(mtxError(kBanner + "2 2 1\n0 1\n"), "E_RANGE: a.mtx: line 3 has 0; it must be 1"));
  CHECK(contains(mtxError(kBanner + "2 2 1\n1 3\n"), "E_RANGE"));
  CHECK(contains(mtxError(kBanner + "0 2 0\n"), "E_RANGE"));
  CHECK(contains(mtxError(kBanner + "1073741825 2 0\n"), "E_RANGE"));
  CHECK(contains(mtxError(kBanner + "2 2 5\n"), "E_RANGE"));
  CHECK(contains(mtxError("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 0.5\n"),
                 "E_TYPE: a.mtx: line 3 has \"0.5\"; a cell of a mask must be 0 or 1"));
  CHECK(
      contains(mtxError("%%MatrixMarket matrix coordinate pattern symmetric\n2 3 0\n"), "E_SHAPE"));
  // A shape that no memory holds costs nothing.
  CHECK(mtx(kBanner + "1073741824 1073741824 1\n1073741824 1\n").pairs() == 1);
}

TEST_CASE("matrix market arrays are read by columns") {
  const std::string bytes = "%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n";
  CHECK(slice<double>(parseMtxArray(bytesOf(bytes), "a.mtx")) ==
        Matrix<double>(2, 3, {1, 2, 3, 4, 5, 6}));
  const std::string half = "%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n";
  CHECK(slice<double>(parseMtxArray(bytesOf(half), "a.mtx")) ==
        Matrix<double>(3, 3, {1, 2, 3, 2, 4, 5, 3, 5, 6}));
  const std::string lying = "%%MatrixMarket matrix array real general\n1073741824 1073741824\n1\n";
  CHECK(contains(errorOf([&] { parseMtxArray(bytesOf(lying), "a.mtx"); }), "ends after line 3"));
}

TEST_CASE("lists of pairs are read with and without a heading", "[mask]") {
  for (const char* list : {"i,j\n2,0\n0,1\n0,2\n", "2,0\r\n0,1\r\n0,2", "2 0\n0\t1\n0 2\n",
                           "# pairs\n\"i\";\"j\"\n2;0\n0;1\n0;2\n"}) {
    const MaskFile mask = pairs(list);
    CHECK(mask.rows == 3);
    CHECK(mask.cols == 3);
    CHECK_FALSE(mask.sized);
    CHECK(mask.runs == std::vector<QueryRun>{{0, 1, 3}, {2, 0, 1}});
  }
  CHECK(contains(pairsError("i,j\n1,-1\n"), "E_RANGE: p.csv: line 2 has -1"));
  CHECK(contains(pairsError("1,2,3\n"), "three columns must have a heading, such as i,j,value"));
  CHECK(contains(pairsError("1\n"), "two, i,j"));
  CHECK(contains(pairsError("1,2\ni,j\n"), "line 2 has \"i\"; it must be an integer"));
  CHECK(contains(pairsError("1.5,2\n"), "it must be an integer"));
  CHECK(contains(pairsError("#.#\n##.\n"), "it has no pair; every line is empty or begins with #"));
}

TEST_CASE("what else pairs might be is told", "[mask]") {
  const TemporaryFolder folder;
  const auto doubt = [&](const std::string& text) {
    const auto file = folder.write("p.csv", text);
    return doubtOfPairs(file, readMask(file).runs);
  };
  CHECK(doubt("0,1\n1,2\n").starts_with("the first line, 0,1, is read as a pair"));
  CHECK(doubt("0,0\n1,0\n1,1\n").starts_with("lines of 0 and 1 are read as pairs"));
  CHECK(doubt("i,j\n1,1\n2,1\n2,2\n").starts_with("no index is 0; indices count from 0"));
  for (const char* certain : {"i,j\n0,0\n1,0\n1,1\n", "0,0\n1,0\n1,2\n", "i,j\n1,0\n", "i,j\n0,1\n",
                              "i,j,value\n0,0,0\n1,1,1\n2,1,1\n"})
    CHECK(doubt(certain).empty());
}

TEST_CASE("pairs may be written as reals, as numpy.savetxt does", "[mask]") {
  CHECK(pairs("2.0,0.0\n0.000000000000000000e+00,1.000000000000000000e+00\n0,2e0\n").runs ==
        std::vector<QueryRun>{{0, 1, 3}, {2, 0, 1}});
  CHECK(contains(pairsError("1.0,1e30\n"), "it must be an integer"));
}

TEST_CASE("indices of pairs must be below the largest length", "[mask]") {
  const auto error = [](const std::string& index) {
    return errorOf([&] { parseCsvMask(bytesOf("i,j\n0," + index + "\n"), "m.csv"); });
  };
  for (const char* index : {"-1", "1073741824"})
    CHECK(contains(error(index), "E_RANGE: m.csv: line 2 has " + std::string(index) +
                                     "; it must be 0 to 1073741823"));
}

TEST_CASE("the heading of pairs says which column is the query", "[mask]") {
  const std::vector<QueryRun> rows{{0, 1, 3}, {2, 0, 1}};
  for (const char* heading : {"i,j", "q_idx,kv_idx", "Q_IDX,KV_IDX", "query,key", "row,col",
                              "Row,Column", "q,k", "query_idx,key_idx", "rows,cols", "qi,kj"}) {
    INFO(heading);
    CHECK(pairs(std::string(heading) + "\n2,0\n0,1\n0,2\n").runs == rows);
    CHECK(isPairList(bytesOf(std::string(heading) + "\n2,0\n")));
  }
  for (const char* heading : {"j,i", "kv_idx,q_idx", "key,query", "col,row", "k,q", "keys,queries",
                              "column,row", "KV_IDX,Q_IDX", "kv,q"}) {
    INFO(heading);
    CHECK(pairs(std::string(heading) + "\n0,2\n1,0\n2,0\n").runs == rows);
  }
}

TEST_CASE("pairs follow a heading in a comment, as numpy.savetxt writes it", "[mask]") {
  const std::vector<QueryRun> rows{{0, 1, 3}, {2, 0, 1}};
  CHECK(pairs("# j,i\n0,2\n1,0\n2,0\n").runs == rows);
  CHECK(pairs("# i,j\n2,0\n0,1\n0,2\n").runs == rows);
  CHECK(pairs("# layer 3\n#kv_idx q_idx\n0 2\n1 0\n2 0\n").runs == rows);
  CHECK(pairs("# col,row,data\n0,2,1\n1,0,1\n2,0,1\n").runs == rows);
  CHECK(pairs("# j,i\nrow,col\n2,0\n0,1\n0,2\n").runs == rows); // the heading below it counts
  CHECK(pairs("# cells of layer 3\n2,0\n0,1\n0,2\n").runs == rows);
  CHECK(isPairList(bytesOf("# j,i\n0,2\n")));
  CHECK(pairs("# Edge list\n2 0\n0 1\n0 2\n").runs == rows);
  CHECK(contains(pairsError("# dst src\n0 2\n"), "does not say whether it is the query"));
  CHECK(contains(pairsError("# a0,a1,b0,b1\n1,0,0,0\n1,1,0,0\n"), "its headings name 2 arrays"));
  CHECK_FALSE(isPairList(bytesOf("# q0,k0\n1,2\n")));
  CHECK(isPairList(bytesOf("# dst,src\n0,2\n")));
  CHECK(contains(pairsError("# dst,src\n0,2\n"), "does not say whether it is the query"));
  CHECK(pairs("# t0,t1,t2,t3\n1,0,1,0\n0,1,0,0\n0,0,0,0\n1,0,0,1\n") == kExpected);
}

TEST_CASE("pairs follow a heading in any comment, whatever separates its words", "[mask]") {
  const std::vector<QueryRun> rows{{0, 1, 3}, {2, 0, 1}};
  const std::string turned = "0 2\n1 0\n2 0\n";
  const std::string commas = "0,2\n1,0\n2,0\n";
  for (const std::string heading :
       {"# j,i\n", "# j i\n", "# j,i\n# by me\n", "# j,i\n\n# pairs: 3\n",
        "# key index, query index\n", "# key, query (0-based)\n"}) {
    INFO(heading);
    CHECK(pairs(heading + turned).runs == rows);
    CHECK(pairs(heading + commas).runs == rows);
  }
  for (const std::string heading : {"# j, i, w\n", "# pairs (j, i)\n", "# key → query\n"}) {
    INFO(heading);
    CHECK(contains(pairsError(heading + commas), "names the key before the query"));
  }
  CHECK(pairs("# pairs (i, j)\n2,0\n0,1\n0,2\n").runs == rows);
}

TEST_CASE("a heading of pairs that does not say which is the query is refused", "[mask]") {
  for (const char* heading : {"src,dst", "dst,src", "source,target", "from,to", "a,b", "x,y"}) {
    INFO(heading);
    const std::string error = pairsError(std::string(heading) + "\n0,1\n");
    CHECK(contains(error, "E_UNSUPPORTED: p.csv: the heading \"" +
                              std::string(heading).substr(0, std::string(heading).find(',')) +
                              "\" does not say whether it is the query or the key"));
    CHECK_FALSE(isPairList(bytesOf(std::string(heading) + "\n0,1\n")));
  }
  CHECK(contains(pairsError("i,row\n0,1\n"), "the headings \"i\" and \"row\" name the same"));
  CHECK(contains(pairsError("j,key\n0,1\n"), "name the same"));
  CHECK(contains(pairsError("i,mask\n0,1\n"), "no heading names the key"));
}

TEST_CASE("pairs may have an index column and a column of 0 and 1", "[mask]") {
  const std::vector<QueryRun> rows{{0, 1, 2}, {2, 0, 1}};
  CHECK(pairs(",i,j\n0,2,0\n1,0,1\n").runs == rows);
  CHECK(pairs("Unnamed: 0,j,i\n0,0,2\n7,1,0\n").runs == rows);
  CHECK(pairs("row,col,data\n2,0,1\n0,1,1.0\n5,5,0\n").runs == rows);
  CHECK(pairs("row,col,data\n2,0,1\n5,5,0\n").rows == 6); // the cell is there, and 0
  CHECK(contains(pairsError("row,col,data\n2,0,0.5\n"), "E_TYPE: p.csv: line 2 has \"0.5\""));
  CHECK(contains(pairsError("i,j,weight\n2,0,1\n"),
                 "the heading \"weight\" stands beside query and key; it must be value, data or"));
  // Others add up what is there twice.
  for (const char* twice : {"0,1,1\n0,1,1\n", "0,1,1\n0,1,0\n"})
    CHECK(pairsError(std::string("i,j,value\n") + twice) ==
          "E_TYPE: p.csv: it has two numbers for query 0, key 1; a cell of a mask must have one, 0 "
          "or 1");
  CHECK(pairs("i,j\n0,1\n0,1\n").pairs() == 1);
}

TEST_CASE("rows of 0 and 1 in a csv file are a mask", "[mask]") {
  const MaskFile dense = pairs("1,0,1,0\n0,1,0,0\n0,0,0,0\n1,0,0,1\n");
  CHECK(dense == kExpected);
  CHECK(pairs("0,-inf,0,-inf\n-inf,0,-inf,-inf\n-inf,-inf,-inf,-inf\n0,-inf,-inf,0\n") ==
        kExpected);
  CHECK_FALSE(isPairList(bytesOf("1,0,1,0\n0,1,0,0\n")));
  CHECK(isPairList(bytesOf("3,1\n")));
  CHECK_FALSE(isPairList(bytesOf("3,1.5\n")));
  CHECK_FALSE(isPairList(bytesOf("q0,k0\n1,2\n")));
}

TEST_CASE("masks in archives are the only array or the one called mask", "[mask]") {
  const std::string cells = npy("|b1", "(2, 2)", std::string("\1\0\0\1", 4));
  const std::string other = npy("<f4", "(1,)", raw<float>({3}));
  const MaskFile expected = maskOf({{0, 0}, {1, 1}}, 2, 2, true);
  CHECK(npz({{"arr_0.npy", cells}}) == expected);
  for (const char* name : {"mask.npy", "attention_mask.npy", "attn_mask.npy"})
    CHECK(npz({{"other.npy", other}, {name, cells}}) == expected);
  CHECK(errorOf([&] {
          npz({{"a.npy", cells}, {"b.npy", cells}});
        }) == "E_UNKNOWN: m.npz has no array \"mask\"; it has a, b");
  const std::string two = npy("|b1", "(2, 1, 2)", std::string("\1\0\0\1", 4));
  CHECK(npz({{"mask.npy", two}}, {{}, 1}).runs == std::vector<QueryRun>{{0, 1, 2}});
}

TEST_CASE("sparse matrices of every format of SciPy are the same mask", "[mask]") {
  // csr
  CHECK(npz({{"format.npy", text("csr")},
             {"shape.npy", shape(4, 4)},
             {"indptr.npy", integers({0, 2, 3, 3, 5})},
             {"indices.npy", integers({2, 0, 1, 0, 3})},
             {"data.npy", ones(5)}}) == kExpected);
  CHECK(npz({{"format.npy", text("csc")},
             {"shape.npy", shape(4, 4)},
             {"indptr.npy", integers({0, 2, 3, 4, 5})},
             {"indices.npy", integers({0, 3, 1, 0, 3})},
             {"data.npy", ones(5)}}) == kExpected);
  const std::vector<std::pair<std::string, std::string>> places{
      {"shape.npy", shape(4, 4)},
      {"row.npy", integers({3, 0, 1, 0, 3})},
      {"col.npy", integers({3, 0, 1, 2, 0})},
      {"data.npy", npy("|b1", "(5,)", std::string(5, '\1'))}};
  auto coo = places;
  coo.emplace_back("format.npy", text("coo"));
  CHECK(npz(coo) == kExpected);
  CHECK(npz(places) == kExpected); // old files do not state it
  CHECK(
      npz({{"format.npy", text("coo")},
           {"shape.npy", shape(4, 4)},
           {"coords.npy", npy("<i4", "(2, 5)", raw<std::int32_t>({3, 0, 1, 0, 3, 3, 0, 1, 2, 0}))},
           {"data.npy", ones(5)}}) == kExpected);
  // Blocks of 2 × 2 at (0, 0), (0, 1), (1, 0), (1, 1).
  CHECK(npz({{"format.npy", text("bsr")},
             {"shape.npy", shape(4, 4)},
             {"indptr.npy", integers({0, 2, 4})},
             {"indices.npy", integers({0, 1, 0, 1})},
             {"data.npy", npy("<i8", "(4, 2, 2)",
                              raw<std::int64_t>({1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0,
                                                 1}))}}) == kExpected);
  // Column j of each diagonal is at data[d, j].
  CHECK(npz({{"format.npy", text("dia")},
             {"shape.npy", shape(4, 4)},
             {"offsets.npy", integers({0, 2, -3})},
             {"data.npy", npy("<f4", "(3, 4)",
                              raw<float>({1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0}))}}) == kExpected);
}

TEST_CASE("sparse matrices need not be square and may store zeros", "[mask]") {
  const MaskFile wide = npz({{"format.npy", text("csr")},
                             {"shape.npy", shape(2, 5)},
                             {"indptr.npy", integers({0, 2, 3})},
                             {"indices.npy", integers({4, 0, 2})},
                             {"data.npy", npy("|u1", "(3,)", std::string("\1\0\1", 3))}});
  CHECK(wide == maskOf({{0, 4}, {1, 2}}, 2, 5, true));
}

TEST_CASE("sparse matrices without entries are masks without pairs", "[mask]") {
  // As scipy.sparse.save_npz writes them: arrays of no length.
  const std::string none = npy("<i4", "(0,)", "");
  const MaskFile empty = maskOf(std::vector<MaskCell>{}, 4, 6, true);
  const std::string size = shape(4, 6);
  for (const auto& [format, lines] : {std::pair("csr", 4), std::pair("csc", 6)})
    CHECK(npz({{"format.npy", text(format)},
               {"shape.npy", size},
               {"indptr.npy",
                integers(std::vector<std::int32_t>(static_cast<std::size_t>(lines) + 1))},
               {"indices.npy", none},
               {"data.npy", npy("|b1", "(0,)", "")}}) == empty);
  CHECK(npz({{"format.npy", text("coo")},
             {"shape.npy", size},
             {"row.npy", none},
             {"col.npy", none},
             {"data.npy", npy("<f8", "(0,)", "")}}) == empty);
  CHECK(npz({{"format.npy", text("coo")},
             {"shape.npy", size},
             {"coords.npy", npy("<i4", "(2, 0)", "")},
             {"data.npy", npy("<f8", "(0,)", "")}}) == empty);
  CHECK(npz({{"format.npy", text("bsr")},
             {"shape.npy", size},
             {"indptr.npy", integers({0, 0, 0})},
             {"indices.npy", none},
             {"data.npy", npy("<f8", "(0, 2, 2)", "")}}) == empty);
  CHECK(npz({{"format.npy", text("dia")},
             {"shape.npy", size},
             {"offsets.npy", none},
             {"data.npy", npy("<f8", "(0, 0)", "")}}) == empty);
  // Indices without data, or data without indices.
  CHECK(contains(errorOf([&] {
                   npz({{"format.npy", text("coo")},
                        {"shape.npy", size},
                        {"row.npy", integers({1})},
                        {"col.npy", integers({1})},
                        {"data.npy", npy("<f8", "(0,)", "")}});
                 }),
                 "\"data\""));
  CHECK(contains(errorOf([&] {
                   npz({{"format.npy", text("bsr")},
                        {"shape.npy", size},
                        {"indptr.npy", integers({0, 1, 1})},
                        {"indices.npy", integers({0})},
                        {"data.npy", npy("<f8", "(0, 2, 2)", "")}});
                 }),
                 "\"indptr\""));
}

TEST_CASE("a cell that a sparse matrix stores twice is their sum, as SciPy has it", "[mask]") {
  const auto twice = [](const std::string& data) {
    return npz({{"format.npy", text("coo")},
                {"shape.npy", shape(2, 2)},
                {"row.npy", integers({0, 1, 0})},
                {"col.npy", integers({1, 0, 1})},
                {"data.npy", data}});
  };
  const MaskFile both = maskOf({{0, 1}, {1, 0}}, 2, 2, true);
  CHECK(twice(npy("<f4", "(3,)", raw<float>({1, 1, 0}))) == both);
  CHECK(twice(npy("<f4", "(3,)", raw<float>({0.5F, 1, 0.5F}))) == both);
  CHECK(twice(npy("|i1", "(3,)", "\2\1\xFF")) == both);
  CHECK(twice(npy("|i1", "(3,)", "\1\1\xFF")) == maskOf({{1, 0}}, 2, 2, true));
  CHECK(twice(npy("|b1", "(3,)", "\1\1\1")) == both);
  CHECK(
      errorOf([&] { twice(ones(3)); }) ==
      "E_TYPE: m.npz: array \"data\" holds 2 for (0, 1), the sum of 2 entries; a sparse mask must "
      "hold only 0 and 1");
  CHECK(contains(errorOf([] {
                   npz({{"format.npy", text("csr")},
                        {"shape.npy", shape(2, 2)},
                        {"indptr.npy", integers({0, 2, 2})},
                        {"indices.npy", integers({1, 1})},
                        {"data.npy", ones(2)}});
                 }),
                 "holds 2 for (0, 1)"));
}

TEST_CASE("sparse matrices that contradict themselves are refused", "[mask]") {
  const auto error = [](const std::string& format, const std::string& indptr,
                        const std::string& indices, const std::string& data) {
    return errorOf([&] {
      npz({{"format.npy", format},
           {"shape.npy", shape(2, 2)},
           {"indptr.npy", indptr},
           {"indices.npy", indices},
           {"data.npy", data}});
    });
  };
  CHECK(error(text("csr"), integers({0, 1, 2}), integers({0, 1}), ones(2)).empty());
  CHECK(contains(error(text("csr"), integers({0, 1}), integers({0, 1}), ones(2)), "\"indptr\""));
  CHECK(contains(error(text("csr"), integers({0, 2, 1}), integers({0, 1}), ones(2)), "\"indptr\""));
  CHECK(contains(error(text("csr"), integers({1, 1, 2}), integers({0, 1}), ones(2)), "\"indptr\""));
  CHECK(
      contains(error(text("csr"), integers({0, 1, 3}), integers({0, 1}), ones(3)), "\"indices\""));
  CHECK(
      contains(error(text("csr"), integers({0, 1, 2}), integers({0, 2}), ones(2)), "\"indices\""));
  CHECK(
      contains(error(text("csr"), integers({0, 1, 2}), integers({0, -1}), ones(2)), "\"indices\""));
  CHECK(contains(error(text("csr"), integers({0, 1, 2}), integers({0, 1}), ones(1)), "\"data\""));
  CHECK(contains(error(text("lil"), integers({0, 1, 2}), integers({0, 1}), ones(2)),
                 "E_UNSUPPORTED: m.npz is a sparse matrix of format \"lil\"; it must be csr, csc"));
  const std::string half = npy("<f4", "(2,)", raw<float>({1, 0.5F}));
  CHECK(contains(error(text("csr"), integers({0, 1, 2}), integers({0, 1}), half),
                 "E_TYPE: m.npz: array \"data\" holds 0.5 for (1, 1); a sparse mask must hold"));
}

TEST_CASE("masks are read by the endings of their names", "[mask]") {
  const TemporaryFolder folder;
  const std::string cells = npy("|b1", "(2, 2)", std::string("\1\0\0\1", 4));
  const MaskFile expected = maskOf({{0, 0}, {1, 1}}, 2, 2, true);
  CHECK(readMask(folder.write("m.npy", cells)) == expected);
  CHECK(readMask(folder.write("m.NPY", cells)) == expected);
  CHECK(readMask(folder.write("m.npz", npzOf({{"mask.npy", cells}}))) == expected);
  CHECK(readMask(folder.write(
            "m.safetensors",
            safetensors("{\"mask\":{\"dtype\":\"BOOL\",\"shape\":[2,2],\"data_offsets\":[0,4]}}",
                        std::string("\1\0\0\1", 4)))) == expected);
  CHECK(readMask(folder.write("m.mtx", kBanner + "2 2 2\n1 1\n2 2\n")) == expected);
  CHECK(contains(errorOf([&] { readMask(folder.write("m.txt", "x")); }), "ends in .txt"));
}

TEST_CASE("an array whose name says that 1 hides has a doubt") {
  const TemporaryFolder folder;
  const auto doubt = [&](const std::string& name) {
    const std::string cells = npy("|b1", "(2, 2)", std::string("\0\1\0\0", 4));
    return doubtOfName(folder.write("m.npz", npzOf({{name + ".npy", cells}})));
  };
  CHECK(doubt("masked") == "the array \"masked\" is read as a mask where 1 attends; if 1 marks "
                           "what is hidden, save its inverse");
  CHECK(contains(doubt("key_padding"), "\"key_padding\""));
  CHECK(contains(doubt("is_blocked"), "\"is_blocked\""));
  for (const char* name : {"mask", "attention_mask", "m", "unmasked", "not_masked"})
    CHECK(doubt(name).empty());
  CHECK(doubtOfName(folder.write("m.csv", "i,j\n0,0\n")).empty());
}
