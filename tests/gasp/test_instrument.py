"""upcc --profile: the events of each construct, with their arguments, line and column."""


import pytest

from gasp.recorded import FOLDER, build_tool, events_of, expand, quiet, run_watched, watched
from support.upcc import refuses, upcc

pytestmark = pytest.mark.sample(12, plain=6)

HEAD = """#include <upc_relaxed.h>
#include <upc_collective.h>
#include <upc_atomic.h>
#include <upc_nb.h>
#include <stdlib.h>
typedef struct { int x; const int y; unsigned bits : 3; char text[5]; double z[2]; } record;
typedef int vector __attribute__ ((vector_size (16)));
shared int a[8 * THREADS];
shared [2] double b[8 * THREADS];
shared [4] char c[2 * THREADS][4];
shared record s[4 * THREADS];
strict shared long st[2 * THREADS];
shared [] long *shared i;
shared _Complex double z;
shared _Atomic int counter;
shared vector v;
shared int one;
static void nothing (int n, ...) { (void) n; }
"""

# Statements, and what they raise; column 1 is where they begin.
ACCESSES = [
    ("x = a[1];", ["5 GET a[1] 4"]),
    ("a[1] = 2;", ["1 PUT a[1] 4"]),
    ("a[1] = a[2];", ["8 GET a[2] 4", "1 PUT a[1] 4"]),
    ("a[2] += a[1];", ["9 GET a[1] 4", "1 GET a[2] 4", "1 PUT a[2] 4"]),
    ("x = a[3]++ + --a[4];", ["5 GET a[3] 4", "5 PUT a[3] 4", "16 GET a[4] 4", "16 PUT a[4] 4"]),
    ("a[a[7] * 0 + 1] <<= 1;", ["3 GET a[7] 4", "1 GET a[1] 4", "1 PUT a[1] 4"]),
    ("b[5] = b[2] * 2;", ["8 GET b[2] 8", "1 PUT b[5] 8"]),
    ("*(b + 3) = 1;", ["1 PUT b[3] 8"]),
    ("c[1][2] = c[0][3];", ["11 GET c[3] 1", "1 PUT c[6] 1"]),
    ("p = b + 3; p[1] = 4; *p++ = 5; (*p)--;",
     ["12 PUT b[4] 8", "22 PUT b[3] 8", "33 GET b[4] 8", "33 PUT b[4] 8"]),
    ("s[2].x = s[1].text[3];", ["10 GET s[1] 1", "1 PUT s[2] 4"]),
    ("q = &s[1]; q->bits = 9; q->bits++; x = q->z[x & 1] + q->y;",
     ["12 PUT s[1] 4", "25 GET s[1] 4", "25 PUT s[1] 4", "40 GET s[1] 8", "54 GET s[1] 4"]),
    ("record copy = s[1];", ["15 GET s[1] 32"]),
    ("st[1] = 3; x = st[0] + st[0]; st[1]++; st[0] -= 2;",
     ["1 PUTS st[1] 8", "16 GETS st[0] 8", "24 GETS st[0] 8", "31 GETS st[1] 8", "31 PUTS st[1] 8",
      "40 GETS st[0] 8", "40 PUTS st[0] 8"]),
    ("z = 2; __real__ z = 3; x = __imag__ z;", ["1 PUT i[0] 16", "8 PUT i[0] 8", "28 GET i[0] 8"]),
    ("counter += 2; x = counter++;",
     ["1 GET i[0] 4", "1 PUT i[0] 4", "19 GET i[0] 4", "19 PUT i[0] 4"]),
    ("x = v[2]; v[1] = 3;", ["5 GET i[0] 16", "11 PUT i[0] 4"]),
    ("one = 1; x = one ? a[1] : a[2];", ["1 PUT i[0] 4", "14 GET i[0] 4", "20 GET a[1] 4"]),
    ("if (!one) x = a[1]; else while (one && a[5]) break;",
     ["6 GET i[0] 4", "33 GET i[0] 4", "40 GET a[5] 4"]),
    ("x = sizeof a[1] + sizeof (a[2] = 3) + __builtin_types_compatible_p (int, __typeof__ (a[1]));", []),
    ("x = (int) (upc_threadof (&a[5]) + upc_phaseof (&a[1]) + (&a[3] - &a[1]));", []),
    ("x = ({ int w = a[2]; w; }); (void) a[1];", ["16 GET a[2] 4", "36 GET a[1] 4"]),
    ("{ int w[] = { a[1], [2] = a[2] }, n = a[3]; nothing (w[0], n); }",
     ["15 GET a[1] 4", "27 GET a[2] 4", "39 GET a[3] 4"]),
    ("{ int w[a[2] * 0 + 3]; x = sizeof w; }", ["9 GET a[2] 4"]),
    ("for (int k = a[0] * 0; k < 2 + a[0] * 0; k++, a[3]++) { }",
     ["14 GET a[0] 4"] + 2 * ["32 GET a[0] 4", "47 GET a[3] 4", "47 PUT a[3] 4"] + ["32 GET a[0] 4"]),
    ("switch (a[1] * 0) { case 0: a[2] = 1; break; default: a[3] = 1; }", ["9 GET a[1] 4", "29 PUT a[2] 4"]),
    ("do { a[1]++; } while (a[2] * 0);", ["6 GET a[1] 4", "6 PUT a[1] 4", "23 GET a[2] 4"]),
    ("__asm__ volatile (\"\" : : \"r\" (a[1]), \"m\" (a[2]));", ["31 GET a[1] 4"]),
    ("x = (a[1], a[2]) + ((a[3]));", ["6 GET a[1] 4", "12 GET a[2] 4", "22 GET a[3] 4"]),
]

