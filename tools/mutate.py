#!/usr/bin/env python3
"""Break the code on purpose, one operator at a time, and say which breaks no test notices.

    tools/mutate.py --seed 1 --count 40 --rooms core/pattern core/attention --build build-dev

Each break is drawn by (seed, number): room, file, operator and place. It is applied, the tests of its
room are built and run, then those of the rooms above, until one fails; then the file is put back. A break
that does not compile is not counted, and another is drawn. A test that takes ten times as long as without a
break, plus a minute, counts as having noticed. Breaks that no test notices are printed again at
the end: each is a missing test, or changes nothing visible, which only a reader can tell.

    --only K       only the break of that number       --list        draw and print, build nothing
    --rooms        rooms to break; --tests ROOM ... rooms whose tests run (default: the room and above)
    --log FILE     one JSON object per break, appended

The files are those of the folder that this is run in; they must be committed first.
"""
import argparse
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Bottom first: a break in a room is looked for by its own tests, then by those behind it in this list.
ROOMS = ["core/support", "core/pattern", "core/attention", "core/encoding", "core/analysis", "core/input", "core/model",
         "core/scene", "core/figure", "core/verify", "core/c", "app/cli", "app/gui", "app/views"]
TESTS_OF = {"app/gl": "app/gui", "core/plot": "core/figure", "core/export": "core/figure",
            "core/code": "core/figure", "core/views": "core/figure"}

