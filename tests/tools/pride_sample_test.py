"""The sample smollm2_pride is what its README says, and tools/make_sample.py makes it again where the model is.

Standard library only. Arguments: the program."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

program = sys.argv[1]
root = pathlib.Path(__file__).resolve().parents[2]
LAYERS = [0, 2, 11, 16, 17, 18]
n, d = 1024, 64


def read(path):
    """Metadata, entries by name, and values by name."""
    data = path.read_bytes()
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    metadata = header.pop("__metadata__")
    arrays = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        arrays[name] = struct.unpack_from(f"<{(last - first) // 2}e", data, 8 + size + first)
    assert max(entry["data_offsets"][1] for entry in header.values()) == len(data) - 8 - size
    return metadata, header, arrays


def output(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


path = root / "assets/samples/smollm2_pride.safetensors"
assert path.stat().st_size <= 12_000_000, path.stat().st_size
metadata, entries, arrays = read(path)
said = {name: json.loads(text) for name, text in metadata.items() if name != "axis0"}
assert said["layers"] == LAYERS, said["layers"]
assert said["scale"] == 1 / 8 and said["modifiers"] == {}, said
assert [pattern["mechanism"] for pattern in said["patterns"]] == ["causal"] * 6, said["patterns"]
assert said["model"].startswith("SmolLM2-135M-Instruct") and "Austen" in said["text"], said
assert said["license"] == "model: Apache-2.0; text: public domain", said["license"]
assert len(said["tokens"]) == len(said["ids"]) == n
assert said["tokens"][2:8] == ["It", "Ġis", "Ġa", "Ġtruth", "Ġuniversally", "Ġacknowledged"], said["tokens"][:8]
for name, heads in (("q", 9), ("k", 3), ("v", 3)):  # keys and values once per group
    assert entries[name]["dtype"] == "F16" and entries[name]["shape"] == [6, heads, n, d], entries[name]
    largest = max(arrays[name])
    assert largest == largest and largest < 65504 and min(arrays[name]) > -65504, name

# The base is the model's own mask, and the heads that the README names do what it says.
heads = json.loads(output("heads", "--sample", "smollm2_pride", "full", "--json"))
assert heads["n"] == n and len(heads["rows"]) == 54, heads["n"]
assert heads["base"] != "full", heads["base"]
of = {(LAYERS[row["layer"]], row["head"]): row for row in heads["rows"]}  # numbered as the file has them
assert of[16, 0]["previous"] > 0.6, of[16, 0]
assert of[11, 1]["within"] > 0.9, of[11, 1]
assert of[17, 3]["induction"] > 0.25, of[17, 3]
assert of[18, 8]["first"] > 0.4, of[18, 8]

data_home = os.environ.get("XDG_DATA_HOME") or str(pathlib.Path.home() / ".local/share")
model = pathlib.Path(data_home) / "attention-explorer/models/SmolLM2-135M-Instruct.Q4_1.gguf"
if not model.is_file():
    print("not made again: tools/get_model.sh has not brought the model")
    sys.exit(0)
with tempfile.TemporaryDirectory() as folder:
    again = pathlib.Path(folder) / "again.safetensors"
    subprocess.run([sys.executable, root / "tools/make_sample.py", program, "-o", again], check=True)
    made, made_entries, made_arrays = read(again)
assert made == metadata and made_entries == entries
for name, values in arrays.items():  # another machine's sums may round differently
    most = max(map(abs, values))
    off = max(abs(a - b) for a, b in zip(values, made_arrays[name]))
    assert off <= 2e-3 * most, (name, off, most)
