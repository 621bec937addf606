"""Attention Explorer from Python: exact attention patterns, and attention over them.

    import attnx, numpy as np
    library = attnx.Library()                       # or Library("build/libattnx.so")
    pattern = library.pattern("strided", 4096, stride=128)
    pattern.pairs()                                 # exact
    pattern.mask(rows=(0, 64))                      # one byte per cell
    q = np.random.default_rng(0).standard_normal((8, 4096, 64), dtype=np.float32)
    out, lse = library.attend(pattern, q, q, q, threads=2)

Shapes: q is n_q x d or heads x n_q x d, k and v likewise with as many heads or a divisor of them.
Arrays are float32 and are read in place: any strides, as long as the last axis has no gaps. Whatever
cannot be done raises attnx.Error with the code and one sentence."""
from ._library import Library, Pattern, unpack
from ._values import Error

__all__ = ["Error", "Library", "Pattern", "unpack"]
