"""What is chosen in the timeline of report.html: by keys, by the mouse, and by a word."""

import re

import pytest

from tracer.common import acted, report, text_of
from tracer.test_reports import two_threads
from tracer.traces import write

pytestmark = [pytest.mark.host_only("a browser of the host shows the report"),
              pytest.mark.no_sanitizers("what is tested runs in the browser")]

# How to act on the page: what a person does, as events of the browser.
TOOLS = """const key = k => chart.dispatchEvent(new KeyboardEvent("keydown", { key: k }));
const keys = text => text.split(" ").forEach(key);
const mouse = (kind, x, y, shiftKey) => {
  const box = chart.getBoundingClientRect();
  chart.setPointerCapture = () => {};
  chart.dispatchEvent(new PointerEvent(kind, { clientX: box.left + x, clientY: box.top + y, shiftKey, pointerId: 1 }));
};
const at = (t, slice) => [toX(slice[2] + slice[3] / 2), laneTop[t] + STRIP + 3 + slice[1] * ROW + 5];
"""


def after(upct, *actions):
    """The page's texts by their ids, after the ACTIONS in its language."""
    folder = write(upct.path("a.trace"), two_threads())
    report(upct, folder)
    shown = acted(upct, folder, TOOLS, *actions)
    return {name: text_of(shown, name) for name in ("details", "selection", "found", "range")}


def test_keys_reach_every_interval(upct):
    """In the order of their beginnings; the list of all is what n has gone through."""
    texts = after(upct, "const seen = []; let last = null;",
                  "for (let i = 0; i < 100; i++) { key('n'); if (chosen.slice == last) break; seen.push(last = chosen.slice); }",
                  "if (seen.length != D.thread[0].slices.length || seen.some((s, i) => s != D.thread[0].slices[i])) choose();")
    assert texts["details"].startswith("upc_barrier") and ", thread 0," in texts["details"].replace(" – ", ", ")


def test_keys_go_to_other_threads_and_back(upct):
    first = after(upct, "keys('n n')")["details"]
    there = after(upct, "keys('n n ArrowDown')")["details"]
    assert "thread 0" in first and "thread 1" in there
    assert after(upct, "keys('n n ArrowDown ArrowUp')")["details"].split(",")[0] == first.split(",")[0]
    assert after(upct, "keys('n n n p')")["details"] == first
    assert after(upct, "keys('n n Escape')")["details"] == ""


def test_letters_move_and_zoom(upct):
    whole, zoomed = after(upct)["range"], after(upct, "keys('w')")["range"]
    assert whole != zoomed == after(upct, "keys('+')")["range"]
    assert after(upct, "keys('w s')")["range"] == whole
    assert after(upct, "keys('w d a')")["range"] == zoomed != after(upct, "keys('w d')")["range"]


def test_a_key_folds_the_chosen_ones_thread(upct):
    shown = "$('found').textContent = [...unfolded].join(' ');"
    assert after(upct, "keys('n ArrowDown f');", shown)["found"] == "0"
    assert after(upct, "keys('n ArrowDown f f');", shown)["found"] == "0 1"


def test_a_click_keeps_an_intervals_details(upct):
    texts = after(upct, "const slice = D.thread[1].slices[1], place = at(1, slice);",
                  "mouse('pointerdown', ...place); mouse('pointerup', ...place);")
    assert texts["details"] == after(upct, "choose(1, D.thread[1].slices[1])")["details"] != ""


def test_a_range_has_the_sums_of_its_times(upct):
    """All of the run: each thread's time, once. By the mouse with Shift; then the range is all that is seen."""
    texts = after(upct, "selectRange(0, D.ns)", "window.sum = sums(0, D.ns).reduce((a, b) => a + b);",
                  "if (Math.abs(sum - D.thread.reduce((a, t) => a + t.ns, 0)) > D.ns * 0.05) selectRange(0, 0);")
    assert re.match(r"0 ns to .* of all threads: \w+.* \(\d+\.\d%\)", texts["selection"])
    dragged = after(upct, "mouse('pointerdown', toX(100), 5, true); mouse('pointermove', toX(300), 5, true);",
                    "mouse('pointerup', toX(300), 5, true); key('z');")
    assert re.match(r"(99|100|101) ns to (299|300|301) ns, ", dragged["selection"])
    assert re.match(r"(99|100|101) ns to (299|300|301) ns \(", dragged["range"])
    assert after(upct, "selectRange(0, 100); key('Escape')")["selection"] == ""


def test_a_word_is_found_and_gone_to(upct):
    texts = after(upct, "$('find').value = 'BARRIER'; find($('find').value); next();")
    assert texts["found"].endswith(" found; Enter goes to the next") and texts["details"].startswith("upc_barrier")
    assert after(upct, "find('nowhere')")["found"] == "none found"
    assert after(upct, "find('barrier'); find('')")["found"] == ""


def test_what_is_out_of_sight_has_no_mark(upct):
    """The frame of the chosen interval is drawn where it is, or not at all."""
    drawn = "const drawn = []; const pen = { fillRect () { drawn.push('line'); }, strokeRect () { drawn.push('frame'); } };"
    count = "$('found').textContent = drawn.join(' ');"
    choice = "choose(0, D.thread[0].slices[1]); matches = [[0, D.thread[0].slices[1]]];"
    assert after(upct, choice, drawn, "drawChoice(pen, 10);", count)["found"] == "line frame"
    assert after(upct, choice, "move(D.ns - 20, 20);", drawn, "drawChoice(pen, 10);", count)["found"] == ""
