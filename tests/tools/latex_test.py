"""LaTeX accepts the .tex files with tikz alone: a document's page has the picture's size, a picture can be \\input."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

attnx = pathlib.Path(sys.argv[1])
if not shutil.which("pdflatex") or subprocess.run(["kpsewhich", "tikz.sty"], stdout=subprocess.DEVNULL).returncode:
    print("not at hand: pdflatex with tikz")
    sys.exit(77)

WRAPPER = r"""\documentclass{article}
\usepackage{tikz}
\begin{document}
\input{picture.tex}
\end{document}
"""


def page_size(folder, name):
    """Width and height in big points of the one page that LaTeX makes of the file."""
    subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-jobname=made",
                    rf"\pdfcompresslevel=0 \pdfobjcompresslevel=0 \input{{{name}}}"],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    boxes = re.findall(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", (folder / "made.pdf").read_bytes())
    assert len(boxes) == 1, boxes
    return tuple(float(length) for length in boxes[0])


def drawn_size(text):
    """The same of the picture, from its unit and its bounding box."""
    unit = float(re.search(r"\[x=([0-9.]+)pt", text)[1])
    box = re.search(r"\\useasboundingbox \(0,0\) rectangle \(([0-9.]+),([0-9.]+)\)", text)
    return tuple(float(length) * unit * 72 / 72.27 for length in box.groups())


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for pattern in (["strided", "--n", "64"], ["strided", "--n", "144", "--heads", "3"], ["full", "--n", "1"],
                    ["lsh", "--random", "gaussian", "--n", "32", "--d", "4", "--seed", "3"]):
        subprocess.run([attnx, "mask", *pattern, "--standalone", "-o", folder / "document.tex"], check=True)
        expected = drawn_size((folder / "document.tex").read_text(encoding="utf-8"))
        found = page_size(folder, "document.tex")
        assert all(abs(a - b) < 0.1 for a, b in zip(found, expected)), (pattern, found, expected)
    subprocess.run([attnx, "mask", "bigbird", "--n", "256", "-o", folder / "picture.tex"], check=True)
    (folder / "wrapper.tex").write_text(WRAPPER, encoding="utf-8")
    page_size(folder, "wrapper.tex")
    for figure in ("vig-2019-model-view", "xformers-2d"):  # images of heads, and most rectangles
        subprocess.run([attnx, "figure", figure, "-o", folder / "picture.tex"], check=True)
        page_size(folder, "wrapper.tex")
