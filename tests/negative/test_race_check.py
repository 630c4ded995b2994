"""What upcc -fupc-check=race finds of the races in tests/fixtures/check/races.upc, and what it says;
and what ThreadSanitizer finds of them."""

import os
import re

import pytest

from support import ROOT
from support.upcc import refuses

SOURCE = os.path.join(ROOT, "tests", "fixtures", "check", "races.upc")
CYCLIC = "'shared int a[4*THREADS]', declared at @:"
BLOCK = "block[4] (thread 1, phase 0) of 'shared [4] int block[4*THREADS]', declared at @:"


def scalar(name):
    return rf"{name} \(thread 0\) of 'shared int {name}', declared at @:"


# Of each: the element, as a regular expression, and of both sides what is in the line and what its thread
# does. Where the threads do the same, either may be the one.
WANTED = {
    1: (r"a\[[01]\] \(thread [01]\) of " + re.escape(CYCLIC), ("a[MYTHREAD] = 1;", "writes"),
        ("seen = a[(MYTHREAD + 1)", "reads")),
    2: (r"a\[5\] \(thread 1\) of " + re.escape(CYCLIC), ("&& !in_order)\n    a[5] = 1;", "0 writes"), ("seen = a[5];", "1 reads")),
    3: (scalar("counter"), ("counter++;", "writes"), ("counter++;", "writes")),
    4: (scalar("counter"), ("seen = counter;", "0 reads"), ("counter = 1;", "1 writes")),
    5: (scalar("flag"), ("flag = 1;\n", "0 writes"), ("while (!flag)", "1 reads")),
    6: (r"row\[63\] \(thread 0, phase 63\) of '.*', declared at @:", ("row[MYTHREAD * WIDTH + i] = i;", "0 writes"),
        ("left = MYTHREAD > 0", "1 reads")),
    7: (scalar("sum"), ("sum += MYTHREAD;", "writes"), ("sum += MYTHREAD;", "writes")),
    8: (re.escape(BLOCK), ("upc_memput (", "0 writes"), ("seen += block[4 + i];", "1 reads")),
    9: (r"block\[[04]\] \(thread [01], phase 0\) of '.*', declared at @:", ("block[4 * MYTHREAD] = MYTHREAD;", "writes"),
        ("upc_all_gather_all (", "reads")),
    10: (r"byte 12 of a block of 32 bytes that thread 0 allocated at @:\d+ by upc_alloc", ("moved[3] = 1;", "1 writes"),
         ("upc_free (moved);", "0 frees")),
}
# ThreadSanitizer sees what is accessed, not what might be: where the collective function waits for the
# thread whose data it reads, and where memory of the shared heap is freed, there is nothing to see.
TSAN = {1, 2, 3, 4, 5, 6, 7, 8}


def line_of(text):
    source = open(SOURCE).read()
    assert source.count(text) == 1, text
    return 1 + source[:source.index(text) + len(text.rstrip("\n"))].count("\n")


def check_report(stderr, element, *sides):
    """One race, of which either side may come second."""
    found = re.fullmatch(r".*?(\d+): error: thread (\d) ?: race: (\w+) (.*)\n"
                         r".*?(\d+): note: thread (\d) (\w+) the same, and nothing orders the two\n", stderr)
    assert found, stderr
    line, thread, verb, what, other_line, other_thread, other_verb = found.groups()
    assert re.match(element.replace("@", re.escape(SOURCE)), what), stderr
    assert {thread, other_thread} == {"0", "1"}, stderr
    told = sorted([(int(line), f"{thread} {verb}"), (int(other_line), f"{other_thread} {other_verb}")])
    for (number, said), (wanted, does) in zip(told, sorted((line_of(text), does) for text, does in sides)):
        assert number == wanted and said.endswith(does), stderr


