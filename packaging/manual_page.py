#!/usr/bin/env python3
"""The manual page of attnx, made from its --help and that of every command.

    manual_page.py ATTNX DATE > attnx.1         (DATE as 2026-11-29)
"""
import re
import subprocess
import sys


def said(program, *words):
    return subprocess.run([program, *words], capture_output=True, check=True).stdout.decode("utf-8")


def roff(text):
    """The text as roff prints it: signs that roff reads are escaped, hyphens stay what is typed."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def two_columns(line):
    """'  --n N    length' → ('--n N', 'length'); None for a line that is no such pair."""
    found = re.fullmatch(r"  (\S.*?)  +(\S.*)", line)
    return found and found.groups()


def listed(lines):
    """Pairs as a list of terms, other lines as a heading."""
    for line in lines:
        pair = two_columns(line)
        if pair:
            yield f".TP\n.B {roff(pair[0])}\n{roff(pair[1])}"
        elif line:
            yield f".P\n.I {roff(line)}"


def command_section(program, name):
    synopsis, _, summary, *rest = said(program, name, "--help").splitlines()
    yield f".SS {roff(name)}"
    yield f".B {roff(synopsis)}\n.P\n{roff(summary[:1].upper() + summary[1:])}."
    yield from listed(rest)


def page(program, date):
    version = said(program, "--version").split()[1]
    title, *paragraphs = said(program, "--help").split("\n\n")
    commands = [p for p in paragraphs if p.startswith("Commands\n")]
    prose = [p for p in paragraphs if p not in commands]
    names = [two_columns(line)[0] for line in commands[0].splitlines()[1:]]
    yield f'.TH ATTNX 1 "{date}" "attnx {version}" "User commands"'
    yield f".SH NAME\nattnx \\- {roff(title.split(': ', 1)[1])}"
    yield ".SH SYNOPSIS\n.B attnx\n.RI [ COMMAND ]\n.RI [ WORDS\\ ... ]"
    for start, paragraph in zip([".SH DESCRIPTION", *[".P"] * len(prose)], prose):
        yield start
        yield from (roff(line) for line in paragraph.splitlines())
    yield ".SH COMMANDS"
    yield from listed(commands[0].splitlines()[1:])
    yield ".SH THE FLAGS OF EACH COMMAND"
    for name in names:
        yield from command_section(program, name)


if __name__ == "__main__":
    sys.stdout.buffer.write(("\n".join(page(*sys.argv[1:])) + "\n").encode("utf-8"))
