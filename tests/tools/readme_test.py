"""Every attnx command of the blocks in README and docs runs as written; what the pages link to and name is there.

    readme_test.py <attnx>        the pages beside this test's folder are read

Left out is what opens a window that stays. Commands that read a file of the reader's get one."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root, attnx = pathlib.Path(__file__).resolve().parents[2], pathlib.Path(sys.argv[1]).resolve()
guides = ["README.md", *sorted(str(page.relative_to(root)) for page in (root / "docs").glob("*.md"))]
text = {page: (root / page).read_text(encoding="utf-8") for page in guides + ["ARCHITECTURE.md", "CONTRIBUTING.md"]}
blocks = [block for page in guides
          for block in re.findall(r"^```sh\n(.*?)^```$", text[page], re.DOTALL | re.MULTILINE)]
lines = "".join(blocks).replace("\\\n", " ").splitlines()
commands = [re.sub(r"\s+#.*", "", line).strip() for line in lines if line.startswith("attnx")]
staying = [command for command in commands if "--watch" in command or command in ("attnx", "attnx gui")]
run = list(dict.fromkeys(command for command in commands if command not in staying))
failures = []
with tempfile.TemporaryDirectory() as folder:
    os.symlink(root / "tests", pathlib.Path(folder, "tests"))
    pathlib.Path(folder, "actions.txt").write_text("key 2\nwait\n", encoding="utf-8")
    subprocess.run([attnx, "mask", "causal", "--n", "16", "-o", pathlib.Path(folder, "mine.npy")], check=True)
    environment = {**os.environ, "PATH": f"{attnx.parent}:{os.environ['PATH']}", "HOME": folder}
    for command in run:
        done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            failures.append(f"{command}\n    exit code {done.returncode}: {done.stderr.strip()[-400:]}")
# Counts that the README states.
listed = {what: subprocess.run([attnx, *words], capture_output=True, text=True, check=True).stdout
          for what, words in (("figures", ("figure", "--list")), ("patterns", ("patterns", "--json")))}
WORDS = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
lessons = len(list((root / "assets" / "lessons").glob("*.json")))
for what, pattern, count in (
        ("figures", r"\[(\d+) figures of papers\]", len(listed["figures"].splitlines())),
        ("mechanisms", r"one of (\d+) mechanisms", len(json.loads(listed["patterns"])["patterns"])),
        ("lessons", r"(\w+) lessons lead through", lessons)):
    stated = re.search(pattern, text["README.md"])
    number = stated and (WORDS.index(stated[1].lower()) if stated[1].lower() in WORDS else int(stated[1]))
    if number != count:
        failures.append(f"README.md states {stated and stated[1]} {what}; there are {count}")
named = 0
for page, page_text in text.items():
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page_text, flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)#]+)\)", prose):
        if "://" not in target and not (root / page).parent.joinpath(target).exists():
            failures.append(f"{page} links to {target}, which is not there")
    for path in re.findall(r"`((?:core|app|tests|tools|bench|assets|shaders|python|cmake)/[\w./]+)`", page_text):
        named += 1
        if "NAME" not in path and not (root / path).exists():
            failures.append(f"{page} names {path}, which is not there")
print(f"{len(run)} commands run, {len(staying)} left out")
print("\n".join(failures))
sys.exit(1 if failures or len(run) < 25 or named < 40 else 0)
