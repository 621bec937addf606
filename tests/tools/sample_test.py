"""The bundled sample is what its README says: shapes, metadata, finite values, plausible attention.

Standard library only."""
import json
import math
import pathlib
import struct
import sys

path = pathlib.Path(sys.argv[1]) / "assets/samples/minilm_alice.safetensors"
data = path.read_bytes()
assert len(data) <= 4_000_000, len(data)
(size,) = struct.unpack_from("<Q", data)
header = json.loads(data[8 : 8 + size])
metadata = header.pop("__metadata__")
tokens = json.loads(metadata["tokens"])
assert len(tokens) >= 128 and tokens[1:4] == ["alice", "was", "beginning"], tokens
assert metadata["axis0"] == "layer" and metadata["mask"] == "full", metadata
assert all(metadata[name] for name in ("model", "text", "license")), metadata
scale = float(metadata["scale"])
assert abs(scale - 1 / math.sqrt(32)) < 1e-12, scale

layers, heads, n, d = 6, 12, len(tokens), 32
values = {}
for name in "qkv":
    entry = header[name]
    assert entry["dtype"] == "F16" and entry["shape"] == [layers, heads, n, d], entry
    first, last = entry["data_offsets"]
    assert last - first == 2 * layers * heads * n * d
    values[name] = struct.unpack_from(f"<{(last - first) // 2}e", data, 8 + size + first)
    assert all(map(math.isfinite, values[name])), name
assert max(entry["data_offsets"][1] for entry in header.values()) == len(data) - 8 - size


def row(name, layer, head, token):
    start = ((layer * heads + head) * n + token) * d
    return values[name][start : start + d]


def largest_mean_weight(layer, head, offset):
    """Mean attention that a token pays to the token at this offset."""
    total = 0.0
    for i in range(1, n - 1):
        q = row("q", layer, head, i)
        scores = [scale * sum(a * b for a, b in zip(q, row("k", layer, head, j))) for j in range(n)]
        top = max(scores)
        total += math.exp(scores[i + offset] - top) / sum(math.exp(s - top) for s in scores)
    return total / (n - 2)


# Trained attention, not noise: some head of the first layer looks far more at a neighbour than 1 / n.
best = max(largest_mean_weight(0, head, offset) for head in range(heads) for offset in (-1, 1))
assert best > 10 / n, best
