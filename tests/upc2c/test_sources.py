"""Right UPC sources parse without a message, in every translation environment."""

import glob
import os
import re

import pytest

from support import ROOT

ENVIRONMENTS = ["-fupc-pts=packed", "-fupc-pts=struct", "-fupc-threads-4"]


@pytest.mark.parametrize("switch", ENVIRONMENTS)
def test_language(upct, switch):
    """Every construct of the language, packed into one file."""
    source = os.path.join(ROOT, "tests", "fixtures", "upc2c", "language.upc")
    upct.check_output(["gcc", "-E", "-x", "c", source, "-o", upct.path("p.i")])
    result = upct.run([upct.tool("upc2c"), switch, upct.path("p.i"), "-o", upct.path("p.c")])
    assert (result.returncode, result.stderr) == (0, ""), "status and messages"


@pytest.mark.parametrize("switch", ENVIRONMENTS)
def test_sources_of_other_tests(upct, switch):
    for source in sorted(glob.glob(f"{ROOT}/tests/fixtures/abi/*.upc") + glob.glob(f"{ROOT}/tests/fixtures/upc2c/programs/*.upc")):
        defines = ["-DGUPS_LOCKED=0", *([f"-DTHREADS={switch[-1]}"] if "threads" in switch else [])]
        made = upct.run(["gcc", "-E", "-x", "c", "-D__UPC__=1", *defines, f"-I{ROOT}/include", source, "-o",
                         upct.path("p.i")])
        if made.returncode == 0:
            result = upct.run([upct.tool("upc2c"), switch, upct.path("p.i"), "-o", upct.path("p.c")])
            assert (result.returncode, result.stderr) == (0, ""), source


def test_pointers_in_records(upct):
    for switch, pts in (("packed", 8), ("struct", 16)):
        upct.write("p.i", f"""
struct a {{ char c; shared int *p; char d; shared [] char *q[2]; }};
struct b {{ char c; struct a x; shared void *y[3]; }};
extern shared [sizeof (struct a)] char *s0; extern shared [{16 + 3 * pts}] char *s0;
extern shared [sizeof (struct b)] char *s1; extern shared [{8 + 16 + 6 * pts}] char *s1;
extern shared [sizeof (shared int *[5])] char *s2; extern shared [{5 * pts}] char *s2;
extern shared [sizeof (shared int **)] char *s3; extern shared [8] char *s3;
""")
        result = upct.run([upct.tool("upc2c"), f"-fupc-pts={switch}", "p.i", "-o", "p.c"])
        assert result.stderr == "", switch


def test_sizes_of_shared_arrays(upct):
    """upc_localsizeof is an upper bound that has whole blocks."""
    dynamic = [("shared int t[10 * THREADS]", 40), ("shared [3] int t[10 * THREADS]", 48),
               ("shared [10] int t[10 * THREADS]", 40), ("shared [] int t[7]", 28), ("shared int t", 4),
               ("shared [3] int t[2][4 * THREADS]", 36), ("shared [*] int t[10 * THREADS]", 40)]
    static = dynamic + [("shared int t[10]", 12), ("shared [3] int t[10]", 12), ("shared [*] int t[10]", 12),
                        ("shared [100] int t[10]", 40), ("shared [5] char t[3][7]", 10)]
    for switches, table in (([], dynamic), (["-fupc-threads-4"], static)):
        for declaration, size in table:
            upct.write("p.i", f"{declaration};\nextern shared [upc_localsizeof (t)] char *p; extern shared [{size}] char *p;\n")
            assert upct.run([upct.tool("upc2c"), *switches, "p.i", "-o", "p.c"]).stderr == "", (
                f"{switches} {declaration}")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_headers_that_are_included_again_and_again(upct, compiler):
    """Their line marks nest, though some are lost where functions are written anew."""
    upct.write("inner.h", "static shared int *\nNAME (where) (void)\n{\n  return &data[MYTHREAD];\n}\n"
                       "static int\nNAME (twice) (int i)\n{\n  return (*NAME (where) () + i + NUMBER) * 2;\n}\n")
    upct.write("outer.h", "static int plain (int i)\n{\n  return i;\n}\n"
               "#define PASTE(a, b) a##b\n#define JOIN(a, b) PASTE (a, b)\n"
               + "".join(f"#undef NUMBER\n#define NUMBER {i}\n#define NAME(a) JOIN (a, {i})\n"
                         "#include \"inner.h\"\n#undef NAME\n" for i in range(4))
               + "static int last (void)\n{\n  return plain (twice0 (0) + twice1 (0) + twice2 (0) + twice3 (0));\n}\n")
    source = upct.write("main.upc", "#include <upc.h>\nshared int data[THREADS];\n#include \"outer.h\"\n"
                                 "int main (void) { return last () - 12; }\n")
    result = upct.run([upct.tool("upcc"), "-Wall", "-Werror", source, "-o", upct.path("main")], UPCC_CC=compiler)
    assert (result.returncode, result.stderr) == (0, "")


