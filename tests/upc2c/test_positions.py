"""Messages of the compiler behind point into the source."""

import re

import pytest

from support import ROOT

SOURCE = """shared int before[2
  * THREADS];
#include "outer.h"
struct { shared int *p;
  int x; } record, *shared cursor = 0; shared int after;
#pragma GCC diagnostic push
#include "outer.h"
void f (void) { int a; after = 1; int b; for (int i = 0; i < 3; i++) { after += i; int c; } }
int main (void) { int d; after = 1; int e; return 0; }
shared [] int text[2] = { "x" };
"""
WANTED = ["8:21", "8:39", "8:88", "9:23", "9:41"]


def warnings(upct, compiler):
    """The unused variables, as line:column, and all messages."""
    upct.write("outer.h", '#include "inner.h"\nextern shared int outer;\n')
    upct.write("inner.h", "extern shared int *inner;\n")
    source = upct.write("case.upc", SOURCE)
    result = upct.run([upct.tool("upcc"), "-Wall", "-c", source, "-o", upct.path("case.o")], UPCC_CC=compiler)
    assert result.returncode == 0, result.stderr
    found = re.findall(r"case\.upc:(\d+:\d+): warning: unused variable", result.stderr)
    return sorted(found, key=lambda place: [int(n) for n in place.split(":")]), result.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_statements_keep_their_columns(upct, compiler):
    found, text = warnings(upct, compiler)
    assert found == WANTED, text


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_initial_values_keep_their_lines(upct, compiler):
    _, text = warnings(upct, compiler)
    assert re.search(r"case\.upc:10:\d+: warning: .*(integer|conversion)", text)


def test_headers_are_entered_and_left(upct):
    """Line marks go into each header and come back."""
    upct.write("outer.h", '#include "inner.h"\nextern shared int outer;\n')
    upct.write("inner.h", "extern shared int *inner;\n")
    upct.write("case.upc", SOURCE)
    upct.check_output(["gcc", "-E", "-x", "c", "-I", f"{ROOT}/include", "case.upc", "-o", "case.i"])
    upct.check_output([upct.tool("upc2c"), "case.i", "-o", "case.c"])
    with open(upct.path("case.c")) as out:
        marks = re.findall(r'^# \d+ "([^"]*)"((?: \d)*)$', out.read(), flags=re.M)
    stack = ["case.upc"]
    for name, flags in marks:
        if " 1" in flags:
            stack.append(name)
        elif " 2" in flags:
            assert len(stack) > 1, f"back to {name} from nowhere"
            stack.pop()
    assert stack == ["case.upc"], "headers that are open at the end"
    assert [name for name, flags in marks if " 1" in flags and not name.startswith("/")] == [
        "outer.h", "inner.h"] * 2, "headers"


PREPROCESSED = """#define N 10
#define SUM(a, b) ((a) + (b) + !THREADS_OF)
#define THREADS_OF (MYTHREAD = 1)
shared int   a[N * THREADS], \t/* two */ b[N];
shared [N*N/THREADS] int c[THREADS];
int f (void) { return SUM (N,   2)  + N + SUM (a[N], 3) +\t (THREADS = N) + SUM (upc_localsizeof (int [N]), 1); }
"""
PREPROCESSED_MESSAGES = """case.upc:4:41: error: shared array of definite block size needs 'THREADS' in one dimension with dynamic THREADS; -fupc-threads-N makes it a constant (UPC 1.3, 6.5.2.1)
    4 | shared int   a[N * THREADS], \t/* two */ b[N];
      |                              \t          ^
case.upc:5:9: error: block size is not an integer constant expression with dynamic THREADS; -fupc-threads-N makes it one (UPC 1.3, 6.5.1.1)
    5 | shared [N*N/THREADS] int c[THREADS];
      |         ^
case.upc:6:23: error: 'MYTHREAD' is not an object: it cannot be assigned (UPC 1.3, 6.3.2)
    6 | int f (void) { return SUM (N,   2)  + N + SUM (a[N], 3) +\t (THREADS = N) + SUM (upc_localsizeof (int [N]), 1); }
      |                       ^
case.upc:6:43: error: 'MYTHREAD' is not an object: it cannot be assigned (UPC 1.3, 6.3.2)
    6 | int f (void) { return SUM (N,   2)  + N + SUM (a[N], 3) +\t (THREADS = N) + SUM (upc_localsizeof (int [N]), 1); }
      |                                           ^
case.upc:6:69: error: 'THREADS' is not an object: it cannot be assigned (UPC 1.3, 6.3.1)
    6 | int f (void) { return SUM (N,   2)  + N + SUM (a[N], 3) +\t (THREADS = N) + SUM (upc_localsizeof (int [N]), 1); }
      |                                                          \t          ^
case.upc:6:81: error: 'upc_localsizeof' applied to type 'int [10]', which is not shared (UPC 1.3, 6.4.1.2)
    6 | int f (void) { return SUM (N,   2)  + N + SUM (a[N], 3) +\t (THREADS = N) + SUM (upc_localsizeof (int [N]), 1); }
      |                                                          \t                      ^~~~~~~~~~~~~~~
case.upc:6:76: error: 'MYTHREAD' is not an object: it cannot be assigned (UPC 1.3, 6.3.2)
    6 | int f (void) { return SUM (N,   2)  + N + SUM (a[N], 3) +\t (THREADS = N) + SUM (upc_localsizeof (int [N]), 1); }
      |                                                          \t                 ^
"""