LIBRARY = [
    ("w = malloc (10 + x * 0); w = realloc (w, 20); free (w); free (NULL);",
     ["5 C_MALLOC 10 -> p", "30 C_REALLOC p 20 -> p", "47 C_FREE p", "57 C_FREE null"]),
    ("w = calloc (3, 5); free (w);", ["5 C_MALLOC 15 -> p", "20 C_FREE p"]),
    ("m = upc_all_alloc (3, 8); upc_all_free (m);", ["5 ALL_ALLOC 3 8 -> 0.0", "27 FREE 0.0"]),
    ("m = upc_global_alloc (3, 8); upc_free (m); upc_free (NULL);",
     ["5 GLOBAL_ALLOC 3 8 -> 0.0", "30 FREE 0.0", "44 FREE null"]),
    ("m = upc_alloc (24); upc_free (m);", ["5 ALLOC 24 -> own", "21 FREE own"]),
    ("m = upc_local_alloc (2, 24); upc_free (m);", ["5 ALLOC 48 -> own", "30 FREE own"]),
    ("l = upc_all_lock_alloc ();", ["5 ALL_LOCK_ALLOC -> any"]),
    ("upc_lock (l); upc_unlock (l);", ["1 LOCK any", "15 UNLOCK any"]),
    ("upc_all_lock_free (l); l = upc_global_lock_alloc ();", ["1 LOCK_FREE any", "28 GLOBAL_LOCK_ALLOC -> any"]),
    ("if (upc_lock_attempt (l)) upc_unlock (l);", ["5 LOCK_ATTEMPT any -> 1", "27 UNLOCK any"]),
    ("upc_lock_free (l);", ["1 LOCK_FREE any"]),
    ("upc_memput (a + 1, &x, 4); upc_memget (&x, &a[2], sizeof x);", ["1 MEMPUT a[1] p 4", "28 MEMGET p a[2] 4"]),
    ("upc_memcpy (b + 5, b + 2, 8); upc_memset (&c[1][1], x * 0 + 7, 2);",
     ["1 MEMCPY b[5] b[2] 8", "31 MEMSET c[5] 7 2"]),
    ("h = upc_memget_nb (&x, a + 1, 4); upc_sync (h);", ["5 NB_GET_INIT 1 p a[1] 4 -> null", "35 NB_SYNC null"]),
    ("h = upc_memput_nb (a + 1, &x, 4); if (!upc_sync_attempt (h)) return;",
     ["5 NB_PUT_INIT 1 a[1] p 4 -> null", "40 NB_SYNC null"]),
    ("upc_memget_nbi (&x, a, 4); upc_memput_nbi (a, &x, 4); upc_synci (); (void) upc_synci_attempt ();",
     ["1 NB_GET_INIT 1 p a[0] 4 -> null", "28 NB_PUT_INIT 1 a[0] p 4 -> null", "55 NB_SYNC null", "76 NB_SYNC null"]),
    ("upc_memcpy_nbi (a, a + 1, 4); h = upc_memcpy_nb (a, a + 1, 4); upc_sync (h);",
     ["1 NB_MEMCPY_INIT a[0] a[1] 4 -> null", "35 NB_MEMCPY_INIT a[0] a[1] 4 -> null", "64 NB_SYNC null"]),
    ("upc_memset_nbi (a, 0, 4); h = upc_memset_nb (a + 2, 1, 4); upc_sync (h);",
     ["1 NB_MEMSET_INIT a[0] 0 4 -> null", "31 NB_MEMSET_INIT a[2] 1 4 -> null", "60 NB_SYNC null"]),
    ("upc_all_broadcast (big, a, 4, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);", ["1 ALL_BROADCAST 0.0 a[0] 4 9"]),
    ("upc_all_scatter (big, big2, 4, 9);", ["1 ALL_SCATTER 0.0 0.0 4 9"]),
    ("upc_all_gather (big2, big, 4, 9);", ["1 ALL_GATHER 0.0 0.0 4 9"]),
    ("upc_all_gather_all (big2, big, 4, 9);", ["1 ALL_GATHER_ALL 0.0 0.0 4 9"]),
    ("upc_all_exchange (big2, big, 4, 9);", ["1 ALL_EXCHANGE 0.0 0.0 4 9"]),
    ("upc_all_permute (big2, big, perm, 4, 9);", ["1 ALL_PERMUTE 0.0 0.0 0.0 4 9"]),
    ("upc_all_reduceI (a + 1, a, UPC_ADD, 2, 1, NULL, 9);", ["1 ALL_REDUCE a[1] a[0] 1 2 1 null 9 4"]),
    ("upc_all_prefix_reduceD (b + 4 * THREADS, b, UPC_FUNC, 2, 2, sum, 9);",
     ["1 ALL_PREFIX_REDUCE b[0] b[0] 65536 2 2 p 9 9"]),
    ("d = upc_all_atomicdomain_alloc (UPC_INT, UPC_ADD | UPC_GET, 0);", []),
    ("upc_atomic_relaxed (d, &x, UPC_GET, a + 1, NULL, NULL);", ["1 ATOMIC 1 p a[1] 512 5"]),
    ("upc_atomic_strict (d, NULL, UPC_ADD, &a[1], &x, NULL);", ["1 ATOMIC 0 null a[1] 1 5"]),
    ("upc_all_atomicdomain_free (d);", []),
    ("upc_all_sort (a, 4, THREADS, 1, order, 9);", ["1 ALL_SORT a[0] 4 n 1 p 9"]),
    ("free_by_pointer (w = malloc (1)); (upc_memset) (a, 0, 4);",
     ["22 C_MALLOC 1 -> p", "36 MEMSET a[0] 0 4"]),
]

