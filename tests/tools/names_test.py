"""tools/names.py finds two types of one name and constants that hide a header's; this repository has none."""
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])


def run(*folder):
    return subprocess.run([sys.executable, root / "tools/names.py", *folder], capture_output=True, text=True)


def header(namespace, types):
    return f"namespace {namespace} {{\n\n{types}\n}} // namespace {namespace}\n"


with tempfile.TemporaryDirectory() as folder:
    core = pathlib.Path(folder) / "core"
    core.mkdir()
    assert run(folder).returncode == 1  # where there is no type the check sees nothing
    one, other = core / "one.h", core / "other.h"
    one.write_text(header("a", "struct Box {\n  struct Side {\n  };\n};\n\nenum class Edge { Left };\n"))
    other.write_text(header("a::b", "struct Box {\n};\n") + header("a", "class Line final : public X {\n};\nstruct Edge;\n"))
    assert run(folder).returncode == 0, run(folder).stderr
    for types in ("struct Box {\n};\n", "template <class T>\nclass Box {\n};\n"):
        other.write_text(header("a", types))
        assert "a::Box is a type in core/one.h and in core/other.h; it must be one" in run(folder).stderr
    other.write_text(header("a", "struct Edge : Box {\n};\n"))
    assert "a::Edge" in run(folder).stderr
    assert run(folder).returncode == 1

    other.write_text(header("a", "struct Line {\n};\n\nconstexpr double kGap = 0.5;\n"))
    source = core / "one.cpp"
    for constants, wrong in (("constexpr double kWide = kGap;\n", False), ("// constexpr double kGap = 1;\n", False),
                             ("constexpr int kGap = 2;\n", True), ("constexpr double kGap = kWide;\n", True)):
        source.write_text(header("a", f"namespace {{\n\n{constants}\n}} // namespace\n"))
        told = run(folder)
        assert told.returncode == int(wrong), constants
        assert ("kGap of core/one.cpp has the name of a constant of core/other.h; rename one" in told.stderr) == wrong
    other.rename(core / "other-inl.h")
    assert run(folder).returncode == 0

assert run().returncode == 0, run().stderr
