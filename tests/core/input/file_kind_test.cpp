// Files that are not what their names say, and every type name that NumPy knows.
#include "core/input/array_file.h"
#include "core/input/mapped_file.h"
#include "core/input/mask_file.h"
#include "core/input/tokens.h"
#include "core/scene/scene_json.h"
#include "tests/catch.h"
#include "tests/core/input/input_files_for_tests.h"

#include <algorithm>

using namespace attention;
using namespace attention::test;

namespace {

const std::string kPointer = "version https://git-lfs.github.com/spec/v1\n"
                             "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24\n"
                             "size 12345\n";
const std::string kPage = "\n  <!DOCTYPE HTML><html><head><title>404</title></head></html>\n";

// The beginning of an archive of torch.save: its first member is NAME/data.pkl.
std::string torchArchive() {
  const std::string name = "archive/data.pkl";
  return std::string("PK\x03\x04", 4) + std::string(22, '\0') + littleEndian(name.size(), 2) +
         std::string(2, '\0') + name + "pickled";
}

std::string readError(const std::string& path) {
  return errorOf([&] { readArrays(path); });
}

} // namespace

TEST_CASE("a Git LFS pointer is recognised, whatever the file should be") {
  const TemporaryFolder folder;
  for (const char* name : {"a.npy", "a.npz", "a.safetensors", "a.csv", "a.mtx", "a.bin"}) {
    const std::string path = folder.write(name, kPointer);
    INFO(name);
    CHECK(readError(path) ==
          "E_UNSUPPORTED: " + path +
              " is a Git LFS pointer, not the file that it stands for; fetch that "
              "with git lfs pull");
    CHECK(contains(errorOf([&] { readMask(path); }), "is a Git LFS pointer"));
  }
  const std::string words = folder.write("words.txt", kPointer);
  CHECK(contains(errorOf([&] { readTokens(words); }), "is a Git LFS pointer"));
  const std::string scene = folder.write("scene.json", kPointer);
  CHECK(contains(errorOf([&] { readScene(scene); }), "is a Git LFS pointer"));
}

TEST_CASE("a web page is recognised, whatever the file should be") {
  const TemporaryFolder folder;
  for (const std::string& page :
       {kPage, std::string("<html lang=\"en\">"), std::string("\xEF\xBB\xBF<HTML>"),
        std::string("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"),
        std::string("<!-- saved from url=(0014)about:internet -->\n<html>"),
        std::string("\xEF\xBB\xBF\n<!-- a --> <!-- b -->\r\n<!doctype html>"),
        "<!--" + std::string(4000, '-') + "-->" + kPage, std::string("<svg xmlns=\"\">")}) {
    for (const char* name : {"a.npy", "a.npz", "a.safetensors", "a.csv", "a.mtx"}) {
      INFO(name);
      CHECK(contains(readError(folder.write(name, page)), "is a page of HTML or XML"));
      CHECK(contains(errorOf([&] { readMask(folder / name); }), "is a page of HTML or XML"));
    }
    CHECK(contains(errorOf([&] { readTokens(folder.write("words.txt", page)); }), "is a page"));
  }
}

TEST_CASE("text that begins like a page and is none is read") {
  const TemporaryFolder folder;
  for (const char* words : {"<s>\nthe\n", "<!--\nthe\n", "<!-- a -->\nthe\n", "<h>\nthe\n"})
    CHECK(readTokens(folder.write("words.txt", words)).back() == "the");
}

TEST_CASE("files of torch.save are recognised") {
  const TemporaryFolder folder;
  for (const char* name : {"a.npz", "a.pt", "a.bin", "a.npy", "a.safetensors"}) {
    INFO(name);
    CHECK(contains(readError(folder.write(name, torchArchive())), "is a file of torch.save"));
  }
  const std::string old = "\x80\x02\x8A\x0Al\xFC\x9C"
                          "F\xF9 j\xA8P\x19.";
  for (const char* name : {"a.pt", "a.npy", "a.npz", "a.safetensors"})
    CHECK(contains(readError(folder.write(name, old)), "is a file of torch.save"));
}

TEST_CASE("a pickle that torch.save did not write is called a Python pickle") {
  const TemporaryFolder folder;
  const std::string second = "\x80\x02}q\x01X\x01";                     // pickle.dump({"q": …})
  const std::string fourth("\x80\x04\x95\x0B\0\0\0\0\0\0\0}\x94.", 14); // protocol 4, a frame
  for (const std::string& pickle : {second, fourth})
    for (const char* name : {"a.pkl", "a.npy", "a.npz", "a.safetensors", "a.csv"}) {
      INFO(name);
      const std::string error = readError(folder.write(name, pickle));
      CHECK(contains(error, "is a Python pickle"));
      CHECK_FALSE(contains(error, "torch"));
    }
}