NOISE = re.compile(
    r'R"(?P<d>[^()\s\\]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|//(?:\\\n|[^\n])*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE)

SIMPLE = r"[A-Za-z_][\w.]*(?:\(\))?"

# name, pattern, what stands in its place (\1 … are the pattern's groups).
OPERATORS = [
    ("< for <=", r" <= ", " < "), ("<= for <", r" < (?![<>])", " <= "),
    ("> for >=", r" >= ", " > "), (">= for >", r" > (?!\w*>)", " >= "),
    ("!= for ==", r" == ", " != "), ("== for !=", r" != ", " == "),
    ("|| for &&", r" && ", " || "), ("&& for ||", r" \|\| ", " && "),
    ("- for +", r" \+ (?=[\w(])", " - "), ("+ for -", r" - (?=[\w(])", " + "),
    ("* for /", r" / (?=[\w(])", " * "),
    ("max for min", r"\bstd::min\b(?=[<(])", "std::max"),
    ("min for max", r"\bstd::max\b(?=[<(])", "std::min"),
    ("one more", r" \+ 1\b(?![.\w])", " + 2"), ("one less", r" \+ 1\b(?![.\w])", ""),
    ("one less taken off", r" - 1\b(?![.\w])", ""), ("begins at one", r"= 0(?=;[^;\n]*;)", "= 1"),
    ("not", r"\bif \((?!!|const|auto|constexpr)([^;\n{}]*)\)(?=\n)", r"if (!(\1))"),
    ("true for false", r"\bfalse\b", "true"), ("false for true", r"\btrue\b", "false"),
    ("swapped arguments", rf"\(({SIMPLE}), ({SIMPLE})\)", r"(\2, \1)"),
    ("swapped arguments", rf"\(({SIMPLE}), ({SIMPLE}), ", r"(\2, \1, "),
    ("swapped arguments", rf", ({SIMPLE}), ({SIMPLE})\)", r", \2, \1)"),
    ("forgotten reset", rf"^ +{SIMPLE}\.(?:clear|reset|resize)\([^;\n]*\);$", ";"),
    ("forgotten assignment", rf"^ +{SIMPLE} (?:[-+|&*/]?=) [^;\n]*;$", ";"),
    ("forgotten call", r"^ +[A-Za-z_][\w.]*\([^;\n]*\);$", ";"),
    ("continue for break", r"\bbreak;(?=\n)", "continue;"),
]
# A declaration is no assignment, and what only measures or asserts has no result.
SKIPPED = re.compile(r"^\s*(?:return\b|const\b|auto\b|assert\b|static_assert\b|using\b|template\b)"
                     r"|\bassert\(|\breserve\(")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def places(text):
    """(operator, begin, end, replacement) of every place in the text that a break can be made at."""
    plain = NOISE.sub(blank, text)
    found = []
    for name, pattern, replacement in OPERATORS:
        for match in re.finditer(pattern, plain, re.MULTILINE):
            begin, end = match.span()
            line_begin = plain.rfind("\n", 0, begin) + 1
            line = plain[line_begin:plain.find("\n", end)]
            statement = name.startswith("forgotten")
            if statement and SKIPPED.search(line) or re.search(r"assert\(|^\s*template", line):
                continue
            if name == "swapped arguments" and match.group(1) == match.group(2):
                continue
            if plain[begin:end] != text[begin:end]:  # a string inside
                continue
            found.append((name, begin, end, match.expand(replacement)))
    return found


def sources(room):
    return sorted(path for path in (ROOT / room).rglob("*.cpp"))


class Break:
    """Number `number` of a seed: where it is and what it writes."""

    def __init__(self, seed, number, rooms):
        draw = random.Random(f"{seed}:{number}")
        self.number = number
        while True:
            self.room = draw.choice(rooms)
            self.path = draw.choice(sources(self.room))
            self.text = self.path.read_text(encoding="utf-8")
            found = places(self.text)
            if not found:
                continue
            # The kinds of operator first: there are more + than resets.
            self.kind = draw.choice(sorted({place[0] for place in found}))
            place = draw.choice([place for place in found if place[0] == self.kind])
            _, self.begin, self.end, self.replacement = place
            self.line = self.text.count("\n", 0, self.begin) + 1
            return

    def broken(self):
        return self.text[:self.begin] + self.replacement + self.text[self.end:]

    def says(self):
        last = self.text.find("\n", self.end)
        first = self.text.rfind("\n", 0, self.begin) + 1
        old = self.text[first:last].strip()
        new = (self.text[first:self.begin] + self.replacement + self.text[self.end:last]).strip()
        where = f"{self.path.relative_to(ROOT)}:{self.line}"
        return f"{self.number} {where} [{self.kind}]\n    - {old}\n    + {new}"


def tests_for(room, asked):
    if asked:
        return asked
    home = TESTS_OF.get(room, room)
    while home not in ROOMS:
        home = str(pathlib.PurePosixPath(home).parent)
    return ROOMS[ROOMS.index(home):]


def target_of(room):
    return "test_" + room.replace("/", "_")


def build(folder, room):
    command = ["cmake", "--build", folder, "-j", "2", "--target", target_of(room)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def run(folder, room, limit):
    """(how it ended, seconds): 'passed', 'failed', 'too long'."""
    begin = time.monotonic()
    process = subprocess.Popen([str(ROOT / folder / target_of(room)), "--abort"], cwd=ROOT / folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        code = process.wait(timeout=limit)
        ended = "passed" if code == 0 else "failed"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        ended = "too long"
    return ended, time.monotonic() - begin


class Usual:
    """How long the tests of a room take without a break, measured once and where they are needed."""

    def __init__(self, folder):
        self.folder, self.seconds = folder, {}

    def limit(self, room):
        return 10 * self.seconds[room] + 60

    def measure(self, room):
        if room in self.seconds:
            return
        built = build(self.folder, room)
        if built.returncode != 0:
            sys.exit(f"{target_of(room)} does not build without a break:\n{built.stdout[-2000:]}")
        ended, seconds = run(self.folder, room, 3600)
        if ended != "passed":
            sys.exit(f"{target_of(room)} has {ended} without a break")
        self.seconds[room] = seconds


def judged(one, options, usual):
    """'noticed by …', 'unnoticed', 'does not compile'."""
    rooms = tests_for(one.room, options.tests)
    for room in rooms:
        usual.measure(room)
        try:
            one.path.write_text(one.broken(), encoding="utf-8")
            if build(options.build, room).returncode != 0:
                return "does not compile"
            ended, seconds = run(options.build, room, usual.limit(room))
        finally:
            one.path.write_text(one.text, encoding="utf-8")
        if ended != "passed":
            return f"noticed by {target_of(room)} ({ended}, {seconds:.0f} s)"
    return "unnoticed"


def main():
    parser = argparse.ArgumentParser(description="see the head of this file")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--rooms", nargs="+", default=["core/pattern", "core/attention", "core/analysis"])
    parser.add_argument("--tests", nargs="+", default=[])
    parser.add_argument("--build", default="build-dev")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--log")
    options = parser.parse_args()
    changed = subprocess.run(["git", "status", "--porcelain", "--", *options.rooms], cwd=ROOT,
                             capture_output=True, text=True, check=True).stdout
    if changed and not options.list:
        sys.exit("commit first: breaks are put back from the files as they are\n" + changed)
    usual, counted, unnoticed, number = Usual(options.build), 0, [], options.first
    end = time.monotonic() + 60 * options.minutes
    if options.only is not None:
        number, options.count = options.only, 1
    while counted < options.count and time.monotonic() < end:
        one = Break(options.seed, number, options.rooms)
        print(one.says(), flush=True)
        verdict = "not run" if options.list else judged(one, options, usual)
        print(f"    {verdict}", flush=True)
        if options.log:
            with open(options.log, "a", encoding="utf-8") as log:
                log.write(json.dumps({"seed": options.seed, "number": number, "says": one.says(),
                                      "verdict": verdict}) + "\n")
        counted += verdict != "does not compile"
        unnoticed += [one] if verdict == "unnoticed" else []
        number += 1
        if options.only is not None:
            break
    print(f"\n{counted} breaks, {len(unnoticed)} unnoticed; the next number is {number}")
    for one in unnoticed:
        print(one.says())


if __name__ == "__main__":
    main()
