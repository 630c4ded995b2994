/* The timeline: of each thread a strip that says what it did, and below it the intervals */
function laneHeight(t) {
  return STRIP + GAP + (unfolded.has(t) ? D.thread[t].depth * ROW + 5 : 0);
}
const toX = ns => LABEL + (ns - view[0]) / (view[1] - view[0]) * (wide - LABEL - 6);
const toNs = x => view[0] + (x - LABEL) / (wide - LABEL - 6) * (view[1] - view[0]);

function drawStrip(pen, thread, top) {
  const each = D.ns / D.bins, parts = thread.part;
  const first = Math.max(0, Math.floor(view[0] / each)), last = Math.min(D.bins - 1, Math.floor(view[1] / each));
  /* Bins that share a pixel are one column. */
  const step = Math.max(1, Math.floor((last - first + 1) / (wide - LABEL)));
  pen.fillStyle = laneColour;
  pen.fillRect(LABEL, top, wide - LABEL - 6, STRIP);
  for (let bin = first; bin <= last; bin += step) {
    const left = Math.round(Math.max(LABEL, toX(bin * each)));
    const right = Math.max(left + 1, Math.round(Math.min(wide - 6, toX((bin + step) * each))));
    let y = top + STRIP;
    for (let c = 0; c < CATEGORIES; c++) {
      let part = 0;
      for (let i = bin; i < bin + step && i < D.bins; i++)
        part += parts[i * CATEGORIES + c] / 63 / step;
      if (!part) continue;
      const height = Math.min(part * STRIP, y - top);
      pen.fillStyle = colour[c];
      pen.fillRect(left, y - height, right - left, height);
      y -= height;
    }
  }
}
function drawSlices(pen, thread, top) {
  const edge = new Array(DEEPEST).fill(-1);
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  for (const [number, depth, start, length] of thread.slices) {
    if (start > view[1]) break;
    if (depth >= DEEPEST || start + length < view[0]) continue;
    const left = Math.max(LABEL, toX(start)), right = Math.min(wide - 6, Math.max(toX(start + length), left + 0.7));
    /* What lies within the pixel that is drawn already adds nothing. */
    if (right <= edge[depth]) continue;
    edge[depth] = right;
    const y = top + depth * ROW, site = D.site[number];
    pen.fillStyle = colour[site[2]];
    pen.fillRect(left, y, Math.max(0.7, right - left - 0.5), ROW - 2);
    if (right - left > 34) {
      pen.save();
      pen.beginPath();
      pen.rect(left, y, right - left - 3, ROW);
      pen.clip();
      pen.fillStyle = textColour[site[2]];
      pen.fillText(site[0], left + 4, y + (ROW - 2) / 2 + 0.5);
      pen.restore();
    }
  }
  for (const [number, depth, at] of thread.points) {
    if (at < view[0] || at > view[1]) continue;
    const x = toX(at), y = top + Math.min(depth, DEEPEST - 1) * ROW;
    pen.fillStyle = colour[D.site[number][2]];
    pen.beginPath();
    pen.moveTo(x, y + 1);
    pen.lineTo(x + 4, y + 6);
    pen.lineTo(x, y + 11);
    pen.lineTo(x - 4, y + 6);
    pen.fill();
    pen.strokeStyle = cardColour;
    pen.stroke();
  }
}
function ticks() {
  const span = view[1] - view[0], rough = span / Math.max(2, (wide - LABEL) / 110);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough), found = [];
  for (let t = Math.ceil(view[0] / step) * step; t <= view[1]; t += step) found.push(t);
  return found;
}
function drawAxis() {
  const pen = prepare($("axis"), wide, 24);
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = soft;
  pen.textBaseline = "middle";
  for (const t of ticks()) {
    pen.fillRect(toX(t), 18, 1, 6);
    const text = time(t);
    pen.fillText(text, Math.min(toX(t) + 4, wide - pen.measureText(text).width - 2), 10);
  }
}
function draw() {
  wide = $("lanes").clientWidth;
  let height = 6;
  for (let t = 0; t < D.threads; t++) { laneTop[t] = height; height += laneHeight(t); }
  laneTop[D.threads] = height;
  const pen = prepare($("timeline"), wide, height + 2);
  for (const t of ticks()) { pen.fillStyle = gridColour; pen.fillRect(toX(t), 0, 1, height); }
  const every = Math.ceil(12 / (STRIP + GAP));
  for (let t = 0; t < D.threads; t++) {
    drawStrip(pen, D.thread[t], laneTop[t]);
    if (unfolded.has(t)) drawSlices(pen, D.thread[t], laneTop[t] + STRIP + 3);
    pen.font = "11.5px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.fillStyle = soft;
    if (t % every == 0 || unfolded.has(t)) pen.fillText("thread " + t, 8, laneTop[t] + STRIP / 2);
  }
  drawArrows(pen, height);
  drawChoice(pen, height);
  drawAxis();
  drawMemory();
  $("range").textContent = time(view[0]) + " to " + time(view[1]) + " (" + time(view[1] - view[0]) + ")";
  chart.setAttribute("aria-valuetext", $("range").textContent);
  $("fold").textContent = unfolded.size ? "Fold threads" : "Unfold threads";
}
function zoom(factor, centre) {
  const span = Math.min(Math.max((view[1] - view[0]) * factor, Math.min(10, D.ns)), Math.max(D.ns, 1));
  const part = (centre - view[0]) / (view[1] - view[0]);
  move(centre - span * part, span);
}
function move(start, span) {
  start = Math.max(0, Math.min(start, Math.max(D.ns, 1) - span));
  view = [start, start + span];
  draw();
}
const middle = () => (view[0] + view[1]) / 2;
$("in").onclick = () => zoom(0.5, middle());
$("out").onclick = () => zoom(2, middle());
$("all").onclick = () => move(0, Math.max(D.ns, 1));
$("fold").onclick = () => {
  if (unfolded.size) unfolded.clear();
  else D.thread.forEach((_, t) => unfolded.add(t));
  draw();
};
chart.addEventListener("wheel", event => {
  if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    move(view[0] + event.deltaX / wide * (view[1] - view[0]), view[1] - view[0]);
  } else if (event.ctrlKey || event.shiftKey || $("lanes").scrollHeight <= $("lanes").clientHeight + 2) {
    event.preventDefault();
    const delta = event.deltaY || event.deltaX;
    zoom(Math.exp(Math.max(-1, Math.min(1, delta / 300))), toNs(event.offsetX));
  }
}, { passive: false });
let held = null;
chart.addEventListener("pointerdown", event => {
  held = { x: event.clientX, view: [...view], moved: false, from: event.shiftKey ? toNs(event.offsetX) : undefined };
  chart.setPointerCapture(event.pointerId);
});
chart.addEventListener("pointermove", event => {
  if (held) {
    if (Math.abs(event.clientX - held.x) > 3) held.moved = true;
    const span = held.view[1] - held.view[0], here = toNs(event.offsetX);
    if (held.from !== undefined) return selectRange(Math.min(held.from, here), Math.max(held.from, here));
    move(held.view[0] - (event.clientX - held.x) / (wide - LABEL) * span, span);
    tip(event);
  } else
    explain(event);
});
chart.addEventListener("pointerup", event => {
  if (held && !held.moved) {
    const t = laneAt(event.offsetY);
    if (t !== undefined && (event.offsetX < LABEL || event.offsetY < laneTop[t] + STRIP)) {
      if (!unfolded.delete(t)) unfolded.add(t);
      draw();
    } else if (t !== undefined)
      choose(t, sliceAt(t, event));
  }
  held = null;
});
chart.addEventListener("pointerleave", event => tip(event));
chart.addEventListener("dblclick", event => zoom(0.25, toNs(event.offsetX)));
chart.addEventListener("keydown", event => {
  const span = view[1] - view[0];
  const keys = { "+": () => zoom(0.5, middle()), "-": () => zoom(2, middle()), "0": () => move(0, Math.max(D.ns, 1)),
    ArrowLeft: () => move(view[0] - span / 8, span), ArrowRight: () => move(view[0] + span / 8, span), ...CHOICE };
  Object.assign(keys, { "=": keys["+"], w: keys["+"], s: keys["-"], a: keys.ArrowLeft, d: keys.ArrowRight });
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
});
function laneAt(y) {
  for (let t = 0; t < D.threads; t++) if (y >= laneTop[t] && y < laneTop[t + 1]) return t;
}
function sliceAt(t, event) {
  const depth = Math.floor((event.offsetY - laneTop[t] - STRIP - 3) / ROW), at = toNs(event.offsetX);
  return D.thread[t].slices.find(s => s[1] == depth && s[2] <= at && s[2] + s[3] >= at);
}
function explain(event) {
  const t = laneAt(event.offsetY), at = toNs(event.offsetX);
  if (t === undefined || event.offsetX < LABEL) return tip(event);
  const thread = D.thread[t], inLane = event.offsetY - laneTop[t] - STRIP - 3;
  if (inLane < 0) {
    const bin = Math.floor(at / D.ns * D.bins), parts = [];
    for (let c = 0; c < CATEGORIES; c++) {
      const part = thread.part[bin * CATEGORIES + c] / 63;
      if (part > 0.01) parts.push(Math.round(part * 100) + "% " + D.category[c]);
    }
    return tip(event, "Thread " + t + " at " + time(at), parts.length ? parts : ["not recorded"]);
  }
  const depth = Math.floor(inLane / ROW), near = (view[1] - view[0]) / (wide - LABEL) * 4;
  const point = thread.points.find(p => Math.min(p[1], DEEPEST - 1) == depth && Math.abs(p[2] - at) < near);
  if (point) {
    const site = D.site[point[0]];
    return tip(event, site[0], [point[4], site[1], "at " + time(point[2])]);
  }
  const slice = sliceAt(t, event);
  if (!slice) return tip(event);
  const site = D.site[slice[0]];
  tip(event, site[0], [time(slice[3]) + ", from " + time(slice[2]), slice[4], arrowText(slice), site[1],
    "thread " + t + ", " + D.category[site[2]]]);
}
D.category.forEach((name, c) => {
  const item = add($("legend"), "span");
  item.append(add(item, "i", null, { style: `background:var(--c${c})` }), name);
});
if (D["left out"]) $("hint").textContent += ` The rows show the longest intervals; ${count(D["left out"])} shorter ones are in the strips only.`;

function paint() { readColours(); draw(); drawMatrix(); }
paint();
addEventListener("resize", draw);
/* Paper is white, and as wide as it is. */
addEventListener("beforeprint", () => { document.documentElement.classList.add("paper"); paint(); });
addEventListener("afterprint", () => { document.documentElement.classList.remove("paper"); paint(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