@pytest.mark.parametrize("switches", ["-O0", "-O2 -fupc-pts=struct", "-O3 -T 2"])
def test_races_are_found(upct, switches):
    program = upct.compile("-g", "-w", "-fupc-check=race", *switches.split(), SOURCE)
    upct.check_prints("", [program], THREADS=2)
    for number, wanted in WANTED.items():
        # AddressSanitizer ends the run if the write comes behind upc_free.
        if number == 10 and "address" in upct.sanitizers:
            continue
        result = upct.run([program, str(number)], THREADS=2)
        assert result.returncode == 1, f"{number}: {result.stderr}"
        # What is written to a freed block is also told at the end of the run.
        said = re.sub(r"prog: error: the program has written 4 bytes at byte 12 of a block of 32 bytes .* freed at .*\n$", "",
                      result.stderr) if number == 10 else result.stderr
        check_report(re.sub(r"\[8\]'", "[4*THREADS]'", said) if "-T" in switches else said, *wanted)


def test_table_is_up_to_date():
    """Each row of docs/debugging.md: whether the check and ThreadSanitizer find it."""
    text = open(os.path.join(ROOT, "docs", "debugging.md")).read()
    rows = {int(number): found for number, *found in re.findall(r"^\| (\d+): [^|]* \| (yes|no) \| (yes|no) \|$", text, re.M)}
    assert rows == {number: ["yes", "yes" if number in TSAN else "no"] for number in WANTED}


@pytest.mark.host_only("there are no sanitizers' libraries for other processors")
@pytest.mark.tsan
def test_what_thread_sanitizer_finds(upct):
    if "thread" not in upct.sanitizers and not os.path.exists(os.path.join(upct.build, "lib/upct/thread/libupc.a")):
        pytest.skip("no libraries for ThreadSanitizer; 'scons all' makes them")
    program = upct.compile("-g", "-O1", "-w", "-fsanitize=thread", SOURCE)
    # Where one thread is done before the other begins, the library may have ordered them.
    found = {number for number in WANTED
             if any("prog: race on " in upct.run([program, str(number)], THREADS=2).stderr
                    for _ in range(50 if number in TSAN else 3))}
    assert found == TSAN


OVERLAPS = """#include <upc.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <stdio.h>
#include <unistd.h>
struct pair { int x[2]; struct { char c; short s; } inner; };
shared struct pair pairs[2 * THREADS];
shared [] char bytes[64];
shared [32] int row[32 * THREADS];
shared [] int *shared heap;
shared int counter, tally, turn;
shared _Atomic int modern;
strict shared int flag;
upc_lock_t *lock;
struct large { char x[1 << 19]; };
shared struct large large[THREADS];
shared struct large many;
static int both (int n) { upc_barrier; return n; }

int
main (void)
{
  upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc (UPC_INT, UPC_ADD | UPC_GET, 0);
  int one = 1, got, other = (MYTHREAD + 1) % THREADS;

  lock = upc_all_lock_alloc ();
  /* Neighbouring bytes, members and elements are different places. */
  if (MYTHREAD < 2)
    pairs[0].x[MYTHREAD] = bytes[MYTHREAD] = 1;
  for (int i = MYTHREAD; i < 60; i += THREADS)
    bytes[i] += 1;
  upc_barrier;
  if (MYTHREAD == 0)
    pairs[1].inner.c = 1;
  else if (MYTHREAD == 1)
    pairs[1].inner.s = 1;
  /* The right side has a barrier before the store. */
  got = row[32 * other];
  row[32 * MYTHREAD] = both (got);
  upc_barrier;
  got += row[32 * other];
  upc_notify;
  got += row[32 * MYTHREAD];
  upc_wait;
  row[32 * MYTHREAD] += both (1);
  /* What is freed and allocated again by another thread. */
  for (int round = 0; round < 2 * THREADS; round++)
    {
      upc_lock (lock);
      heap = upc_alloc (64);
      for (int i = 0; i < 16; i++)
        heap[i] = round;
      upc_free (heap);
      counter += 1;
      upc_unlock (lock);
    }
  /* Strict flags, atomic operations, and what is passed by them. */
  if (MYTHREAD == 0)
    {
      turn = 1;
      flag = 1;
    }
  else
    while (!flag)
      ;
  got += turn;
  upc_atomic_relaxed (domain, &got, UPC_ADD, &tally, &one, 0);
  modern += 1;
  __atomic_fetch_add ((int *) &row[32 * MYTHREAD + 1], 1, __ATOMIC_SEQ_CST);
  upc_barrier;
  /* Who is done with a collective function may go on before others have their data ready. */
  row[32 * MYTHREAD] = MYTHREAD;
  upc_all_broadcast (row, &bytes[0], sizeof (int), UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
  upc_barrier;
  upc_all_broadcast (row, &bytes[0], sizeof (int), UPC_IN_NOSYNC | UPC_OUT_MYSYNC);
  row[32 * MYTHREAD] = 1;
  upc_barrier;
  if (MYTHREAD == 0)
    usleep (20000);
  upc_all_broadcast (large, &many, sizeof many, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);
  got += large[other].x[5];
  for (int i = 0; i < 32 * THREADS; i++)
    got += row[i];
  if (MYTHREAD == 0)
    puts (got ? "ok" : "nothing");
  upc_all_atomicdomain_free (domain);
  return 0;
}
"""


