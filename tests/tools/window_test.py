"""A real window under Xvfb, driven by xdotool: it starts, draws, takes keys, clicks and drags at
speed without losing one, goes to full screen and back, ends with exit code 0, and comes back as it
was left. Argument: attnx.

Nothing is timed: every expectation is polled until it holds or a generous deadline is over. What the
window holds is read from the state that it saves by itself, what it draws from Xvfb's framebuffer.
"""
import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

ATTNX = pathlib.Path(sys.argv[1]).resolve()
DEADLINE = 90  # seconds for one expectation, on the slowest machine
WIDTH, HEIGHT = 1440, 900  # of the window at its first start
SCREEN = (1600, 1000)


def poll(what, question):
    """The first answer of `question` that is true; fails with `what` when the deadline is over."""
    until = time.monotonic() + DEADLINE
    while True:
        answer = question()
        if answer:
            return answer
        if time.monotonic() > until:
            raise AssertionError(what() if callable(what) else what)
        time.sleep(0.02)


@contextlib.contextmanager
def screen(folder):
    """An X server of its own on a free display; its framebuffer is the file Xvfb_screen0."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SCREEN[0]}x{SCREEN[1]}x24", "-fbdir", folder,
         "-nolisten", "tcp", "-noreset"],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as ready:
            number = ready.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


class Window:
    """attnx in a window, from its start to its end."""

    def __init__(self, display, home, framebuffer):
        self.environment = {k: v for k, v in os.environ.items()
                            if k not in ("HOME", "XDG_STATE_HOME", "WAYLAND_DISPLAY")}
        self.environment["DISPLAY"] = display
        if home:
            self.environment["HOME"] = str(home)
            self.state = home / ".local/state/attention-explorer"
        self.framebuffer = framebuffer
        self.process = subprocess.Popen([ATTNX, "gui"], env=self.environment, cwd="/",
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.id = poll("no window came", self.find)
        poll("nothing was drawn", lambda: self.colors() > 20)
        self.xdotool("windowfocus", "--sync", self.id)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def xdotool(self, *arguments):
        done = subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, timeout=DEADLINE,
                              capture_output=True, text=True)
        return done.stdout.split()

    def find(self):
        assert self.process.poll() is None, self.process.communicate()[0].decode()
        return next(iter(self.xdotool("search", "--onlyvisible", "--name", "Attention Explorer")), None)

    def picture(self):
        """The screen's pixels as bytes, from the XWD file that Xvfb keeps."""
        data = self.framebuffer.read_bytes()
        header = struct.unpack(">25I", data[:100])
        return data[header[0] + 12 * header[19]:]

    def colors(self):
        return len(set(memoryview(self.picture()).cast("I")[::97]))

    def size(self):
        values = self.xdotool("getwindowgeometry", "--shell", self.id)
        named = dict(v.split("=") for v in values)
        return int(named["WIDTH"]), int(named["HEIGHT"])

    def saved(self, name):
        try:
            return json.loads((self.state / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):  # not yet written
            return {}

    def until(self, file, path, wanted):
        """Polls a value of the saved state ("pattern/mechanism") until it is `wanted`, or `wanted(value)`."""
        def value():
            at = self.saved(file)
            for key in path.split("/"):
                at = at.get(key) if isinstance(at, dict) else None
            return at
        holds = wanted if callable(wanted) else lambda v: v == wanted
        poll(lambda: f"{file} {path} is {value()!r}, expected {wanted!r}", lambda: holds(value()))
        return value()

    # GLFW takes presses of one key in the same millisecond for one press; several of these delays
    # still fit into a frame.
    def keys(self, *chords):
        self.xdotool("key", "--delay", 4, *chords)

    def type(self, text):
        self.xdotool("type", "--delay", 4, text)

    def click(self, x, y, times=1):
        self.xdotool("mousemove", x, y, "click", "--repeat", times, "--delay", 4, 1)

    def drag(self, x, y, dx, dy):
        """From press to release at once: shorter than any frame."""
        self.xdotool("mousemove", x, y, "mousedown", 1, "mousemove", x + dx // 2, y + dy // 2,
                     "mousemove", x + dx, y + dy, "mouseup", 1)

    def close(self):
        """What the cross of a title bar sends; xdotool has no such call everywhere."""
        x11 = ctypes.CDLL("libX11.so.6")
        x11.XOpenDisplay.restype = ctypes.c_void_p
        x11.XInternAtom.restype = ctypes.c_ulong
        x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        x11.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
        x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
        display = x11.XOpenDisplay(self.environment["DISPLAY"].encode())
        protocols = x11.XInternAtom(display, b"WM_PROTOCOLS", 0)
        delete = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
        client_message = 33
        event = struct.pack("@iLiPLLi5l", client_message, 0, 1, display, int(self.id), protocols, 32,
                            delete, 0, 0, 0, 0).ljust(192, b"\0")
        assert x11.XSendEvent(display, int(self.id), 0, 0, event)
        x11.XCloseDisplay(display)

    def ends(self):
        poll("the window did not close", lambda: self.process.poll() is not None)
        said = self.process.communicate()[0].decode()
        assert self.process.returncode == 0, (self.process.returncode, said)
        assert not said, said


def first_start(window, folder):
    # The palette by keys alone, as fast as they come.
    window.keys("ctrl+k")
    window.type("longformer")
    window.keys("Return")
    window.until("scene.json", "pattern/mechanism", "longformer")

    # Every key counts: five steps of larger type.
    window.keys(*["ctrl+equal"] * 5)
    window.until("window.json", "scale", lambda s: s and abs(s - 1.1 ** 5) < 1e-3)
    window.keys("ctrl+0")
    window.until("window.json", "scale", 1.0)

    # Every click counts: an odd number folds the sidebar, the next odd number brings it back.
    shown = True
    for times in (1, 7, 3, 11):
        window.click(WIDTH - 65, 22, times)
        shown = not shown
        window.until("window.json", "sidebar", shown)

    # A click pins a query; every notch zooms; a drag pans the picture and pins nothing.
    middle = (WIDTH // 2, HEIGHT // 2)
    before = window.saved("scene.json")["pins"]
    window.click(*middle)
    query = window.until("scene.json", "pins/query", lambda q: q != before.get("query"))
    window.xdotool("click", "--repeat", 5, "--delay", 1, 4)
    camera = window.until("scene.json", "camera", lambda c: c and c["cells"] < 100)
    window.drag(*middle, -200, -100)
    window.until("scene.json", "camera/key", lambda k: k > camera["key"])
    assert window.saved("scene.json")["pins"]["query"] == query, window.saved("scene.json")["pins"]

    # Every letter counts: a file of exactly this name.
    name = "the-quick-brown-fox-jumps-over-0123456789-lazy-dogs.json"
    window.keys("ctrl+shift+s")
    window.keys("ctrl+a")
    window.type(str(folder / name))
    window.keys("Return")
    poll("the scene was not saved", (folder / name).exists)
    assert [f.name for f in folder.iterdir()] == [name], list(folder.iterdir())

    window.keys("F11")
    poll(lambda: f"full screen is {window.size()}", lambda: window.size() == SCREEN)
    window.keys("F11")
    poll(lambda: f"the window is {window.size()}", lambda: window.size() == (WIDTH, HEIGHT))

    window.keys("ctrl+l")
    window.until("window.json", "theme", "light")
    window.keys("ctrl+q")
    window.ends()
    return window.saved("scene.json")


def second_start(window, left):
    back = window.saved("scene.json")
    assert back["pattern"] == left["pattern"] and back["camera"] == left["camera"], (back, left)
    window.keys("ctrl+k")
    window.type("block local")
    window.keys("Return")
    window.until("scene.json", "pattern/mechanism", "block_local")
    window.keys("ctrl+z")
    window.until("scene.json", "pattern", left["pattern"])
    assert window.saved("window.json")["theme"] == "light"
    window.close()
    window.ends()


def main():
    missing = [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]
    if missing:
        print("not at hand: " + " ".join(missing))
        sys.exit(77)
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("the test takes too long"))
    signal.alarm(590)
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        home, files = place / "home", place / "files"
        home.mkdir()
        files.mkdir()
        with screen(place) as display:
            framebuffer = place / "Xvfb_screen0"
            with Window(display, home, framebuffer) as window:
                left = first_start(window, files)
            with Window(display, home, framebuffer) as window:
                second_start(window, left)
            with Window(display, None, framebuffer) as window:
                window.keys("ctrl+q")
                window.ends()


main()
