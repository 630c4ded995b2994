/* Arrows between threads: from whose memory to whose bytes went, and who left a lock to whom. Where there are
   many, those that take longest. An arrow is [from thread, when, to thread, when, thread of the interval,
   interval]. */
const MOST_ARROWS = 200;
let arrowsAreShown = true;
const arrowOf = new Map();
for (const [t, thread] of D.thread.entries())
  for (const slice of thread.slices)
    if (slice.length > 5) arrowOf.set(slice, [slice[5], slice[2], slice[6], slice[2] + slice[3], t, slice]);
const waits = D.thread.map(thread => new Map(thread.slices.filter(slice => D.site[slice[0]][0] == "upc_lock")
  .map(slice => [slice[2] + slice[3], slice])));
for (const [from, left, to, taken] of D.handovers) {
  const slice = waits[to].get(taken);
  if (slice) arrowOf.set(slice, [from, left, to, taken, to, slice]);
}
const arrows = [...arrowOf.values()].sort((a, b) => b[5][3] - a[5][3]);
$("arrows").hidden = !arrows.length;

/* At its own end an arrow is at the interval, at the other one at the strip. */
function heightOf(thread, arrow) {
  const [, , , , own, slice] = arrow;
  return laneTop[thread] + (thread == own && unfolded.has(own) && slice[1] < DEEPEST ? STRIP + 2 + (slice[1] + 0.5) * ROW : STRIP / 2);
}
function drawArrow(pen, arrow) {
  const [from, left, to, right] = arrow;
  const x = toX(left), y = heightOf(from, arrow), X = toX(right), Y = heightOf(to, arrow);
  const angle = Math.atan2(Y - y, X - x), wing = side => [X - 8 * Math.cos(angle + side), Y - 8 * Math.sin(angle + side)];
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(X, Y);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(X, Y);
  pen.lineTo(...wing(0.4));
  pen.lineTo(...wing(-0.4));
  pen.fill();
}
/* The chosen interval's own is always there. */
function drawArrows(pen, height) {
  const seen = arrowsAreShown ? arrows.filter(arrow => arrow[3] >= view[0] && arrow[1] <= view[1]) : [];
  pen.save();
  pen.beginPath();
  pen.rect(LABEL, 0, wide - LABEL - 6, height);
  pen.clip();
  pen.strokeStyle = pen.fillStyle = ink;
  pen.lineWidth = 1;
  for (const arrow of seen.slice(0, MOST_ARROWS)) drawArrow(pen, arrow);
  pen.lineWidth = 2.5;
  if (chosen && arrowOf.has(chosen.slice)) drawArrow(pen, arrowOf.get(chosen.slice));
  pen.restore();
  $("arrows").textContent = arrowsAreShown ? "Hide arrows" : "Show arrows";
  $("arrows-more").textContent = seen.length > MOST_ARROWS ? `the ${MOST_ARROWS} longest of ${count(seen.length)} arrows` : "";
}
$("arrows").onclick = () => { arrowsAreShown = !arrowsAreShown; draw(); };
/* What the arrow says, in words. */
function arrowText(slice) {
  const arrow = arrowOf.get(slice);
  return arrow && slice.length <= 5 ? `handed over by thread ${arrow[0]} at ${time(arrow[1])}` : "";
}
