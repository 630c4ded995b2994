"use strict";
const D = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
const CATEGORIES = D.category.length;

/* Text */
function time(ns) {
  for (const unit of ["ns", "µs", "ms"]) {
    if (Math.abs(ns) < 999.95) return (unit == "ns" ? Math.round(ns) : ns.toFixed(1)) + " " + unit;
    ns /= 1000;
  }
  return ns.toFixed(ns < 100 ? 2 : 1) + " s";
}
function size(bytes) {
  for (const unit of ["B", "KiB", "MiB", "GiB", "TiB"]) {
    if (bytes < 1023.95) return (unit == "B" ? bytes : bytes.toFixed(1)) + " " + unit;
    bytes /= 1024;
  }
  return bytes.toFixed(1) + " PiB";
}
const count = n => n.toLocaleString("en").replaceAll(",", "\u202f");
function add(parent, tag, text, attributes) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  return parent.appendChild(element);
}
const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
let colour, textColour, ink, soft, laneColour, gridColour, cardColour;
/* How bright a colour is to people, as WCAG 2 has it. */
function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
/* On any colour, black or white text has a contrast of 4.5 and more. */
const textOn = hex => luminance(hex) > 0.179 ? "#000000" : "#ffffff";
function readColours() {
  colour = D.category.map((_, c) => style("--c" + c));
  textColour = colour.map(textOn);
  [ink, soft, laneColour, gridColour, cardColour] = ["--ink", "--soft", "--lane", "--grid", "--card"].map(style);
}

/* What the parts of the timeline share. Moments are intervals of no length; `items` are both. */
const LABEL = 74, ROW = 15, DEEPEST = 8;
const STRIP = D.threads > 64 ? 8 : D.threads > 24 ? 11 : 16, GAP = D.threads > 64 ? 1 : 4;
const chart = $("timeline"), unfolded = new Set(), laneTop = [];
let view = [0, Math.max(D.ns, 1)], wide = 800;
const inOrder = (a, b) => a[2] - b[2] || a[1] - b[1];
const digitOf = new Uint8Array(128);
[...DIGITS].forEach((digit, i) => digitOf[digit.charCodeAt(0)] = i);
for (const thread of D.thread) {
  /* [bin * CATEGORIES + category]: its part of the bin, of 63. */
  thread.part = new Uint8Array(D.bins * CATEGORIES);
  for (let i = 0; i < thread.bin.length; i++) thread.part[i] = digitOf[thread.bin.charCodeAt(i)];
  thread.slices.sort(inOrder);
  for (const point of thread.points) point.isPoint = true;
  thread.items = [...thread.slices, ...thread.points].sort(inOrder);
  thread.depth = Math.min(DEEPEST, thread.items.reduce((most, s) => Math.max(most, s[1] + 1), 0));
}
if (D.threads <= 8) D.thread.forEach((_, t) => unfolded.add(t));

/* The head */
const remote = D.thread.reduce((sum, t) => sum + t.read + t.written, 0);
document.title = D.program + " – UPC trace";
$("title").textContent = D.program;
$("about").textContent = ["Trace of a UPC program", D.command, D.host && "on " + D.host, D.date].filter(Boolean).join(" – ");
if (D.sources) add($("about"), "div", `Sources below ${D.sources}`);
for (const [value, name] of [[time(D.ns), "duration"], [D.threads, D.threads == 1 ? "thread" : "threads"],
  [count(D.events), "events"], [size(remote), "moved between threads"]]) {
  const fact = add($("facts"), "div");
  add(fact, "b", value);
  add(fact, "span", name);
}
if (D.remarks) { $("remarks").hidden = false; $("remarks").textContent = D.remarks; }

/* A tip beside the mouse */
function tip(event, title, lines) {
  const box = $("tip");
  box.hidden = !title;
  if (!title) return;
  box.textContent = "";
  add(box, "b", title);
  for (const line of lines) if (line) add(box, "div", line);
  const width = box.offsetWidth, height = box.offsetHeight;
  box.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8)) + "px";
  box.style.top = (event.clientY + height + 24 > innerHeight ? event.clientY - height - 12 : event.clientY + 14) + "px";
}