def messages(upct, name, text, line_feed="\n"):
    upct.write(name, text.replace("\n", line_feed))
    return upct.run([upct.tool("upcc"), "-c", name, "-o", "case.o"]).stderr


@pytest.mark.parametrize("line_feed", ["\n", "\r\n"])
def test_columns_are_those_of_the_file(upct, line_feed):
    """Whatever the preprocessor made of macros, blanks and comments."""
    assert messages(upct, "case.upc", PREPROCESSED, line_feed).split("upcc: ")[0].replace("\r", "") == (
        PREPROCESSED_MESSAGES)


@pytest.mark.parametrize("name", ["there/is none.upc", "/dev/zero", "-", ""])
def test_files_that_cannot_be_read_have_columns_too(upct, name):
    """Those of the preprocessed text; likewise where a line mark lies."""
    text = f'#define N 10\n#line 7 "{name}"\nshared int  a[N],  b;\n'
    assert (messages(upct, "case.upc", text).splitlines()[:3]
            == [f"{name}:7:12: error: shared array of definite block size needs 'THREADS' in one dimension "
                "with dynamic THREADS; -fupc-threads-N makes it a constant (UPC 1.3, 6.5.2.1)", "    7 | shared int a[10], b;",
                "      |            ^", ])


def test_lines_of_great_length_are_no_hindrance(upct):
    text = "int x" + "  = 1;  int y%d" * 4000 % tuple(range(4000)) + ",  *z = &THREADS;\n"
    assert re.search(r"case\.upc:1:\d+: error: 'THREADS' is not an object", messages(upct, "case.upc", text)), (
        "no message")


@pytest.mark.parametrize("count", [100, 300, 900])
def test_lines_of_many_tokens_have_columns(upct, count):
    """More than what is matched with the file's line: those of the preprocessed text, the
    same here."""
    text = "int " + " ".join(f"x{i}," for i in range(count)) + " *z = &THREADS;"
    column = text.index("&") + 1
    assert f"case.upc:1:{column}: error: 'THREADS' is" in messages(upct, "case.upc", text + "\n"), "another column"


def test_statements_behind_macros_keep_their_columns(upct):
    source = upct.write("case.upc", "#define N 1000000\nshared int a;\nint f (void) { a =   N;  int x;  a = N + N; int y; return N; }\n")
    result = upct.run([upct.tool("upcc"), "-Wall", "-c", source, "-o", upct.path("case.o")])
    assert re.findall(r"case\.upc:(\d+:\d+): warning: unused variable", result.stderr) == ["3:49", "3:30"]