STATEMENTS = [
    ("upc_barrier;", ["1 BARRIER 0 0"]),
    ("upc_barrier 3 + x * 0;", ["1 BARRIER 1 3"]),
    ("upc_notify; upc_wait;", ["1 NOTIFY 0 0", "13 WAIT 0 0"]),
    ("upc_notify 7; upc_wait 7;", ["1 NOTIFY 1 7", "15 WAIT 1 7"]),
    ("if (x != -1) upc_fence; else upc_barrier;", ["14 FENCE"]),
]

DECLARED = """  int x = 0; void *w; shared void *m; upc_lock_t *l; upc_handle_t h; upc_atomicdomain_t *d;
  shared [2] double *p; shared record *q; void (*free_by_pointer) (void *) = free;
  (void) x, (void) w, (void) m, (void) l, (void) h, (void) d, (void) p, (void) q, (void) free_by_pointer;
"""
MORE = """inline int plain_inline (int n) { return n + 1; }
extern int plain_inline (int n);
shared int big[8 * THREADS]; shared [8] int big2[8 * THREADS]; shared int perm[THREADS];
static double sum (double n, double m) { return n + m; }
static int order (shared void *m, shared void *n) { return *(shared int *) m - *(shared int *) n; }
"""


def program_of(rows):
    """Each row on a line of its own, in column 1; returns the text and the first line."""
    lines = (HEAD + MORE).splitlines() + ["static void rows (void)", "{"] + DECLARED.splitlines()
    start = len(lines) + 1
    lines += [code for code, _ in rows] + ["}", "int main (void) { perm[MYTHREAD] = MYTHREAD; upc_barrier; rows (); return 0; }"]
    return "\n".join(lines) + "\n", start


