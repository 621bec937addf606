"""Windows on screens as they are found: small ones, ones that are gone, desktops that state a
nonsensical scale, X servers without GLX or without any OpenGL; two windows at once; the speaker's view
beside a presentation; a folder for the state that cannot be written; a file that is rewritten while
the window shows it. Argument: attnx.
"""
import json
import os
import pathlib
import subprocess
import tempfile

from x_window import ATTNX, DEADLINE, HEIGHT, SCREEN, WIDTH, Window, begin, poll, screen


def state_of(home):
    folder = home / ".local/state/attention-explorer"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def fresh(place, name):
    home = place / name
    home.mkdir()
    return home


def ends(window):
    window.keys("ctrl+q")
    window.ends()


def small_screen(place):
    """A projector of 1024 x 768: all of the window is on it, and stays where it was left."""
    home = fresh(place, "projector")
    with screen(place, (1024, 768)) as display:
        with Window(display, home, place / "Xvfb_screen0") as window:
            x, y, width, height = window.geometry()
            assert x >= 0 and y >= 0 and x + width <= 1024 and y + height <= 768, (x, y, width, height)
            window.xdotool("windowsize", "--sync", window.id, 700, 500)
            window.xdotool("windowmove", "--sync", window.id, 210, 130)
            window.until("window.json", "x", 210)
            window.until("window.json", "width", 700)
            ends(window)
        with Window(display, home, place / "Xvfb_screen0") as window:
            poll(lambda: f"it came back at {window.geometry()}", lambda: window.geometry() == (210, 130, 700, 500))
            ends(window)


def screen_that_is_gone(place):
    """Left on a second screen, it comes back onto the one that there is."""
    home = fresh(place, "gone")
    state = state_of(home) / "window.json"
    state.write_text(json.dumps({"x": 3000, "y": -900, "width": WIDTH, "height": HEIGHT}))
    with screen(place) as display:
        with Window(display, home, place / "Xvfb_screen0") as window:
            wanted = (SCREEN[0] - WIDTH, 0, WIDTH, HEIGHT)
            poll(lambda: f"it came at {window.geometry()}", lambda: window.geometry() == wanted)
            ends(window)


def state_dpi(display, stated):
    environment = dict(os.environ, DISPLAY=display)
    subprocess.run(["xrdb", "-nocpp", "-merge"], input=f"Xft.dpi: {stated}\n".encode(), env=environment, check=True)


def nonsensical_scales(place):
    """What Xft.dpi states; 96 is a scale of 1."""
    for stated in ("0", "-96", "1", "nan", "inf", "'96'", "abc", "96"):
        home = fresh(place, "dpi" + stated)
        with screen(place) as display:
            state_dpi(display, stated)
            with Window(display, home, place / "Xvfb_screen0") as window:
                assert window.size() == (WIDTH, HEIGHT), (stated, window.size())
                window.click(WIDTH - 65, 22)  # the sidebar's sign
                window.until("window.json", "sidebar", False)
                ends(window)


def dense_screens(place):
    """Of twice the dots per inch: the window has twice the pixels, as its type, where the screen has them."""
    for size, wanted in (((3200, 2000), (2 * WIDTH, 2 * HEIGHT)), (SCREEN, SCREEN)):
        home = fresh(place, f"dense{size[0]}")
        with screen(place, size) as display:
            state_dpi(display, "192")
            with Window(display, home, place / "Xvfb_screen0") as window:
                assert window.size() == wanted, (size, window.size())
                window.click(wanted[0] - 130, 44)  # the sidebar's sign
                window.until("window.json", "sidebar", False)
                window.xdotool("windowsize", "--sync", window.id, 1500, 960)
                window.xdotool("windowmove", "--sync", window.id, 60, 40)
                window.until("window.json", "x", 60)
                window.until("window.json", "width", 750)
                ends(window)
            with Window(display, home, place / "Xvfb_screen0") as window:
                poll(lambda: f"it came back at {window.geometry()}", lambda: window.geometry() == (60, 40, 1500, 960))
                ends(window)


