"""A whole model on a text: the forward of SmolLM2-135M and its losses, ours and PyTorch's."""
import json
import pathlib
import subprocess
import tempfile

import numpy as np

from .dense_rows import detail
from .measure import Contest

N = 1024


def ours(bench, ids):
    """attnx model loss as a program of its own, its start and the opening of the file included."""

    def run():
        words = [bench.attnx, "model", "loss", bench.model, "--ids", ids, "--along", "--json"]
        told = subprocess.run([*words, "--threads", str(bench.threads)], capture_output=True, text=True, check=True)
        return json.loads(told.stdout)["rows"][0]["loss_by_position"]

    return run


def torch_loss(model, ids):
    """transformers' model of the same file, its weights made float32 beforehand, and the losses of its logits."""
    import torch
    from transformers import AutoModelForCausalLM

    path = pathlib.Path(model)
    loaded = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32).eval()
    ids = torch.tensor([ids])

    def run():
        with torch.inference_mode():
            logits = loaded(input_ids=ids, use_cache=False).logits[0]
            return torch.nn.functional.cross_entropy(logits[:-1], ids[0, 1:], reduction="none").numpy()

    return run


def measure(bench):
    def run():
        if not bench.attnx or not bench.model:
            raise FileNotFoundError("no program or model was given: --attnx build/attnx --model FILE.gguf")
        bench.need_torch()
        ids = np.random.default_rng(11).integers(0, 49152, N).tolist()
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(ids, file)
            file.flush()
            works = {"ours": ours(bench, file.name), "torch": torch_loss(bench.model, ids)}
            note = bench.agree(works["ours"](), works["torch"](), 5e-3)
            contest = Contest(bench, bench.threads, works, limit=60).run()
        bench.row("model-torch", contest.ratio("ours", "torch").median, detail(contest, "ours", "torch", f"; {note}"))

    if bench.wants("model-torch"):
        bench.attempt(["model-torch"], run)
