"""gdb with upct-gdb.py: shared data as UPC has it, and what threads and locks do."""

import re

import pytest

from support import ROOT
from support.upcc import needs_libraries

pytestmark = pytest.mark.host_only("gdb cannot run programs in an emulator")

PROGRAM = """#include <upc.h>
struct node { int value; shared struct node *next; };
typedef shared struct node *link;
struct holder { link at; shared [4] int *in[2]; };
shared [4] int a[6 * THREADS];
shared int m[THREADS][3];
shared [] double whole[5];
shared struct node nodes[4 * THREADS];
shared link head;
shared [*] int spread[3 * THREADS];
int plain[3] = { 1, 2, 3 };
struct holder holder;
upc_lock_t *lock;
__attribute__ ((noinline)) int
stop (shared [4] int *q, link l, shared [] double *d, shared double *past)
{
  __asm__ volatile ("" : : "g" (&q), "g" (&l), "g" (&d), "g" (&past) : "memory");
  return *q + l->value;
}
int
main (void)
{
  upc_lock_t *all = upc_all_lock_alloc ();
  upc_forall (int i = 0; i < 6 * THREADS; i++; &a[i])
    a[i] = i * 100;
  upc_forall (int i = 0; i < THREADS; i++; &m[i][0])
    for (int k = 0; k < 3; k++)
      m[i][k] = 10 * i + k;
  upc_forall (int i = 0; i < 3 * THREADS; i++; &spread[i])
    spread[i] = -i;
  for (int i = 0; i < 5 && !MYTHREAD; i++)
    whole[i] = i / 2.;
  upc_forall (int i = 0; i < 4 * THREADS; i++; &nodes[i])
    {
      nodes[i].value = i;
      nodes[i].next = &nodes[(i + 1) % (4 * THREADS)];
    }
  shared double *block = upc_all_alloc (THREADS, 9 * sizeof (double));
  if (MYTHREAD == 0)
    {
      head = &nodes[5];
      upc_lock (lock = all);
    }
  upc_barrier;
  holder.at = head->next;
  holder.in[1] = &a[6];
  if (MYTHREAD == 0)
    {
      stop (&a[5], head, whole, block + 2 * THREADS + 1);
      upc_unlock (lock);
    }
  upc_barrier;
  return 0;
}
"""

