/* What is chosen of the timeline: an interval, whose details stay; a range of time, with sums; and what a
   word is found in. */
let chosen = null, range = null, matches = null;
const named = slice => D.site[slice[0]];

/* What is found has a line below it, the chosen one a frame. */
function mark(pen, slice, t, is_frame) {
  const left = Math.max(LABEL, toX(slice[2])), right = Math.min(wide - 6, Math.max(toX(slice[2] + slice[3]), left + 2));
  const top = laneTop[t] + STRIP + 3 + slice[1] * ROW;
  if (slice[2] + slice[3] < view[0] || slice[2] > view[1] || slice[1] >= DEEPEST) return;
  if (is_frame) pen.strokeRect(left, top, right - left, ROW - 2);
  else pen.fillRect(left, top + ROW - 4, right - left, 2);
}
function drawChoice(pen, height) {
  if (range) {
    const left = Math.max(LABEL, toX(range[0])), right = Math.min(wide - 6, toX(range[1]));
    pen.fillStyle = style("--choice");
    if (right > left) pen.fillRect(left, 0, right - left, height);
  }
  pen.fillStyle = ink;
  if (matches) for (const [t, slice] of matches) if (unfolded.has(t)) mark(pen, slice, t, false);
  pen.strokeStyle = ink;
  pen.lineWidth = 2;
  if (chosen) mark(pen, chosen.slice, chosen.t, true);
}

/* The time of each category in the range, of the threads together, by the strips. */
function sums(from, to) {
  const each = D.ns / D.bins, sum = new Array(CATEGORIES).fill(0);
  for (const thread of D.thread)
    for (let bin = Math.floor(from / each); bin < D.bins && bin * each < to; bin++) {
      const part = Math.min(to, (bin + 1) * each) - Math.max(from, bin * each);
      for (let c = 0; c < CATEGORIES; c++)
        sum[c] += part * thread.part[bin * CATEGORIES + c] / 63;
    }
  return sum;
}
function selectRange(from, to) {
  range = to > from ? [Math.max(0, from), Math.min(D.ns, to)] : null;
  $("selection").textContent = "";
  if (range) {
    const sum = sums(...range), whole = sum.reduce((a, b) => a + b, 0) || 1;
    $("selection").append(`${time(range[0])} to ${time(range[1])}, ${time(range[1] - range[0])} of all threads: `);
    sum.map((ns, c) => [ns, c]).filter(([ns]) => ns / whole > 0.0005).sort((a, b) => b[0] - a[0]).forEach(([ns, c], i) =>
      $("selection").append(i ? ", " : "", marked(`${D.category[c]} ${time(ns)} (${(ns / whole * 100).toFixed(1)}%)`, c)));
  }
  draw();
}

/* An interval with all that the tip tells, until another is chosen. */
function choose(t, slice) {
  chosen = slice ? { t, slice } : null;
  $("details").textContent = "";
  if (slice) {
    const site = named(slice), span = view[1] - view[0];
    $("details").append(marked(site[0], site[2]), ` – ${[`thread ${t}`, site[1], slice[4], arrowText(slice),
      slice.isPoint ? `at ${time(slice[2])}` : `${time(slice[3])}, from ${time(slice[2])}`]
      .filter(Boolean).join(", ")}`);
    unfolded.add(t);
    if (slice[2] < view[0] || slice[2] + slice[3] > view[1])
      view = slice[3] > span ? [slice[2], slice[2] + slice[3]] : [Math.max(0, slice[2] + slice[3] / 2 - span / 2), 0];
    if (!view[1]) view[1] = view[0] + span;
  }
  draw();
  if (slice && $("lanes").scrollHeight > $("lanes").clientHeight) $("lanes").scrollTop = laneTop[t] - 20;
}
/* The one so many places behind the chosen one, in its thread. */
function step(by) {
  const t = chosen ? chosen.t : D.thread.findIndex(thread => thread.items.length), list = t < 0 ? [] : D.thread[t].items;
  if (!list.length) return;
  const at = chosen ? list.indexOf(chosen.slice) + by : 0;
  choose(t, list[Math.max(0, Math.min(list.length - 1, at))]);
}
/* The one at the same time in another thread. */
function cross(by) {
  if (!chosen) return step(0);
  for (let t = chosen.t + by; t >= 0 && t < D.threads; t += by) {
    const list = D.thread[t].items;
    if (list.length)
      return choose(t, list.findLast(slice => slice[2] <= chosen.slice[2]) || list[0]);
  }
}

function find(word) {
  word = word.toLowerCase();
  const has = slice => (named(slice)[0] + " " + named(slice)[1]).toLowerCase().includes(word);
  matches = word ? D.thread.flatMap((thread, t) => thread.items.filter(has).map(slice => [t, slice])) : null;
  $("found").textContent = !matches ? "" : matches.length ? `${count(matches.length)} found; Enter goes to the next` : "none found";
  draw();
}
function next() {
  if (!matches || !matches.length) return;
  const at = chosen ? matches.findIndex(([t, slice]) => t == chosen.t && slice == chosen.slice) : -1;
  choose(...matches[(at + 1) % matches.length]);
}
$("find").oninput = event => find(event.target.value);
$("find").onkeydown = event => { if (event.key == "Enter") next(); };

const CHOICE = { n: () => step(1), p: () => step(-1), ArrowDown: () => cross(1), ArrowUp: () => cross(-1), Enter: next,
  f: () => { const t = chosen ? chosen.t : 0; if (!unfolded.delete(t)) unfolded.add(t); draw(); },
  z: () => range && move(range[0], Math.max(range[1] - range[0], Math.min(10, D.ns))),
  Escape: () => { choose(); selectRange(0, 0); } };
