/* Another run's report beside this one: the file that is chosen has its data as this page has. */
const difference = (ours, theirs) => ours - theirs;
const ratio = (ours, theirs) => theirs ? ours / theirs : ours ? Infinity : 1;
const signed = (value, show) => (value > 0 ? "+" : value < 0 ? "\u2212" : "") + show(Math.abs(value));
function dataOf(page) {
  const block = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page);
  const data = block && JSON.parse(block[1]);
  if (!data || !data.site || !data.calls || !data.thread) throw new Error("no data of a trace in it");
  return data;
}
/* By a name that both runs have: [name, category, ours, theirs], each [count, inclusive, bytes]. */
function joined(other, kind, nameOf) {
  const rows = new Map();
  [D, other].forEach((data, side) => {
    for (const row of data[kind]) {
      const site = data.site[row[0]], name = nameOf(site);
      if (!rows.has(name)) rows.set(name, [name, site[2], [0, 0, 0], [0, 0, 0]]);
      const sums = rows.get(name)[2 + side];
      [row[1], row[2], row[9]].forEach((value, i) => sums[i] += value);
    }
  });
  return [...rows.values()];
}
function comparison(parent, title, kind, other, nameOf) {
  add(parent, "h3", title);
  const scroll = add(parent, "div", null, { class: "scroll" });
  const id = "compared-" + kind;
  add(scroll, "table", null, { id });
  table(id, [
    [kind == "rows" ? "line and call" : "call", row => row[0], (name, row) => marked(name, row[1]), true],
    ["this run", row => row[2][1], time],
    ["other run", row => row[3][1], time],
    ["difference", row => Math.abs(difference(row[2][1], row[3][1])), (_, row) => signed(difference(row[2][1], row[3][1]), time)],
    ["ratio", row => ratio(row[2][1], row[3][1]), factor],
    ["count", row => row[2][0], count],
    ["other count", row => row[3][0], count],
    ["bytes", row => row[2][2], size],
    ["other bytes", row => row[3][2], size]], joined(other, kind, nameOf), 3, 3);
}
const factor = value => value == Infinity ? "new" : value == 0 ? "gone" : value.toFixed(2);
const sumOf = (data, valueOf) => data.thread.reduce((sum, thread) => sum + valueOf(thread), 0);
function compare(other) {
  const box = $("compared");
  box.textContent = "";
  add(box, "p", ["The other run: " + other.program, other.command, other.host && "on " + other.host, other.date,
    `${other.threads} thread${other.threads == 1 ? "" : "s"}`].filter(Boolean).join(" – "));
  if (other.threads != D.threads)
    add(box, "p", `This run has ${D.threads} threads. Times are sums of all threads, so that equal work has equal times.`, { class: "soft" });
  const facts = [["duration", D.ns, other.ns, time], ["CPU time", sumOf(D, t => t.cpu), sumOf(other, t => t.cpu), time],
    ["events", D.events, other.events, count],
    ["moved between threads", sumOf(D, t => t.read + t.written), sumOf(other, t => t.read + t.written), size],
    ...D.category.map((name, c) => [name, sumOf(D, t => t.category[c]), sumOf(other, t => t.category[c]), time])];
  add(add(box, "div", null, { class: "scroll" }), "table", null, { id: "compared-runs" });
  table("compared-runs", [
    ["", fact => facts.indexOf(fact), (_, fact) => fact[0], true],
    ["this run", fact => fact[1], (value, fact) => fact[3](value)],
    ["other run", fact => fact[2], (value, fact) => fact[3](value)],
    ["difference", fact => difference(fact[1], fact[2]), (value, fact) => signed(value, fact[3])],
    ["ratio", fact => ratio(fact[1], fact[2]), factor]],
    facts.filter(fact => fact[1] || fact[2]), 0).tHead.rows[0].cells[0].firstChild.click();
  comparison(box, "Calls", "calls", other, site => site[0]);
  comparison(box, "Source lines", "rows", other, site => `${site[1]} ${site[0]}`);
}
$("other").onchange = async event => {
  const file = event.target.files[0];
  if (!file) return;
  try {
    compare(dataOf(await file.text()));
    $("compare-error").textContent = "";
  } catch (error) {
    $("compared").textContent = "";
    $("compare-error").textContent = `${file.name}: not a report.html of upc-trace (${error.message})`;
  }
};
