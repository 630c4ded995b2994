/* How much of the heaps is in use: an area for each thread, one on the other, over the time of the timeline. Of
   many threads neighbours share one. */
const HEAPS = ["shared heap", "private heap"], LAYERS = 16, CHART = 130;
const threadsOfLayer = Math.ceil(D.threads / LAYERS), layers = Math.ceil(D.threads / threadsOfLayer);
/* Of a thread: the bytes in each bin. */
function levels(changes) {
  const level = new Float64Array(D.bins);
  for (let i = 0; i < changes.length; i += 2)
    level.fill(changes[i + 1], changes[i], i + 2 < changes.length ? changes[i + 2] : D.bins);
  return level;
}
const heaps = HEAPS.filter(name => D[name].some(changes => changes.length)).map(name => {
  const threads = D[name].map(levels), total = new Float64Array(D.bins);
  for (const level of threads) level.forEach((bytes, bin) => total[bin] += bytes);
  const figure = add($("memory"), "figure"), most = total.reduce((a, b) => Math.max(a, b), 0);
  add(figure, "figcaption", `${name[0].toUpperCase() + name.slice(1)}: at most ${size(most)} of all threads, ${size(total[D.bins - 1])} at the end`);
  return { name, threads, total, most, canvas: add(figure, "canvas", null, { role: "img", "aria-label": `The ${name} in use by thread over time; the table of threads has the most of each` }) };
});
$("memory-section").hidden = !heaps.length;

/* The bin with the most of those that a column of pixels shows. */
function binOf(heap, x) {
  const each = D.ns / D.bins || 1, last = Math.min(D.bins - 1, Math.floor(toNs(x + 1) / each));
  let best = Math.min(D.bins - 1, Math.max(0, Math.floor(toNs(x) / each)));
  for (let bin = best; bin <= last; bin++) if (heap.total[bin] > heap.total[best]) best = bin;
  return best;
}
function drawHeap(heap) {
  const pen = prepare(heap.canvas, wide, CHART + 8), right = wide - 6, low = style("--low"), high = style("--high");
  heap.canvas.style.width = wide + "px";
  const bins = [], below = new Float64Array(Math.max(1, Math.ceil(right - LABEL)));
  for (let x = 0; x < below.length; x++) bins.push(binOf(heap, LABEL + x));
  const y = bytes => CHART - bytes / (heap.most || 1) * (CHART - 8);
  pen.fillStyle = laneColour;
  pen.fillRect(LABEL, 0, right - LABEL, CHART);
  for (let layer = 0; layer < layers; layer++) {
    pen.fillStyle = mix(low, high, layers == 1 ? 0.6 : 0.25 + 0.75 * layer / (layers - 1));
    for (let x = 0; x < below.length; x++) {
      let bytes = 0;
      for (let t = layer * threadsOfLayer; t < Math.min(D.threads, (layer + 1) * threadsOfLayer); t++) bytes += heap.threads[t][bins[x]];
      if (bytes > 0) pen.fillRect(LABEL + x, y(below[x] + bytes), 1, y(below[x]) - y(below[x] + bytes));
      below[x] += bytes;
    }
  }
  pen.fillStyle = soft;
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.fillText(size(heap.most), 8, 10);
  pen.fillText("0", 8, CHART - 4);
}
function drawMemory() { for (const heap of heaps) drawHeap(heap); }
for (const heap of heaps) {
  heap.canvas.addEventListener("pointermove", event => {
    if (event.offsetX < LABEL || event.offsetX > wide - 6) return tip(event);
    const bin = binOf(heap, event.offsetX), parts = heap.threads.map((level, t) => [level[bin], t]).filter(([bytes]) => bytes)
      .sort((a, b) => b[0] - a[0]);
    tip(event, `${size(heap.total[bin])} at ${time(toNs(event.offsetX))}`, [...parts.slice(0, 8).map(([bytes, t]) => `thread ${t}: ${size(bytes)}`),
      parts.length > 8 ? `and ${parts.length - 8} more threads` : ""]);
  });
  heap.canvas.addEventListener("pointerleave", event => tip(event));
}