# A command, and what gdb says to it.
SESSION = [
    ("print a", "$1 = {0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700}"),
    ("print a[5]", "$2 = 500"),
    ("print/x a[5] + plain[1]", "$3 = 0x1f6"),
    ("print a[3]@4", "$4 = {300, 400, 500, 600}"),
    ("print m", "$5 = {{0, 1, 2}, {10, 11, 12}, {20, 21, 22}}"),
    ("print m[1][2]", "$6 = 12"),
    ("print whole", "$7 = {0, 0.5, 1, 1.5, 2}"),
    ("print spread", "$8 = {0, -1, -2, -3, -4, -5, -6, -7, -8}"),
    ("info args", "q = <thread 1, phase 1, a[5]>\nl = <thread 2, phase 0, nodes[5]>\nd = <thread 0, phase 0, whole[0]>\n"
                  "past = <thread 1, phase 0, block of 80 bytes + 16>"),
    ("print *q", "$9 = 500"),
    ("print q[1] + *(q + 2) + *(q - 3)", "$10 = 1500"),
    ("print q + 3", "$11 = <thread 2, phase 0, a[8]>"),
    ("print *q@3", "$12 = {500, 600, 700}"),
    ("print l->value", "$13 = 5"),
    ("print *l->next", "$14 = {value = 6, next = <thread 1, phase 0, nodes[7]>}"),
    ("print head->next->next->value", "$15 = 7"),
    ("print nodes[3].next", "$16 = <thread 1, phase 0, nodes[4]>"),
    ("print holder", "$17 = {at = <thread 0, phase 0, nodes[6]>, in = {NULL, <thread 1, phase 2, a[6]>}}"),
    ("print holder.at->value + holder.in[1][1]", "$18 = 706"),
    ("print *holder.in[0]", "The pointer-to-shared is null."),
    ("print &a[11] - q", "$19 = 6"),
    ("print q == &a[5] && !holder.in[0] && q != &a[6]", "$20 = 1"),
    ("print q ? (int) d[3] : -1", "$21 = 1"),
    ("print sizeof (a) / sizeof a[0] - sizeof (struct node *)", "$22 = 10"),
    ("print a[18]", "Index 18 is out of bounds: the array has 18 elements."),
    ("print a[7] = 77", "$23 = 77"),
    ("print a[6]@2", "$24 = {600, 77}"),
    ("print -pretty -- nodes[2]", "$25 = {\n  value = 2,\n  next = <thread 0, phase 0, nodes[3]>\n}"),
    ("print a[", "A syntax error in expression."),
    # C is gdb's own.
    ("print plain", "$26 = {1, 2, 3}"),
    ("print plain[0]@2", "$27 = {1, 2}"),
    ("print missing", 'No symbol "missing" in current context.'),
    ("print $27[1] * 3", "$28 = 6"),
    ("upc locks", "lock: held by thread 0"),
    # Other commands than print.
    ("set var a[8] = 88", ""),
    ("set var $x = a[8] + 1", ""),
    ("set variable plain[2] = 30", ""),
    ("set var missing = 1", 'No symbol "missing" in current context.'),
    ("print $x + plain[2]", "$29 = 119"),
    ('printf "%d, %g\\n", $_upc ("a[8]"), $_upc ("d[3]")', "88, 1.5"),
    ('print $_upc ("nodes[5]").value', "$30 = 5"),
    ("print nodes[5]", "$31 = {value = 5, next = <thread 0, phase 0, nodes[6]>}"),
    ("whatis $", "type = struct node"),
    ('print $_upc ("*holder.in[0]")', "The pointer-to-shared is null."),
    ("info breakpoints", re.compile(r'.*\tstop only if \$_upc \("a\[5\] == 500"\)\n.*', re.DOTALL)),
    ("condition 1 plain[0] == 1", ""),
    ("info breakpoints", re.compile(r".*\tstop only if plain\[0\] == 1\n.*", re.DOTALL)),
    ("upc heap", re.compile(r"upc_all_alloc, upc_global_alloc: 1 block of 80 bytes, in \d+ KiB of pages in each thread\n"
                            r"thread 0: 1 large or aligned, in \d+ KiB of pages\n"
                            r"thread 1: 0 blocks of 0 bytes in all, in \d+ KiB of pages\n"
                            r"thread 2: 0 blocks of 0 bytes in all, in \d+ KiB of pages")),
    ("print m[1]@2", "$32 = {{10, 11, 12}, {20, 21, 22}}"),
    ("print (m[0]@3)[2][1]", "$33 = 21"),
    ("up", None),
    ("upc threads", None),
    ("print MYTHREAD", "$34 = 0"),
]


def is_as_wanted(wanted, said):
    return wanted is None or (wanted.fullmatch(said) if isinstance(wanted, re.Pattern) else wanted == said)


def run_gdb(upct, commands, *words, first="set confirm off", **environment):
    """What gdb says to each command; FIRST comes before it loads anything."""
    script = ["set debuginfod enabled off", first, f"add-auto-load-safe-path {upct.build}/share/gdb", "set print thread-events off",
              "set width 0"]
    command = ["gdb", "-q", "-batch", "-nx", *(word for line in script for word in ("-iex", line))]
    for line in commands:
        command += ["-ex", "echo ====\\n", "-ex", line]
    result = upct.run(["sh", "-c", 'exec "$@" 2>&1', "sh", *command, *words], UPC_SHARED_HEAP_SIZE="1M", **environment)
    return [part.strip("\n") for part in result.stdout.split("====\n")[1:]], result.stdout


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("cc, switches", [("gcc", "-O0 -fupc-pts=packed"), ("gcc", "-O2 -fupc-pts=struct"),
                                          ("clang", "-O2 -fupc-pts=packed")])
