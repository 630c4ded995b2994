"""-fupc-report: a note for each plan, and for each reason why there is no better one."""

import pytest

HEAD = """#include <upc_relaxed.h>
shared [16] int a[1600 * THREADS], b[1600 * THREADS];
shared [64] int m[160 * THREADS][16];
shared int c[1600 * THREADS], k[1600 * THREADS][16];
shared [4] int h[1600 * THREADS], h2[1600 * THREADS];
shared [] int d[100]; shared [100] int e[1600 * THREADS], e2[1600 * THREADS];
shared [16] int *g;
void f (void);
int of (int n, unsigned u, int *w, shared [16] int *p, shared [16] int *q)
{ int i, j, s = 0;
"""

NO_HEADER = "recomputed in each iteration: the loop has no header with an induction variable"
OWNED = "'upc_forall' visits the iterations that the thread owns"
IN_TABLE = "its block is looked up in a table: no induction variable that only the loop header changes"
STRIPS = "loop in strips, within a block each"
CROSSING = "loop in strips, from block to block"
PIECES = "loop in strips of a thread's blocks each, of independent iterations"
WINDOWS = "loop in private copies of small blocks, of independent iterations"
TABLE = "its block is looked up in a table, or it is in a private copy if the loop at line 11 reads it often"

ROWS = [
    ("for (i = 0; i < n; i++) s += a[i];", [PIECES, "a[i]: unit stride"]),
    ("for (i = 0; i < n; i++) if (a[i] > s) s = a[i];", [PIECES, "a[i]: unit stride"]),
    ("for (i = 0; i < n; i++) s *= a[i];", [CROSSING, "a[i]: unit stride"]),
    ("for (i = 0; i < n; i++) s += a[2 * i];", [CROSSING, "a[2 * i]: stride 2"]),
    ("for (i = 0; i < n; i++) a[i] = 3 * b[i];", [PIECES, "b[i]: unit stride"]),
    ("for (i = 0; i < n; i++) a[i] = b[i];", [PIECES]),
    ("for (i = 0; i < n; i++) p[i] = q[i];", [PIECES + " unless pointers lead to the same elements"]),
    ("for (i = 1; i < n; i++) a[i] = b[i - 1] + b[i + 1];",
     [WINDOWS, "a[i]: copied back block by block", "b[i - 1]: copied block by block", "b[i + 1]: copied block by block"]),
    ("for (i = 1; i < n; i++) p[i] = q[i - 1] + q[i + 1];", [WINDOWS + " unless pointers lead to the same elements"]),
    ("for (i = MYTHREAD; i < n; i += THREADS) a[i] = b[i + 1];",
     ["b[i + 1]: its block is looked up in a table: the step is no multiple of its blocks"]),
    ("for (i = 0; i < n; i++) e[i] = 3 * e2[i];", [CROSSING + ", of independent iterations", "e2[i]: unit stride"]),
    ("for (i = 0; i < n; i++) e[i] = e2[i];", ["loop copies whole blocks"]),
    ("for (i = 0; i < n; i++) s += c[i];", ["loop in strips of iterations THREADS apart, which are independent", "c[i]: unit stride"]),
    ("for (i = 0; i < n; i++) s *= c[i];", ["c[i]: moves by whole blocks, an addition in each iteration"]),
    ("for (i = 0; i < n; i++) s = s * 3 + a[16 * i];", ["a[16 * i]: moves by whole blocks, which a table has"]),
    ("for (i = 0; i < n; i++) c[i] = i;", ["loop in strips of iterations THREADS apart, which are independent", "c[i]: unit stride"]),
    ("for (i = 0; i < n; i++) h[i] = c[i];", ["loop in strips of iterations 4 * THREADS apart, which are independent", "h[i]: stride 4"]),
    ("for (i = 0; i < n; i++) c[i] += c[i + n];",
     ["loop in strips of iterations THREADS apart, which are independent unless parts of an array overlap", "c[i + n]: unit stride"]),
    ("for (i = 0; i < n; i++) s += d[i];", [STRIPS, "d[i]: unit stride"]),
    ("for (i = 0; i < n; i++) for (j = 1; j < n; j++) h2[i * n + j] = h[i * n + j - 1] + h[(i + 1) * n + j];",
     [WINDOWS, "copied rows of 'h' are there for the next iterations around"]),
    ("for (i = 0; i < n; i++) for (j = 0; j < 16; j++) s += m[i][j];", ["m[i][j]: unit stride, from its row in the loop at line 11"]),
    ("for (j = 0; j < 16; j++) for (i = 0; i < n; i++) m[i][j] += 1;",
     ["iterations are done side by side in the loops inside, which go down columns",
      "m[i][j]: unit stride, from its row in the loop at line 11"]),
    ("for (j = 0; j < 16; j++) { int x = 0; for (i = 0; i < n; i++) x += k[i][j]; e[j] = x; }",
     ["k[i][j]: read from a private copy, if the loop at line 11 reads it often", "e[j]: unit stride"]),
    ("for (int l = 0; l < n; l++) for (i = 0; i < n; i++) for (j = 0; j < 16; j++) k[i][j] += c[l] * h[i];",
     ["loops in private copies of 'k', 'c', 'h' if they access each element often, else:",
      "loop in strips of iterations THREADS apart, which are independent"]),
    ("for (int l = 0; l < n; l += 8) for (i = 0; i < n; i++) for (j = l; j < l + 8; j++) m[i][j] += 1;",
     ["loops in private copies of 'm' if they access each element often, else:"]),
    ("for (i = 0; i < n; i++) { int x = i + 1, y = 2 * x; s *= b[x] + a[y]; }", [CROSSING, "b[x]: unit stride", "a[y]: stride 2"]),
    ("for (i = 0; i < n; i++) { int x = i + 1; b[x] = 1; x = i; b[x] = 2; }",
     ["b[x]: its block is looked up in a table: 'x' is no affine expression of 'i'"]),
    ("for (int l = 0; l < n; l++) for (i = 0; i < n; i++) for (j = 0; j < 50; j++) e[50 * i + j] += e2[l];",
     ["loops in one block each of 'e', 'e2' if that has all that they access, else:"]),
    ("for (i = 0; i < n; i++) for (j = 0; j < 16; j++) s += m[i][w[j]];", ["m[i][w[j]]: from its row in the loop at line 11, if within it"]),
    ("for (i = 0; i < n; i++) for (j = 0; j < 16; j++) s += a[i];", ["a[i]: address known from the loop at line 11"]),
    ("for (i = 0; i < n; i++) for (int t = 0; t < 3; t++) s += a[i + t];",
     ["loop replaced by its 3 iterations, which the loop around has in its own", CROSSING, "a[i + t]: unit stride"]),
    ("for (i = 0; e[i]; i++) ;", [CROSSING, "e[i]: unit stride"]),
    ("for (i = 0; (e[i] = e2[i]); i++) ;", [CROSSING, "e2[i]: unit stride"]),
    ("for (; p < q; p++) s += *p;", [PIECES, "*p: unit stride"]),
    ("upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i] + i;", [OWNED + ", independently", "a[i]: own element"]),
    ("upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i + 1];", [OWNED + ", independently, the middles of blocks at once", "b[i + 1]: stride 16"]),
    ("upc_forall (i = 0; i < n; i++; &h[i]) h[i] = h2[i + 2];", [OWNED + ", independently, phase by phase", "h2[i + 2]: stride 4"]),
    ("upc_forall (i = 0; i < n; i++; &a[i]) s += b[i + 1];", [OWNED, "b[i + 1]: unit stride"]),
    ("upc_forall (i = 0; i < n; i++; &p[i]) p[i] = q[i];", [OWNED + ", all blocks at once", "q[i]: unit stride"]),
    ("upc_forall (i = 1; i != n; i++; &c[i]) s += c[i + 1];", ["c[i + 1]: unit stride"]),
    ("upc_forall (; p < q; p++; p) *p = 1;", [OWNED + ", all blocks at once", "*p: own element"]),
    ("upc_forall (i = 0; i < n; i++; w[i]) s++, a[i] = 1;",
     ["'upc_forall' checks each iteration: its affinity is no affine expression of its induction variable"]),
    ("upc_forall (i = 0; i < n; i++; &a[i]) { a[i] = 1; n -= s; }", [OWNED + ", one by one: its header may change"]),
    ("upc_forall (i = 0; i < n; i++; i * THREADS / n) a[i] = b[i];", [OWNED + ", independently", "b[i]: unit stride"]),
    ("upc_forall (i = s; i < n; i++; i % THREADS) c[i] = 1;", [OWNED + ", independently", "c[i]: own element"]),
    ("upc_forall (i = 0; i < n; i++; &c[i]) s += a[i];", ["a[i]: recomputed in each iteration: the thread's iterations do not follow each other"]),
    ("for (i = 0; i < n; i++) s += a[i * i];", [f"a[i * i]: {TABLE}: 'i * i' is no affine expression of 'i'"]),
    ("for (i = 0; i < n; i++) s += a[w[i]];", [f"a[w[i]]: {TABLE}: 'w[i]' is no affine expression of 'i'"]),
    ("for (i = 0; i < n; i++) a[w[i]]++;", ["a[w[i]]: its block is looked up in a table: 'w[i]' is no affine expression of 'i'"]),
    ("for (i = 0; i < n; i++) s += c[w[i]];",
     ["c[w[i]]: recomputed in each iteration, or it is in a private copy if the loop at line 11 reads it often: 'w[i]' is no affine expression of 'i'"]),
    ("for (u = 1; u < n; u++) s += a[u - 1];", [STRIPS, "a[u - 1]: unit stride"]),
    ("for (i = 0; i < n; i++) s += a[7 * i];", ["a[7 * i]: its block is looked up in a table, or it is in a private copy if the loop at line 11 reads it often: strips of 7 in blocks of 16 are too short"]),
    ("for (i = 0; i < n; i++) s *= h[i] - h[i + 1];", ["h[i + 1]: its block is looked up in a table: elements leave their blocks at too many places for strips"]),
    ("for (i = 1; i < n; i++) h[i] = 3 * h[i - 1];", [CROSSING, "h[i - 1]: unit stride"]),
    ("for (i = 0; i < n; i++) { g[i] = 1; f (); }", ["g[i]: recomputed in each iteration: 'g' may change in the loop"]),
    ("for (i = 0; i < n; i++) { s += a[i]; if (s) i++; }",
     ["a[i]: " + IN_TABLE]),
    ("for (i = 0; i < n; i++) { s += e[i]; if (s) i++; }",
     ["e[i]: looked for in the block of the last access: no induction variable that only the loop header changes"]),
    ("while (n--) { while (e[i] < n) i++; s += e[i]; }", ["loop as written: it goes on where it was left, for a few iterations"]),
    ("for (i = 0; i < n; i++) { if (s) goto in; in: s += a[i]; }", ["loop as written: a label or case leads into it"]),
    ("_Pragma (\"GCC ivdep\") for (i = 0; i < n; i++) s += a[i];", ["loop as written: a pragma may be about it"]),
    ("for (i = 0; i < 3; i++) s += a[i];", ["loop as written: there are too few iterations"]),
    ("for (i = 0; i < n; i += s) s += a[i];", ["a[i]: " + IN_TABLE]),
    ("for (i = 0; i < n; i += u) s += a[i];", ["loop as written: the step is no constant"]),
    ("for (i = 0; i < n; i += j) s += e[i];", [STRIPS, "e[i]: moves by the loop's step, an addition in each iteration"]),
    ("while (e[i] > n) i += j;", ["loop as written: the step is no constant"]),
    ("upc_forall (i = 0; i < n; i++; i) e[i] = 1;", [OWNED, "e[i]: moves by the loop's step, an addition in each iteration"]),
    ("for (i = 0; i < n; i += THREADS) s += a[i];", ["a[i]: its block is looked up in a table: the step is no multiple of its blocks"]),
    ("for (i = MYTHREAD; i < n; i += THREADS) s += c[i + 2];", [STRIPS, "c[i + 2]: unit stride"]),
    ("for (i = 0; i < n; i++) { shared [16] int *e = &a[i]; s += *e; }", [CROSSING, "*e: unit stride"]),
    ("for (i = 0; i < n; i++) { shared [16] int *e = &a[i]; if (s) e++; s += *e; }",
     ["*e: recomputed in each iteration: 'e' may change in the loop"]),
    ("while (n--) s += a[n];", ["a[n]: " + IN_TABLE]),
    ("while (s < n) s = a[(s + n) / 2];", ["a[(s + n) / 2]: " + IN_TABLE]),
    ("do s += a[n]; while (n--);", ["a[n]: " + NO_HEADER]),
    ("while (n--) s += *p++;", [PIECES, "*p: unit stride"]),
    ("while (p < q) { s += *p++; if (s > 9) p++; }", ["*p++: recomputed in each iteration: the pointer is no name"]),
    ("s += a[n];", []),
    ("s += a[n];" * 49, ["'of': each of 49 accesses outside of loops calls a function"]),
]


