"""The peers from PyTorch: its fused attention (SDPA) as it comes and in the forms that people use for
windows and strides, FlexAttention, and Performer. Every function gives a callable without arguments that
computes once and returns a tensor; what does not depend on Q, K and V is made before.

Shapes of q, k, v: heads x n x d, NumPy arrays whose memory the tensors share."""
import math
import time

import torch
import torch.nn.functional as F

FLASH = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu  # SDPA's own kernel; also gives lse
BLOCKS = (32, 64, 128, 256)


def use_threads(threads):
    torch.set_num_threads(threads)


def versions():
    config = torch.__config__.show()
    blas = next((part.split("=")[1] for part in config.replace("\n", ",").split(",") if "BLAS_INFO=" in part), "?")
    capability = torch.backends.cpu.get_cpu_capability()
    return f"PyTorch {torch.__version__} (BLAS {blas}, {capability})"


def tensors(*arrays):
    """1 x heads x n x d each."""
    return [torch.from_numpy(x)[None] for x in arrays]


def without_gradients(work):
    def run():
        with torch.inference_mode():
            return work()

    return run


def fastest(works):
    """The work that is the fastest of several, by the least of three times each, and its name."""
    best = {}
    for name, work in works.items():
        work()
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            work()
            times.append(time.perf_counter() - begin)
        best[name] = min(times)
    name = min(best, key=best.get)
    return works[name], name


# ---- SDPA ----


def sdpa(q, k, v, causal=False, mask=None):
    q, k, v = tensors(q, k, v)
    mask = None if mask is None else torch.from_numpy(mask)
    return without_gradients(lambda: F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal))


def band(rows, columns, shift, least, most):
    """mask[a, b]: least <= (a + shift) - b <= most."""
    distance = torch.arange(rows)[:, None] + shift - torch.arange(columns)[None]
    return (least <= distance) & (distance <= most)


def additive(mask):
    return torch.zeros(mask.shape).masked_fill(~mask, -math.inf)