def test_session(upct, cc, switches):
    program = upct.compile("-g", *switches.split(), upct.write("prog.upc", PROGRAM), UPCC_CC=cc)
    core = upct.path("core")
    early = ["print a[1]", "print a[9]", "upc threads", "upc locks", "upc heap"]
    told, text = run_gdb(upct, [*early, "break stop if a[5] == 500", "run", *(command for command, _ in SESSION),
                                f"generate-core-file {core}", "kill"], program, THREADS=3)
    assert re.fullmatch(r"Cannot access memory at address 0x\w+", told[0]), text
    assert told[1:len(early)] == ["The program is not being run."] * 4, text
    for (command, wanted), said in zip(SESSION, told[len(early) + 2:]):
        assert is_as_wanted(wanted, said), f"{command}\n{text}"
    assert re.search(r"^UPC thread 0 \(thread 1\): in stop at .*prog.upc:17$", text, re.M), text
    assert len(re.findall(r"^UPC thread [12] \(thread \d\): ", text, re.M)) == 2, text
    told, text = run_gdb(upct, ["print a[5]", "print nodes[3].next->value", "print q"], program, core)
    assert told == ["$1 = 500", "$2 = 4", "$3 = <thread 1, phase 1, a[5]>"], text


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("threads", [1, 2])
def test_other_numbers_of_threads(upct, threads):
    program = upct.compile("-g", "-fupc-threads-%d" % threads, upct.write("prog.upc", PROGRAM.replace("nodes[5]", "nodes[3]")))
    told, text = run_gdb(upct, ["break stop", "run", "print a[3]@3", "print q", "print *l", "print m", "print past",
                                "print past + 1000", "upc heap"], program, UPC_CHECK="1")
    rows = ", ".join("{%d, %d, %d}" % (10 * i, 10 * i + 1, 10 * i + 2) for i in range(threads))
    told = [re.sub("offset 0x[0-9a-f]+", "offset X", said) for said in told]
    assert told[2:] == ["$1 = {300, 400, 500}", f"$2 = <thread {1 % threads}, phase 1, a[5]>",
                        "$3 = {value = 3, next = <thread 0, phase 0, nodes[%s]>}" % ("0" if threads == 1 else "4"),
                        f"$4 = {{{rows}}}", f"$5 = <thread {1 % threads}, phase 0, block of 72 bytes + {24 if threads == 1 else 16}>",
                        f"$6 = <thread {1 % threads}, phase 0, offset X>",
                        f"1 block of {72 * threads} bytes, allocated at {upct.path('prog.upc')}:38 by upc_all_alloc\n"
                        f"1 block of 64 bytes, allocated at {upct.path('prog.upc')}:23 by upc_all_lock_alloc"], text


# What gdb says without the script: what is of one thread alone is right; of other arrays a piece, which says so, and
# into which no index leads.
WITHOUT = [
    ("whatis q", "type = __upc_pts_shared_4_int"),
    ("print *q", "Structure has no component named operator*."),
    ("print q + 1", "Structure has no component named operator+."),
    ("print l->value", "There is no member named value."),
    ("print a", "$1 = {of_thread_0 = {0, 100, 200, 300, 1200, 1300, 1400, 1500}}"),
    ("print a[5]", "Structure has no component named operator[]."),
    ("print nodes[1].next", "Structure has no component named operator[]."),
    ("ptype m", "type = struct __upc_shared_m {\n    int of_thread_0[3];\n}"),
    ("whatis a", "type = struct __upc_shared_a"),
    ("print *&a", "$2 = {of_thread_0 = {0, 100, 200, 300, 1200, 1300, 1400, 1500}}"),
    ("print whole", "$3 = {0, 0.5, 1, 1.5, 2}"),
    ("print table", "$4 = {{0, 1, 2}, {3, 4, 5}}"),
    ("print table[1]", "$5 = {3, 4, 5}"),
    ("print scalar", "$6 = 42"),
]
WITHOUT_CHECKED = [
    ("print scalar", re.compile(r"\$1 = {value = 42, red_zone = '.*}")),
    ("print table[1]", "Structure has no component named operator[]."),
    ("print table.value[1]", "$2 = {3, 4, 5}"),
    ("print a[5]", "Structure has no component named operator[]."),
]
WITH_CHECKED = [
    ("print scalar", "$1 = 42"),
    ("print scalar + table[1][2]", "$2 = 47"),
    ("print table", "$3 = {{0, 1, 2}, {3, 4, 5}}"),
    ("print head", "$4 = <thread 2, phase 0, nodes[5]>"),
    ("print head->next->value", "$5 = 6"),
    ("print scalar = 43", "$6 = 43"),
    ("print a[3]@4", "$7 = {300, 400, 500, 600}"),
]
MORE = PROGRAM.replace("int plain[3]", "shared int scalar;\nshared [] int table[2][3];\nint plain[3]").replace(
    "  shared double *block", """  if (MYTHREAD == 0)
    {
      scalar = 42;
      for (int i = 0; i < 6; i++)
        table[i / 3][i % 3] = i;
    }
  shared double *block""")


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
def test_without_the_script_nothing_is_wrong(upct):
    """gdb says that it may not load the script, and takes neither a pointer-to-shared for a pointer nor a piece of an array
    for the whole."""
    program = upct.compile("-g", upct.write("prog.upc", MORE))
    result = upct.run(["gdb", "-q", "-batch", "-nx", "-ex", "break stop", "-ex", "run", program], THREADS=2)
    assert "upct-gdb.py\" auto-loading has been declined" in result.stderr
    for switches, session in ([], WITHOUT), (["-fupc-check"], WITHOUT_CHECKED):
        program = upct.compile("-g", *switches, "prog.upc")
        told, text = run_gdb(upct, ["break stop", "run", *(command for command, _ in session)], program, first="set auto-load off",
                             THREADS=3)
        assert len(told) == 2 + len(session)
        for (command, wanted), said in zip(session, told[2:]):
            assert is_as_wanted(wanted, said), f"{command}\n{text}"


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("pts", ["packed", "struct"])
def test_programs_that_check_their_accesses(upct, pts):
    program = upct.compile("-g", "-fupc-check", f"-fupc-pts={pts}", upct.write("prog.upc", MORE))
    told, text = run_gdb(upct, ["break stop", "run", *(command for command, _ in WITH_CHECKED)], program, THREADS=3)
    assert told[2:] == [wanted for _, wanted in WITH_CHECKED], text


