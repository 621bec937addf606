"""Every attnx command of the README's blocks runs as it is written there, and every file it links to is there.

    readme_test.py <attnx>        the README beside this test's folder is read

Left out is what opens a window that stays. Commands that read a file of the reader's get one."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root, attnx = pathlib.Path(__file__).resolve().parents[2], pathlib.Path(sys.argv[1]).resolve()
text = (root / "README.md").read_text(encoding="utf-8")
blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
lines = "".join(blocks).replace("\\\n", " ").splitlines()
commands = [re.sub(r"\s+#.*", "", line).strip() for line in lines if line.startswith("attnx")]
staying = [command for command in commands if "--watch" in command or command in ("attnx", "attnx gui")]
run = [command for command in commands if command not in staying]
failures = []
with tempfile.TemporaryDirectory() as folder:
    os.symlink(root / "tests", pathlib.Path(folder, "tests"))
    pathlib.Path(folder, "actions.txt").write_text("key 2\nwait\n", encoding="utf-8")
    environment = {**os.environ, "PATH": f"{attnx.parent}:{os.environ['PATH']}", "HOME": folder}
    for command in run:
        done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            failures.append(f"{command}\n    exit code {done.returncode}: {done.stderr.strip()[-400:]}")
prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)
for target in re.findall(r"\]\(([^)#]+)\)", prose):
    if "://" not in target and not (root / target).exists():
        failures.append(f"the README links to {target}, which is not there")
print(f"{len(run)} commands run, {len(staying)} left out")
print("\n".join(failures))
sys.exit(1 if failures or len(run) < 25 else 0)
