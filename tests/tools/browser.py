"""Chromium without a window, driven through its own protocol over two pipes: no library is needed.

    with Browser(folder) as browser:
        page = browser.open(file, theme="dark")
        page.move(100, 80); page.click(100, 80); page.press("ArrowUp")
        page.value("document.title")"""
import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import time

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
PATIENCE = 60  # seconds for one answer
KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Escape": 27, "Enter": 13, " ": 32, "Tab": 9,
        "PageUp": 33, "PageDown": 34}


def far(fd):
    """The same descriptor where none of a child's own will lie."""
    high = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 100)
    os.close(fd)
    return high


class Browser:
    def __init__(self, folder):
        ours, self.theirs = map(far, os.pipe())
        commands, self.commands = map(far, os.pipe())
        self.answers, self.rest, self.count, self.events = ours, b"", 0, []

        def connect():  # Chromium reads commands at 3 and writes answers at 4
            os.dup2(commands, 3)
            os.dup2(self.theirs, 4)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars",
             "--disable-extensions", "--no-first-run", f"--user-data-dir={pathlib.Path(folder) / 'profile'}",
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=connect,
            close_fds=False)
        os.close(commands)
        os.close(self.theirs)
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.page = Page(self, self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            self.send("Browser.close")
        except (OSError, TimeoutError):
            self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self.commands)
        os.close(self.answers)

    def send(self, method, session=None, **params):
        """The answer to a command; what else arrives meanwhile is an event."""
        self.count += 1
        asked = {"id": self.count, "method": method, "params": params}
        if session:
            asked["sessionId"] = session
        text = json.dumps(asked).encode() + b"\0"
        while text:
            text = text[os.write(self.commands, text):]
        while True:
            message = self.receive()
            if message.get("id") == asked["id"]:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def receive(self):
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            if not select.select([self.answers], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise OSError("Chromium has gone")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def await_event(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.receive())

    def open(self, file, theme="light", width=1280, height=900, scale=1):
        return self.page.open(pathlib.Path(file).as_uri(), theme, width, height, scale)


class Page:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        for domain in "Page", "Runtime":
            self.send(domain + ".enable")

    def send(self, method, **params):
        return self.browser.send(method, self.session, **params)

    def open(self, address, theme, width, height, scale):
        self.set_size(width, height, scale)
        self.set_theme(theme)
        self.browser.events.clear()
        self.send("Page.navigate", url=address)
        self.browser.await_event("Page.loadEventFired")
        return self

    def set_size(self, width, height, scale=1):
        """In pixels of the page, of which `scale` of the screen make one."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def set_theme(self, theme):
        """What a page that follows its reader is told."""
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def value(self, expression):
        """The value of an expression, awaited."""
        found = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            details = found["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return found["result"].get("value")

    def problems(self):
        """What the page's own scripts threw."""
        return [event["params"]["exceptionDetails"]["exception"].get("description", "")
                for event in self.browser.events if event.get("method") == "Runtime.exceptionThrown"]

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def move(self, x, y):
        self.mouse("mouseMoved", x, y)

    def click(self, x, y):
        self.move(x, y)
        for kind in "mousePressed", "mouseReleased":
            self.mouse(kind, x, y, button="left", clickCount=1)

    def press(self, key):
        for kind in "keyDown", "keyUp":
            self.send("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=KEYS.get(key, ord(key[0])),
                      text=key if key == " " and kind == "keyDown" else "")

    def picture(self, box, scale=1):
        """A PNG of a part of the page, in base64."""
        x, y, width, height = box
        return self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                         clip={"x": x, "y": y, "width": width, "height": height, "scale": scale})["data"]


def encoded(file):
    return base64.b64encode(pathlib.Path(file).read_bytes()).decode()
