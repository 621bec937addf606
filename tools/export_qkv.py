#!/usr/bin/env python3
"""Write the queries, keys and values of a Hugging Face model on an input to a .safetensors file.

    tools/export_qkv.py --model DIR_OR_NAME --text TEXT_OR_FILE -o out.safetensors
    tools/export_qkv.py --model google/vit-base-patch16-224 --image cat.png -o out.safetensors
    tools/export_qkv.py --model openai/whisper-tiny --audio speech.wav --layers 0 -o out.safetensors

The file holds q [layers, heads, n, d], k and v [layers, key/value heads, n, d]: queries and keys as
they enter the softmax, after any rotary rotation, with as few key/value heads as the model has.
Its metadata, each a JSON text, carry the scale of q k^T, the modifiers of scores after it (a soft
cap, ALiBi, T5's biases, sinks), each layer's own mask as a pattern, the tokenizer's raw pieces and
their ids, or the places of an image's patches and the numbers of a sound's frames, and where all of it
comes from. A mask that is not a pattern is written as an array: mask [layers, n, n]. Needs torch,
safetensors and transformers >= 4.48; images need pillow too.

Each layer is recomputed from what is written and compared with what the model computed, so a model with
a different kind of attention is refused instead of exported wrongly: attnx.capture (python/attnx/_models)
does that, and takes the same from a model's run in Python. One set of modifiers stands for all layers of
a file: where layers differ in them (the sinks of gpt-oss), choose one by --layers. Of models with an
encoder and a decoder the encoder is exported.
"""
import argparse
import json
import os
import pathlib
import sys
import wave

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
try:
    import attnx
    from attnx import Error
    from attnx._models.record import encoder_of
except ImportError as error:
    sys.exit(f"export_qkv: {error.name or error} is missing; install numpy (pip install numpy)")


def text_of(arguments):
    """The text that is asked for; its white space as single spaces unless it is to stay raw."""
    text = arguments.text
    if os.path.isfile(text):
        with open(text, encoding="utf-8", newline="" if arguments.raw else None) as file:
            text = file.read()
    return text if arguments.raw else " ".join(text.split())


def ids_of_file(path):
    """Token ids from a file: a JSON list, an .npy array, or numbers between white space."""
    if path.endswith(".npy"):
        import numpy

        found = numpy.load(path).ravel().tolist()
    else:
        with open(path, encoding="utf-8") as file:
            written = file.read().strip()
        try:
            found = json.loads(written) if written.startswith("[") else [int(word) for word in written.split()]
        except ValueError:
            found = []
    ids = [number for number in found if type(number) is int and number >= 0]  # bool is no int here
    if not ids or len(ids) != len(found):
        raise Error("E_TYPE", f"{path} must be a list of token ids: integers from 0 on, at least one")
    return ids


def tokens_of(arguments):
    """What the model runs on, the ids, and the tokenizer's raw pieces (None without a tokenizer)."""
    from transformers import AutoTokenizer

    if arguments.ids:
        ids = ids_of_file(arguments.ids)[: arguments.n]
        return inputs_of_ids(ids), ids, pieces_of_ids(arguments.model, ids)
    tokenizer = AutoTokenizer.from_pretrained(arguments.model)
    ids = tokenizer(text_of(arguments), add_special_tokens=not arguments.no_special, truncation=True,
                    max_length=arguments.n)["input_ids"]  # fmt: skip
    if not ids:
        raise Error("E_SHAPE", "text has no tokens; it must have at least one")
    return inputs_of_ids(ids), ids, tokenizer.convert_ids_to_tokens(ids)


def pieces_of_ids(model, ids):
    """The tokenizer's raw pieces; None without a tokenizer, as ids need none."""
    from transformers import AutoTokenizer

    # In a folder without one, transformers 5 would make one up.
    if os.path.isdir(model) and not any("token" in name or "vocab" in name for name in os.listdir(model)):
        return None
    try:
        pieces = AutoTokenizer.from_pretrained(model).convert_ids_to_tokens(ids)
    except (OSError, ValueError):
        return None
    return None if None in pieces else pieces


def inputs_of_ids(ids):
    """One row of ids, all of them visible."""
    import torch

    ids = torch.tensor([ids])
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def pixels_of(arguments):
    """The image as the model's own preprocessing makes it: 1 x 3 x height x width."""
    from PIL import Image
    from transformers import AutoImageProcessor

    with Image.open(arguments.image) as image:
        pixels = AutoImageProcessor.from_pretrained(arguments.model)(images=image.convert("RGB"), return_tensors="pt")
    return {"pixel_values": pixels["pixel_values"]}


def samples_of(path):
    """The samples of a .wav file, from -1 to 1, its channels as one."""
    import numpy

    try:
        with wave.open(path) as file:
            rate, width, channels = file.getframerate(), file.getsampwidth(), file.getnchannels()
            data = file.readframes(file.getnframes())
    except (wave.Error, EOFError) as error:
        raise Error("E_IO", f"{path} cannot be read ({error}); it must be a .wav file of 16-bit samples") from error
    if rate != 16000 or width != 2:
        raise Error("E_TYPE", f"{path} is {rate} Hz, {8 * width}-bit; it must be 16000 Hz, 16-bit "
                              f"(ffmpeg -i {path} -ar 16000 -ac 1 -c:a pcm_s16le OTHER.wav)")  # fmt: skip
    return numpy.frombuffer(data, "<i2").reshape(-1, channels).mean(axis=1) / 32768, rate


