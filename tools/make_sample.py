#!/usr/bin/env python3
"""Make the bundled sample smollm2_pride again: tools/make_sample.py [ATTNX] [-o FILE].

SmolLM2-135M-Instruct, which tools/get_model.sh brings, reads the first 1024 tokens of the bundled text;
`attnx model capture` writes queries, keys and values of six layers as float16, keys and values once per
group of heads. The text and the licences are added to its metadata. Needs only the standard library."""
import argparse
import json
import pathlib
import struct
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = "SmolLM2-135M-Instruct.Q4_1"
# Of the model's 30 layers: 0 mixes all words alike, 2 and 11 look at neighbours, 16 (head 0) at the previous
# token, 17 (head 3) behind the last occurrence of the same token, 18 (head 8) at the first token.
LAYERS = "0,2,11,16,17,18"
ADDED = {
    "text": "Jane Austen, Pride and Prejudice (1813), beginning",
    "license": "model: Apache-2.0; text: public domain",
}


def with_metadata(data, added):
    """The same .safetensors file with more metadata, each a JSON text."""
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    header["__metadata__"].update({key: json.dumps(value) for key, value in added.items()})
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data[8 + size :]


def main():
    parser = argparse.ArgumentParser(description="Make the bundled sample smollm2_pride again.")
    parser.add_argument("attnx", nargs="?", default=ROOT / "build/attnx", help="the program (build/attnx)")
    parser.add_argument("-o", "--output", type=pathlib.Path,
                        default=ROOT / "assets/samples/smollm2_pride.safetensors")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        captured = pathlib.Path(folder) / "captured.safetensors"
        subprocess.run(
            [options.attnx, "model", "capture", MODEL, "--n", "1024", "--layers", LAYERS, "--dtype", "float16",
             "--text", ROOT / "assets/samples/pride_and_prejudice_1.txt", "-o", captured], check=True)
        options.output.write_bytes(with_metadata(captured.read_bytes(), ADDED))


if __name__ == "__main__":
    main()
