"""A wheel of a build, installed into an empty environment and used where no repository is near. Exit code 77 where the
windowless program is not built (target attnx_windowless) or no package can be downloaded.

    python_wheel_test.py <repository> <build folder>"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
MOST_BYTES = 25e6
USE = """
import pathlib, sys
import numpy as np
import attnx
home = pathlib.Path(attnx.__file__).parent
assert str(home).startswith(sys.prefix), home
library = attnx.Library()
assert library.path.parent == home / "lib", library.path
causal = library.pattern("causal", 64)
assert causal.pairs() == 2080 and causal.mask().sum() == 2080
q = np.random.default_rng(0).standard_normal((64, 8), dtype=np.float32)
out, lse = library.attend(causal, q, q, q)
np.testing.assert_allclose(out[0], q[0], rtol=1e-6)
assert (home / "py.typed").exists()
assert attnx.pattern("strided", 64, stride=8).why(20, 4).text == "(20 − 4) mod 8 = 0"
assert attnx.check(lambda q, k: k <= q, 64).name == "causal"
assert attnx.heads("minilm_alice")["self"].shape == (6, 12)
assert attnx.show("child-2019-fig3")._repr_html_().startswith("<iframe")
"""


def leave(words):
    print(f"not at hand: {words}")
    sys.exit(77)


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)


def installed(folder):
    """The environment's folder of programs, the wheel installed into it."""
    environment = {**os.environ, "ATTENTION_BUILT": str(BUILD)}
    made = run(sys.executable, "-m", "venv", folder / "empty")
    if made.returncode:
        leave(f"venv ({made.stdout.strip()[-200:]})")
    programs = folder / "empty" / "bin"
    if run(programs / "pip", "download", "-q", "--no-deps", "-d", folder / "trial", "scikit-build-core").returncode:
        leave("a registry of Python's packages")
    done = run(programs / "pip", "wheel", ROOT, "--no-deps", "-w", folder,
               f"--config-settings=build-dir={folder / 'build'}", env=environment)  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (wheel,) = folder.glob("*.whl")
    assert wheel.name.endswith("-py3-none-linux_x86_64.whl") or os.uname().machine != "x86_64", wheel.name
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    assert wheel.stat().st_size < MOST_BYTES, wheel.stat().st_size
    done = run(programs / "pip", "install", "-q", wheel)
    assert done.returncode == 0, done.stderr
    return programs


def use(programs, folder):
    """What a user does, with nothing of ours in the environment."""
    clean = {name: os.environ[name] for name in ("HOME", "LANG", "LC_ALL") if name in os.environ}
    clean["PATH"] = "/usr/bin:/bin"
    call = lambda *words: run(*words, cwd=folder, env=clean)  # noqa: E731
    done = call(programs / "python", "-c", USE)
    assert done.returncode == 0, done.stderr
    for words in (["info", "strided", "--n", "64"], ["heads", "--sample", "minilm_alice"],
                  ["attend", "causal", "--sample", "smollm2_pride", "--head-index", "0", "--batch", "0", "-o", "out.npy"],
                  ["figure", "child-2019-fig3", "-o", "figure.html"], ["figure", "child-2019-fig3", "-o", "figure.png"],
                  ["--help"]):  # fmt: skip
        for program in ([programs / "attnx"], [programs / "python", "-m", "attnx"]):
            done = call(*program, *words)
            assert done.returncode == 0, (words, done.stderr)
    refused = call(programs / "attnx", "gui")
    assert refused.returncode != 0 and "gui is not in this build" in refused.stderr, refused
    assert call(programs / "attnx", "info", "bogus", "--n", "4").returncode == 2
    (program,) = (programs.parent / "lib").glob("python*/site-packages/attnx/bin/attnx")
    needed = run("ldd", program).stdout
    assert "cairo" in needed and not any(name in needed for name in ("libGL", "libEGL", "glfw", "epoxy")), needed
    assert "no symbols" in run("nm", program).stderr, "it is not stripped"


def main():
    if not (BUILD / "windowless" / "attnx").exists() or not (BUILD / "libattnx.so").exists():
        leave("a build of the targets attention_c and attnx_windowless")
    with tempfile.TemporaryDirectory() as folder:
        elsewhere = pathlib.Path(folder) / "elsewhere"
        elsewhere.mkdir()
        use(installed(pathlib.Path(folder)), elsewhere)


main()
