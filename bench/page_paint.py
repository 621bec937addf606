"""First paint of pages of HTML in headless Chromium, in milliseconds from the start of the
navigation, beside their sizes: the median and the largest of some loads.

    page_paint.py <attnx> [--runs N]

Chromium is driven by its own protocol over a pipe (--remote-debugging-pipe), so nothing but Python
and chromium is needed."""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PAGES = [("child-2019-fig3", ["figure", "child-2019-fig3"]),
         ("a mask of n = 4096", ["mask", "strided", "--n", "4096"]),
         ("lesson 2-sparse-transformer", ["figure", "2-sparse-transformer"])]


class Browser:
    """Headless Chromium; commands and their answers are JSON that ends with a zero byte."""

    def __init__(self, program, profile):
        read_commands, self.commands = os.pipe()
        self.answers, write_answers = os.pipe()

        def as_3_and_4():
            moved = os.dup(read_commands), os.dup(write_answers)
            os.dup2(moved[0], 3)
            os.dup2(moved[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=as_3_and_4, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(read_commands)
        os.close(write_answers)
        self.rest = b""
        self.number = 0
        self.session = None
        target = self.ask("Target.createTarget", url="about:blank")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"],
                                flatten=True)["sessionId"]

    def ask(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                got = os.read(self.answers, 1 << 16)
                if not got:
                    raise RuntimeError("Chromium has ended")
                self.rest += got
            message, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(message)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def value(self, script):
        return self.ask("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def first_paint(self, address):
        self.ask("Page.navigate", url=address)
        until = time.monotonic() + 30
        while time.monotonic() < until:
            paints = self.value(f"location.href === {json.dumps(address)} ? performance"
                                ".getEntriesByName('first-contentful-paint').map(e => e.startTime) : []")
            if paints:
                return paints[0]
            time.sleep(0.05)
        raise RuntimeError(f"nothing was painted of {address}")

    def close(self):
        os.close(self.commands)
        self.process.terminate()
        self.process.wait(10)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("attnx")
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if not program:
        sys.exit("chromium is missing; install it to measure first paint")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(program, os.path.join(folder, "profile"))
        print(f"{'page':30} {'kB':>7} {'median ms':>10} {'largest':>8}")
        for k, (name, words) in enumerate(PAGES):
            page = pathlib.Path(folder) / f"{k}.html"
            subprocess.run([arguments.attnx, *words, "-o", page], check=True)
            times = [browser.first_paint(page.as_uri() + f"?{run}") for run in range(arguments.runs)]
            print(f"{name:30} {page.stat().st_size / 1000:7.1f} {statistics.median(times):10.0f} "
                  f"{max(times):8.0f}")
        browser.close()


if __name__ == "__main__":
    main()