/* A canvas of so many CSS pixels, sharp on any screen */
function prepare(canvas, width, height) {
  const ratio = Math.min(devicePixelRatio || 1, 16000 / Math.max(height, width));
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = height + "px";
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

/* Places of sources are broken behind a folder or before the number of the line. */
function broken(cell, text) {
  text.split(/(?<=[:/])/).forEach((part, i) => {
    if (i) cell.append(document.createElement("wbr"));
    cell.append(part);
  });
}
/* Tables: columns are [title, value of a row, text of a value, is it text?] */
function table(id, columns, rows, sorted, share) {
  const element = $(id);
  let by = sorted, down = true;
  function fill() {
    const body = element.tBodies[0] || element.createTBody();
    const most = share === undefined ? 0 : Math.max(...rows.map(columns[share][1]), 0);
    body.textContent = "";
    rows.sort((a, b) => {
      const x = columns[by][1](a), y = columns[by][1](b);
      return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
    });
    for (const row of rows) {
      const line = body.insertRow();
      columns.forEach(([, value, show, text], i) => {
        const cell = line.insertCell();
        if (text) cell.className = "text";
        const shown = show(value(row), row);
        if (shown instanceof Node) cell.append(shown);
        else if (text) broken(cell, shown);
        else cell.textContent = shown;
        if (i === share && most) {
          cell.className = "share";
          cell.style.setProperty("--part", value(row) / most * 100 + "%");
        }
      });
    }
    [...element.tHead.rows[0].cells].forEach((cell, i) => {
      if (i == by) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
  }
  const head = element.createTHead().insertRow();
  columns.forEach(([title, , , text], i) => {
    const cell = add(head, "th", null, { scope: "col" });
    if (text) cell.className = "text";
    add(cell, "button", title).onclick = () => {
      down = by == i ? !down : !text;
      by = i;
      fill();
    };
  });
  fill();
  return element;
}
function marked(name, category) {
  const element = document.createElement("span");
  element.className = "named";
  add(element, "i", null, { class: "dot", style: `background:var(--c${category})` });
  element.append(name);
  return element;
}
const numbers = [
  ["count", r => r[1], count],
  ["inclusive", r => r[2], time],
  ["exclusive", r => r[3], time],
  ["each", r => r[11] ? r[2] / r[11] : 0, time],
  ["longest", r => r[4], time],
  ["least of a thread", r => r[5], time],
  ["most of a thread", r => r[6], (v, r) => v ? `${time(v)} (${r[7]})` : time(v)],
  ["imbalance", r => r[8], v => (v * 100).toFixed(1) + "%"],
  ["bytes", r => r[9], size],
  ["remote", r => r[10], size]];
const call = ["call", r => D.site[r[0]][0], (v, r) => marked(v, D.site[r[0]][2]), true];
const where = ["line", r => D.site[r[0]][1], v => v, true];
table("rows", [where, call, ...numbers], D.rows, 3, 3);
table("calls", [call, ...numbers], D.calls, 2, 2);
for (const name of ["rows", "calls"])
  if (D[name + " left out"]) $(name + "-more").textContent = `${count(D[name + " left out"])} more, with less time, are left out.`;
$("filter").oninput = event => {
  const word = event.target.value.toLowerCase();
  for (const row of $("rows").tBodies[0].rows)
    row.hidden = !(row.cells[0].textContent + " " + row.cells[1].textContent).toLowerCase().includes(word);
};
function split(values) {
  const bar = document.createElement("div"), whole = values.reduce((a, b) => a + b, 0) || 1;
  bar.className = "bar";
  bar.style.minWidth = "220px";
  values.forEach((value, c) => {
    if (value > 0)
      add(bar, "i", null, { style: `width:${value / whole * 100}%;background:var(--c${c})`,
        title: `${D.category[c]}: ${time(value)}` });
  });
  return bar;
}
const mostOf = (name, t) => D[name][t].reduce((most, value, i) => i % 2 ? Math.max(most, value) : most, 0);
const heapColumns = ["shared heap", "private heap"].filter(name => D[name].some(changes => changes.length))
  .map(name => ["most of " + name, r => mostOf(name, r[0]), size]);
table("threads", [
  ["thread", r => r[0], v => v],
  ["events", r => r[1].events, count],
  ["time", r => r[1].ns, time],
  ["CPU time", r => r[1].cpu, time],
  ["what it did", r => r[1].category[0], (_, r) => r[1].there ? split(r[1].category) : "left nothing", true],
  ["waiting", r => r[1].ns ? (r[1].category[1] + r[1].category[2]) / r[1].ns : 0, v => (v * 100).toFixed(1) + "%"],
  ["read of others", r => r[1].read, size],
  ["written to others", r => r[1].written, size], ...heapColumns],
  D.thread.map((thread, t) => [t, thread]), 0).tHead.rows[0].cells[0].firstChild.click();

/* The matrix */
const cells = Math.round(Math.sqrt(D.matrix.length)), each = D["threads a cell"];
const SIDE = Math.max(2, Math.min(34, Math.floor(460 / cells))), EDGE = 40;
const most = D.matrix.reduce((a, b) => Math.max(a, b), 0);
const least = D.matrix.reduce((a, b) => b && b < a ? b : a, most);
function mix(from, to, part) {
  const number = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
  const a = number(from), b = number(to);
  return `rgb(${a.map((v, i) => Math.round(v + (b[i] - v) * part)).join(",")})`;
}
const level = bytes => most == least ? 1 : 0.12 + 0.88 * Math.log(bytes / least) / Math.log(most / least);
function drawMatrix() {
  const low = style("--low"), high = style("--high"), side = cells * SIDE;
  const canvas = $("matrix"), pen = prepare(canvas, side + EDGE + 2, side + EDGE + 2);
  canvas.style.width = side + EDGE + 2 + "px";
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.fillStyle = soft;
  const step = [1, 2, 4, 8, 16, 32, 64, 128].find(s => s * SIDE >= 17) || 256;
  for (let i = 0; i < cells; i += step) {
    pen.textAlign = "right";
    pen.fillText(i * each, EDGE - 6, EDGE + (i + 0.5) * SIDE);
    pen.textAlign = "center";
    pen.fillText(i * each, EDGE + (i + 0.5) * SIDE, EDGE - 9);
  }
  pen.textAlign = "left";
  pen.fillText("to", EDGE, 9);
  pen.save();
  pen.translate(8, EDGE + 22);
  pen.rotate(-Math.PI / 2);
  pen.fillText("from", 0, 0);
  pen.restore();
  const gap = SIDE > 5 ? 1 : 0;
  for (let from = 0; from < cells; from++)
    for (let to = 0; to < cells; to++) {
      const bytes = D.matrix[from * cells + to];
      pen.fillStyle = bytes ? mix(low, high, level(bytes)) : laneColour;
      pen.fillRect(EDGE + to * SIDE, EDGE + from * SIDE, SIDE - gap, SIDE - gap);
    }
  if (cell) {
    pen.strokeStyle = ink;
    pen.lineWidth = 2;
    pen.strokeRect(EDGE + cell[1] * SIDE, EDGE + cell[0] * SIDE, SIDE - gap, SIDE - gap);
  }
  const scale = prepare($("scale"), 200, 12);
  $("scale").style.width = "200px";
  for (let x = 0; x < 200; x++) {
    scale.fillStyle = mix(low, high, 0.12 + 0.88 * x / 200);
    scale.fillRect(x, 0, 1, 12);
  }
  $("scale-text").textContent = most ? `${size(least)} to ${size(most)}, by powers` : "No bytes were moved.";
}
const nameOfCell = i => each == 1 ? "thread " + i : `threads ${i * each} to ${Math.min(D.threads, (i + 1) * each) - 1}`;
function cellText(from, to) {
  return [`${count(D.matrix[from * cells + to])} bytes`, `from ${nameOfCell(from)}`, `to ${nameOfCell(to)}`];
}
$("matrix").addEventListener("pointermove", event => {
  const to = Math.floor((event.offsetX - EDGE) / SIDE), from = Math.floor((event.offsetY - EDGE) / SIDE);
  if (from < 0 || to < 0 || from >= cells || to >= cells) return tip(event);
  tip(event, size(D.matrix[from * cells + to]), cellText(from, to));
});
/* The cell that the arrow keys have come to. */
let cell = null;
$("matrix").addEventListener("keydown", event => {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (!step) return;
  event.preventDefault();
  cell = (cell || [0, 0].map((v, i) => v - step[i])).map((v, i) => Math.max(0, Math.min(cells - 1, v + step[i])));
  $("cell").textContent = cellText(...cell).join(", ");
  drawMatrix();
});
$("matrix").addEventListener("pointerleave", event => tip(event));
if (cells <= 64) {
  const head = $("matrix-table").createTHead().insertRow();
  add(head, "th", "from \\ to", { style: "padding:4px 9px" });
  for (let to = 0; to < cells; to++) add(head, "th", to, { style: "padding:4px 9px" });
  const body = $("matrix-table").createTBody();
  for (let from = 0; from < cells; from++) {
    const row = body.insertRow();
    add(row, "th", from);
    for (let to = 0; to < cells; to++) row.insertCell().textContent = D.matrix[from * cells + to];
  }
} else
  $("matrix-details").hidden = true;
const pairs = D.matrix.map((bytes, i) => [bytes, Math.floor(i / cells), i % cells])
  .filter(p => p[0] && p[1] != p[2]).sort((a, b) => b[0] - a[0]).slice(0, 8);
if (pairs.length) {
  const list = add($("partners"), "table");
  list.style.marginTop = "14px";
  const head = list.createTHead().insertRow();
  for (const title of ["from", "to", "bytes"]) add(head, "th", title, { style: "padding:4px 9px" });
  const body = list.createTBody();
  for (const [bytes, from, to] of pairs) {
    const row = body.insertRow();
    for (const value of [from * each, to * each, size(bytes)]) row.insertCell().textContent = value;
  }
}
