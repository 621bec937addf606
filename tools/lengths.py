#!/usr/bin/env python3
"""Print the ten longest files and functions; fail where one is longer than the house allows.

    tools/lengths.py [folder or file ...]        (default: core app python tests tools bench of this
                                                 repository)

Files: 500 lines, those of Python too. Functions: 80 lines, functions of app/ whose name begins with
'draw': 60. A small scanner, no compiler: it follows braces outside comments, strings and preprocessor
lines, and takes a brace in a namespace or class for a function's where a parameter list stands before it.
"""
import os
import pathlib
import re
import sys

MAX_FILE, MAX_FUNCTION, MAX_DRAW = 500, 80, 60
FOLDERS = ["core", "app", "python", "tests", "tools", "bench"]

NOISE = re.compile(
    r'R"(?P<delimiter>[^()\s\\]*)\(.*?\)(?P=delimiter)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"
    r"|//(?:\\\n|[^\n])*|/\*.*?\*/"
    r"|^[ \t]*\#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
INITIALISERS = re.compile(r"\)\s*(noexcept\s*)?:(?!:)")
ACCESS = re.compile(r"\s*(public|private|protected)\s*:")
NAME = re.compile(r"(~?\w+|operator\s*[^\s\w(]+|operator\s*\(\s*\))\s*(?:<[^<>()]*>\s*)?\(")


def blank(match):
    """Noise as spaces, its line ends kept, so that line numbers stay true."""
    text = match.group(0)
    return ("''" if text[0] in "'\"R" else "") + re.sub(r"[^\n]", "", text)


def kind_of(head, inside):
    """What the brace after head opens: 'space' (namespace, class), 'function', 'member' (a brace
    of a constructor's initialiser list) or 'other'."""
    head = head.strip()
    if inside == "other" or inside == "function" or inside == "member":
        return "other"
    if re.search(r"\bnamespace\b", head) or head == 'extern ""' or head == "extern ''":
        return "space"
    if "(" not in head:
        return "space" if re.search(r"\b(class|struct|union)\b", head) else "other"
    if head.endswith("=") or re.search(r"\b(class|struct|union|enum)\s+\w+[^()]*$", head):
        return "space" if re.search(r"\b(class|struct|union)\s+\w+[^()]*$", head) else "other"
    if INITIALISERS.search(head) and re.search(r"[\w>]$", head) and not head.endswith("noexcept"):
        return "member"
    return "function"


def functions(source):
    """(name, first line, lines) of every function body in the source text."""
    text = NOISE.sub(blank, source)
    found, stack, head, line, head_line = [], ["space"], "", 1, 0
    starts = []
    for character in text:
        if character == "{":
            kind = kind_of(head, stack[-1])
            stack.append(kind)
            starts.append((head, head_line or line))
            if kind != "member":
                head, head_line = "", 0
        elif character == "}" and len(stack) > 1:
            kind = stack.pop()
            opened, first = starts.pop()
            if kind == "function":
                names = NAME.findall(INITIALISERS.split(opened)[0])
                found.append((names[0] if names else "(lambda)", first, line - first + 1))
            if kind == "member":
                head, head_line = opened + "{}", first
            else:
                head, head_line = "", 0
        elif character == ";" and stack[-1] != "member":
            head, head_line = "", 0
        elif stack[-1] == "space":
            head += character
            if not head_line and not character.isspace():
                head_line = line
            if ACCESS.fullmatch(head):
                head, head_line = "", 0
        if character == "\n":
            line += 1
    return found


def sources(paths):
    """The C++ and Python sources under the paths."""
    for path in map(pathlib.Path, paths):
        if path.is_file():
            yield path
        else:
            yield from sorted(p for p in path.rglob("*") if p.suffix in (".cpp", ".h", ".py"))


def limit_of(path, name):
    """How long this function may be."""
    return MAX_DRAW if name.startswith("draw") and "app" in path.parts else MAX_FUNCTION


def main(paths):
    files, bodies = [], []
    for path in sources(paths):
        text = path.read_text(encoding="utf-8")
        files.append((text.count("\n"), path))
        if path.suffix != ".py":
            bodies += [(length, path, line, name) for name, line, length in functions(text)]
    if not files:
        print("lengths: no sources found", file=sys.stderr)
        return 1
    print(f"{len(files)} files; the longest:")
    for length, path in sorted(files, reverse=True)[:10]:
        print(f"  {length:4}  {path}")
    print(f"{len(bodies)} functions; the longest:")
    for length, path, line, name in sorted(bodies, reverse=True)[:10]:
        print(f"  {length:4}  {path}:{line}  {name}")
    wrong = [f"{path}: {length} lines; it must have at most {MAX_FILE}"
             for length, path in files if length > MAX_FILE]  # fmt: skip
    wrong += [f"{path}:{line}: {name} has {length} lines; it must have at most {limit_of(path, name)}"
              for length, path, line, name in bodies if length > limit_of(path, name)]  # fmt: skip
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    root = pathlib.Path(__file__).resolve().parent.parent
    if not sys.argv[1:]:
        os.chdir(root)
    sys.exit(main(sys.argv[1:] or [folder for folder in FOLDERS if pathlib.Path(folder).exists()]))