@pytest.mark.parametrize("compiler, switches", [("gcc", "-O0 -fupc-check=bounds,race"), ("clang", "-O2 -fupc-pts=struct -fupc-check=race")])
def test_what_is_ordered_is_no_race(upct, compiler, switches):
    upct.write("right.upc", OVERLAPS)
    program = upct.compile("-Wall", "-Werror", *switches.split(), "right.upc", UPCC_CC=compiler)
    for threads in (1, 2, 5):
        upct.check_prints("ok\n", [program], THREADS=threads)


PRIVATE = """#include <upc.h>
enum { N = 64 };
shared [N] double u[N * THREADS];
shared struct { long count, other[2]; } all[THREADS];
int
main (void)
{
  double *mine = (double *) &u[N * MYTHREAD];
  double left;
  long *other = (long *) &all[MYTHREAD].other[1];

  for (int i = 0; i < N; i++)
    mine[i] = i;
  upc_barrier;
  left = MYTHREAD ? u[N * MYTHREAD - 1] : 0;
  mine[N - 1] += left;
  upc_barrier;
  *other = 1;
  if (MYTHREAD == 1)
    all[0].other[1]++;
  return 0;
}
"""


def test_private_pointers_to_shared_data(upct):
    """What tuned programs use for their own part."""
    upct.write("private.upc", PRIVATE)
    result = upct.run([upct.compile("-g", "-O2", "-fupc-check=race", "private.upc")], THREADS=2)
    lines = {1 + PRIVATE[:PRIVATE.index(text)].count("\n") for text in ("left = MYTHREAD", "mine[N - 1] +=", "*other = 1", "all[0].other[1]++")}
    assert {int(line) for line in re.findall(r"private\.upc:(\d+): (?:error|note):", result.stderr)} == lines, result.stderr
    assert "u[63] (thread 0, phase 63) of" in result.stderr and "all[0]" in result.stderr and result.returncode == 1


FORMS = """#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
struct inner { int v[3]; unsigned low : 3, high : 5; };
struct node { int key; struct inner in; struct node *next; int (*f) (int); char name[8]; union { long l; double d; }; };
struct __attribute__ ((packed)) tight { char c; int i; };
typedef struct { int x, y; } point;
shared [4] point points[4 * THREADS];
static int twice (int x) { return 2 * x; }
static struct node *make (int key, struct node *next)
{
  struct node *n = calloc (1, sizeof *n);
  n->key = key; n->next = next; n->f = twice; n->in.v[2] = key; n->in.low = 3; n->in.high++;
  strcpy (n->name, "abc");
  n->l = 4;
  *n = *n;
  return n;
}
static int sum (const struct node *n, int *restrict out, int (*m)[3])
{
  int s = 0;
  for (; n; n = n->next)
    s += n->key + n->in.v[1 + 1] + n->in.low + (*n->f) (1) + n->f (2) + n->name[1] - 'b' + *(n->name + 1) - 98;
  *out++ = s;
  *out-- += 1;
  m[0][1] = 2[*m] = s;
  (*m)[0]++;
  return *out + (*m)[1] + sizeof (*out) + sizeof n->in;
}
int main (int argc, char **argv)
{
  struct node *n = make (1, make (2, NULL));
  struct tight t = { 1, 2 }, *tp = &t;
  int o[2] = { 0 }, m[2][3] = { { 0 } }, *p = o, **pp = &p, k = 3;
  point *mine = (point *) &points[4 * MYTHREAD], c = { .x = *p, .y = (*pp)[1] };
  int vla[k], (*vp)[k] = &vla;
  errno = 0;
  (*vp)[2] = 5;
  tp->i = (*tp).i + tp->c;
  for (int i = 0; i < 4; i++)
    mine[i] = (point) { i, *p };
  upc_barrier;
  c.x += ((point *) mine)->y + (mine + 1)->x + mine[2].x + (argc > 1 ? argv[1][0] : *argv[0]);
  c.y = sum (n, *pp, m) + vla[2] + tp->i;
  int *q = &n->key, *r = &mine[1].x, off = (int) (size_t) &((struct node *) 0)->next;
  __typeof__ (*q) w = *q + *r + (off > 0);
  __atomic_fetch_add (&n->key, 1, __ATOMIC_RELAXED);
  printf ("%d %d\\n", c.y + w, n->key);
  switch (*q) { case 1: case 2: break; }
  do (*q)--; while (*q > 0);
  return n->key;
}
"""


