"""A real window under Xvfb, driven by xdotool: what its tests share. Argument of the test: attnx.

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
def screen(folder, size=SCREEN, extra=()):
    """An X server of its own on a free display; its framebuffer is the file Xvfb_screen0."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size[0]}x{size[1]}x24", "-fbdir", folder,
         "-nolisten", "tcp", "-noreset", *extra],
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

    def __init__(self, display, home, framebuffer, arguments=(), variables=None):
        self.environment = {k: v for k, v in os.environ.items()
                            if k not in ("HOME", "XDG_STATE_HOME", "WAYLAND_DISPLAY")}
        self.environment["DISPLAY"] = display
        self.environment.update(variables or {})
        if home:
            self.environment["HOME"] = str(home)
            self.state = home / ".local/state/attention-explorer"
            self.leave_tour_out()
        self.framebuffer = framebuffer
        self.process = subprocess.Popen([ATTNX, "gui", *arguments], env=self.environment, cwd="/",
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.id = poll("no window came", self.find)
        poll("nothing was drawn", lambda: self.colors() > 20)
        self.xdotool("windowfocus", "--sync", self.id)

    def leave_tour_out(self):
        """What a first start points at would lie over the window."""
        with contextlib.suppress(OSError):  # a folder that cannot be written: no tour either
            self.state.mkdir(parents=True, exist_ok=True)
            if not any(self.state.iterdir()):
                (self.state / "window.json").write_text(json.dumps({"toured": True}))

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
        own = self.xdotool("search", "--onlyvisible", "--all", "--pid", self.process.pid,
                           "--name", "Attention Explorer")
        return next(iter(own), None)

    def picture(self):
        """The screen's pixels as bytes, from the XWD file that Xvfb keeps."""
        data = self.framebuffer.read_bytes()
        header = struct.unpack(">25I", data[:100])
        return data[header[0] + 12 * header[19]:]

    def colors(self):
        return len(set(memoryview(self.picture()).cast("I")[::97]))

    def size(self):
        return self.geometry()[2:]

    def geometry(self):
        """x, y, width, height on the screen."""
        values = self.xdotool("getwindowgeometry", "--shell", self.id)
        named = dict(v.split("=") for v in values)
        return tuple(int(named[key]) for key in ("X", "Y", "WIDTH", "HEIGHT"))

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

    def ends(self, says=""):
        """By itself, with nothing said but a line that begins with `says`."""
        poll("the window did not close", lambda: self.process.poll() is not None)
        said = self.process.communicate()[0].decode()
        assert self.process.returncode == 0, (self.process.returncode, said)
        assert said.startswith(says) and said.count("\n") == (1 if says else 0), said


def begin():
    """Exit code 77, for a test that is left out, where a program is not at hand; no test for ever."""
    missing = [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]
    if missing:
        print("not at hand: " + " ".join(missing))
        sys.exit(77)
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("the test takes too long"))
    signal.alarm(590)
