#!/usr/bin/env python3
"""Fail where one name means two things and no compiler complains.

    tools/names.py [folder]        (its core and app; default: this repository)

Two headers that define one type: the linker takes one type's code for both (the one definition rule,
[basic.def.odr]). A constant of a source file that has the name of a header's: sources are compiled in batches,
and a function in the unnamed namespace of another file of the batch would read this constant instead.

Types and constants are seen at the outermost level of a namespace as clang-format writes them, with nothing
before them in their line.
"""
import collections
import pathlib
import re
import sys

NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|union|enum(?: class| struct)?) (\w+)(?: final)?(?: : [^;{]*)? \{", re.MULTILINE)
CONSTANT = re.compile(r"^(?:inline )?constexpr [^=;{(]*?\b(k[A-Z]\w*)\b", re.MULTILINE)


def types(text):
    """'namespace::name' of every type that the header defines."""
    namespaces = list(NAMESPACE.finditer(text))
    for found in TYPE.finditer(text):
        inside = [space.group(1) for space in namespaces if space.start() < found.start()]
        yield "::".join(inside[-1:] + [found.group(1)])


def shadowed(root, headers):
    """(name, source, header) of each constant of a source that a header of its own part names too."""
    found = collections.defaultdict(list)
    for path in headers:
        if not path.name.endswith("-inl.h"):  # compiled once per target, in files outside batches
            for name in CONSTANT.findall(path.read_text(encoding="utf-8")):
                found[path.relative_to(root).parts[0], name].append(path.relative_to(root).as_posix())
    for part in ("core", "app"):
        for path in sorted((root / part).rglob("*.cpp")):
            for name in CONSTANT.findall(path.read_text(encoding="utf-8")):
                for header in found.get((part, name), ()):
                    yield name, path.relative_to(root).as_posix(), header


def main(root):
    headers = sorted(path for folder in ("core", "app") for path in (root / folder).rglob("*.h"))
    places = collections.defaultdict(set)
    for path in headers:
        for name in types(path.read_text(encoding="utf-8")):
            places[name].add(path.relative_to(root).as_posix())
    shared = {name: found for name, found in places.items() if len(found) > 1}
    for name, found in sorted(shared.items()):
        print(f"{name} is a type in {' and in '.join(sorted(found))}; it must be one", file=sys.stderr)
    hidden = list(shadowed(root, headers))
    for name, source, header in hidden:
        print(f"{name} of {source} has the name of a constant of {header}; rename one", file=sys.stderr)
    print(f"{len(places)} types in {len(headers)} headers")
    return 1 if shared or hidden or not places else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if sys.argv[1:] else pathlib.Path(__file__).resolve().parent.parent)))