@pytest.mark.parametrize("body, notes", ROWS)
def test_notes_name_the_plan_and_the_reason(upct, body, notes):
    upct.write("a.upc", HEAD + body + "\nreturn s; }\n")
    result = upct.run([upct.tool("upcc"), "-fupc-report", "-c", "a.upc"])
    assert result.returncode == 0, result.stderr
    lines = [line.split(": note: ", 1)[1] for line in result.stderr.splitlines() if ": note: " in line]
    assert [n for n in notes if n not in lines] == [], result.stderr
    assert bool(lines) == bool(notes)


def test_notes_stand_at_their_tokens(upct):
    upct.write("a.upc", HEAD + "  for (i = 0; i < n; i++)\n    s += 2 * a[i];\n  return s; }\n")
    result = upct.run([upct.tool("upcc"), "-fupc-report", "-c", "a.upc"])
    assert "a.upc:11:3: note: " + PIECES in result.stderr
    assert "a.upc:12:14: note: a[i]: unit stride" in result.stderr
    assert "    s += 2 * a[i];\n" in result.stderr
    assert upct.run([upct.tool("upcc"), "-c", "a.upc"]).stderr == ""


def test_a_loop_with_events_says_so(upct):
    upct.write("a.upc", HEAD + "upc_forall (i = 0; i < d[1]; i++; &a[i]) a[i] = 1;\nreturn s; }\n")
    result = upct.run([upct.tool("upcc"), "--profile", "-fupc-report", "-c", "a.upc"])
    assert "'upc_forall' checks each iteration: its header raises events" in result.stderr


