"""Objects of upcc and of Clang UPC in one program: they lay out shared data alike and
read the same words of the runtime. The programs of tests/fixtures/abi print with upcc
what they print there."""

import os
import re
import subprocess

import pytest

from support import ROOT

pytestmark = pytest.mark.sample(2)

THREADS = (1, 2, 3, 4, 7, 16)


def abi(name):
    return os.path.join(ROOT, "tests", "fixtures", "abi", name)


def compile_with(upct, *words, output="prog", **environment):
    return upct.compile("-w", *words, output=output, **environment)


@pytest.mark.parametrize("name", ["hello", "privates", "layouts", "heap", "library", "heat", "wordfreq"])
def test_programs_print_what_the_listings_print(upct, name):
    ours = compile_with(upct, "-O2", abi(f"{name}.upc"), output="ours")
    theirs = upct.link(f"{name}.O2.s", output="theirs")
    text = upct.write("text", "the cat and the dog and the bird: the end of the cat\n" * 50)
    for threads in THREADS:
        words = [text] if name == "wordfreq" else []
        a = upct.run([ours, *words], THREADS=threads)
        b = upct.run([theirs, *words], THREADS=threads)
        assert (sorted(a.stdout.splitlines()), a.returncode) == (sorted(b.stdout.splitlines()), b.returncode), (
            f"{name} on {threads} threads")


def text_size(path):
    fields = subprocess.run(["size", path], capture_output=True, text=True, check=True).stdout.splitlines()[1].split()
    return int(fields[0])


