"""Tools that are told of some gets and puts only, as upct_accesses_left and upct_iterations_left say: they are told of all
those in an iteration that they want, and how many accesses or iterations there were in all is right to one."""

import pytest

from generators import free_loops, loop_forms
from support.upcc import links

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
#define N 90
shared [N] int a[N * THREADS], b[N * THREADS];
shared [4] short c[N * THREADS];
shared long d[N * THREADS];
shared [10] double e[N * THREADS][10];
shared [] int f[N];
int own[N], bad, last;
"""
# What each thread does, O being the next one.
BODIES = {
    "gets": "for (int i = 0; i < N; i++) own[i] = a[N * o + i];",
    "a sum": "for (int i = 0; i < N; i++) last += a[N * o + i];",
    "puts": "for (int i = N - 1; i >= 0; i--) a[N * MYTHREAD + i] = i, b[N * MYTHREAD + i] = 2 * i;",
    "updates": "for (int i = 0; i < N; i++) a[N * MYTHREAD + i] += b[N * o + i];",
    "neighbours": "for (int i = 1; i < N - 1; i++) own[i] = b[N * o + i - 1] + b[N * o + i + 1];",
    "small blocks": "for (int i = 0; i < N * THREADS; i++) last += c[i];",
    "cyclic": "for (int i = 0; i < N * THREADS; i++) last += d[i] % 7;",
    "columns": "for (int i = 0; i < N * THREADS; i++) last += (int) e[i][3] + f[i % N];",
    "rows": "for (int j = 1; j < 10; j++) e[N * MYTHREAD / 2][j] = e[o][j - 1] + f[0];",
    "one element": "for (int i = 0; i < N; i++) own[i] += a[N * o + i] * f[3];",
    "own elements": "upc_forall (int i = 0; i < N * THREADS; i++; &d[i]) d[i] = 3 * i;",
    "own and others'": "upc_forall (int i = 1; i < N * THREADS; i++; &a[i]) own[i % N] = a[i] + a[i - 1] + c[i];",
    "pointers": "shared [N] int *p = &b[N * o]; for (int i = 0; i < N; i++) last += *p++;",
    "pointers down": "shared [N] int *p = &b[N * o + N - 1]; int n = N - 1; while (n--) last += *p--;",
    "pointers through blocks": "shared [4] short *p = c; for (int i = 0; i < N * THREADS; i++, p++) last += *p;",
    "members of other loops": "for (int i = 0; i < 5; i++) for (int j = 0; j < 10; j++) last += (int) (e[o][j] * a[N * o + i]);",
    "a break": "int i = 0; for (; i < N; i++) { if (b[N * o + i] == 70) break; last++; } own[2] += i;",
    "a break by steps": "long i; for (i = N - 1; 3 <= i; i -= o + 1) if (b[N * o + i] < 100) break; own[3] += i;",
    # Those of which nobody knows before how many there are.
    "a break and continue": "for (int i = 0; i < N; i++) { if (i % 3) continue; if (b[N * o + i] == 72) break; last++; }",
    "some": "for (int i = 0; i < N; i++) if (i % 3) last += a[N * o + i];",
    "a condition": "for (int i = 0; i < N && a[N * o + i] < 60; i++) last++;",
    "elements anywhere": "for (int i = 0; i < N; i++) last += a[N * o + i * 7 % N];",
    "the largest": "for (int i = 0; i < N; i++) if (a[N * o + i] > last) last = a[N * o + i];",
    "continue": "for (int i = 0; i <= N - 1; i++) { if (i % 4) continue; last += a[N * o + i]; }",
    "steps": "for (unsigned i = MYTHREAD; i < N; i += THREADS) last += a[N * o + i];",
    "steps down": "for (long i = N - 1; i >= 0; i -= 7) a[N * MYTHREAD + i]++;",
    "a bound on the left": "for (int i = 0; N > i; ++i) { short x = c[i]; last += x; }",
    "not equal": "for (int i = N; i != 0; i--) last += a[N * o + i - 1];",
    "a while": "int i = 0; while (i < N) { last += b[N * o + i]; i++; }",
    "a counter": "int n = N; shared [N] int *p = &b[N * o]; while (n-- > 0) last += *p++; own[0] += n;",
    "a counter to zero": "int n = N; shared [N] int *p = &b[N * o]; while (--n >= 0) *p++ += 1; own[1] += n;",
    "affinity by number": "upc_forall (int i = 3; i < 5 * N; i++; i) own[i % N] += c[i % (N * THREADS)];",
    "pointers as counters": "shared [N] int *p; upc_forall (p = a; p < a + N * THREADS; p++; p) *p += 2;",
    "pointers to the last": "shared [N] int *p; upc_forall (p = a; p <= &a[N * THREADS - 1]; p++; p) *p += *p % 3;",
    "affinity of others": "upc_forall (int i = 0; i < N * THREADS - 1; i++; &d[i + 1]) own[i % N] += d[i];",
    "short loops in others": "for (int i = 0; i < N / 3; i++) for (int j = 0; j < 3; j++) last += a[N * o + 3 * i + j];",
    # Which are a part of the iteration around them.
    "rows in others": "for (int i = 0; i < N; i++) { int s = 0; for (int j = 0; j < 10; j++) s += (int) e[N * o + i][j] * j; own[i] = s; }",
    "updates in others": "for (int i = 0; i < N / 9; i++) for (int j = 8, k = 1; j >= 0; j--, k++) b[N * MYTHREAD + 9 * i + j] += k;",
    "tiles": "for (int i = 0; i < N; i += 9) for (int j = i; j < i + 9; j++) { int x; for (x = 0; x < 2; x++) a[N * MYTHREAD + j] += x + b[N * o + j]; }",
    "short loops that are left": "for (int i = 0; i < N; i++) for (int j = 0; j < 4; j++) { if (c[(i + j) % N] % 5 == 1) break; if (j == i % 3) continue; last += j; }",
    "short loops and break": "for (int i = 0; i < N; i++) { for (int j = 0; j < 2; j++) last += b[N * o + (i + j) % N]; if (last % 97 == 5) break; }",
    "long loops without accesses": "for (int i = 0; i < N; i++) { int s = i; for (int j = 0; j < o + 40; j++) s = s * 3 + j; a[N * MYTHREAD + i] = s; }",
    "owned rows": "upc_forall (int i = 0; i < N * THREADS; i++; &e[i][0]) for (int j = 1; j < 10; j++) own[i % N] += (int) e[i][j - 1] + d[(i + j) % (N * THREADS)];",
    "no iteration": "for (int i = o; i < 0; i++) last += a[i];",
}
PROGRAM = (HEAD + "".join(f"static __attribute__ ((noinline)) void\nloop{n} (int o)\n{{\n  {body}\n}}\n" for n, body in enumerate(BODIES.values()))
           + "int\nmain (void)\n{\n  for (int i = 0; i < 20; i++)\n    {\n"
           + "".join(f"      loop{n} ((MYTHREAD + 1) % THREADS);\n      upc_barrier;\n" for n in range(len(BODIES)))
           + "    }\n  for (int i = 0; i < N; i++)\n    last = last * 31 + own[i] + a[N * MYTHREAD + i] + (int) d[MYTHREAD + THREADS * i];\n"
           + "  for (int i = 0; i < THREADS; i++)\n    {\n      if (i == MYTHREAD)\n        printf (\"%d\\n\", last), fflush (stdout);\n      upc_barrier;\n    }\n"
           + "  return bad;\n}\n")


def told(upct, binary, threads, **environment):
    """What the tool has heard of in each thread, a list of lines; how many there were; and what the program says."""
    path = upct.path("told")
    result = upct.run([binary], TOLD=path, **({"THREADS": threads} if threads else {}), **environment)
    assert (result.stderr, result.returncode) == ("", 0)
    threads = threads or 3
    computed = result.stdout
    lines = []
    for thread in range(threads):
        with open(f"{path}.{thread}") as file:
            lines.append(file.read().splitlines())
    return [heard[:-1] for heard in lines], [heard[-1] for heard in lines], computed


def wanted(heard, chosen):
    """Of the lines HEARD of all accesses those of the accesses and the iterations of which CHOSEN has a line."""
    numbers = {tuple(line.split()[:2]) for line in chosen}
    return [line for line in heard if tuple(line.split()[:2]) in numbers]


def compare(upct, text, switches, counts, cc="gcc"):
    upct.write("a.upc", text)
    binary = links(upct, "-w", "-fwrapv", *switches.split(), "a.upc", "-x", "c", upct.fixture("gasp/some.c"), UPCC_CC=cc)
    for threads in [None] if "-T" in switches else counts:
        all_of_them, *same = told(upct, binary, threads, ALL="1")
        some_of_them, *same_of_some = told(upct, binary, threads)
        assert same == same_of_some, f"THREADS={threads}"
        for one, other in zip(some_of_them, all_of_them):
            assert one == wanted(other, one), f"THREADS={threads}"
        assert sum(map(len, some_of_them)) < sum(map(len, all_of_them)) / 4 or sum(map(len, all_of_them)) < 100, f"THREADS={threads}"


@pytest.mark.parametrize("switches", ["-O2 --profile", "-O3 --profile -T 3", "-O0 --profile-local", "-O2 --profile-local -T 3",
                                      "-O2 --profile -fupc-check"])
@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_loops_of_every_form(upct, cc, switches):
    compare(upct, PROGRAM, switches, [1, 2, 3, 5], cc)


# In the forms of seed 1 and 2 conditions leave loops before the iterations that were told of.
@pytest.mark.sample(3)
@pytest.mark.parametrize("program, seed", [(loop_forms.program, 0), (loop_forms.program, 1), (loop_forms.program, 2),
                                           (loop_forms.blocks_program, 0), (free_loops.program, 3), (free_loops.program, 4)])
def test_random_loops(upct, program, seed):
    compare(upct, program(seed), ["-O2 --profile-local", "-O1 --profile"][seed % 2], [1, 2, 3], ["clang", "gcc"][seed % 2])