class Band:
    """Blocks of queries against the slice of keys that they may see: least <= i - j <= most, each block one
    entry of the batch; the first block, whose slice would begin before the sequence, by itself. attend
    takes (q, k, v, mask) of either."""

    def __init__(self, q, k, v, block, least, most, as_numbers):
        n, d = q.shape[-2:]
        self.q, self.blocks = q.view(1, n // block, block, d), n // block
        self.before = block * -(-most // block)  # keys before a block, whole blocks of them
        self.head = self.before // block
        size = (1, self.blocks - self.head, block + self.before, d)
        strides = (n * d, block * d, d, 1)
        self.k, self.v = (x.as_strided(size, strides) for x in (k, v))
        self.first = [x[:, :, : self.before] for x in (q, k, v)]
        rest = band(block, block + self.before, self.before, least, most)
        first = band(self.before, self.before, 0, least, most)
        first[0, 0] = True  # a row has at least one key; what the first one gives is put right by who merges
        self.masks = [additive(first), additive(rest)] if as_numbers else [first, rest]

    def attend(self, attend):
        return attend(*self.first, self.masks[0]), attend(self.q[:, self.head :], self.k, self.v, self.masks[1])


def chunked_window(q, k, v, window, blocks=None):
    """A causal window as blocks against slices by SDPA: (work, form). As one writes it, a block is as long as the
    window and the mask boolean; without `blocks` it is the fastest of several sizes and both kinds of masks."""
    q, k, v = tensors(q, k, v)

    def form(block, as_numbers):
        parts = Band(q, k, v, block, 0, window - 1, as_numbers)

        def run():
            first, rest = parts.attend(lambda a, b, c, mask: F.scaled_dot_product_attention(a, b, c, attn_mask=mask))
            return torch.cat([first.view(-1, first.shape[-1]), rest.reshape(-1, rest.shape[-1])])

        return without_gradients(run)

    return fastest({f"blocks of {b}, {'additive' if s else 'boolean'} mask": form(b, s)
                    for b in blocks or BLOCKS for s in ((False,) if blocks else (False, True))})  # fmt: skip


def reshaped_strided(q, k, v, stride, blocks=None):
    """Both heads of strided attention in one: the keys with i - j in 1 ... stride - 1 as blocks against slices,
    those with stride | i - j as causal problems of one residue class each (the classes are the batch), two
    softmaxes that are merged by their log-sum-exps: (work, form) as above."""
    q, k, v = tensors(q, k, v)
    n, d = q.shape[-2:]
    classes = [x.view(1, n // stride, stride, d).transpose(1, 2) for x in (q, k, v)]

    def masked(a, b, c, mask):
        return FLASH(a, b, c, 0.0, False, attn_mask=mask)

    def form(block):
        parts = Band(q, k, v, block, 1, stride - 1, True)

        def run():
            (first, first_lse), (rest, rest_lse) = parts.attend(masked)
            local = torch.cat([first.view(-1, d), rest.reshape(-1, d)])
            lse = torch.cat([first_lse.view(-1), rest_lse.reshape(-1)])
            lse[0] = -math.inf  # row 0 has no key in this part
            comb, comb_lse = FLASH(*classes, 0.0, True)
            comb, comb_lse = comb.transpose(1, 2).reshape(n, d), comb_lse.transpose(1, 2).reshape(n)
            return torch.lerp(comb, local, torch.sigmoid(lse - comb_lse)[:, None])

        return without_gradients(run)

    return fastest({f"blocks of {b}": form(b) for b in blocks or BLOCKS})


def flex_window(q, k, v, window):
    """FlexAttention with a block mask, compiled."""
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    def seen(_b, _h, i, j):
        return (i >= j) & (i - j < window)

    q, k, v = tensors(q, k, v)
    n = q.shape[-2]
    blocks = create_block_mask(seen, None, None, n, n, device="cpu")
    compiled = torch.compile(flex_attention, dynamic=False)
    return without_gradients(lambda: compiled(q, k, v, block_mask=blocks))


# ---- Performer (Choromanski et al. 2021, section 2.4 and appendix B; softmax features) ----


def features(x, w, eps, of_queries):
    """m^-1/2 (exp(w x' - |x'|^2 / 2 - c) + eps) with x' = x / d^1/4; c is the row's largest w x' for queries, the
    largest of all for keys."""
    x = x * x.shape[-1] ** -0.25
    products = x @ w.T
    half = (x * x).sum(-1, keepdim=True) / 2
    top = products.amax(-1, keepdim=True) if of_queries else products.amax()
    return w.shape[0] ** -0.5 * (torch.exp(products - half - top) + eps)


def performer(q, k, v, w, eps, causal):
    """(work, form) of n x d matrices and w: m x d."""
    q, k, v = (torch.from_numpy(x) for x in (q, k, v))
    w = torch.from_numpy(w).float()

    def with_features(attend):
        return without_gradients(lambda: attend(features(q, w, eps, True), features(k, w, eps, False), v))

    if not causal:
        return with_features(both_ways), "two products"
    return fastest({f"chunks of {size}": with_features(lambda a, b, c, size=size: in_chunks(a, b, c, size))
                    for size in BLOCKS})  # fmt: skip


def performer_by_running_sums(q, k, v, w, eps):
    q, k, v = (torch.from_numpy(x) for x in (q, k, v))
    w = torch.from_numpy(w).float()
    return without_gradients(lambda: running_sums(features(q, w, eps, True), features(k, w, eps, False), v, 128))


def both_ways(q, k, v):
    return (q @ (k.T @ v)) / (q @ k.sum(0)[:, None])


def in_chunks(q, k, v, size):
    """Causal: within a chunk by its triangle, before it by the sum over all chunks before; all chunks at once."""
    q, k, v = (x.view(-1, size, x.shape[-1]) for x in (q, k, v))
    values, keys = k.transpose(1, 2) @ v, k.sum(1)
    values, keys = values.cumsum(0) - values, keys.cumsum(0) - keys
    scores = (q @ k.transpose(1, 2)).tril()
    sums = scores.sum(-1, keepdim=True) + q @ keys[:, :, None]
    return ((scores @ v + q @ values) / sums).flatten(0, 1)


def running_sums(q, k, v, size):
    """Causal, as public code without a kernel of its own does it: every prefix of the outer products k v^T, a
    chunk of them in memory at a time."""
    keys, values, out = 0, 0, []
    for at in range(0, len(q), size):
        a, b, c = (x[at : at + size] for x in (q, k, v))
        sums = keys + b.cumsum(0)
        products = values + torch.einsum("nm,nv->nmv", b, c).cumsum(0)
        out.append(torch.einsum("nm,nmv->nv", a, products) / (a * sums).sum(-1, keepdim=True))
        keys, values = sums[-1], products[-1]
    return torch.cat(out)