@pytest.mark.no_sanitizers("they add code of their own")
@pytest.mark.parametrize("cc", ["gcc", "clang"])
@pytest.mark.parametrize("switches", [(), ("-fupc-pts=struct",), ("-T", "4")], ids=" ".join)
def test_code_without_optimisation_is_small(upct, cc, switches):
    """Accesses are calls then: in line they are a hundred instructions each."""
    line = "  {a}[i + 3] = {b}[j] + {c}[k * 2]; if ({b}[i] > {c}[j]) {a}[k]++; {b}[i + j] += {a}[5];\n"
    body = "".join(line.format(a="abc"[n % 3], b="abc"[n // 3 % 3], c="abc"[n // 9]) for n in range(27))
    function = f"void f (int i, int j, int k)\n{{\n{body}}}\n"
    upct.write("shared.upc", "#include <upc.h>\nshared int a[99 * THREADS], b[99 * THREADS];\n"
               "shared [4] int c[99 * THREADS];\n" + function)
    upct.write("private.c", "int a[99], b[99], c[99];\n" + function)
    shared = upct.compile("-O0", "-c", *switches, upct.path("shared.upc"), output="shared.o", UPCC_CC=cc)
    private = upct.path("private.o")
    upct.check_output([cc, "-O0", "-c", upct.path("private.c"), "-o", private])
    assert text_size(shared) <= 2.5 * text_size(private)


# The main of a listing under another name, so that a program of ours can call it.
def listing_as_function(upct, name, function):
    with open(abi(name)) as f:
        text = f.read()
    return upct.write(function + ".s", re.sub(r"\bupc_main\b", function, text))


MIXED = """
#include <upc.h>
#include <stdio.h>
#define N 60
struct pair { int key; double value; };
extern shared int cyclic[N * THREADS];
extern shared [5] double blocked[N * THREADS];
extern shared [] long indefinite[N];
extern shared int scalar;
extern shared struct pair pairs[THREADS];
extern strict shared int flag;
extern shared int *shared cursor;
int layouts_main (void);
static int own = 3;
shared int after[THREADS];
int
main (void)
{
  int i, errors = layouts_main ();
  shared [5] double *p = blocked;
  upc_barrier;
  for (i = 0; i < N * THREADS; i++)
    errors += cyclic[i] != 3 * i || *p++ != i + 0.5;
  for (i = 0; i < N; i++)
    errors += indefinite[i] != -i;
  for (i = 0; i < THREADS; i++)
    errors += pairs[i].key != i || pairs[i].value != i / 4.0;
  errors += scalar != 17 || cursor != &cyclic[3] || *cursor != 9 || flag != 1;
  after[MYTHREAD] = own++;
  upc_barrier;
  errors += after[(MYTHREAD + 1) % THREADS] != 3;
  if (errors)
    printf ("thread %d: %d errors\\n", MYTHREAD, errors);
  return errors;
}
"""


@pytest.mark.only_x86_64("the listings are for x86-64")
@pytest.mark.parametrize("listing", ["layouts.O0.s", "layouts.O1.debug.s", "layouts.O2.s", "layouts.O2.struct.s",
                                     "layouts.O2.threads4.s"])
def test_shared_data_of_a_listing_is_ours_too(upct, listing):
    switches = ["-O2"]
    if "struct" in listing:
        switches.append("-fupc-pts=struct")
    if "threads4" in listing:
        switches.append("-fupc-threads-4")
    function = listing_as_function(upct, listing, "layouts_main")
    program = compile_with(upct, *switches, upct.write("main.upc", MIXED), function)
    for threads in (4,) if "threads4" in listing else THREADS:
        result = upct.run([program], THREADS=threads)
        assert (result.stdout, result.returncode) == (f"layouts: done on {threads} threads\n", 0), listing


NESTED = """
#include <upc.h>
#include <stdio.h>
static shared int visits[THREADS];
int depths (int (*body) (void));
static int
inner (void)
{
  int i, n = 0;
  upc_forall (i = 0; i < 4 * THREADS; i++; &visits[i])
    n++;
  return n;
}
int
main (void)
{
  int i, n = 0;
  upc_forall (i = 0; i < THREADS; i++; i)
    n += inner ();
  printf ("%d %d\\n", n == 4 * THREADS, inner () == 4);
  return 0;
}
"""


def test_an_outer_loop_controls_loops_in_functions(upct):
    program = compile_with(upct, "-O2", upct.write("nested.upc", NESTED))
    for threads in THREADS:
        assert upct.check_output([program], THREADS=threads) == "1 1\n" * threads


def test_static_data_in_several_files_is_one(upct):
    one = upct.write("one.upc", "#include <upc.h>\nshared [3] int a[6 * THREADS] = { 5 };\n"
                             "static shared int hidden = 1;\nint get (void) { return hidden; }\n"
                             "shared int *where (void) { return &hidden; }\n")
    two = upct.write("two.upc", "#include <upc.h>\n#include <stdio.h>\nextern shared [3] int a[];\n"
                             "static shared int hidden = 2;\nint get (void);\n"
                             "shared int *where (void);\n"
                             "int main (void) { a[6 * THREADS - 1 - MYTHREAD] = MYTHREAD; upc_barrier;\n"
                             "if (!MYTHREAD) printf (\"%d %d %d %d %d\\n\", a[0], a[5 * THREADS],"
                             " hidden, get (), where () == &hidden);\nreturn 0; }\n")
    program = compile_with(upct, "-O2", one, two)
    for threads in THREADS:
        assert upct.check_output([program], THREADS=threads) == f"5 {threads - 1} 2 1 0\n"


# Where compilers know no symbol of an object, it may be what nobody else refers to, or not be there at all.
HELD = """#include <upc.h>
#include <stdio.h>
static shared int never[4 * THREADS], once[4 * THREADS];
extern shared int nowhere[4 * THREADS], there[4 * THREADS];
static shared struct { int n, a[10]; } record;
static inline int ghost (int i) { return nowhere[i]; }
static int reached (int i) { return there[i]; }
static int sum (int i)
{
  static shared int own[4 * THREADS];
  own[i] = i;
  return own[i] + once[i];
}
int main (void)
{
  extern shared int there[];
  if (!MYTHREAD)
    {
      once[1] = 2;
      record.a[3] = 7;
      there[2] = 5;
      printf ("%d %d %d\\n", sum (1), record.a[3], there[2] + reached (2));
    }
  return 0;
}
"""


@pytest.mark.parametrize("cc, switches", [(cc, s) for cc in ("gcc", "clang") for s in (
    "-O0", "-O2", "-O2 -fPIC", "-O2 -fno-pie -no-pie", "-O3 -fupc-pts=struct", "-O2 -T 3", "-O2 -fupc-check",
    "-O2 -mcmodel=medium", "-O2 -mcmodel=large", "-O2 -mcmodel=large -fno-pie -no-pie")])
def test_objects_that_code_alone_refers_to(upct, cc, switches):
    if upct.processor != "x86_64":
        switches = switches.replace("-mcmodel=medium", "").replace("-mcmodel=large -fno-pie -no-pie", "-mcmodel=tiny")
        switches = switches.replace("-mcmodel=large", "")
    program = compile_with(upct, *switches.split(), upct.write("held.upc", HELD),
                           upct.write("there.upc", "#include <upc.h>\nshared int there[4 * THREADS];\n"), UPCC_CC=cc)
    assert upct.check_output([program], THREADS=3) == "3 7 10\n"


def test_debug_information_names_the_source(upct):
    source = upct.write("place.upc", "#include <upc.h>\nshared int a[THREADS];\n\nvoid f (int i)\n{\n"
                                  "  a[i]++;\n  upc_barrier;\n}\nint main (void)\n{\n  f (MYTHREAD);\n"
                                  "  return a[0] != 1;\n}\n")
    program = compile_with(upct, "-g", "-O0", source)
    lines = upct.check_output(["objdump", "--dwarf=decodedline", program])
    for line in (6, 7, 11, 12):
        assert re.search(rf"place\.upc\s+{line}\s", lines), f"no code of line {line}"
    upct.check_output([program], THREADS=3)


def test_plain_c_becomes_the_same_code(upct):
    source = upct.write("plain.upc", "#include <stdio.h>\nstruct s { int a : 3; double d[4]; };\n"
                                  "static int f (struct s *s, int n) { return s->a + (int) s->d[n]; }\n"
                                  "int g (int n) { struct s s = { 1, { 2, 3 } }; return f (&s, n); }\n")
    copy = upct.write("plain.c", open(source).read())
    upct.check_output([upct.tool("upcc"), "-O2", "-c", source, "-o", upct.path("a.o")])
    upct.check_output([upct.tool("upcc"), "-O2", "-c", copy, "-o", upct.path("b.o")])
    code = [upct.check_output(["objdump", "-d", "--no-show-raw-insn", upct.path(o)]).split("section .text", 1)[1]
            for o in ("a.o", "b.o")]
    assert code[0] == code[1]


@pytest.mark.no_sanitizers("upcc compiles for the sanitizer, and cc does not")
@pytest.mark.parametrize("name", ["tools/upc2c/parse/declarator.c", "tools/upc2c/ast/layout.c", "privatize/dwarf/frames.c"])
def test_real_c_becomes_the_same_code_as_with_cc(upct, name):
    """But for null pointers, which may be shared data's addresses to gcc (tools/upcc/compiler.c)."""
    source, code = os.path.join(ROOT, name), []
    words = ["-O2", "-D_GNU_SOURCE", f"-I{ROOT}", f"-I{ROOT}/include", "-c"]
    for compiler in [upct.tool("upcc"), "-x", "upc"], ["gcc", "-fno-delete-null-pointer-checks"]:
        upct.check_output([*compiler, *words, source, "-o", upct.path("a.o")], UPCC_CC="gcc")
        code.append(upct.check_output(["objdump", "-dr", "--no-show-raw-insn", "-j.text", upct.path("a.o")]))
    assert code[0] == code[1]


# Shared objects are structures to C, or not: all declarations of one have to agree.
AGAIN = """#include <upc.h>
#include <stdio.h>
typedef struct { int n; char d[]; } flexible;
typedef int wide __attribute__ ((aligned (64)));
static void
early (void)
{
  extern shared int late[];
  extern shared [4] int late_blocks[4 * THREADS];

  late[1] = 5;
  late_blocks[2] = 3;
}
extern shared int first[];
extern shared int first[4 * THREADS];
shared int first[4 * THREADS];
extern shared int first[];
extern shared [] int alone[];
extern shared [] int nobody[];
extern shared double scalar;
static void
middle (void)
{
  extern shared int first[];
  extern shared [] int alone[];

  first[0] = 1;
  alone[1] = 2;
  {
    static shared int first[3 * THREADS];

    first[2] = 1;
  }
}
shared int late[4 * THREADS];
shared [4] int late_blocks[4 * THREADS];
shared [] int alone[3];
shared double scalar;
shared [] int rows[2][3];
shared const int table[3 * THREADS] = { 1, 2, 3 };
shared [] const int constants[3] = { 1, 2, 3 };
shared flexible packets[THREADS];
shared flexible packet;
shared struct { int x; } unnamed[THREADS];
shared wide aligned;
shared int far[100000 * THREADS];
shared [] int far_alone[100000];
extern shared int far[];
shared int a, b[THREADS], *shared c[2 * THREADS];
shared [] char text[10] = "abc";
shared int tentative[THREADS];
shared int tentative[THREADS];

int
main (void)
{
  early ();
  middle ();
  upc_barrier;
  if (MYTHREAD == 0)
    {
      rows[1][2] = 4;
      a = 2;
      b[0] = 5;
      c[1] = &b[0];
      scalar = aligned = 1;
      packet.n = packets[0].n = unnamed[0].x = 2;
      far[5] = far_alone[3] = 3;
      printf ("%d\\n", late[1] + late_blocks[2] + first[0] + alone[1] + rows[1][2] + table[1] + constants[2] + packet.n
                       + packets[0].n + unnamed[0].x + aligned + (int) scalar + far[5] + far_alone[3] + a + b[0] + (c[1] == &b[0])
                       + text[1] + tentative[0]);
    }
  return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("switches", ["", "-fupc-check", "-fupc-check -fupc-pts=struct", "-T 3", "-T 3 -fupc-check"])
def test_declarations_of_an_object_agree(upct, switches, compiler):
    upct.write("again.upc", AGAIN)
    program = upct.compile("-Werror", "-Wno-unused-variable", "-g", *switches.split(), "again.upc", UPCC_CC=compiler)
    upct.check_prints("140\n", [program], THREADS=3)