TEST_CASE("text in UTF-16 is reported as such, and a UTF-8 byte order mark is skipped") {
  const TemporaryFolder folder;
  const auto wide = [](const std::string& text, bool bigEndian) {
    std::string bytes = bigEndian ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : text)
      bytes += bigEndian ? std::string{'\0', c} : std::string{c, '\0'};
    return bytes;
  };
  for (const bool bigEndian : {false, true}) {
    const std::string csv = folder.write("a.csv", wide("q0,q1\n1,2\n", bigEndian));
    CHECK(readError(csv) == "E_UNSUPPORTED: " + csv + " is text in UTF-16; save it as UTF-8");
    CHECK(contains(errorOf([&] { readMask(csv); }), "is text in UTF-16"));
    const std::string json = folder.write("a.json", wide("[\"a\"]", bigEndian));
    CHECK(contains(errorOf([&] { readTokens(json); }), "is text in UTF-16"));
    CHECK(contains(errorOf([&] { readScene(json); }), "is text in UTF-16"));
    CHECK(contains(errorOf([&] { textOfFile(json); }), "is text in UTF-16"));
  }
  for (const auto& order : {std::string("\xFF\xFE\0\0", 4), std::string("\0\0\xFE\xFF", 4)})
    CHECK(contains(readError(folder.write("a.csv", order + std::string(8, '\1'))),
                   " is text in UTF-32; save it as UTF-8"));
  const std::string mark = "\xEF\xBB\xBF";
  const ArrayFile table = readArrays(folder.write("b.csv", mark + "q0,q1\n1,2\n"));
  CHECK(slice<double>(table.get("q"))(0, 1) == 2);
  CHECK(readMask(folder.write("c.csv", mark + "i,j\n1,0\n")).pairs() == 1);
  CHECK(readMask(folder.write("c.mtx", mark + "%%MatrixMarket matrix coordinate pattern general\n"
                                              "2 2 1\n2 1\n"))
            .pairs() == 1);
  CHECK(readTokens(folder.write("b.json", mark + "[\"a\"]")) == std::vector<std::string>{"a"});
  CHECK(textOfFile(folder.write("d.txt", mark + "1,2")) == "1,2");
}

TEST_CASE("a safetensors file whose first bytes look like a pickle is read") {
  // A header of 0x280 bytes begins with \x80\x02.
  std::string header = "{\"q\":{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[0,4]}}";
  header.resize(0x280, ' ');
  const TemporaryFolder folder;
  const std::string path = folder.write("a.safetensors", safetensors(header, raw<float>({2.5F})));
  CHECK(slice<double>(readArrays(path).get("q"))(0, 0) == 2.5);
}

TEST_CASE("a file of another format than its name says is named") {
  const TemporaryFolder folder;
  const std::string array = npy("<f8", "(1, 1)", raw<double>({1}));
  CHECK(contains(readError(folder.write("a.npz", array)), "is a NumPy array; its name must end in "
                                                          ".npy"));
  CHECK(contains(readError(folder.write("b.npy", "PK\x03\x04 something")),
                 "is a zip archive; its name must end in .npz"));
  CHECK(contains(readError(folder.write("c.npy", "\x1F\x8B\x08")), "is compressed by gzip"));
  CHECK(
      contains(readError(folder.write("z.npy", "\x28\xB5\x2F\xFD\x01")), "is compressed by zstd"));
  CHECK(contains(readError(folder.write("t.npz", std::string(257, 'a') + "ustar\x30\x30")),
                 "is a tar archive"));
  CHECK(contains(readError(folder.write("d.npy", "\x89HDF\r\n")), "is an HDF5 file"));
  CHECK(contains(readError(folder.write("e.csv", "")), "is empty"));
  CHECK(contains(readError(folder.write("f.npy", "")), "is empty"));
  CHECK(contains(errorOf([&] { readMask(folder.write("g.mtx", "")); }), "is empty"));
  CHECK(contains(readError(folder.write("h.safetensors", "Entry not found")),
                 "is text that begins with \"Entry not found\""));
}