@pytest.mark.parametrize("switch", ["-O0", "-O2"])
def test_programs_with_address_sanitizer(upct, switch):
    """Where it is optimised, pointers-to-shared are integers (upct/pointer.h)."""
    needs_libraries(upct)
    program = upct.compile("-g", switch, "-fsanitize=address", upct.write("prog.upc", MORE))
    # gcc says that parameters are there before they are.
    told, text = run_gdb(upct, ["break stop", "run", "next", *(command for command, _ in WITH_CHECKED), "print holder", "print q",
                                "print *holder.in[0]", "print q + 1", "print $9 + 2"], program, THREADS=3, ASAN_OPTIONS="detect_leaks=0")
    assert told[3:] == [*(wanted for _, wanted in WITH_CHECKED),
                        "$8 = {at = <thread 0, phase 0, nodes[6]>, in = {NULL, <thread 1, phase 2, a[6]>}}",
                        "$9 = <thread 1, phase 1, a[5]>", "The pointer-to-shared is null.", "$10 = <thread 1, phase 2, a[6]>", "$11 = <thread 1, phase 3, a[7]>"], text


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
def test_main_without_a_result(upct):
    program = upct.compile("-g", upct.write("prog.upc", "int own;\nvoid\nmain (void)\n{\n  own = 1;\n  if (own)\n    return;\n}\n"))
    told, text = run_gdb(upct, ["break main", "run", "next", "backtrace", "next", "next", "ptype main", "continue"], program,
                         THREADS=1)
    assert "Breakpoint 1, main () at" in told[1] and told[1].endswith("\n5\t  own = 1;"), text
    assert told[2:5] == ["6\t  if (own)", f"#0  main () at {upct.path('prog.upc')}:6", "7\t    return;"], text
    assert told[6] == "type = int (void)" and re.search(r"\[Inferior 1 \(process \d+\) exited normally\]", told[7]), text


