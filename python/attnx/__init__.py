"""Attention Explorer from Python: exact attention patterns, attention over them, and figures that show themselves.

    import attnx, numpy as np
    strided = attnx.pattern("strided", 4096, stride=128)    # shows itself in a notebook
    strided.pairs(), strided.why(300, 172).text             # exact; the rule
    attnx.check(lambda q, k: k <= q, 64).name               # "causal"
    q = np.random.default_rng(0).standard_normal((8, 4096, 64), dtype=np.float32)
    out, lse = attnx.attend(strided, q, q, q)
    attnx.show("child-2019-fig3").save("figure3.html")

`with attnx.capture(model) as c: model(**inputs)` takes Q, K and V of a model's own run.

Arrays may be NumPy's, torch's or JAX's; those in float32 with rows without gaps are read in place. `Library` is the same
for NumPy alone, strict about types and layouts. Whatever cannot be done raises attnx.Error with the code and one
sentence. docs/python.md says more."""
from ._attention import attend, compare, heads, steps
from ._checking import check
from ._errors import Error
from ._library import Library
from ._models.capture import Capture, capture
from ._opening import library, pattern
from ._pattern import Pattern, unpack
from ._picture import Picture
from ._results import Board, Check, Difference, Heads, Reach, Reason, Steps, Tiles
from ._showing import show

__all__ = ["Board", "Capture", "Check", "Difference", "Error", "Heads", "Library", "Pattern", "Picture", "Reach",
           "Reason", "Steps", "Tiles", "attend", "capture", "check", "compare", "heads", "library", "pattern", "show",
           "steps", "unpack"]  # fmt: skip