@pytest.mark.no_sanitizers("one of the forms is an offset by a null pointer, and leaks are not looked for")
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_private_pointers_of_all_forms(upct, compiler):
    upct.write("forms.upc", FORMS)
    for switches in (["-O0"], ["-O2", "-g"]):
        program = upct.compile("-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", *switches, "-fupc-check=race", "forms.upc", UPCC_CC=compiler)
        upct.check_prints("79 2\n" * 3, [program], THREADS=3)


LARGE = """#include <upc.h>
shared [1 << 19] double a[(1 << 19) * THREADS];
double sum;

int
main (void)
{
  for (int round = 0; round < 40; round++)
    {
      upc_forall (int i = 0; i < (1 << 19) * THREADS; i++; &a[i])
        a[i] = round;
      if (round == 30)
        sum += a[(1 << 19) * (1 - MYTHREAD) + 5];
      upc_barrier;
      if (round < 20)
        continue;
      for (int i = 0; i < 1 << 19; i += 1)
        sum += a[(1 << 19) * (1 - MYTHREAD) + i];
    }
  return 0;
}
"""


def test_samples_show_races_of_loops(upct):
    """Both threads look at the same elements, whatever these are."""
    upct.write("large.upc", LARGE)
    program = upct.compile("-O2", "-fupc-check=race", "large.upc")
    result = upct.run([program], THREADS=2)
    assert "large.upc:11: " in result.stderr and "large.upc:18: " in result.stderr
    assert result.returncode == 1


def test_objects_with_and_without_the_check(upct):
    """The link knows by the objects; a program without any has nothing of the detector. Allocation is no order."""
    upct.write("a.upc", "#include <upc.h>\nshared int x; void other (void);\n"
               "int main (void) { x = MYTHREAD; other (); upc_free (upc_alloc (8)); x = 1; upc_free (upc_alloc (8)); return 0; }\n")
    upct.write("b.upc", "#include <upc.h>\nvoid other (void) { upc_barrier; if (MYTHREAD) { upc_barrier; } else upc_barrier; }\n")
    for name, switches in ("a", ["-fupc-check=race"]), ("b", []):
        upct.check_output([upct.tool("upcc"), "-c", *switches, f"{name}.upc"])
    result = upct.run([upct.compile("a.o", "b.o"), "-n", 2])
    assert re.findall(r"a\.upc:3: error: thread \d: race: writes x .*\na\.upc:3: note: thread \d writes the same", result.stderr)
    plain = upct.compile("-O1", "a.upc", "b.upc", output="plain")
    assert "upcr_race_" not in upct.check_output(["nm", plain])


LOOPS = """#include <upc.h>
shared [8] int a[8 * THREADS];
int
main (void)
{
  int sum = 0;

  for (int i = 0; i < 8; i++)
    (&a[8 * MYTHREAD])[i] = i;
  upc_barrier;
  for (int i = 0; i < 8; i++)
    sum += (&a[8 * (1 - MYTHREAD)])[i];
#ifdef LATE
  for (int i = 0; i < 8; i++)
    (&a[8 * MYTHREAD])[i] = sum;
#endif
  return sum != 28;
}
"""


