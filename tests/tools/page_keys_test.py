"""Pages of HTML in Chromium by the keyboard, in slides and in notebooks: keys that work without a click and those that
are passed on, what a click keeps, and how large words are in the frame of a slide. Exit code 77 without Chromium.

    page_keys_test.py <attnx>"""
import html
import json
import sys
import unittest

from page_case import LESSON, Case, attnx


class Keys(Case):
    """Without a click into the drawing, and wherever the focus is."""

    def test_frames_step_and_play_from_the_start(self):
        page = self.opened_with_helpers(self.written("figure", "child-2019-reach-strided"))
        label = lambda: page.value("document.querySelector('.ax-player span').textContent")  # noqa: E731
        does = lambda: page.value("document.querySelector('.ax-player button').getAttribute('aria-label')")  # noqa: E731
        self.assertEqual(label(), "layers = 2")
        page.press("ArrowLeft")
        self.assertEqual(label(), "layers = 1")
        page.press(" ")
        self.assertEqual(does(), "Pause")
        page.press(" ")
        page.value("document.querySelector('.ax-player button').focus()")
        page.press("ArrowLeft")
        self.assertEqual((label(), does()), ("layers = 0", "Play"))
        page.press(" ")  # the button's own use of it, once
        self.assertEqual(does(), "Pause")
        page.press(" ")
        page.value("document.querySelector('.ax-player input').focus()")
        page.value("document.querySelector('.ax-player input').value = 0")
        page.press("ArrowRight")  # the slider's own
        self.assertEqual(label(), "layers = 1")

    def test_a_pin_takes_the_arrows_until_it_is_let_go(self):
        page = self.opened_with_helpers(self.written("figure", "child-2019-reach-strided"))
        page.click(*page.value("client(middles(shownAreas()[0], 3)[1])"))
        pinned = page.value("told()")
        page.press("ArrowLeft")
        self.assertNotEqual(page.value("pause(50).then(said)"), pinned)
        self.assertEqual(page.value("document.querySelector('.ax-player span').textContent"), "layers = 2")
        page.press("Escape")
        page.press("ArrowLeft")
        self.assertEqual(page.value("document.querySelector('.ax-player span').textContent"), "layers = 1")


class Pins(Case):
    def test_on_fine_screens_a_click_pins_what_was_pointed_at(self):
        file = self.written("mask", "causal", "--n", 400)
        page = self.opened_with_helpers(file, scale=2)
        left, top, cell = page.value("""(() => {
            const [area] = shownAreas(), [x, y, width] = area.box, [a, b] = [client([x, y]), client([x + width, y])];
            return [...a, (b[0] - a[0]) / 400]; })()""")
        self.assertLess(cell, 2)  # else whole pixels find it
        for row in range(200, 220):
            place = left + 100.5 * cell, top + (row + 0.5) * cell
            page.press("Escape")
            page.move(*place)
            pointed = page.value("pause(30).then(said)")
            page.click(*place)
            self.assertEqual(page.value("pause(30).then(said)"), pointed)
            self.assertIn(f"Query {row} ", pointed)

    def test_it_stays_while_its_cell_is_there(self):
        file = self.written("mask", "strided", "--n", 12, "--stride", 4, "--sweep", "n=10..14:2")
        page = self.opened_with_helpers(file)
        frame = lambda: page.value("document.querySelector('.ax-player span').textContent")  # noqa: E731
        tip = "(() => { const t = document.querySelector('.ax-tip').getBoundingClientRect(), " \
              "m = document.querySelector('.ax-mark').getBoundingClientRect(); return [t.x - m.right, t.y - m.bottom, t.right]; })()"
        self.assertEqual(frame(), "n = 12")  # the mask's own
        to = "(k => { const s = document.querySelector('.ax-player input'); s.value = k; s.dispatchEvent(new Event('input')); })"
        area = "data.areas[data.frames[1].areas[0]]"
        x, y = page.value(f"client([{area}.box[0] + {area}.box[2] * 7.5 / 12, {area}.box[1] + {area}.box[3] * 11.5 / 12])")
        page.click(x, y)
        self.assertTrue(page.value("told()").startswith("Query 11 attends to key 7"))
        page.value(f"{to}(2)")
        self.assertTrue(page.value("pause(100).then(said)").startswith("Query 11 attends to key 7"))
        near = page.value(tip)
        page.set_size(700, 700)
        page.value("pause(100)")
        across, down, right = page.value(tip)
        self.assertLess(abs(down - near[1]), 6)
        self.assertTrue(abs(across - near[0]) < 6 or 690 < right < 700, (across, near[0], right))  # or at the edge
        page.value(f"{to}(0)")  # ten tokens have no query 11
        self.assertEqual(page.value("pause(100).then(said)"), "")


