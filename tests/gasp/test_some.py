"""Tools that are told of some gets and puts only, as upct_accesses_left says: those that are told are accesses that the
program does, and how many there were in all is right to one."""

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
    # Those of which nobody knows before how many there are.
    "a break": "for (int i = 0; i < N; i++) { if (a[N * o + i] == 70) break; last++; }",
    "some": "for (int i = 0; i < N; i++) if (i % 3) last += a[N * o + i];",
    "a condition": "for (int i = 0; i < N && a[N * o + i] < 60; i++) last++;",
    "elements anywhere": "for (int i = 0; i < N; i++) last += a[N * o + i * 7 % N];",
}
PROGRAM = (HEAD + "".join(f"static __attribute__ ((noinline)) void\nloop{n} (int o)\n{{\n  {body}\n}}\n" for n, body in enumerate(BODIES.values()))
           + "int\nmain (void)\n{\n  for (int i = 0; i < 20; i++)\n    {\n"
           + "".join(f"      loop{n} ((MYTHREAD + 1) % THREADS);\n      upc_barrier;\n" for n in range(len(BODIES)))
           + "    }\n  return bad;\n}\n")


def told(upct, binary, threads, **environment):
    """What the tool has heard of in each thread, a list of lines; and how many there were."""
    path = upct.path("told")
    result = upct.run([binary], TOLD=path, **({"THREADS": threads} if threads else {}), **environment)
    assert (result.stderr, result.returncode) == ("", 0)
    threads = threads or 3
    lines = []
    for thread in range(threads):
        with open(f"{path}.{thread}") as file:
            lines.append(file.read().splitlines())
    return [heard[:-1] for heard in lines], [int(heard[-1]) for heard in lines]


def compare(upct, text, switches, counts, cc="gcc"):
    upct.write("a.upc", text)
    binary = links(upct, "-w", "-fwrapv", *switches.split(), "a.upc", "-x", "c", upct.fixture("gasp/some.c"), UPCC_CC=cc)
    for threads in [None] if "-T" in switches else counts:
        all_of_them, count = told(upct, binary, threads, ALL="1")
        some_of_them, count_of_some = told(upct, binary, threads)
        assert count == [len(lines) for lines in all_of_them] == count_of_some, f"THREADS={threads}"
        for one, other in zip(some_of_them, all_of_them):
            assert set(one) <= set(other), f"THREADS={threads}"
        assert sum(map(len, some_of_them)) < sum(count) / 4 or sum(count) < 100, f"THREADS={threads}"


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
