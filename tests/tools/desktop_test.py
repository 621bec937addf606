"""The desktop entry is valid, names the program and an icon that exists, and the icon is SVG."""
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree

root = pathlib.Path(sys.argv[1])
entry = root / "packaging/attention-explorer.desktop"
fields = dict(line.split("=", 1) for line in entry.read_text(encoding="utf-8").splitlines() if "=" in line)
assert fields["Exec"].split()[0] == "attnx", fields
icon = xml.etree.ElementTree.parse(root / f"assets/icons/{fields['Icon']}.svg").getroot()
assert icon.tag == "{http://www.w3.org/2000/svg}svg" and icon.get("viewBox") == "0 0 128 128", icon.attrib
if not shutil.which("desktop-file-validate"):
    print("not at hand: desktop-file-validate")
    sys.exit(77)
subprocess.run(["desktop-file-validate", entry], check=True)