BEHIND = """#include <upc_relaxed.h>
#define N 5
#define PLUS(a, b) ((a) + (b))
shared int a[N*THREADS], *p;
int of (char *);
int f (int n, int *i)
{
  int   x   =   N, *q = NULL , r;
  a[N] = of (i);   /* comment */ a[of (i)]   =  a[N] + of (i);
  p[a[of (i)] + N]  =  PLUS (a[of (i)], N) + of (i); return  PLUS (N,  n ) + of (i);
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_expressions_keep_their_columns(upct, compiler):
    """Behind accesses that are translated, macros, comments and blanks."""
    source = upct.write("case.upc", BEHIND)
    result = upct.run([upct.tool("upcc"), "-Wall", "-c", source, "-o", upct.path("case.o")], UPCC_CC=compiler)
    found = re.findall(r"case\.upc:(\d+:\d+): warning: (?:unused variable|passing argument|incompatible pointer)", result.stderr)
    assert sorted(found) == ["10:11", "10:36", "10:50", "10:82", "8:21", "8:32", "8:9", "9:14", "9:40", "9:60"], (
        result.stderr)


@pytest.mark.parametrize("name", ['quote".upc', "back\\slash.upc", "umlaut-ä.upc", "tab\t.upc"])
def test_files_keep_their_names(upct, name):
    source = upct.write(name, "shared int a[THREADS]; int of (char *); int f (int *i) { return a[0] +  of (i); }\n")
    assert f"{name}:1:77: warning: " in upct.run([upct.tool("upcc"), "-c", source, "-o", upct.path("case.o")]).stderr, (
        "not from cc")
    upct.write(name, "int *f (void) { return   &THREADS; }\n")
    assert f"{name}:1:26: error: " in upct.run([upct.tool("upcc"), "-c", source, "-o", upct.path("case.o")]).stderr, (
        "not from upc2c")


FALLS = r"""static shared int g;
int f (int x)
{
  switch (x) {
  case 0: g = 1; /* FALLTHROUGH */ case 1: x++; /* fall through */
  case 2:
    x++;
    // falls through
  case 3: x += g;
    __builtin_puts ("don't /* break"); /* Fall-through: 
       on purpose, after blanks and words, which GCC does not read */
#ifdef NEVER
  case 12:
#endif
  case 4: x--; /* no break, but no such word */
  case 5: x -= '"'; /* FALLTHRU */
  default: x++;
     __attribute__ ((fallthrough));
  case 17: x++; /* falls through */ x++;
  case 18: x++;
  }
  return x;
}
"""


def test_comments_say_that_cases_are_fallen_into(upct):
    """GCC's warnings are those that it has of C."""
    lines = []
    for name, text in (("case.c", FALLS.replace("shared ", "")), ("case.upc", FALLS)):
        compiler = "gcc" if name == "case.c" else upct.tool("upcc")
        result = upct.run([compiler, "-Wextra", "-c", upct.write(name, text), "-o", upct.path("case.o")])
        lines.append(re.findall(r":(\d+:\d+): (warning: .*|note: here)", result.stderr))
    assert lines[1] == lines[0], "warnings"
    assert [place for place, _ in lines[0]] == ["10:5", "15:3", "15:12", "16:3", "19:38", "20:3"]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_headers_end_where_text_behind_them_is_rewritten(upct, compiler):
    """What follows an inner header, in the outer one, is written anew: the program is not said
    to be within."""
    upct.write("inner.h", "extern shared int inner;\n")
    upct.write("outer.h", '#include "inner.h"\n' + 9 * "\n" + "static inline int outer (shared int *p) { return *p; }\n")
    source = upct.write("case.upc", '#include "outer.h"\nstatic int unused;\nint main (void) { return 0; }\n')
    result = upct.run([upct.tool("upcc"), "-Wall", "-c", source, "-o", upct.path("case.o")], UPCC_CC=compiler)
    assert "case.upc:2:12: warning: " in result.stderr
    assert "In file included" not in result.stderr


LOOPS = [
    "for (i = 0; i < n; i++) if (a[i] < u) s++;",
    "for (i = 0; i < n; i++) if (p[i] < u) s++;",
    "for (i = 0; i < n; i++) d[i] = c[i] < u;",
    "for (i = 0; i < n; i++) q[i] = p[i] < u;",
    "for (i = 0; i < n; i++) s += a[w[i]] < u;",
    "for (i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i + 1] < u;",
    "for (i = 0; i < u; i++) b[i] = a[i];",
    "for (i = 0; i < n; i++) for (j = 0; j < 8; j++) for (k = 0; k < 8; k++) s += m[i][j][k] < u;",
    "upc_forall (i = 0; i < n; i++; &c[i]) d[i] += c[i + 1] < u;",
    "for (i = n - 1; i >= 0; i--) b[i] += a[i] < u;",
    "for (i = 0; i < n; i++) { int t = c[i]; c[i] = d[i]; d[i] = t < u; }",
    "for (i = 0, k = 0; i < n; i += 2) w[k++] = a[i] < u;",
    "while (s < n && a[s] != 3) s += a[s] < u;",
    "for (i = 0; i < n; i++) a[i] = a[i + 1] < u;",
    "if (u < n) s = 3;",
]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("flags", [["-O1"], ["-fupc-check"], ["-fupc-threads-4"]])
def test_code_that_is_written_twice_is_warned_of_once(upct, compiler, flags):
    """Loops have several forms, one of which is chosen when they run."""
    source = upct.write("case.upc", "\n".join([
        "shared int a[10 * THREADS], b[10 * THREADS], *p, *q; shared [4] int c[8 * THREADS], d[8 * THREADS]; "
        "shared [*] int m[THREADS][8][8]; int w[100]; int f (unsigned u, int n) { int i, j, k, s = 0;",
        *LOOPS, "return s; }"]))
    result = upct.run([upct.tool("upcc"), "-Wsign-compare", *flags, "-c", source, "-o", upct.path("case.o")],
                      UPCC_CC=compiler)
    assert result.returncode == 0, result.stderr
    # clang does not say all in the order of lines.
    found = sorted(int(line) for line in re.findall(r"case\.upc:(\d+):\d+: warning: ", result.stderr))
    assert found == [i + 2 for i in range(len(LOOPS))]
