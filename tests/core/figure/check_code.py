"""Runs generated sources over all pairs of indices: check_code.py CASES.json

Every case has "flex", "numpy", "jax", "xformers" and "transformers" sources and the expected "rows" as
texts of 0 and 1.
Prints a line for every failure, then a line that says what was run.
"""
import ast
import json
import sys

try:
    import numpy
except ImportError:
    numpy = None
try:
    import jax
except ImportError:
    jax = None
try:
    import torch
except ImportError:
    torch = None
try:
    from torch.nn.attention import flex_attention
except ImportError:
    flex_attention = None


def function_of(source):
    """The one function of four arguments, without anything around it."""
    tree = ast.parse(source)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert len(functions) == 1, "not one top-level function"
    names = [argument.arg for argument in functions[0].args.args]
    assert names == ["b", "h", "q_idx", "kv_idx"], names
    lines = source.splitlines()
    calls = [line for line in lines if line.startswith("block_mask = create_block_mask(")]
    assert len(calls) == 1 and calls[0].endswith(")"), "not one create_block_mask on a line"
    assert all("," not in line for line in lines if line.startswith(("import ", "from ")))
    body = "\n".join(lines[functions[0].lineno - 1 : functions[0].end_lineno])
    code = "\n".join(line.split("#")[0] for line in body.splitlines())
    assert "~" not in code and "torch" not in code, "not for integers"
    space = {}
    exec(compile(body, "mask_mod", "exec"), space)
    return space["mask_mod"]


def mask_function_of(source):
    """What models call, without the library that it is registered in."""
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    assert [f.name for f in functions] == ["mask_function", "pattern_mask"], "other functions"
    body = "\n".join(source.splitlines()[functions[0].lineno - 1 : functions[0].end_lineno])
    space = {}
    exec(compile(body, "mask_function", "exec"), space)
    return space["mask_function"]


def texts(rows):
    return ["".join("1" if cell else "0" for cell in row) for row in rows]


def on_integers(case):
    mask_mod = function_of(case["flex"])
    keys = range(len(case["rows"][0]))
    return texts([mask_mod(0, 0, i, j) for j in keys] for i in range(len(case["rows"])))


def on_arrays(case, library):
    shape = (len(case["rows"]), len(case["rows"][0]))
    i = library.arange(shape[0])[:, None]
    j = library.arange(shape[1])[None, :]
    return texts(library.broadcast_to(function_of(case["flex"])(0, 0, i, j), shape).tolist())


def by_mask_function(case):
    """Queries are counted as tokens there: a mask of other lengths begins where its first query does."""
    rows = case["rows"]
    mask_function = mask_function_of(case["transformers"])
    first = case["offset"]
    return texts([mask_function(0, 0, i + first, j) for j in range(len(rows[0]))] for i in range(len(rows)))


def on_blocks(case):
    """The whole source: by attention over its block mask, which keys it weighs."""
    space = {}
    made = flex_attention.create_block_mask
    flex_attention.create_block_mask = lambda *args, **named: made(*args, **named, device="cpu")
    try:
        exec(compile(case["flex"], "flex", "exec"), space)
    finally:
        flex_attention.create_block_mask = made
    shape = (len(case["rows"]), len(case["rows"][0]))
    torch.manual_seed(0)
    query = torch.randn(1, 1, shape[0], 8, dtype=torch.float64)
    key = torch.randn(1, 1, shape[1], 8, dtype=torch.float64)
    value = torch.eye(shape[1], dtype=torch.float64)[None, None]
    weights = flex_attention.flex_attention(query, key, value, block_mask=space["block_mask"])
    return texts((weights[0, 0] > 0).tolist())  # values of one key each: its weight


def by_source(case, target):
    space = {}
    exec(compile(case[target], target, "exec"), space)
    return texts(space["mask"].tolist())


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)
    runs = [("mask_mod on integers", on_integers), ("transformers", by_mask_function)]
    if numpy:
        runs.append(("mask_mod on arrays", lambda case: on_arrays(case, numpy)))
        runs.append(("numpy", lambda case: by_source(case, "numpy")))
    if torch:
        runs.append(("mask_mod on tensors", lambda case: on_arrays(case, torch)))
        runs.append(("xformers", lambda case: by_source(case, "xformers")))
    # Both trace every operation: a few cases of each list tell enough.
    slow = [("jax", lambda case: by_source(case, "jax"))] if jax else []
    slow += [("flex_attention", on_blocks)] if flex_attention else []
    for number, case in enumerate(cases):
        for name, run in runs + (slow if number % 16 == 0 else []):
            try:
                got = run(case)
            except Exception as problem:  # what a generated source does wrong is a failure
                got = None
                print("FAILED", name, case["name"], repr(problem))
            if got is not None and got != case["rows"]:
                print("FAILED", name, case["name"], "other cells")
    print("ran", len(cases), "cases:", ", ".join(name for name, _ in runs + slow))


main()