def lines_by_number(path):
    """What line marks say that each line of the source, from 0, became."""
    lines, number = [""], 1
    with open(path) as out:
        for text in out:
            if mark := re.match(r"# (\d+) ", text):
                number = int(mark[1])
            else:
                lines += [""] * (number + 1 - len(lines))
                lines[number] += text
                number += 1
    return lines


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_names_of_other_letters(upct, compiler):
    """GCC's preprocessor writes \\U000000f6 for them."""
    source = upct.write("main.upc", "#include <upc.h>\nshared int größe[THREADS];\nstruct été { shared int *π; };\n"
                                 "static int ägypten (int ñ) { return größe[MYTHREAD] + ñ; }\n"
                                 "int main (void)\n{\n  struct été e = { &gr\\u00f6\\u00DFe[MYTHREAD] };\n  *e.π = 3;\n"
                                 "  return ägypten (-3);\n}\n")
    # The recorder is gcc's: with AddressSanitizer its globals do not mix with clang's.
    for switch in ("-O2",) if compiler == "clang" and upct.sanitizers else ("-O2", "--trace"):
        result = upct.run([upct.tool("upcc"), switch, "-Wall", source, "-o", upct.path("main")], UPCC_CC=compiler)
        assert (result.returncode, result.stderr) == (0, "")
        upct.check_output([upct.path("main"), "-n", "2"])
    if switch == "--trace":
        with open(upct.path("main.trace/profile.txt")) as profile:
            assert " ägypten\n" in profile.read(), "profile.txt"


def test_files_of_odd_names(upct):
    source = upct.write('a "b" \\c.upc', "int main (void)\n{\n  if (__FILE__[3] == '\"')\n    return __FILE__[7] != 'c';\n  return (char *) 1;\n}\n")
    result = upct.run([upct.tool("upcc"), source, "-o", upct.path("main")])
    assert f"\n{source}:5:10: warning: " in result.stderr
    upct.write('a "b" \\c.upc', "int main (void) { char *s = 1; return 0; }\n")
    result = upct.run([upct.tool("upcc"), source, "-o", upct.path("main")])
    assert source + ":1:" in result.stderr and "warning: " in result.stderr


def test_pragmas_end_with_their_block(upct):
    """An access is strict where the pragma in effect, or its type, says so."""
    lines = [("shared int x; strict shared int s; relaxed shared int r;", False), ("void f (int a) {", False),
             ("a = x;", False), ("a = s;", True), ("{", False), ("#pragma upc strict", False), ("a = x;", True),
             ("a = r;", False), ("{", False), ("#pragma upc relaxed", False), ("a = x;", False), ("}", False),
             ("a = x;", True), ("}", False), ("a = x;", False), ("}", False), ("#pragma upc strict", False),
             ("int g (void) { return x; }", True)]
    check_strictness(upct, lines)


