"""tools/lengths.py finds function bodies where C++ hides them, and fails over the limits."""
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tools"))
import lengths  # noqa: E402

SOURCE = '''#include <a>
#define BODY(x) {
namespace a::b {
struct Point { int x{1}; int y = 2; };
enum class Kind { a, b };
// not a function() {
const char* text = R"(void no() {)";
const char* brace = "}"; const char c = '{'; const int big = 1'000'000;
class Holder final : public Base {
 public:
  Holder(int a, int b) noexcept : a_{a}, b_(b), c_{{a}, {b}} {
    use(a);
  }
  bool operator==(const Holder&) const = default;
  bool operator<(const Holder& o) const { return a_ < o.a_; }
 private:
  std::vector<int> a_{};
};
template <typename T>
  requires std::is_integral_v<T>
auto twice(T x) -> T {
  auto f = [&](int y) {
    return y;
  };
  if (x) {
    return f(2);
  }
  return x;
}
static const int table[] = {f(1), f(2)};
}  // namespace a::b
'''
found = {name: (line, length) for name, line, length in lengths.functions(SOURCE)}
expected = {"Holder": (11, 3), "operator<": (15, 1), "twice": (19, 11)}
assert {name: found.get(name) for name in expected} == expected, found
assert set(found) == set(expected), found


def run(path):
    return subprocess.run([sys.executable, root / "tools/lengths.py", path], capture_output=True, text=True)


def body(name, lines):
    return f"void {name}() {{\n" + "  x();\n" * (lines - 2) + "}\n"


with tempfile.TemporaryDirectory() as folder:
    app = pathlib.Path(folder) / "app"
    app.mkdir()
    file = app / "a.cpp"
    file.write_text(body("f", 80) + body("drawIt", 60))
    assert run(folder).returncode == 0, run(folder).stderr
    file.write_text(body("f", 81))
    assert "f has 81 lines; it must have at most 80" in run(folder).stderr
    file.write_text(body("drawIt", 61))
    assert "drawIt has 61 lines; it must have at most 60" in run(folder).stderr
    file.write_text("int x;\n" * 501)
    assert "501 lines; it must have at most 500" in run(folder).stderr
    file.write_text("int x;\n")
    (app / "a.py").write_text("x = 1\n" * 501)
    assert "a.py: 501 lines; it must have at most 500" in run(folder).stderr
    assert run(app / "nothing").returncode == 1