def test_programs_of_loops_alone(upct):
    """Which tell of whole strips only, in code that is compiled elsewhere."""
    upct.write("loops.upc", LOOPS)
    for switches, status in ((), 0), (("-DLATE",), 1):
        upct.check_output([upct.tool("upcc"), "-c", "-g", "-O2", "-fupc-check=race", *switches, "loops.upc"])
        result = upct.run([upct.compile("loops.o"), "-n", 2])
        assert (len(re.findall("error: thread .: race: ", result.stderr)), result.returncode) == (status, status)


COPIES = """#include <upc.h>
#include <upc_nb.h>
shared [8] int a[8 * THREADS];
shared int flag;
int
main (int argc, char **argv)
{
  int room[8] = { 1 };
  upc_handle_t handle = UPC_COMPLETE_HANDLE;

  if (MYTHREAD == 1)
    a[0] = a[8] = 1;
  upc_barrier;
  if (MYTHREAD == 0)
    {
      handle = upc_memput_nb (&a[8], room, sizeof room);
      for (int i = 0; i < 2; i++)
        upc_memset_nbi (a, 1, sizeof room);
    }
#ifndef LATE
  upc_sync (handle);
  upc_synci ();
#endif
  upc_barrier;
  if (MYTHREAD == 1)
    {
      upc_memget (room, &a[8], sizeof room);
      upc_memget (room, a, sizeof room);
    }
#ifdef LATE
  if (argc > 1)
    upc_barrier;
  upc_sync (handle);
  upc_synci ();
#endif
  return 0;
}
"""


def test_transfers_last_until_they_are_completed(upct):
    """Barriers before their end order nothing. The program has few other accesses."""
    upct.write("copies.upc", COPIES)
    assert upct.run([upct.compile("-g", "-fupc-check=race", "copies.upc"), "-n", 2]).stderr == ""
    program = upct.compile("-g", "-fupc-check=race", "-DLATE", "copies.upc")
    for arguments in [], ["barrier"]:
        result = upct.run([program, "-n", 2, *arguments])
        for writer, reader in (16, 27), (18, 28):
            lines = f"copies.upc:{writer}: ", f"copies.upc:{reader}: "
            assert all(line in result.stderr for line in lines), result.stderr
        assert (result.stderr.count("race: "), result.returncode) == (2, 1)


ATOMIC = """#include <upc.h>
#include <upc_atomic.h>
shared long count, total;
int
main (int argc, char **argv)
{
  upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc (UPC_LONG, UPC_INC | UPC_ADD | UPC_GET, 0);
  long mine = MYTHREAD, seen;

  upc_barrier;
  if (argc > 1 && MYTHREAD == 1)
    count = 5;
  else
    upc_atomic_relaxed (domain, NULL, UPC_INC, &count, NULL, NULL);
  upc_barrier;
  upc_atomic_relaxed (domain, NULL, UPC_ADD, &total, &mine, NULL);
  upc_atomic_strict (domain, &seen, UPC_GET, &total, NULL, NULL);
  upc_barrier;
  return total + count < 0;
}
"""


def test_atomic_operations_beside_plain_accesses(upct):
    """None races with another one, but with a plain access between the same barriers it does."""
    upct.write("atomic.upc", ATOMIC)
    program = upct.compile("-g", "-O1", "-fupc-check=race", "atomic.upc")
    assert upct.run([program, "-n", 3]).stderr == ""
    result = upct.run([program, "-n", 2, "x"])
    assert re.search(r"atomic\.upc:(12: error: .*writes count .*\n.*atomic\.upc:14: note|14: error: .*writes count .*\n"
                     r".*atomic\.upc:12: note)", result.stderr), result.stderr
    assert (result.stderr.count("race: "), result.returncode) == (1, 1)


def test_lists_of_checks(upct):
    refuses(upct, ["-fupc-check=races", "a.upc"], "'-fupc-check=races': no check 'races', only bounds and race", status=2)
    refuses(upct, ["-fupc-check=", "a.upc"], "missing argument to '-fupc-check='", status=2)
    refuses(upct, ["-fupc-check=race", "--profile", "a.upc"], "'-fupc-check=race' and '--profile' exclude each other", status=2)