class InFrames(Case):
    """Pages in slides and notebooks."""

    LISTENS = "<script>const got = []; addEventListener('message', e => got.push(e.data)); " \
              "addEventListener('keydown', e => got.push(e.key));</script>"

    def around(self, frame):
        file = self.path / "around.html"
        file.write_text(f"<!DOCTYPE html><body style='margin:0'>{self.LISTENS}{frame}")
        return file

    def passed(self, page, *keys):
        """What reaches the page around the figure."""
        page.value("got.length = 0")
        for key in keys:
            page.press(key)
        return page.value("new Promise(done => setTimeout(() => done([...got]), 150))")

    def test_keys_without_a_use_are_the_slides(self):
        names = {"PageDown": "next", "PageUp": "prev", "ArrowRight": "right", "ArrowUp": "up", "Escape": "toggleOverview"}
        mask, text = self.path / "mask.html", ""
        attnx("mask", "strided", "--stride", "4", "--n", "20", "-o", mask)
        text = html.escape(mask.read_text())
        style = "style='width:900px;height:880px;border:0'"
        for frame, said in ((f"<iframe src='mask.html' {style}></iframe>",
                             lambda key: json.dumps({"method": names[key]}, separators=(",", ":"))),
                            (f'<iframe srcdoc="{text}" {style}></iframe>', lambda key: key)):  # of the same origin
            page = self.browser.open(self.around(frame))
            page.click(450, 450)  # keeps a cell, which then uses the keys
            self.assertEqual(self.passed(page, "PageDown", "ArrowRight", "ArrowUp"), [])
            self.assertEqual(self.passed(page, "Escape"), [])
            self.assertEqual(self.passed(page, *names), [said(key) for key in names])

    def test_frames_use_the_arrows_up_to_their_ends(self):
        attnx("figure", "child-2019-reach-strided", "-o", self.path / "reach.html")
        page = self.browser.open(self.around("<iframe src='reach.html' style='width:900px;height:800px'></iframe>"))
        page.click(450, 5)  # no place is there
        self.assertEqual(self.passed(page, "ArrowLeft", "ArrowLeft", " ", " "), [])
        self.assertEqual(self.passed(page, "ArrowLeft"), ['{"method":"left"}'])
        self.assertEqual(self.passed(page, "PageDown"), ['{"method":"next"}'])

    def test_type_stays_readable_in_the_frame_of_a_slide(self):
        for name in "h2o-2023-timeline", "child-2019-heads", "performer-2021-fig2", "dsa-2025":
            attnx("figure", name, "-o", self.path / "slide.html")
            text = html.escape((self.path / "slide.html").read_text())
            frame = f'<iframe srcdoc="{text}" style="width:100%;height:75vh;border:0"></iframe>'
            for width, height in (960, 525), (1280, 720):
                with self.subTest(name, width=width):
                    page = self.browser.open(self.around(frame), width=width, height=height)
                    least, across, sticks = page.value("""(() => {
                        const page = document.querySelector("iframe").contentDocument, svg = page.querySelector("svg");
                        const scale = svg.getScreenCTM().a, view = page.querySelector(".ax-view");
                        const player = page.querySelector(".ax-player").getBoundingClientRect();
                        return [Math.min(...[...svg.querySelectorAll("text")].map(t => scale * t.getAttribute("font-size"))),
                                view.scrollWidth - view.clientWidth, player.bottom <= page.documentElement.clientHeight];
                    })()""")
                    self.assertGreaterEqual(least, 8.9)
                    self.assertEqual(across, 0)  # the ends of curves, where their names are, stay in sight
                    self.assertTrue(sticks)

    def test_the_frame_of_a_lesson_is_as_high_as_the_lesson(self):
        attnx("figure", LESSON, "-o", self.path / "lesson.html")
        text = html.escape((self.path / "lesson.html").read_text())
        page = self.browser.open(self.around(f'<iframe srcdoc="{text}" style="width:100%;height:10em;border:0"></iframe>'))
        heights = []
        for _ in range(3):
            frame, inside, scrolls = page.value("""new Promise(done => setTimeout(() => {
                const frame = document.querySelector("iframe"), page = frame.contentDocument;
                done([frame.clientHeight, page.querySelector("main").offsetHeight, page.documentElement.scrollHeight]);
            }, 200))""")
            for height in (inside, scrolls):
                self.assertAlmostEqual(frame, height, delta=1)
            heights.append(frame)
            page.value("document.querySelector('iframe').contentDocument.querySelectorAll('nav button')[1].click()")
        self.assertGreater(min(heights), 400)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
