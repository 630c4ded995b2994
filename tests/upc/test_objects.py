"""Objects of upcc and of Clang UPC in one program: they lay out shared data alike and
read the same words of the runtime. The programs of tests/fixtures/abi print with upcc
what they print there."""

import os
import re

import harness
from harness import case

THREADS = (1, 2, 3, 4, 7, 16)


def abi(name):
    return os.path.join(harness.ROOT, "tests", "fixtures", "abi", name)


def compile_with(t, *words, output="prog"):
    program = t.path(output)
    t.good([t.tool("upcc"), "-w", *words, "-o", program])
    return program


@case(each=["hello", "privates", "layouts", "heap", "library", "heat", "wordfreq"])
def programs_print_what_the_listings_print(t, name):
    ours = compile_with(t, "-O2", abi(f"{name}.upc"), output="ours")
    theirs = t.link(f"{name}.O2.s", output="theirs")
    text = t.write("text", "the cat and the dog and the bird: the end of the cat\n" * 50)
    for threads in THREADS:
        words = [text] if name == "wordfreq" else []
        a = t.run([ours, *words], THREADS=threads)
        b = t.run([theirs, *words], THREADS=threads)
        t.equal((sorted(a.stdout.splitlines()), a.returncode),
                (sorted(b.stdout.splitlines()), b.returncode), f"{name} on {threads} threads")


# The main of a listing under another name, so that a program of ours can call it.
def listing_as_function(t, name, function):
    with open(abi(name)) as f:
        text = f.read()
    return t.write(function + ".s", re.sub(r"\bupc_main\b", function, text))


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


@case(each=["layouts.O0.s", "layouts.O1.debug.s", "layouts.O2.s", "layouts.O2.struct.s",
            "layouts.O2.threads4.s"])
def shared_data_of_a_listing_is_ours_too(t, listing):
    switches = ["-O2"]
    if "struct" in listing:
        switches.append("-fupc-pts=struct")
    if "threads4" in listing:
        switches.append("-fupc-threads-4")
    function = listing_as_function(t, listing, "layouts_main")
    program = compile_with(t, *switches, t.write("main.upc", MIXED), function)
    for threads in (4,) if "threads4" in listing else THREADS:
        result = t.run([program], THREADS=threads)
        t.equal((result.stdout, result.returncode), (f"layouts: done on {threads} threads\n", 0),
                listing)


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


@case
def an_outer_loop_controls_loops_in_functions(t):
    program = compile_with(t, "-O2", t.write("nested.upc", NESTED))
    for threads in THREADS:
        t.equal(t.good([program], THREADS=threads), "1 1\n" * threads)


@case
def static_data_in_several_files_is_one(t):
    one = t.write("one.upc", "#include <upc.h>\nshared [3] int a[6 * THREADS] = { 5 };\n"
                             "static shared int hidden = 1;\nint get (void) { return hidden; }\n"
                             "shared int *where (void) { return &hidden; }\n")
    two = t.write("two.upc", "#include <upc.h>\n#include <stdio.h>\nextern shared [3] int a[];\n"
                             "static shared int hidden = 2;\nint get (void);\n"
                             "shared int *where (void);\n"
                             "int main (void) { a[6 * THREADS - 1 - MYTHREAD] = MYTHREAD; upc_barrier;\n"
                             "if (!MYTHREAD) printf (\"%d %d %d %d %d\\n\", a[0], a[5 * THREADS],"
                             " hidden, get (), where () == &hidden);\nreturn 0; }\n")
    program = compile_with(t, "-O2", one, two)
    for threads in THREADS:
        t.equal(t.good([program], THREADS=threads), f"5 {threads - 1} 2 1 0\n")


@case
def debug_information_names_the_source(t):
    source = t.write("place.upc", "#include <upc.h>\nshared int a[THREADS];\n\nvoid f (int i)\n{\n"
                                  "  a[i]++;\n  upc_barrier;\n}\nint main (void)\n{\n  f (MYTHREAD);\n"
                                  "  return a[0] != 1;\n}\n")
    program = compile_with(t, "-g", "-O0", source)
    lines = t.good(["objdump", "--dwarf=decodedline", program])
    for line in (6, 7, 11, 12):
        t.check(re.search(rf"place\.upc\s+{line}\s", lines), f"no code of line {line}")
    t.good([program], THREADS=3)


@case
def plain_c_becomes_the_same_code(t):
    source = t.write("plain.upc", "#include <stdio.h>\nstruct s { int a : 3; double d[4]; };\n"
                                  "static int f (struct s *s, int n) { return s->a + (int) s->d[n]; }\n"
                                  "int g (int n) { struct s s = { 1, { 2, 3 } }; return f (&s, n); }\n")
    copy = t.write("plain.c", open(source).read())
    t.good([t.tool("upcc"), "-O2", "-c", source, "-o", t.path("a.o")])
    t.good([t.tool("upcc"), "-O2", "-c", copy, "-o", t.path("b.o")])
    code = [t.good(["objdump", "-d", "--no-show-raw-insn", t.path(o)]).split("section .text", 1)[1]
            for o in ("a.o", "b.o")]
    t.equal(code[0], code[1])


@case(each=["tools/upc2c/declarator.c", "tools/upc2c/layout.c", "privatize/dwarf/frames.c"])
def real_c_becomes_the_same_code_as_with_cc(t, name):
    if t.sanitizers:
        # upcc compiles for the sanitizer then, and cc does not.
        return
    source, code = os.path.join(harness.ROOT, name), []
    words = ["-O2", "-D_GNU_SOURCE", f"-I{harness.ROOT}", f"-I{harness.ROOT}/include", "-c"]
    for compiler in [t.tool("upcc"), "-x", "upc"], ["gcc"]:
        t.good([*compiler, *words, source, "-o", t.path("a.o")], UPCC_CC="gcc")
        code.append(t.good(["objdump", "-dr", "--no-show-raw-insn", "-j.text", t.path("a.o")]))
    t.equal(*code)