NULL = """#include <upc.h>
shared [] int *p;
int
main (void)
{
  upc_barrier;
  p[1] = MYTHREAD;
  return 0;
}
"""


@pytest.mark.no_sanitizers("they report crashes themselves")
def test_null_pointers_are_no_race(upct):
    upct.write("null.upc", NULL)
    program = upct.compile("-g", "-fupc-check=race", "null.upc", output="null")
    for _ in range(5):
        result = upct.run([program], THREADS=4)
        assert "race" not in result.stderr and "access through a null pointer-to-shared\n" in result.stderr, result.stderr


MEMORY = """#include <upc.h>
#include <string.h>
struct text { char word[16], other[16]; };
shared struct text texts[2 * THREADS];
static long (*volatile length) (const char *);
static long own (const char *word) { return word[0] != 0; }

int
main (int argc, char **argv)
{
  struct text *mine = (struct text *) &texts[MYTHREAD], copy = { "ab", "cd" };
  int sum = 0;

  strcpy (mine->word, "abcd");
  upc_barrier;
  switch (**++argv)
    {
    case 'c': memcpy (mine->word, &copy, 16); break;
    case 'm': memmove (mine->word + 1, mine->other, 3 + argc); break;
    case 's': memset (mine, 0, sizeof *mine); break;
    case 'e': sum = (memcmp) (mine->other, mine->word, 16); break;
    case 't': strcpy (mine->word, copy.word); break;
    case 'l': sum = strlen (mine->word); break;
    case 'n': memset (mine->word, 0, argc - 2); memcpy (copy.word, mine->other, 16); sum = strlen (copy.other); break;
    case 'o':
      {
        long (*strlen) (const char *) = own;
        length = strlen;
        sum = strlen (copy.word) + length (copy.word);
      }
    }
  if (MYTHREAD == 1)
    texts[0].word[2] = 1;
  upc_barrier;
  return sum == 77;
}
"""


@pytest.mark.parametrize("compiler, switches", [("gcc", "-O0"), ("gcc", "-O2 -Wall -Wextra -Werror"), ("clang", "-O2 -fupc-pts=struct")])
def test_memory_functions_by_private_pointers(upct, compiler, switches):
    """What they access of shared data, and no more; a name of the program's own is another function."""
    upct.write("memory.upc", MEMORY)
    program = upct.compile("-g", *switches.split(), "-Wno-unused-parameter", "-fupc-check=race", "memory.upc", output="memory", UPCC_CC=compiler)
    other = 1 + MEMORY[:MEMORY.index("texts[0].word[2]")].count("\n")
    for case, how in (("c", "writes"), ("m", "writes"), ("s", "writes"), ("e", "reads"), ("t", "writes"), ("l", "reads"), ("n", ""), ("o", "")):
        result = upct.run([program, case], THREADS=2)
        line = 1 + MEMORY[:MEMORY.index(f"case '{case}'")].count("\n")
        told = set(re.findall(r"memory\.upc:(\d+): (?:error: thread \d: race:|note: thread \d) (reads|writes)", result.stderr))
        assert told == ({(str(line), how), (str(other), "writes")} if how else set()), (case, result.stderr)
        assert result.returncode == (1 if how else 0)


def test_many_races_at_two_sites(upct):
    """The lines are looked up once, which takes milliseconds: a benchmark of random updates has a race for each."""
    source = upct.write("updates.upc", """
        #include <upc.h>
        #define UPDATES 20000
        shared long table[64 * THREADS];
        int main (void)
        {
          long one = MYTHREAD;
          upc_barrier;
          for (int i = 0; i < UPDATES; i++)
            upc_memput (&table[i % (64 * THREADS)], &one, sizeof one);
          return 0;
        }
        """)
    program = upct.compile("-g", "-fupc-check=race", source)
    result = upct.run(["timeout", "30", program], THREADS=2)
    assert result.returncode == 1
    assert re.fullmatch(r".*updates.upc:10: error: thread \d: race: writes .*\n.*updates.upc:10: note: .*\n",
                        result.stderr), result.stderr
