#!/usr/bin/env python3
"""Fail where two headers give one name to two types of one namespace.

    tools/names.py [folder]        (its core and app; default: this repository)

No compiler sees both at once, so none complains; the linker then takes one type's code for both (the one
definition rule, [basic.def.odr]). Seen are types at the outermost level of a namespace, templates among them,
as clang-format writes them: with nothing before them in their line.
"""
import collections
import pathlib
import re
import sys

NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|union|enum(?: class| struct)?) (\w+)(?: final)?(?: : [^;{]*)? \{", re.MULTILINE)


def types(text):
    """'namespace::name' of every type that the header defines."""
    namespaces = list(NAMESPACE.finditer(text))
    for found in TYPE.finditer(text):
        inside = [space.group(1) for space in namespaces if space.start() < found.start()]
        yield "::".join(inside[-1:] + [found.group(1)])


def main(root):
    headers = sorted(path for folder in ("core", "app") for path in (root / folder).rglob("*.h"))
    places = collections.defaultdict(set)
    for path in headers:
        for name in types(path.read_text(encoding="utf-8")):
            places[name].add(path.relative_to(root).as_posix())
    shared = {name: found for name, found in places.items() if len(found) > 1}
    for name, found in sorted(shared.items()):
        print(f"{name} is a type in {' and in '.join(sorted(found))}; it must be one", file=sys.stderr)
    print(f"{len(places)} types in {len(headers)} headers")
    return 1 if shared or not places else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if sys.argv[1:] else pathlib.Path(__file__).resolve().parent.parent)))
