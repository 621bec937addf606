"""T5's relative bias, as the tests of tools compute it: the buckets by integers, so that no logarithm is rounded."""
import numpy as np


def bucket(rel, buckets, both, most):
    """The bucket of rel = j - i among so many, in both directions or one, up to the distance `most`."""
    base, far = 0, max(0, -rel)
    if both:
        buckets //= 2
        base, far = buckets * (rel > 0), abs(rel)
    exact = buckets // 2
    if far < exact:
        return base + far
    steps = buckets - exact
    return base + exact + max(t for t in range(steps) if far**steps * exact**t >= most**t * exact**steps)


def t5(table, n, both, most):
    """heads x n x n, from a table of buckets x heads."""
    of = np.array([[bucket(j - i, len(table), both, most) for j in range(n)] for i in range(n)])
    return np.array(table)[of].transpose(2, 0, 1)
