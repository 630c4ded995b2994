"""Programs that are large: static shared data of gigabytes, and long files."""

import pytest

from support.upcc import links

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


@pytest.mark.no_sanitizers("their shadow memory leaves no room")
@pytest.mark.parametrize("cc, switches", [
    (cc, s) for cc in ("gcc", "clang") for s in ("-O0 -g", "-O2", "-O2 -fupc-pts=struct", "-O2 -fPIE -pie")])
def test_shared_data_of_gigabytes(upct, cc, switches):
    upct.write("big.upc", GIGABYTES)
    upct.write("else.upc", "shared [] int elsewhere[10];\n")
    program = links(upct, *switches.split(), "big.upc", "else.upc", UPCC_CC=cc)
    for threads in 1, 3:
        assert upct.check_output([program], THREADS=threads) == f"a {'abc'[threads - 1]} 7 3.5 1 2 9 12 13 7 0 10\n"


FILES, ARRAYS = 4, 45
MEDIUM = """#include <upc.h>
enum {{ N = 3700000 }};
{arrays}
extern shared int first{next}[N * THREADS];
static shared [] char single[N];
extern shared [] int nowhere[N];
static inline int never (void) {{ return nowhere[1]; }}
static inline int neighbour (void) {{ return first{next}[N * THREADS - 1]; }}
int
f{i} (int turn)
{{
  if (turn == 0)
    first{i}[N * THREADS - 1] = {i};
  if (turn == 0 && MYTHREAD == 0)
    single[N - 1] = {i};
  return turn ? neighbour () + single[N - 1] == {i} + {next} : 1;
}}
"""


@pytest.mark.slow
@pytest.mark.no_sanitizers("their shadow memory leaves no room")
@pytest.mark.parametrize("cc, switches", [("gcc", "-O2"), ("clang", "-O2 -fPIE -pie"),
                                          ("gcc", "-O0 -fPIC -fupc-pts=struct")])
def test_many_objects_make_gigabytes_too(upct, cc, switches):
    """More than 2 GiB, but no object is larger than 15 MB."""
    for i in range(FILES):
        arrays = [f"shared int {name}{i}[N * THREADS];" for name in ["first", *(f"a{k}_" for k in range(ARRAYS))]]
        upct.write(f"m{i}.upc", MEDIUM.format(i=i, next=(i + 1) % FILES, arrays="\n".join(arrays)))
    calls = " + ".join(f"f{i} (turn)" for i in range(FILES))
    upct.write("main.upc", "#include <upc.h>\n#include <stdio.h>\n" + "".join(f"int f{i} (int);\n"
                                                                              for i in range(FILES))
               + f"int all (int turn) {{ return {calls}; }}\nint main (void) {{ all (0); upc_barrier; "
               "printf (\"%d\\n\", all (1)); return 0; }\n")
    program = links(upct, *switches.split(), "main.upc", *[f"m{i}.upc" for i in range(FILES)], UPCC_CC=cc)
    assert upct.check_output([program], THREADS=3) == f"{FILES}\n" * 3


def test_by_hand_it_needs_the_script(upct):
    upct.write("a.upc", "shared [] int a[1000000];\nint main (void) { a[999999] = 1; return 0; }\n")
    upct.check_output([upct.tool("upcc"), "-c", "a.upc"])
    upct.check_output(["ld", "-r", "a.o", "-o", "all.o"])
    result = upct.run([upct.tool("upc-privatize"), "all.o", "-o", "private.o"])
    assert (result.returncode, result.stderr) == (1, "all.o:upc_shared_far+0x0: error: large shared objects must be in section upc_shared: " "give upc-far.ld to ld -r with -T\n")


@pytest.mark.slow
@pytest.mark.no_sanitizers("their shadow memory leaves no room")
def test_ten_thousand_shared_variables(upct):
    size = 15000  # ints: just below what is far; 600 MB in all
    upct.write("a.upc", "#include <upc.h>\n#include <stdio.h>\n"
               + "".join(f"shared [{size}] int v{i}[{size} * THREADS];\n" for i in range(10000))
               + "int main (void) { int sum = 0;\n" + "".join(f"v{i}[{size} * MYTHREAD] = {i};\n"
                                                              for i in range(0, 10000, 10)) + "upc_barrier;\n"
               + "".join(f"sum += v{i}[{size} * (THREADS - 1)];\n" for i in range(0, 10000, 10))
               + "printf (\"%d\\n\", sum); return 0; }\n")
    assert upct.check_output([links(upct, "-O0", "a.upc")], THREADS=2) == "4995000\n" * 2


@pytest.mark.no_sanitizers("their shadow memory leaves no room")
def test_more_than_a_partition_is_refused(upct):
    upct.write("a.upc", "#include <upc.h>\nshared [] char a[17179869184];\nint main (void) { a[5] = 1; return 0; }\n")
    result = upct.run([links(upct, "a.upc")], THREADS=1)
    assert result.returncode == 2
    assert "bytes of static shared data per thread do not fit into a partition of" in result.stderr


@pytest.mark.slow
def test_files_of_many_lines(upct):
    """A hundred thousand lines, or twenty thousand; one function in 25 uses shared data."""
    functions = 5000 if upct.sanitizers else 25000
    body = ["#include <upc.h>", "#include <stdio.h>", "shared int a[10 * THREADS];", "shared int total;"]
    for i in range(functions):
        access = f"a[x % 10] += {i};" if i % 25 == 7 else f"x += {i};"
        body += [f"int f{i} (int x)", "{", f"  {access}", "  return a[x % 10]; }" if i % 25 == 7 else "  return x; }"]
    body += ["int main (void) { upc_barrier; if (!MYTHREAD) printf (\"%d %d\\n\", f7 (1), __LINE__); return 0; }", ""]
    upct.write("a.upc", "\n".join(body))
    program = links(upct, "-O0", "a.upc")
    assert upct.check_output([program], THREADS=1) == f"7 {4 * functions + 5}\n"