def is_told(event, thread, mode):
    """With --profile a thread's accesses to what is its own are not."""
    words = event.split(" ")
    if mode != "--profile" or words[1] not in ("GET", "PUT"):
        return True
    place = words[5] if words[1] == "GET" else words[4]
    return int(place.split(".")[0]) != thread


def matches(got, wanted, thread, threads):
    known = {"any": None, "own": f"{thread}.0", "n": str(threads)}
    pairs = list(zip(got.split(" "), wanted.split(" ")))
    return len(got.split(" ")) == len(wanted.split(" ")) and all(
        w == "any" or g == known.get(w, w) for g, w in pairs)


def check_rows(upct, rows, program, start, threads, mode):
    for thread, events in enumerate(events_of(upct, program, threads)):
        for number, (code, expected) in enumerate(rows):
            wanted = [line for text in expected for line in expand(text, threads)]
            wanted = [line for line in wanted if is_told(line, thread, mode)]
            got = [f"{e.column} {e.name} {e.type} {e.arguments}".rstrip() for e in events
                   if e.line == start + number]
            same = len(got) == len(wanted) and all(
                matches(g, w, thread, threads) for g, w in zip(got, wanted))
            assert same, f"{code}\n  thread {thread} of {threads} {mode}:\n  got {got}\n  wanted {wanted}"


MODES = ["--profile", "--profile-local"]
COLUMNS = {"O0": ["-O0"], "O2": ["-O2"], "O3": ["-O3"], "struct": ["-O2", "-fupc-pts=struct"],
           "clang": ["-O2"], "clang_O0": ["-O0"], "clang_struct": ["-O1", "-fupc-pts=struct"]}


@pytest.mark.parametrize("kind, column", [
    (kind, column) for kind in ("accesses", "library", "statements") for column in COLUMNS])
def test_constructs_raise_their_events(upct, kind, column):
    rows = {"accesses": ACCESSES, "library": LIBRARY, "statements": STATEMENTS}[kind]
    text, start = program_of(rows)
    source = upct.write("rows.upc", text)
    switches = COLUMNS[column]
    environment = {"UPCC_CC": "clang"} if "clang" in column else {}
    for mode in MODES:
        program = watched(upct, mode, "-w", *switches, source, tool_switches=switches[1:], **environment)
        for threads in (1, 3, 8):
            check_rows(upct, rows, program, start, threads, mode)


@pytest.mark.parametrize("threads", [1, 3, 8])
def test_static_threads_raise_the_same(upct, threads):
    text, start = program_of(ACCESSES)
    source = upct.write("rows.upc", text)
    program = watched(upct, "--profile-local", "-w", "-O2", f"-fupc-threads-{threads}", source,
                      tool_switches=[f"-fupc-threads-{threads}"])
    check_rows(upct, ACCESSES, program, start, threads, "--profile-local")


# Functions and upc_forall: the whole record of a function's call, by the line it is on.

SIGNATURES = {
    "early": "int early(int n)",
    "falls": "void falls(void)",
    "returns_function": "int (*returns_function(int n, ...))(int)",
    "old_style": "int old_style(int n, char *texts[])",
    "inlined": "unsigned long long inlined(const unsigned short *p)",
    "recursive": "int recursive(int n)",
    "jumps": "void jumps(void)",
    "local_labels": "int local_labels(int n)",
    "computed": "int computed(int n)",
    "computed_out": "int computed_out(int n)",
    "computed_past": "void computed_past(int n)",
    "leaves": "int leaves(int n)",
    "goes": "void goes(void)",
    "breaks": "void breaks(void)",
    "owns": "void owns(int n)",
    "by_value": "void by_value(void)",
    "calls": "void calls(void)",
    "nests": "void nests(void)",
    "throws": "int throws(void)",
    "main": "int main(int argc, char **argv)",
}


