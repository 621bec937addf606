"""The peers beside PyTorch: NumPy, plain Eigen, SuiteSparse:GraphBLAS, NumPy with matplotlib. As in
torch_peers, every function gives a callable without arguments."""
import ctypes
import pathlib

import numpy as np


def numpy_attention(q, k, v):
    """softmax(Q K^T / sqrt d) V of n x d matrices as one writes it."""

    def run():
        scores = (q @ k.T) * np.float32(q.shape[1] ** -0.5)
        scores -= scores.max(1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(1, keepdims=True)
        return scores @ v

    return run


def eigen_attention(path, q, k, v):
    """bench/eigen_twin.cpp: the same in Eigen."""
    path = pathlib.Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is missing: build the target {path.stem[3:]}")
    function = ctypes.CDLL(str(path)).eigen_attention
    out = np.empty_like(v)
    sizes = ctypes.c_int64(len(q)), ctypes.c_int64(q.shape[1]), ctypes.c_int32(0)
    pointers = [ctypes.c_void_p(x.ctypes.data) for x in (q, k, v)]

    def run():
        function(*pointers, *sizes, ctypes.c_void_p(out.ctypes.data))
        return out

    return run


def graphblas_reach(mask, layers, threads):
    """Pairs reached by so many layers: boolean products of the mask with the diagonal."""
    import graphblas

    graphblas.ss.config["nthreads"] = threads
    rows, columns = np.nonzero(mask | np.eye(len(mask), dtype=bool))
    layer = graphblas.Matrix.from_coo(rows, columns, True, nrows=len(mask), ncols=len(mask), dtype=bool)

    def run():
        reach = layer
        for _ in range(layers - 1):
            reach = layer.mxm(reach, graphblas.semiring.any_pair[bool]).new()
        return reach.nvals

    return run


def packed_reach(pattern, layers):
    """The same with 64 keys a word: row i is the OR of the rows below over its keys, slice by slice."""
    n = pattern.shape[0]
    slices = [[slice(int(b) + r, int(e), int(p)) for b, e, p, w in pattern.row(i) for r in range(w if p != w else 1)]
              for i in range(n)]  # fmt: skip
    identity = np.packbits(np.eye(n, dtype=bool), axis=1, bitorder="little").view(np.uint64)

    def run():
        below = identity
        for _ in range(layers):
            reach = below.copy()
            for i, keys in enumerate(slices):
                for at in keys:
                    reach[i] |= np.bitwise_or.reduce(below[at], axis=0)
            below = reach
        return ones(below)

    return run


def ones(words):
    if hasattr(np, "bitwise_count"):  # NumPy 2
        return int(np.bitwise_count(words).sum())
    return int(np.unpackbits(words.view(np.uint8)).sum())


def numpy_coverage(n, stride, height, width):
    """The strided mask of n tokens cell by cell, and the attended pairs of each pixel."""
    rows, columns = (np.arange(pixels) * n // pixels for pixels in (height, width))

    def run():
        by_rows = np.add.reduceat(strided_mask(n, stride), rows, axis=0, dtype=np.int64)
        return np.add.reduceat(by_rows, columns, axis=1)

    return run


def strided_mask(n, stride):
    distance = np.arange(n, dtype=np.int32)[:, None] - np.arange(n, dtype=np.int32)[None]
    return (distance >= 0) & ((distance <= stride) | (distance % stride == 0))


def matplotlib_picture(n, stride, height, width):
    """The same mask drawn by imshow into an image of that size."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    def run():
        figure = Figure(figsize=(width / 100, height / 100), dpi=100)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.imshow(strided_mask(n, stride), aspect="auto", cmap="Blues")
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())

    return run
