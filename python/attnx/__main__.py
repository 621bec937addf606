"""python -m attnx, and the command attnx of a wheel: the program that lies in this package."""
from __future__ import annotations

import os
import sys

from . import _places


def main() -> int:
    """Becomes the program, so that exit codes, pipes and Ctrl+C are its own."""
    try:
        program = str(_places.program())
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as error:
        print(f"attnx: E_IO: {error}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