def tree(events):
    """Events as nested text: `early()calls(FORALL(early()))`."""
    text = ""
    for e in events:
        name = e.arguments.split("(")[0].split(" ")[-1].lstrip("*") if e.name == "C_FUNC" else e.name
        if e.arguments.startswith("int (*"):
            name = "returns_function"
        text += name + "(" if e.type == "start" else ")" if e.type == "end" else name
    return text


WAYS_OUT = ("early() falls() returns_function() old_style() inlined() recursive(recursive(recursive())) "
            "local_labels() computed() computed_out(FORALL()) computed_past(FORALL()) leaves(FORALL()) goes(FORALL(FORALL())) breaks(FORALL()) "
            "owns(FORALL(PUT() PUT() PUT() PUT())) by_value(FORALL(GET() GET() GET() GET() GET())) "
            "calls(FORALL(early())) nests(inner()) falls() throws(FORALL(jumps()))")


@pytest.mark.parametrize("column, threads", [(column, n) for column in COLUMNS for n in (1, 3)])
def test_every_way_out_ends_what_is_open(upct, column, threads):
    environment = {"UPCC_CC": "clang"} if "clang" in column else {}
    wanted = WAYS_OUT
    source = f"{FOLDER}/ways_out.upc"
    if "clang" in column:
        # Clang has no nested functions.
        text = open(source).read().replace("{ int inner (int n) { return n + depth; } depth = inner (1); }", "{ }")
        source = upct.write("ways_out.upc", text)
        wanted = wanted.replace("nests(inner())", "nests()")
    program = watched(upct, "--profile-local", "-w", *COLUMNS[column], source,
                      tool_switches=COLUMNS[column][1:], **environment)
    # What is open at an exit is closed before the exit's own event.
    wanted = f"main({wanted})COLLECTIVE_EXIT()".replace(" ", "")
    for arguments in ([], ["exit"]):
        for thread, events in enumerate(events_of(upct, program, threads, *arguments)):
            assert tree(events) == wanted, f"thread {thread}, {arguments}"


def test_functions_have_their_signatures(upct):
    program = watched(upct, "--profile", "-w", "-O1", f"{FOLDER}/ways_out.upc")
    lines = open(f"{FOLDER}/ways_out.upc").read().splitlines()
    found = {}
    for e in events_of(upct, program, 1)[0]:
        if e.name == "C_FUNC":
            found[e.arguments] = (e.line, e.column)
    for name, signature in SIGNATURES.items():
        assert signature in found, f"{signature} in {sorted(found)}"
        line, column = found[signature]
        assert lines[line - 1][column - 1:][:len(name)] == name, signature
    assert not any("unseen" in text for text in found)


# What chooses events.

CHOICE = """#include <upc_relaxed.h>
#include <pupc.h>
shared int a[THREADS];
static int helper (void) { return a[0]; }
#pragma pupc off
static int hidden (void) { return a[0]; }
#pragma pupc on
static int mixed (void)
{
  int n = a[0];
  {
    #pragma pupc off
    n += a[0]; upc_fence;
    { n += a[0];
#pragma pupc on
      n += a[0];
    }
    n += a[0];
  }
  return n + a[0];
}
int main (void)
{
  unsigned user = pupc_create_event ("step", "%d");
  helper ();
  hidden ();
  mixed ();
_Pragma ("pupc off")
  pupc_event_atomic (user, 1);
  pupc_event_start (user, 2); upc_barrier; pupc_event_end (user, 3);
  if (!pupc_control (0) || pupc_control (1)) return 4;
  return hidden ();
}
"""


def lines_of(lines):
    """Starts and points in time as `line NAME`; what comes from no file as it is."""
    shown = []
    for line in lines:
        words = line.split(" ")
        if words[0].count(":") < 2:
            shown.append(line)
        elif words[2] != "end":
            place = words[0].rsplit(":", 2)
            shown.append(f"{place[1]} {words[1]}" + (f" {words[2]}" if "USER" in words[1] else ""))
        elif "USER" in words[1]:
            shown.append(f"{words[0].rsplit(':', 2)[1]} {words[1]} end")
    return shown