@pytest.mark.parametrize("switches, body, note", [
    ("--profile", "for (i = 0; i < n; i++) s += a[i];", "a[i]: unit stride"),
    ("--profile", "for (i = 0; i < n; i++) a[i] = 3 * b[i];", PIECES),
    ("--profile", "upc_forall (i = 0; i < n; i++; &a[i]) a[i] = b[i];", OWNED + ", all blocks at once, independently"),
    ("-fupc-threads-1", "for (i = 0; i < n; i++) s += a[7 * i];", "a[7 * i]: stride 7"),
    ("-fupc-threads-1", "for (i = 0; i < n; i++) s += c[i];", "c[i]: unit stride"),
    ("-fupc-threads-1", "for (i = 0; i < n; i++) s += p[i];", "p[i]: unit stride")])
def test_events_and_one_thread_have_plans(upct, switches, body, note):
    upct.write("a.upc", HEAD + body + "\nreturn s; }\n")
    result = upct.run([upct.tool("upcc"), switches, "-fupc-report", "-c", "a.upc"])
    assert f"note: {note}\n" in result.stderr


@pytest.mark.parametrize("body, notes", [
    ("for (i = 0; i < n; i++) e[i] = w[i];", ["e[i]: what is far of a strip is put behind it"]),
    ("for (i = 0; i < n; i++) e[i] += e2[i];", ["e[i]: what is far of a strip is fetched before it and put behind it",
                                                "e2[i]: what is far of a strip is fetched before it"]),
    ("for (i = 0; i < n; i++) w2[i] = c[w[i]];",
     ["c[w[i]]: what is far is fetched for a batch of iterations of the loop at line 11 at once"])])
def test_what_is_moved_between_processes(upct, body, notes):
    upct.write("a.upc", HEAD.replace("int i,", "static double w2[9]; int i,") + body + "\nreturn s; }\n")
    moved = [line.split("note: ")[1] for line in
             upct.run([upct.tool("upcc"), "-fupc-network=mpi", "-fupc-report", "-c", "a.upc"]).stderr.splitlines()
             if "what is far" in line]
    assert sorted(moved) == sorted(notes)
    assert "what is far" not in upct.run([upct.tool("upcc"), "-fupc-report", "-c", "a.upc"]).stderr