def without_glx(place):
    """As over ssh -X: an EGL context is made; where that cannot be either, one sentence names the way out."""
    home = fresh(place, "glx")
    with screen(place, extra=("-extension", "GLX")) as display:
        with Window(display, home, place / "Xvfb_screen0") as window:
            window.click(WIDTH - 65, 22)
            window.until("window.json", "sidebar", False)
            ends(window)
        environment = dict(os.environ, DISPLAY=display, HOME=str(home), LIBGL_DRIVERS_PATH="/nowhere",
                           __EGL_VENDOR_LIBRARY_FILENAMES="/nowhere")
        environment.pop("WAYLAND_DISPLAY", None)
        refused = subprocess.run([ATTNX, "gui"], env=environment, capture_output=True, text=True, timeout=DEADLINE)
        last = refused.stderr.strip().splitlines()[-1]
        assert refused.returncode == 2, (refused.returncode, refused.stderr)
        assert last.startswith("attnx: E_UNSUPPORTED: no window with OpenGL 3.3 can be opened"), last
        assert "libgl1-mesa-dri" in last and "--screenshot" in last, last


def choose(window, words, file, mechanism):
    """By the palette; until it is saved."""
    window.keys("ctrl+k")
    window.type(words)
    window.keys("Return")
    window.until(file, "pattern/mechanism", mechanism)


def two_windows(place):
    """Each keeps its own scene, whichever is closed last."""
    home = fresh(place, "two")
    with screen(place) as display:
        framebuffer = place / "Xvfb_screen0"
        with Window(display, home, framebuffer) as first:
            choose(first, "longformer", "scene.json", "longformer")
            with Window(display, home, framebuffer) as second:
                choose(second, "block local", "scene-2.json", "block_local")
                ends(second)
            assert first.saved("scene.json")["pattern"]["mechanism"] == "longformer"
            first.xdotool("windowfocus", "--sync", first.id)
            choose(first, "bigbird", "scene.json", "bigbird")
            ends(first)
        assert first.saved("scene-2.json")["pattern"]["mechanism"] == "block_local"


def speaker_view(place):
    """Beside a presentation: closing it ends only itself, and its keys are those of the presentation."""
    home = fresh(place, "speaker")
    with screen(place) as display:
        with Window(display, home, place / "Xvfb_screen0") as window:
            main = window.id

            def speaker():
                return next(iter(window.xdotool("search", "--onlyvisible", "--all", "--pid", window.process.pid,
                                                "--name", "Speaker view")), None)

            window.keys("shift+F5")
            window.id = poll("no speaker view came", speaker)
            window.close()
            poll("the speaker view did not close", lambda: not speaker())
            window.id = main
            window.xdotool("windowfocus", "--sync", main)
            window.keys("shift+F5")
            second = poll("the speaker view did not come again", speaker)
            window.xdotool("windowfocus", "--sync", second)
            window.keys("Escape")
            poll("the presentation did not end", lambda: not speaker())
            window.xdotool("windowfocus", "--sync", main)
            window.keys("2")
            window.until("scene.json", "view", "reach")
            ends(window)


def state_that_is_not_kept(place):
    """One sentence on standard error and a note in the window; all else goes on."""
    with screen(place) as display:
        with Window(display, None, place / "Xvfb_screen0", variables={"HOME": "/proc/nothing"}) as window:
            window.keys("2", "ctrl+q")
            window.ends("attnx: note: The window's state will not be kept: cannot write /proc/nothing/")


def rewritten(place):
    """A large input is cut to nothing while the window shows it; --watch reads the next one by itself."""
    home = fresh(place, "rewritten")
    file = home / "x.npy"

    def write(rows):
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': (1, {rows}, 64), }}".encode()
        header += b" " * (-(len(header) + 11) % 64) + b"\n"
        with open(file, "wb") as stream:
            stream.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
            stream.truncate(10 + len(header) + rows * 256)

    write(300000)
    with screen(place) as display:
        arguments = ("--qk", str(file), "--v", str(file), "--watch")
        with Window(display, home, place / "Xvfb_screen0", arguments) as window:
            window.keys("3")
            window.until("scene.json", "input/qk", str(file))
            for _ in range(3):
                with open(file, "wb"):
                    pass
                window.keys("1", "3")  # other views ask for the input's numbers
                write(64)
            window.keys("2")
            window.until("scene.json", "view", "reach")
            ends(window)


def main():
    begin()
    with tempfile.TemporaryDirectory() as place:
        for case in (small_screen, screen_that_is_gone, nonsensical_scales, dense_screens, without_glx, two_windows,
                     speaker_view, rewritten):
            print(case.__name__, flush=True)
            case(pathlib.Path(place))


main()
