"""The notebooks of python/examples, run from their first cell to the last as Jupyter does. Needs nbclient, ipykernel and
numpy; exit code 77 without.

    python_notebooks_test.py <repository> <libattnx.so> <attnx>"""
import os
import pathlib
import sys
import tempfile
import time

try:
    import ipykernel  # noqa: F401: the kernel that runs the cells
    import nbclient
    import nbformat
    import numpy  # noqa: F401: what the cells need
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)

ROOT = pathlib.Path(sys.argv[1]).resolve()
os.environ["ATTNX_LIBRARY"], os.environ["ATTNX_PROGRAM"] = (str(pathlib.Path(path).resolve()) for path in sys.argv[2:4])
os.environ["PYTHONPATH"] = str(ROOT / "python")
os.environ["PYTHONWARNINGS"] = "ignore:IProgress not found"  # of transformers, where ipywidgets is missing
LEAST_PAGES = 3  # outputs of a notebook that answer the pointer


def problems(book):
    """What is wrong with an executed notebook."""
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    pages = [output for output in outputs if "<iframe" in output.get("data", {}).get("text/html", "")]
    errors = [output.data["text/html"][:300] for output in outputs
              if output.get("data", {}).get("text/html", "").startswith("<p>E_")]  # fmt: skip
    errors += [output.text for output in outputs if output.get("name") == "stderr"]
    for output in pages:
        missing = {"image/svg+xml", "image/png"} - set(output.data)
        errors += [f"a page comes without {missing}"] if missing else []
    return errors + ([] if len(pages) >= LEAST_PAGES else [f"{len(pages)} pages; there must be {LEAST_PAGES}"])


def main():
    books = sorted((ROOT / "python" / "examples").glob("*.ipynb"))
    assert len(books) >= 3, books
    failed = False
    for path in books:
        book = nbformat.read(path, as_version=4)
        nbformat.validate(book)
        kept = [cell.id for cell in book.cells if cell.cell_type == "code" and (cell.outputs or cell.execution_count)]
        begin = time.time()
        with tempfile.TemporaryDirectory() as folder:
            nbclient.NotebookClient(book, timeout=240, kernel_name="python3",
                                    resources={"metadata": {"path": folder}}).execute()  # fmt: skip
        wrong = problems(book) + [f"{cell} is stored with outputs; clear them" for cell in kept]
        print(f"{path.name}: {time.time() - begin:.1f} s, {len(wrong)} problems", *wrong, sep="\n    ")
        failed |= bool(wrong)
    sys.exit(1 if failed else 0)


main()
