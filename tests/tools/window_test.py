"""A real window under Xvfb, driven by xdotool: it starts, draws, takes keys, clicks and drags at
speed without losing one, goes to full screen and back, ends with exit code 0, and comes back as it
was left. Argument: attnx.
"""
import pathlib
import tempfile

from x_window import HEIGHT, SCREEN, WIDTH, Window, begin, poll, screen


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
    before_zoom = 1024  # the sample's tokens
    window.xdotool("click", "--repeat", 5, "--delay", 1, 4)
    camera = window.until("scene.json", "camera", lambda c: c and c["cells"] < before_zoom / 3)
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
    begin()
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