# Those of the first UPC (CCS-TR-99-157): next is for one statement, global for the rest, as nothing is.
NEXT = """
shared int x; int a; |
#pragma upc strict global |
int before (void) { return x; } | strict
#pragma upc relaxed next |
int relaxed_one (void) { return x; } |
int after (void) { return x; } | strict
#pragma upc relaxed global |
void f (int n) { int y[] = { 0 }; |
#pragma upc strict next |
a = x; | strict
a = x; |
#pragma upc strict next |
if (x) | strict
{ a = x; } | strict
else if (a) | -
while (x) | strict
a = x; | strict
a = x; |
#pragma upc strict next |
for (int i = 0; i < x; i++) | strict
{ a = x; | strict
#pragma upc relaxed |
a = x; { a = x; } |
#pragma upc strict next |
{ a = x; } | strict
a = x; } |
a = x; |
#pragma upc strict next |
do { a = x; } | strict
while (x); | strict
a = x; |
switch (n) { |
#pragma upc strict next |
case 1: here: default: a = x; | strict
a = x; } |
#pragma upc strict next |
#pragma upc relaxed next |
a = x; |
#pragma upc strict next |
upc_forall (int i = 0; i < x; i++; i) if (n) a = x; | strict
a = x; |
#pragma upc strict next |
{ a = x; | strict
#pragma upc relaxed next |
a = x; | 
a = x; | strict
} a = x; |
if (n) |
#pragma upc strict next |
a = ({ a = x; x; }); | strict
a = x; goto here; } |
#pragma upc strict next |
int g (void) { return x; } | strict
int h (void) { return x; } |
#pragma upc strict next |
int *v = (int[]) { 1, 2 }, w; |
int l (void) { return x; } |
"""


def test_pragmas_for_one_statement(upct):
    lines = [tuple(line.rsplit(" |", 1)) for line in NEXT.strip().splitlines()]
    check_strictness(upct, [(line, what.strip() == "strict") for line, what in lines])


@pytest.mark.parametrize("first, second, third", [("strict", "relaxed", "strict"), ("relaxed", "strict", "relaxed")])
def test_headers_say_which_accesses_are_meant(upct, first, second, third):
    """Each time that they are included."""
    headers = (first, second, third)
    upct.write("a.upc", "".join(f"#include <upc_{header}.h>\n{'shared int x; upc_op_t op = UPC_ADD;' if i == 0 else ''}\n"
                                f"int f{i} (void) {{ return x + upc_threadof (&x); }}\n" for i, header in enumerate(headers)))
    upct.check_output([upct.tool("upcc"), "-trans", "a.upc"])
    with open(upct.path("a.trans.c")) as file:
        lines = [line for line in file if re.match(r"int f\d \(void\)", line)]
    assert [("strict" if "__upc_strict" in line else "relaxed") for line in lines] == list(headers)


HINTS = """
#include <upc.h>
shared [8] int a[8 * THREADS];
int b[64];
int
main (void)
{
  int i, n = 0;
#pragma HINT
  upc_forall (i = 0; i < 8 * THREADS; i++; &a[i])
    a[i] = i;
#pragma HINT
  for (i = 0; i < 64; i++)
    b[i] = i;
  if (b[3] == 3)
#pragma HINT
    upc_forall (int j = 0; j < 8 * THREADS; j++; &a[j])
      n += a[j] == j;
  return n != 8;
}
"""


@pytest.mark.parametrize("compiler, hint", [("gcc", "GCC ivdep"), ("gcc", "GCC unroll 4"), ("gcc", "omp simd"), ("gcc", "omp simd safelen(4)"),
                                            ("clang", "clang loop vectorize(enable)"), ("clang", "omp simd")])
def test_hints_may_stand_before_upc_forall(upct, compiler, hint):
    """They have no effect there; before loops of C's they stay."""
    upct.write("a.upc", HINTS.replace("HINT", hint))
    program = upct.compile("-O2", "a.upc", output="a", UPCC_CC=compiler)
    upct.check_prints("", [program], THREADS=3)
    upct.check_output([upct.tool("upcc"), "-trans", "a.upc"], UPCC_CC=compiler)
    with open(upct.path("a.trans.c")) as file:
        assert re.findall(r"(.*)\n *for \(i = 0; i < 64", file.read()) == ["#pragma " + hint]


