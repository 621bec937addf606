#!/usr/bin/env python3
"""Make assets/results/smollm2_pride.json again: what masks cost SmolLM2-135M-Instruct, for those who
have no model at hand.

    tools/make_results.py [ATTNX] [-o FILE] [--missing]

ATTNX is the program, build/attnx by default; tools/get_model.sh has brought the model. It takes about
twenty minutes on two cores. The rows are those of the default scene, of the lesson *What a window costs
a model* and of the sweeps of both; what is computed is attnx model loss, and nothing here changes a
number but its digits: losses of single predictions are kept only for the rows that show them, with three
decimals. With --missing the rows that FILE has by these names are kept, and only the others computed.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = "SmolLM2-135M-Instruct.Q4_1"
LAYERS, TOKENS = 30, 1024

LOCAL = {"mechanism": "local", "params": {"window": 128, "causal": True}}
SINKS = {"mechanism": "sinks", "params": {"sinks": 4, "window": 124}}
STRIDED = {"mechanism": "strided", "params": {}}
FIRST_FOUR = {"mechanism": "sinks", "params": {"sinks": 4, "window": 1}}
STRIDED_SINKS = {
    "mechanism": "compose",
    "params": {"op": "union", "of": [{"mechanism": "strided", "params": {"stride": 32}}, FIRST_FOUR]},
}
FIVE_IN_SIX = ",".join(str(layer) for layer in range(LAYERS) if layer % 6 != 5)


def variant(name, pattern, layers="all"):
    return {"name": name, "rules": [{"layers": layers, "heads": "all", "pattern": pattern}]}


def shown():
    """Rows whose curves and texts are shown."""
    return [variant("Strided", STRIDED),
            variant("window of 128", LOCAL),
            variant("4 sinks + 124", SINKS),
            variant("strided 32 + 4 first", STRIDED_SINKS),
            variant("window of 128 in five layers of six", LOCAL, FIVE_IN_SIX),
            variant("4 sinks + 124 in five layers of six", SINKS, FIVE_IN_SIX)]  # fmt: skip


def swept():
    """Points of the sweeps: one layer, all but one, and windows or strides from 16 to all tokens."""
    rows = []
    for before, pattern in (("", LOCAL), ("strided ", STRIDED)):
        for layer in range(LAYERS):
            others = ",".join(str(other) for other in range(LAYERS) if other != layer)
            rows += [variant(f"{before}only layer {layer}", pattern, str(layer)),
                     variant(f"{before}all but layer {layer}", pattern, others)]  # fmt: skip
    value = 16
    while value <= TOKENS:
        for name, pattern, number in (("local", LOCAL, "window"), ("sinks", SINKS, "window"),
                                      ("strided", STRIDED, "stride")):  # fmt: skip
            params = {**pattern["params"], number: value}
            if params != pattern["params"]:
                rows.append(variant(f"{name} {value}", {**pattern, "params": params}))
        value *= 2
    known = [row["rules"] for row in shown()]
    return [row for row in rows if row["rules"] not in known]


def computed(program, variants):
    with tempfile.TemporaryDirectory() as folder:
        rules, results = (pathlib.Path(folder) / name for name in ("variants.json", "results.json"))
        rules.write_text(json.dumps(variants))
        subprocess.run([program, "model", "loss", MODEL, "--text",
                        str(ROOT / "assets/samples/pride_and_prejudice_1.txt"), "--n", str(TOKENS),
                        "--variants", str(rules), "-o", str(results)], check=True)  # fmt: skip
        return json.loads(results.read_text())


def brief(row, keeps):
    """The row with as many digits as are shown, and without its predictions unless they are shown."""
    for name in ("loss_by_position", "expected", "expected_share"):
        if not keeps:
            row.pop(name, None)
    for name in ("loss_by_position", "expected_share"):
        if name in row:
            row[name] = [round(value, 3) for value in row[name]]
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in row.items()}


def with_kept(path, variants, program):
    """What computing all would give, with the rows and variants that the file has."""
    old = json.loads(path.read_text())
    whole = {one["name"] for one in shown()}  # which need their losses along the text
    known = {one["name"]: (one, row) for one, row in zip(old["variants"], old["rows"][1:])
             if "loss_by_position" in row or one["name"] not in whole}  # fmt: skip
    new = computed(program, [one for one in variants if one["name"] not in known])
    known.update({one["name"]: (one, row) for one, row in zip(new["variants"], new["rows"][1:])})
    pairs = [known[one["name"]] for one in variants]
    return {**new, "variants": [one for one, _ in pairs], "rows": [new["rows"][0], *(row for _, row in pairs)]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=str(ROOT / "build" / "attnx"))
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "assets/results/smollm2_pride.json")
    parser.add_argument("--missing", action="store_true", help="compute only the missing rows of FILE")
    given = parser.parse_args()
    keeps = shown()
    variants = keeps + swept()
    results = with_kept(given.output, variants, given.program) if given.missing else computed(given.program, variants)
    results["rows"] = [brief(row, k <= len(keeps)) for k, row in enumerate(results["rows"])]
    text = json.dumps(results, ensure_ascii=False, separators=(",", ":"))
    given.output.write_text(text.replace('},{"name"', '},\n{"name"') + "\n")


if __name__ == "__main__":
    main()