CHOSEN = ["22 C_FUNC", "create step %d", "4 C_FUNC", "4 GET", "8 C_FUNC", "10 GET", "16 GET", "20 GET",
          "29 USER1 atomic", "30 USER1 start", "30 USER1 end", "control 0", "control 1", "0 COLLECTIVE_EXIT"]


@pytest.mark.parametrize("how", ["direct", "preprocessed", "late"])
def test_pragmas_hold_in_their_scope(upct, how):
    source = upct.write("choice.upc", CHOICE)
    if how != "direct":
        quiet(upct, *(["--profile-local"] if how == "preprocessed" else []), "-E", source, "-o", "choice.upci")
        source = upct.path("choice.upci")
    program = watched(upct, "--profile-local", "-Wall", "-Werror", source)
    for lines in run_watched(upct, program, 2)[1]:
        assert lines_of(lines) == CHOSEN, how


@pytest.mark.parametrize("word", ["on", "off"])
def test_pragmas_mean_nothing_uninstrumented(upct, word):
    source = upct.write("plain.upc", f"#pragma pupc {word}\nint main (void) {{ return 0; }}\n")
    quiet(upct, "-Wall", "-Wextra", "-Werror", "-c", source, "-o", "plain.o")


@pytest.mark.parametrize("mode, more", [("", []), ("--profile", []), ("--profile", ["-w"])])
def test_wrong_pragmas_are_warned_of(upct, mode, more):
    for pragma in ("pupc", "pupc of", "pupc on off", "pupc ()"):
        source = upct.write("wrong.upc", f"#include <upc.h>\n#pragma {pragma}\nint n;\n")
        result = upcc(upct, *filter(None, [mode]), *more, "-c", source, "-o", "wrong.o")
        message = (f"{source}:2:1: warning: ignoring '#pragma {pragma}': expected on or off (GASP 1.4, 5.1)\n"
                   f"    2 | #pragma {pragma}\n      | ^\n")
        assert (result.returncode, result.stderr) == (0, "" if more else message), pragma


@pytest.mark.parametrize("switches", ["--profile-only", "--profile-local --profile-only",
                                      "-fupc-instrument --profile-only"])
def test_only_named_events_are_raised(upct, switches):
    source = upct.write("choice.upc", CHOICE)
    names = upct.write("names", "\r\n  GASP_UPC_GET \t\r\n\nGASP_UPC_BARRIER")
    program = watched(upct, *switches.split(), names, source)
    wanted = [line for line in CHOSEN if "C_FUNC" not in line and "EXIT" not in line]
    for thread, lines in enumerate(run_watched(upct, program, 2)[1]):
        local = thread == 0 and switches == "--profile-only"
        assert lines_of(lines) == [line for line in wanted if not (local and "GET" in line)], switches


def test_unknown_names_are_warned_of(upct):
    source = upct.write("a.upc", "int main (void) { return 0; }\n")
    names = upct.write("names", "GASP_UPC_GET\n\nGASP_UPC_GIT\r\n gasp_upc_put\nGASP_UPC_CACHE_MISS\n")
    warning = "".join(f"{names}:{line}:1: warning: unknown event '{name}', ignored\n"
                      for line, name in ((3, "GASP_UPC_GIT"), (4, "gasp_upc_put")))
    result = upcc(upct, f"--profile-only={names}", source, "-o", "a")
    assert (result.returncode, result.stderr) == (0, warning)


def test_wrong_switches_are_refused(upct):
    upct.write("a.upc", "int main (void) { return 0; }\n")
    refuses(upct, ["--profile-only", "none", "a.upc"], "cannot read 'none': No such file or directory")
    refuses(upct, ["--profile-only", upct.folder, "a.upc"], f"cannot read '{upct.folder}': Is a directory")
    refuses(upct, ["a.upc", "--profile-only"], "missing argument to '--profile-only'", status=2)
    refuses(upct, ["--profile-only="], "missing argument to '--profile-only='", status=2)
    refuses(upct, ["--profile=x", "a.upc"], "unknown switch '--profile=x'", status=2)


GNU_MODES = {"-fupc-instrument": False, "-fupc-instrument-functions": True}