def check_strictness(upct, lines):
    upct.write("p.i", "".join(line + "\n" for line, _ in lines))
    result = upct.run([upct.tool("upc2c"), "p.i", "-o", "p.c"])
    assert (result.returncode, result.stderr) == (0, "")
    for (line, is_strict), translated in zip(lines, lines_by_number(upct.path("p.c"))[1:]):
        assert ("__upc_strict" in translated) == is_strict, f"'{line}' is strict: {translated}"


@pytest.mark.sample(6)
@pytest.mark.parametrize("compiler, switch", [
    (compiler, switch) for compiler in ("gcc", "clang") for switch in ("-O0", "-O2", "-fupc-threads-3",
                                                                       "-fupc-pts=struct", "--profile", "-std=c99")])
def test_no_warning_is_of_the_translation(upct, compiler, switch):
    """A clean program stays so with all warnings that people turn on."""
    source = os.path.join(ROOT, "tests", "fixtures", "upc2c", "clean.upc")
    result = upct.run([upct.tool("upcc"), "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wshadow", "-Wconversion",
                       "-Wstrict-prototypes", "-Wmissing-prototypes", "-Wcast-qual", "-Wwrite-strings",
                       "-Wpointer-arith", "-Wredundant-decls", "-Wundef", switch, source, "-o", upct.path("main")],
                      UPCC_CC=compiler)
    assert (result.returncode, result.stderr) == (0, "")
    result = upct.run([upct.path("main")], THREADS=3)
    assert (result.stdout, result.returncode) == ("15 main\n", 0)


ROWS = """#include <upc.h>
shared [] int *first, *column;
shared [] double *value;
shared [512] double x[4096 * THREADS];
double
product (int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = first[i]; k < first[i + 1]; k++)
      sum += value[k] * x[column[k]];
  return sum;
}
"""


@pytest.mark.sample(6)
@pytest.mark.parametrize("switch", ["-O2", "-O2 -fupc-check", "-O2 -fsanitize=address"])
@pytest.mark.parametrize("source", ["rows.upc", "counters.upc", "rules/forall.upc"])
def test_warnings_are_of_what_the_program_names(upct, source, switch):
    """What upc2c declares may be unused."""
    folder = os.path.join(ROOT, "tests", "fixtures", "upc2c")
    path = upct.write("rows.upc", ROWS) if source == "rows.upc" else os.path.join(folder, source)
    result = upct.run([upct.tool("upcc"), "-Wall", "-Wextra", "-DBLOCK=4", *switch.split(), "-c", path, "-o", upct.path("x.o")])
    assert result.returncode == 0 and "__upc_" not in result.stderr


REWRITTEN = """#include <upc_relaxed.h>
#include <stdio.h>
shared [4] int a[600 * THREADS], b[600 * THREADS];
struct { struct { int y; } in; int x; } plain = { { 2 }, 3 };
int
copy (int n)
{
  int i = 0, k = 0;

  while (n--)
    {
      b[k++] = a[i];
      i += 2;
    }
  return n * 1000 + k;
}
int
main (void)
{
  shared [] typeof (plain) *p = upc_alloc (sizeof *p);
  shared [] typeof (plain.in) *q = &p->in;

  *p = plain;
  printf ("%d %d\\n", copy (19), p->x + q->y);
  return 0;
}
"""


@pytest.mark.parametrize("switches", [["-O0"], ["-O2"], ["-O1", "--profile"], ["-O2", "-fupc-check"]], ids=" ".join)
def test_a_name_that_is_needed_late_has_all_written_again(upct, switches):
    """What the planner has made of loops is not made of them once more."""
    upct.write("late.upc", REWRITTEN)
    upct.check_prints("-981 5\n", [upct.compile(*switches, "late.upc")], THREADS=1)