TEST_CASE("every name that NumPy has for a type is read") {
  struct Named {
    const char* names;
    DType dtype;
  };
  const Named named = GENERATE(
      Named{"<f4 =f4 f4 float32 single f |f4", DType::Float32},
      Named{"<f8 =f8 f8 float64 double float d", DType::Float64},
      Named{"<f2 f2 float16 half e", DType::Float16}, Named{"<V2 |V2 V2 bfloat16", DType::BFloat16},
      Named{"|b1 b1 ? bool bool_ |?", DType::Bool}, Named{"|u1 u1 uint8 B", DType::UInt8},
      Named{"|i1 i1 int8 b", DType::Int8}, Named{"<i2 i2 int16 h", DType::Int16},
      Named{"<u2 u2 uint16 H", DType::UInt16}, Named{"<i4 i4 int32 i", DType::Int32},
      Named{"<u4 u4 uint32 I", DType::UInt32}, Named{"<i8 i8 int64 int q l", DType::Int64},
      Named{"<u8 u8 uint64 uint Q L", DType::UInt64});
  std::string names(named.names);
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    const std::string name = names.substr(0, end);
    names.erase(0, end + 1);
    INFO(name);
    const std::string bytes = npy(name, "(1, 1)", std::string(itemSize(named.dtype), '\0'));
    CHECK(parseNpy(bytesOf(bytes), "a.npy").dtype == named.dtype);
  }
}

TEST_CASE("integers of every width and byte order are the same numbers") {
  const auto numberIn = [](const std::string& descr, const std::string& data) {
    const std::string bytes = npy(descr, "(1,)", data);
    const Tensor tensor = parseNpy(bytesOf(bytes), "a.npy");
    CHECK(static_cast<double>(integer(tensor, 0)) == number(tensor, 0));
    return integer(tensor, 0);
  };
  CHECK(numberIn("|i1", "\xFE") == -2);
  CHECK(numberIn("|u1", "\xFE") == 254);
  CHECK(numberIn("<i2", "\xFE\xFF") == -2);
  CHECK(numberIn(">i2", "\xFF\xFE") == -2);
  CHECK(numberIn("<u2", "\xFE\xFF") == 65534);
  CHECK(numberIn(">u4", std::string("\x80\0\0\1", 4)) == 0x80000001);
  CHECK(numberIn("<u8", littleEndian(std::uint64_t{1} << 62, 8)) == Index{1} << 62);
  const std::string large = npy("<u8", "(1,)", std::string(8, '\xFF'));
  CHECK(contains(errorOf([&] { integer(parseNpy(bytesOf(large), "a.npy"), 0); }),
                 "E_RANGE: a.npy holds 18446744073709551615; it must be an integer below 2^63"));
}

TEST_CASE("types that nothing computes with are refused by their usual names") {
  const auto error = [](const std::string& descr) {
    const std::string bytes = npy(descr, "(1, 1)", std::string(16, '\0'));
    return errorOf([&] { slice<double>(parseNpy(bytesOf(bytes), "a.npy")); });
  };
  CHECK(contains(error("<f16"), "E_TYPE: a.npy has dtype longdouble (\"<f16\"); it must be bool"));
  CHECK(contains(error("float128"), "longdouble"));
  CHECK(contains(error("<c8"), "complex (\"<c8\")"));
  CHECK(contains(error("complex128"), "complex"));
  CHECK(contains(error("<U4"), "E_TYPE: a.npy holds text (dtype \"<U4\"); it must hold numbers"));
  CHECK(contains(error("<M8[ns]"), "holds dates (dtype \"<M8[ns]\"); it must hold numbers"));
  CHECK(contains(error("|V7"), "a.npy has dtype \"|V7\"; it must be"));
  CHECK(contains(error("|S16"), "holds text; it must hold numbers"));
  for (const char* descr : {"<f16", "<c8", "<U4", "|V7", "nonsense"})
    CHECK_FALSE(contains(error(descr), "\"\""));
}

TEST_CASE("what is no text is called what it is where text is read") {
  const TemporaryFolder folder;
  for (const auto& [begin, kind] : std::vector<std::pair<std::string, std::string>>{
           {"\x1F\x8B\x08", "compressed by gzip"},
           {"\x93NUMPY\x01", "a NumPy array"},
           {"\x89PNG\r\n", "a PNG picture"},
           {std::string("%PDF-1.7\0", 9), "a PDF document"},
           {"PK\x03\x04", "a zip archive"}}) {
    const std::string path = folder.write("scene.json", begin);
    CHECK(errorOf([&] { readScene(path); }) ==
          "E_UNSUPPORTED: " + path + " is " + kind + "; it must be text");
  }
  CHECK(textOfFile(folder.write("words.txt", "GGUF is a file format.")) ==
        "GGUF is a file format.");
  const std::string empty = folder.write("empty.json", "");
  CHECK(contains(errorOf([&] { readScene(empty); }), "is empty; it must be JSON"));
  const std::string model = folder.write("model.npy", "GGUF\x03");
  CHECK(contains(readError(model), "is a GGUF file, a model; drop it on the window, or give it by "
                                   "--input-model"));
}