def frames_of(arguments):
    """The sound as the model's own preprocessing makes it (Whisper: 30 seconds, its end silent)."""
    from transformers import AutoFeatureExtractor

    samples, rate = samples_of(arguments.audio)
    frames = AutoFeatureExtractor.from_pretrained(arguments.model)(samples, sampling_rate=rate, return_tensors="pt")
    return {name: frames[name] for name in ("input_features", "input_values") if name in frames}


def places_of(inputs, config, n):
    """Names of the n tokens: an image's patches by row and column, behind the tokens that the model puts
    before them, and a sound's frames by number."""
    if "pixel_values" not in inputs:
        return [str(frame) for frame in range(n)]
    size = getattr(getattr(config, "vision_config", config), "patch_size", None)
    sizes = size if isinstance(size, (tuple, list)) else (size, size)
    rows, columns = (length // (patch or length + 1) for length, patch in zip(inputs["pixel_values"].shape[-2:], sizes))
    extra = n - rows * columns
    if extra < 0 or not rows:
        return None
    before = ["[CLS]"] + [f"[REG {k}]" for k in range(1, extra)]  # registers, DeiT's token of distillation
    return before[:extra] + [f"{row},{column}" for row in range(rows) for column in range(columns)]


def about(arguments, model, ids, pieces):
    """What the file says of where it comes from."""
    return {
        "tokens": pieces,
        "ids": ids,
        "model": arguments.model_title or os.path.basename(os.path.normpath(arguments.model)),
        "revision": getattr(model.config, "_commit_hash", None),
        "text": arguments.text_title or (text_of(arguments)[:80] if arguments.text else None),
        "image": os.path.basename(arguments.image) or None,
        "audio": os.path.basename(arguments.audio) or None,
        "license": arguments.license or None,
    }


def captured(model, inputs, layers=None):
    """The layers of the model's run on the inputs (tensors by name), of its encoder where it has one."""
    import torch

    part = encoder_of(model, inputs)
    part.eval()
    with torch.no_grad(), attnx.capture(part, layers=layers) as found:
        part(**inputs)
    return found


def export(arguments):
    """Run the model and write the file; gives one line that says what was written."""
    from transformers import AutoModel

    ids = pieces = None
    if arguments.image or arguments.audio:
        inputs = pixels_of(arguments) if arguments.image else frames_of(arguments)
    else:
        inputs, ids, pieces = tokens_of(arguments)
    # In float32, whatever the weights are stored in: layers are compared with what is recomputed.
    model = AutoModel.from_pretrained(arguments.model, attn_implementation="eager").float()
    found = captured(model, inputs, arguments.layers)
    if ids is None:
        pieces = places_of(inputs, model.config, found.shape[0])
    words = found.save(arguments.output, dtype=arguments.dtype, **about(arguments, model, ids, pieces))
    return f"{arguments.output}: {words}"


def parse(argv):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="folder or name of a Hugging Face model")
    parser.add_argument("--text", default="", help="the text, or the name of a file that holds it")
    parser.add_argument("--raw", action="store_true", help="keep the text's white space unchanged")
    parser.add_argument("--no-special", action="store_true", help="no tokens before and after the text's own")
    parser.add_argument("--ids", default="", help="token ids in place of a text: JSON, .npy or numbers")
    parser.add_argument("--image", default="", help="for ViT, DINOv2 and their relatives: an image file, prepared as "
                        "the model's own settings say; a token is a patch, named by its row and column")  # fmt: skip
    parser.add_argument("--audio", default="", help="for the encoder of Whisper and its relatives: a .wav file of "
                        "16-bit samples, 16000 per second; a token is a frame, named by its number")  # fmt: skip
    parser.add_argument("--layers", default="", help="for example 0,2,4-5; all when not given")
    parser.add_argument("-o", "--output", required=True, help="the .safetensors file to write")
    parser.add_argument("--n", "--max-tokens", type=int, default=512, help="the most tokens of a text (512)")
    parser.add_argument("--dtype", choices=["float16", "float32"], default="float32")
    parser.add_argument("--model-title", default="", help="the model's name in the metadata")
    parser.add_argument("--text-title", default="", help="the text's name in the metadata")
    parser.add_argument("--license", default="", help="licences of model and text, for the metadata")
    arguments = parser.parse_args(argv)
    if sum(map(bool, (arguments.text, arguments.ids, arguments.image, arguments.audio))) != 1:
        parser.error("one of --text, --ids, --image and --audio is needed")
    if arguments.n < 1:
        parser.error(f"--n is {arguments.n}; it must be at least 1")
    return arguments


def main(argv):
    try:
        print(export(parse(argv)))
    except ImportError as error:
        print(f"export_qkv: {error.name or error} is missing; install torch, transformers and safetensors, and "
              "pillow for images (pip install torch transformers safetensors pillow)", file=sys.stderr)  # fmt: skip
        return 1
    except (OSError, ValueError) as error:  # attnx.Error is one
        print(f"export_qkv: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