@pytest.mark.parametrize("switch", GNU_MODES)
def test_switches_of_gnu_upc_mean_the_same(upct, switch):
    source = upct.write("choice.upc", CHOICE + "#ifndef __UPC_PUPC_INST__\n#error not instrumented\n#endif\n")
    wanted = [line for line in CHOSEN if GNU_MODES[switch] or "C_FUNC" not in line]
    for lines in run_watched(upct, watched(upct, switch, source), 2)[1]:
        assert lines_of(lines) == wanted, switch


# What stays as it was.

# Berkeley UPC's functions have the events of those of UPC that they are like.
BERKELEY = """
#include <upc.h>
#include <upc_collective.h>
shared int a[4 * THREADS], b[4 * THREADS];
int main (void)
{
  int n[2] = { 1, 2 };
  bupc_handle_t h[1];
  bupc_sem_t *s = bupc_sem_alloc (0);
  bupc_waitsync (bupc_memget_async (n, &a[0], 8));
  bupc_memput_asynci (&a[0], n, 8);
  bupc_waitsynci ();
  h[0] = bupc_memcpy_async (&a[0], &b[0], 4);
  bupc_waitsync_all (h, 1);
  if (!bupc_trysync (bupc_memset_async (&a[0], 3, 4))) return 1;
  bupc_memput_signal ((shared void *) &a[MYTHREAD], n, 4, s, 1);
  bupc_sem_wait (s);
  bupc_sem_free (s);
  bupc_all_reduce_allI (b, a, UPC_ADD, 4 * THREADS, 1, NULL, 0);
  bupc_exit (0);
}
"""


def test_functions_of_berkeley_upc_have_events(upct):
    source = upct.write("berkeley.upc", BERKELEY)
    for events in events_of(upct, watched(upct, "--profile", source), 1):
        names = [event.name for event in events if event.type != "end"]
        assert names == ["C_FUNC", "NB_GET_INIT", "NB_SYNC", "NB_PUT_INIT", "NB_SYNC", "NB_MEMCPY_INIT", "NB_SYNC",
                         "NB_MEMSET_INIT", "NB_SYNC", "MEMPUT", "ALL_REDUCE", "COLLECTIVE_EXIT"]


# A file that is not instrumented: user events go, measurement control stays (GASP 1.4, 3.1.3).
PLAIN = """
#include <pupc.h>
static int calls;
static int side (void) { return ++calls; }
int plain (unsigned e)
{
  int was = pupc_control (0);
  pupc_event_start (e, side (), "", 1.0);
  pupc_event_end (e), pupc_event_atomic (side () ? e : 0);
  was = was == 1 && pupc_control (side ()) == 0 && pupc_control (1) == 3;
  return was ? calls : -1;
}
"""


@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_user_events_are_compiled_away(upct, cc):
    source = upct.write("plain.upc", PLAIN)
    for optimisation in ("-O0", "-O2"):
        quiet(upct, optimisation, "-Wall", "-Wextra", "-Werror", "-c", source, "-o", "plain.o", UPCC_CC=cc)
        names = upct.check_output(["nm", "plain.o"])
        assert "pupc_control" in names and "pupc_event" not in names and "gasp" not in names


def test_measurement_is_controlled_from_any_file(upct):
    """With a tool and without, instrumented and not, arguments are evaluated and control does the same."""
    source = upct.write("plain.upc", PLAIN)
    main = upct.write("main.upc", """#include <pupc.h>
#include <stdio.h>
int plain (unsigned e);
int main (void)
{
  unsigned e = pupc_create_event ("x", "%d");
  printf ("%d\\n", plain (e));
  return 0;
}
""")
    for switch in ("-O1", "--profile"):
        quiet(upct, switch, "-c", source, "-o", "plain.o")
        quiet(upct, main, "plain.o", "-o", "alone")
        assert upct.check_output([upct.path("alone")], THREADS=1) == "3\n", switch
        out, lines = run_watched(upct, watched(upct, "--profile", main, upct.path("plain.o")), 1)
        assert out == "3\n", switch
        assert [line for line in lines[0] if line.startswith("control")] == ["control 0", "control 3", "control 1"]


def test_what_is_not_instrumented_is_as_without_gasp(upct):
    source = f"{FOLDER}/ways_out.upc"
    upct.check_output([upct.tool("upcc"), "-w", "-O2", "-c", source, "-o", "plain.o"])
    names = upct.check_output(["nm", "plain.o"])
    assert "gasp" not in names and "__upc_site" not in names


