"""bench/peers.py: the peers compute what ours does, verdicts follow from the goals, a peer that is not there is
said so. Nothing is timed for its time. Needs numpy; exit code 77 without. With PyTorch its forms are looked
at too.

    peers_test.py <repository> <libattnx.so>"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest

try:
    import numpy as np
except ImportError as error:
    print(f"not at hand: {error.name}")
    sys.exit(77)

ROOT, LIBRARY = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "bench")]
import attnx  # noqa: E402
import peers  # noqa: E402
from comparison import goals, measure, other_peers, other_rows  # noqa: E402

torch_peers, _ = peers.loaded_torch()


def drawn(heads, n, d):
    return np.random.default_rng(3).standard_normal((3, heads, n, d), dtype=np.float32)


class Goals(unittest.TestCase):
    def test_verdicts_follow_from_floor_and_stretch(self):
        verdict = lambda key, value: goals.Row(key, value, "").verdict  # noqa: E731
        self.assertEqual([verdict("eigen", x) for x in (7.9, 8, 11.9, 12)], ["BELOW", "floor", "floor", "stretch"])
        self.assertEqual([verdict("start", x) for x in (301, 300, 101, 100)], ["BELOW", "floor", "floor", "stretch"])
        self.assertEqual([verdict("growth", x) for x in (1.31, 1.3, 0.5)], ["BELOW", "floor", "floor"])
        self.assertEqual(verdict("numpy", 3.0), "-")
        self.assertEqual(verdict("eigen", None), "not measured")

    def test_stretches_lie_beyond_floors(self):
        for key, goal in goals.GOALS.items():
            if goal.stretch is not None:
                self.assertEqual(goal.less, goal.stretch < goal.floor, key)

    def test_the_table_has_a_row_a_value(self):
        text = goals.table([goals.Row("dense-1t", 0.7, "why"), goals.Row("eigen", None, "missing")])
        self.assertIn("| 70.0 % | 65.0 % | 75.0 % | floor | why |", text)
        self.assertIn("| - | 8.00 x | 12.0 x | not measured | missing |", text)


class Contests(unittest.TestCase):
    def test_rounds_go_in_turns_and_ratios_are_formed_within_them(self):
        now, order = [0.0], []

        def work(name, seconds):
            def run():
                order.append(name)
                now[0] += seconds

            return run

        library = types.SimpleNamespace(peak=lambda rounds, threads: work("peak", 1)() or 100.0)
        bench = types.SimpleNamespace(torch=None, rounds=4, library=library)
        contest = measure.Contest(bench, 1, {"ours": work("ours", 0.25), "peer": work("peer", 0.75)})
        contest.clock = lambda: now[0]
        contest.run()
        self.assertEqual(order, ["ours", "peer"] + ["peak", "ours", "peer", "peak", "peer", "ours"] * 2)
        self.assertAlmostEqual(contest.ratio("ours", "peer").median, 3)
        self.assertEqual(contest.time("peer").median, 0.75)

    def test_short_works_are_repeated_within_a_sample_after_some_that_are_not_measured(self):
        now, calls = [0.0], [0]

        def work():
            calls[0] += 1
            now[0] += measure.LEAST_SAMPLE / 8

        bench = types.SimpleNamespace(torch=None, rounds=3, library=types.SimpleNamespace(peak=lambda *_: 1.0))
        contest = measure.Contest(bench, 1, {"ours": work})
        contest.clock = lambda: now[0]
        contest._peak = lambda: 1.0
        contest.run()
        self.assertEqual(calls[0], 1 + 3 * (8 + 8))
        self.assertAlmostEqual(contest.time("ours").median, measure.LEAST_SAMPLE / 8)


class Peers(unittest.TestCase):
    def test_numpy_computes_what_ours_does(self):
        q, k, v = drawn(1, 100, 16)
        ours, _ = library.attend(library.pattern("full", 100), q, k, v)
        np.testing.assert_allclose(other_peers.numpy_attention(q[0], k[0], v[0])(), ours[0], atol=2e-6)
        pattern = library.pattern("strided", 128, stride=9)
        self.assertEqual(other_peers.packed_reach(pattern, 3)(), library.reach(pattern, 3)[1][-1])
        counts, _ = library.pattern("strided", 130, stride=9).coverage(20, 30)
        np.testing.assert_array_equal(other_peers.numpy_coverage(130, 9, 20, 30)(), counts)

    @unittest.skipUnless(torch_peers, "PyTorch is not at hand")
    def test_the_forms_of_pytorch_compute_what_ours_does(self):
        q, k, v = drawn(1, 1024, 16)
        for blocks in ((128,), None):
            window, form = torch_peers.chunked_window(q, k, v, 128, blocks)
            ours, _ = library.attend(library.pattern("local", 1024, window=128, causal=True), q, k, v)
            np.testing.assert_allclose(window(), ours[0], atol=1e-5, err_msg=form)
            strided, form = torch_peers.reshaped_strided(q, k, v, 128, blocks)
            ours, _ = library.attend(library.pattern("strided", 1024, stride=128), q, k, v)
            np.testing.assert_allclose(strided(), ours[0], atol=1e-5, err_msg=form)
        q, k, v = 0.5 * drawn(1, 512, 16)
        w = library.draw_projection(32, 16)
        for causal in (False, True):
            ours, _, _ = library.feature_attend(q, k, v, w, stabilize="reference", eps=1e-4, causal=causal)
            work, form = torch_peers.performer(q[0], k[0], v[0], w, 1e-4, causal)
            np.testing.assert_allclose(work(), ours[0], atol=1e-4, err_msg=form)
        sums = torch_peers.performer_by_running_sums(q[0], k[0], v[0], w, 1e-4)()
        np.testing.assert_allclose(sums, ours[0], atol=1e-4)

    def test_a_peer_that_is_missing_is_said_in_its_row(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "torch.py").write_text("raise ImportError('no torch for this test')\n")
            told = subprocess.run(
                [sys.executable, str(ROOT / "bench" / "peers.py"), "--quick", "--silent", "--library", LIBRARY,
                 "--threads", "1", "--rows", "^(sdpa-256-1h1t|shader|start)$"],
                env={"PYTHONPATH": folder, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True)  # fmt: skip
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("not measured | PyTorch is not installed (no torch for this test)", told.stdout)
        self.assertEqual(told.stdout.count("not measured | no program was given"), 2)

    def test_the_shader_draws_the_patterns_of_the_pictures(self):
        source = (ROOT / "bench" / "shader_bench.cpp").read_text()
        table = source.split("kClosedForms[] = {")[1].split("};")[0]
        forms = re.findall(r'\{"(\w+)", (?:R"\((.*?)\)"|"(.*?)")\}', table)
        self.assertEqual({name: json.loads(raw or plain) for name, raw, plain in forms}, other_rows.CLOSED_FORMS)

    def test_frames_that_the_shader_does_not_serve_are_named(self):
        frames = [{"name": f"{name}/2^24/1280x800", "real_time": 2000.0, "time_unit": "us"}
                  for name in other_rows.CLOSED_FORMS]  # fmt: skip
        frames[3].update(error_occurred=True, error_message="not served", real_time=0.0)
        times, unserved = other_rows.shader_frames(frames)
        self.assertEqual(unserved, [frames[3]["name"].split("/")[0]])
        self.assertEqual(set(times.values()), {2.0})
        self.assertEqual(len(times), len(frames) - 1)
        with self.assertRaisesRegex(ValueError, "causal"):
            other_rows.shader_frames(frames[1:])

    def test_outputs_that_differ_are_not_compared(self):
        bench = types.SimpleNamespace(Differs=peers.Bench.Differs)
        with self.assertRaisesRegex(peers.Bench.Differs, "not compared"):
            peers.Bench.agree(bench, np.zeros(3), np.array([0, 0, 1e-3]))
        with self.assertRaises(peers.Bench.Differs):
            peers.Bench.agree(bench, np.zeros(1), np.array([np.nan]))


library = attnx.Library(LIBRARY)
if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