INLINED = """#include <upc.h>
#include <stdio.h>
shared int a[4*THREADS];

static int
twice (int x)
{
  return 2 * x;
}

int
main (void)
{
  a[MYTHREAD] = MYTHREAD;
  upc_barrier;
  int t = twice (a[1]);
  printf ("%d\\n", t);
  return 0;
}
"""


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("switch", ["-O1", "-O2", "-O3"])
def test_stops_are_in_functions_of_the_program(upct, switch):
    """Wherever the compiler has put the instructions of the line."""
    program = upct.compile("-g", switch, upct.write("prog.upc", INLINED))
    told, text = run_gdb(upct, ["break prog.upc:17", "run", "frame", "print sizeof t", "kill"], program, THREADS=1)
    assert re.match(r"#\d +(0x\w+ in )?main \(", told[2]) and told[3] == "$1 = 4", text


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
def test_remote(upct):
    program = upct.compile("-g", upct.write("prog.upc", PROGRAM))
    told, text = run_gdb(upct, [f"target remote | gdbserver --once - {program} -n 3", "break stop", "continue", "print a[5]",
                                "print *q@2", "print l->next->value", "upc locks", "upc threads", "print MYTHREAD", "kill"],
                         program)
    assert told[3:7] == ["$1 = 500", "$2 = {500, 600}", "$3 = 6", "lock: held by thread 0"], text
    assert told[7].startswith("UPC thread 0 (thread 1): in stop at ") and told[8] == "$4 = 0", text


LEFT_OUT = """#include <upc.h>
struct node { int value; };
shared struct node nodes[2 * THREADS];
shared [2] double d[2 * THREADS];
int own;
static int
look (shared struct node *p, shared [2] double *q)
{
  own = MYTHREAD * 10;
  return p->value + (int) *q;
}
int
main (void)
{
  shared struct node *p = &nodes[MYTHREAD];
  upc_barrier;
  return look (p, &d[2]);
}
"""


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_arguments_that_are_optimized_out_are_called_that(upct, cc):
    program = upct.compile("-g", "-O2", upct.write("left.upc", LEFT_OUT), UPCC_CC=cc)
    told, text = run_gdb(upct, ["break left.upc:9", "run", "backtrace"], program, THREADS=2)
    argument = r"<(optimized out|thread \d, phase 0, (nodes\[\d\]|d\[2\]))>"
    assert re.match(rf"#0  look \((p|q)={argument}, (p|q)={argument}\) at ", told[2]), text


ABORTS = """#include <upc.h>
#include <stdlib.h>
int
main (void)
{
  abort ();
}
"""


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
def test_functions_of_libc_have_their_names(upct):
    program = upct.compile("-g", upct.write("prog.upc", ABORTS))
    told, text = run_gdb(upct, ["run", "upc threads"], program, THREADS=1)
    assert told[1] == f"UPC thread 0 (thread 1): in abort called by main at {upct.path('prog.upc')}:6", text


WAITS = """#include <upc.h>
shared int go;
__attribute__ ((noinline)) void stop (void) { __asm__ volatile (""); }
int
main (int argc, char **argv)
{
  if (MYTHREAD == 0)
    upc_barrier;
  if (MYTHREAD == 1)
    {
      upc_notify 7;
      upc_wait 7;
    }
  while (!go)
    stop ();
  return 0;
}
"""


# Until they have come so far.
LOOK = """import re
for _ in range(2000):
    gdb.execute("continue", to_string=True)
    said = gdb.execute("upc threads", to_string=True)
    if len(re.findall("called by main", said)) == 2:
        break
print(said)
"""


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("switches", ["-O0", "-O2"])
def test_waiting_threads_are_in_the_statement(upct, switches):
    """Wherever in the runtime they are."""
    program = upct.compile("-g", switches, upct.write("waits.upc", WAITS))
    told, text = run_gdb(upct, ["break stop if MYTHREAD == 2", "run", f"source {upct.write('look.py', LOOK)}"], "--args", program,
                         THREADS=3, UPC_WAIT="sleep")
    assert re.search(r"UPC thread 0 \(thread \d+\): in upc_barrier called by main at .*waits\.upc:8\n"
                     r"UPC thread 1 \(thread \d+\): in upc_(notify|wait) called by main at .*waits\.upc:1[12]\n", told[-1]), text


def test_the_owner_of_a_lock_is_where_the_runtime_has_it():
    found = []
    for path in "runtime/sync/primitives/lock.h", "tools/gdb/upct/commands.py":
        with open(f"{ROOT}/{path}", encoding="utf-8") as file:
            found.append(int(re.search(r"LOCK_OWNER (?:= )?(0x[0-9a-f]+)", file.read())[1], 16))
    assert found[0] == found[1]