def test_objects_may_be_mixed(upct):
    a = upct.write("a.upc", "#include <upc.h>\nint g (int n);\nint main (void) { upc_barrier; return g (1); }\n")
    b = upct.write("b.upc", "#include <upc.h>\nint h (void);\nint g (int n) { upc_barrier n; return h (); }\n")
    c = upct.write("c.upc", "#include <upc.h>\nint h (void) { upc_barrier 2; return 0; }\n")
    for source, switch in ((a, "--profile"), (b, "-O1"), (c, "--profile-local")):
        quiet(upct, switch, "-c", source, "-o", source.replace(".upc", ".o"))
    program = watched(upct, "--profile", *(upct.path(f"{name}.o") for name in "abc"))
    for events in events_of(upct, program, 3):
        assert tree(events) == "main(BARRIER()h(BARRIER()))COLLECTIVE_EXIT()"


def test_a_tool_is_found_in_an_archive(upct):
    source = upct.write("a.upc", "#include <upc.h>\nint main (void) { upc_barrier; return 0; }\n")
    upct.check_output(["ar", "rc", "libtool.a", *build_tool(upct)])
    for words in (["libtool.a"], ["-L.", "-l:libtool.a"]):
        quiet(upct, "--profile", source, *words, "-o", "found")
        for events in events_of(upct, upct.path("found"), 2):
            assert tree(events) == "main(BARRIER())COLLECTIVE_EXIT()"


@pytest.mark.parametrize("mode", ["--profile", "--profile-local"])
def test_without_a_tool_programs_run(upct, mode):
    source = upct.write("choice.upc", CHOICE)
    for switches in ([], ["-fupc-pts=struct"]):
        quiet(upct, mode, *switches, source, "-o", "alone")
        assert upct.run([upct.path("alone")], THREADS=3).returncode == 0


@pytest.mark.parametrize("cxx", ["g++", "clang++"])
def test_exceptions_end_functions(upct, cxx):
    upct.write("thrower.cc", """extern "C" void thrower () { throw 1; }
extern "C" void inner (void (*f) (void));
extern "C" int catcher (void (*f) (void)) { try { inner (f); } catch (int) { return 0; } return 1; }
""")
    source = upct.write("a.upc", """#include <upc.h>
void thrower (void); int catcher (void (*f) (void));
void inner (void (*f) (void)) { upc_forall (int i = 0; i < 1; i++; continue) f (); }
int main (void) { int status = catcher (thrower); upc_barrier; return status; }
""")
    upct.check_output([cxx, "-c", "thrower.cc", "-o", "thrower.o"])
    program = watched(upct, "--profile", "-O2", source, upct.path("thrower.o"), "-lstdc++")
    for events in events_of(upct, program, 2):
        assert tree(events) == "main(inner(FORALL())BARRIER())COLLECTIVE_EXIT()"


@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_instrumented_code_has_no_warnings(upct, cc):
    text, _ = program_of(ACCESSES + LIBRARY + STATEMENTS)
    plain, watched_too = (upcc(upct, *mode, "-Wall", "-Wextra", "-Wshadow", "-Wwrite-strings", "-O2",
                               "-c", upct.write("rows.upc", text), "-o", "rows.o", UPCC_CC=cc)
                          for mode in ([], ["--profile-local"]))
    assert (plain.returncode, watched_too.returncode) == (0, 0), watched_too.stderr

    def warned(result):
        return {line.split("[-W")[1] + line.split(":")[1] for line in result.stderr.splitlines()
                if "warning:" in line}

    assert warned(watched_too) - warned(plain) == set(), watched_too.stderr


@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_events_throw_nothing(upct, cc):
    """Or gcc would keep a sum in memory, for what unwinds the function to find: six times the time."""
    upct.write("a.upc", "#include <upc.h>\nshared [64] double a[64 * THREADS];\n"
               "double sum (int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n")
    listing = upct.check_output([upct.tool("upcc"), "--profile", "-O2", "-S", "a.upc", "-o", "-"], UPCC_CC=cc)
    assert "upct_gasp_event" in listing and "_Unwind_Resume" not in listing
