"""Programs that are large: static shared data of gigabytes, and long files."""

from harness import case
from tools.driver import links

GIGABYTES = """#include <upc.h>
#include <stdio.h>
#define N 1500000000l
#define LAST ((N / 1000000 - 1) * 1000000 * THREADS)
shared int small[4 * THREADS];
shared [1000000] char dealt[N * THREADS];
shared [] char one[N];
static shared [] int initialised[N / 2] = { 1, 2 };
extern shared [] int elsewhere[];
shared double after;
shared struct { char pad[100000000]; int x; } record;
shared [] char *p = &one[N - 1];

static long
count (void)
{
  static shared [] long mine[250000000];
  mine[249999999] += 5;
  return mine[249999999];
}

int
main (void)
{
  small[MYTHREAD] = MYTHREAD;
  dealt[LAST + 1000000l * MYTHREAD] = 'a' + MYTHREAD;
  if (!MYTHREAD)
    {
      one[N - 1] = 7;
      after = 3.5;
      initialised[N / 2 - 1] = 9;
      record.x = 12;
      elsewhere[2] = 13;
      elsewhere[9] = 1;
      count ();
    }
  upc_barrier;
  if (MYTHREAD == THREADS - 1)
    printf ("%c %c %d %g %d %d %d %d %d %d %d %ld\\n", dealt[LAST], dealt[LAST + 1000000l * (THREADS - 1)], one[N - 1],
            after, initialised[0], initialised[1], initialised[N / 2 - 1], record.x, elsewhere[2], *p, small[0], count ());
  return 0;
}
"""


@case(each=[(cc, s) for cc in ("gcc", "clang") for s in ("-O0 -g", "-O2", "-O2 -fupc-pts=struct", "-O2 -fPIE -pie")])
def shared_data_of_gigabytes(t, cc, switches):
    if t.sanitizers:
        return
    t.write("big.upc", GIGABYTES)
    t.write("else.upc", "shared [] int elsewhere[10];\n")
    program = links(t, *switches.split(), "big.upc", "else.upc", UPCC_CC=cc)
    for threads in 1, 3:
        t.equal(t.good([program], THREADS=threads), f"a {'abc'[threads - 1]} 7 3.5 1 2 9 12 13 7 0 10\n")


@case
def more_than_a_partition_is_refused(t):
    if t.sanitizers:
        return
    t.write("a.upc", "#include <upc.h>\nshared [] char a[17179869184];\nint main (void) { a[5] = 1; return 0; }\n")
    result = t.run([links(t, "a.upc")], THREADS=1)
    t.equal(result.returncode, 2)
    t.check("bytes of static shared data for each thread are more than a partition of" in result.stderr, result.stderr)


@case
def files_of_many_lines(t):
    """A hundred thousand lines; one function in 25 uses shared data."""
    body = ["#include <upc.h>", "#include <stdio.h>", "shared int a[10 * THREADS];", "shared int total;"]
    for i in range(25000):
        access = f"a[x % 10] += {i};" if i % 25 == 7 else f"x += {i};"
        body += [f"int f{i} (int x)", "{", f"  {access}", "  return a[x % 10]; }" if i % 25 == 7 else "  return x; }"]
    body += ["int main (void) { upc_barrier; if (!MYTHREAD) printf (\"%d %d\\n\", f7 (1), __LINE__); return 0; }", ""]
    t.write("a.upc", "\n".join(body))
    program = links(t, "-O0", "a.upc")
    t.equal(t.good([program], THREADS=1), "7 100005\n")
