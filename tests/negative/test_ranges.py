"""Functions of the library that read or write shared memory say what is past the end of it, in the
checked heap. One program, which makes the error that its argument names."""

import pytest

PROGRAM = """#include <upc.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_io.h>
#include <bupc_extensions.h>
#include <stdlib.h>
#include <string.h>

shared [4] char spread[4*THREADS];
shared int number[THREADS];
shared [] char alone[8];
shared [4] char all[16*THREADS];
shared int perm[THREADS];
char room[64];

static int
order (shared void *x, shared void *y)
{
  return *(shared int *) x - *(shared int *) y;
}

int
main (int argc, char **argv)
{
  const char *error = argv[1];
  shared [] char *p = upc_all_alloc (1, 24);
  upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc (UPC_INT, UPC_ADD | UPC_MULT | UPC_GET, 0);
  upc_file_t *file = upc_all_fopen ("file", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
  bupc_smemvec_t pieces[2] = { { p, 8 }, { p + 20, 8 } };
  bupc_pmemvec_t piece = { room, 16 };
  shared void *addresses[2] = { p, p + 17 };
  void *rooms[1] = { room };
  size_t strides[1] = { 10 }, dense[1] = { 4 }, counts[2] = { 4, 3 };
  struct upc_shared_memvec vector = { spread, 4, 12 };
  struct upc_filevec extent = { 0, 12 };
  int one = 1, sum;

  perm[MYTHREAD] = MYTHREAD;
  upc_barrier;
#define ERROR(name, statement) if (strcmp (error, name) == 0) statement;
#define ON_0(name, statement) if (MYTHREAD == 0 && strcmp (error, name) == 0) statement;

  ERROR ("broadcast", upc_all_broadcast (all, alone, 9, 0))
  ERROR ("eager", upc_all_gather (alone, spread, 4 + 1, UPC_IN_MYSYNC | UPC_OUT_MYSYNC))
  ERROR ("scatter", upc_all_scatter (all, p, 16, 0))
  ERROR ("gather", upc_all_gather (alone, all, 5, 0))
  ERROR ("gather all", upc_all_gather_all (all, spread, 5, 0))
  ERROR ("exchange", upc_all_exchange (all, all, 9, 0))
  ERROR ("permute", upc_all_permute (spread, all, perm, 5, 0))
  ERROR ("no permutation", upc_all_permute (all, spread, perm + THREADS, 4, 0))
  ERROR ("reduce", upc_all_reduceI ((shared int *) spread, number, UPC_ADD, 3, 1, NULL, 0))
  ERROR ("no result", upc_all_reduceL ((shared long *) spread, (shared [2] long *) all, UPC_ADD, 2, 2, NULL, 0))
  ERROR ("scan", upc_all_prefix_reduceI (number, (shared int *) all, UPC_ADD, 3, 1, NULL, 0))
  ERROR ("sort", upc_all_sort (number, 4, 3, 1, order, 0))
  ON_0 ("atomic", upc_atomic_relaxed (domain, NULL, UPC_MULT, (shared int *) (p + 24), &one, NULL))
  ON_0 ("in line", upc_atomic_relaxed (domain, NULL, UPC_ADD, (shared int *) (p + 24), &one, NULL))
  ON_0 ("strict", upc_atomic_strict (domain, &sum, UPC_GET, (shared [] int *) (p - 4), NULL, NULL))
  ON_0 ("vlist", bupc_memput_vlist (2, pieces, 1, &piece))
  ON_0 ("ilist", bupc_memget_ilist (1, rooms, 16, 2, (const shared void **) addresses, 8))
  ON_0 ("fstrided", bupc_memcpy_fstrided (all, 12, 12, 1, p, 4, 12, 3))
  ON_0 ("strided", bupc_memget_strided (room, dense, p + 1, strides, counts, 1))
  ON_0 ("signal", bupc_memput_signal (p + 20, room, 5, bupc_sem_alloc (BUPC_SEM_BOOLEAN), 1))
  ON_0 ("write", upc_all_fwrite_shared (file, spread, 4, 1, 9, UPC_IN_NOSYNC | UPC_OUT_NOSYNC))
  ON_0 ("read", upc_all_fread_shared (file, p, 0, 5, 5, UPC_IN_NOSYNC | UPC_OUT_NOSYNC))
  ON_0 ("local", upc_all_fwrite_local (file, (char *) p, 5, 5, UPC_IN_NOSYNC | UPC_OUT_NOSYNC))
  ON_0 ("list", upc_all_fwrite_list_shared (file, 1, &vector, 1, &extent, UPC_IN_NOSYNC | UPC_OUT_NOSYNC))
  ERROR ("good", {
    upc_all_broadcast (all, alone, 8, 0);
    upc_all_scatter (all, p, 12, 0);
    upc_all_gather (alone, spread, 4, 0);
    upc_all_gather_all (all, spread, 4, 0);
    upc_all_exchange (all, spread, 2, 0);
    upc_all_permute (spread, all, perm, 4, 0);
    upc_all_reduceI ((shared int *) spread, number, UPC_ADD, 2, 1, NULL, 0);
    upc_all_prefix_reduceI (number, (shared int *) spread, UPC_ADD, 2, 1, NULL, 0);
    upc_all_sort (number, 4, 2, 1, order, 0);
    upc_atomic_strict (domain, NULL, UPC_MULT, (shared int *) (p + 20), &one, NULL);
    upc_atomic_relaxed (domain, NULL, UPC_ADD, (shared int *) (p + 20), &one, NULL);
    pieces[1].addr = p + 16;
    bupc_memput_vlist (2, pieces, 1, &piece);
    bupc_memcpy_fstrided (all, 12, 12, 1, p, 4, 10, 3);
    bupc_memget_strided (room, dense, p, strides, counts, 1);
    upc_all_fwrite_shared (file, spread, 4, 1, 8, 0);
    upc_all_fread_shared (file, p, 0, 1, 24, 0);
  })
  upc_barrier;
  upc_all_fclose (file);
  return 0;
}
"""


def line_of(text):
    return 1 + PROGRAM[:PROGRAM.index(text)].count("\n")


def declared(name):
    start = PROGRAM.index(next(line for line in PROGRAM.splitlines() if f" {name}[" in line))
    text = PROGRAM[start:].partition(";")[0]
    return f"'{text}', declared at ranges.upc:{line_of(text)}"


SPREAD, NUMBER, ALONE, ALL = (declared(name) for name in ("spread", "number", "alone", "all"))
PERM = declared("perm")
P = (f"thread 0's piece of a block of 24 bytes per thread that thread 0 allocated at "
     f"ranges.upc:{line_of('upc_all_alloc (1, 24)')} by upc_all_alloc")
# The thread is that of the piece, or 0.
ERRORS = {
    "broadcast": f"upc_all_broadcast: 1 byte past the end of {ALONE}",
    "eager": f"upc_all_gather: 1 byte past the end of thread T's piece of {SPREAD}",
    "scatter": f"upc_all_scatter: 8 bytes past the end of {P}",
    "gather": f"upc_all_gather: 2 bytes past the end of {ALONE}",
    "gather all": f"upc_all_gather_all: 1 byte past the end of thread T's piece of {SPREAD}",
    "exchange": f"upc_all_exchange: 2 bytes past the end of thread T's piece of {ALL}",
    "permute": f"upc_all_permute: 1 byte past the end of thread T's piece of {SPREAD}",
    "no permutation": f"upc_all_permute: 4 bytes past the end of thread T's piece of {PERM}",
    "reduce": f"upc_all_reduceI: 4 bytes past the end of thread 0's piece of {NUMBER}",
    "no result": f"upc_all_reduceL: 4 bytes past the end of thread 0's piece of {SPREAD}",
    "scan": f"upc_all_prefix_reduceI: 4 bytes past the end of thread 0's piece of {NUMBER}",
    "sort": f"upc_all_sort: 4 bytes past the end of thread 0's piece of {NUMBER}",
    "atomic": f"upc_atomic_relaxed: 4 bytes past the end of {P}",
    "in line": f"upc_atomic_relaxed: 4 bytes past the end of {P}",
    "strict": f"upc_atomic_strict: 4 bytes before {P}",
    "vlist": f"bupc_memput_vlist: 4 bytes past the end of {P}",
    "ilist": f"bupc_memget_ilist: 1 byte past the end of {P}",
    "fstrided": f"bupc_memcpy_fstrided: 4 bytes past the end of {P}",
    "strided": f"bupc_memget_strided: 1 byte past the end of {P}",
    "signal": f"bupc_memput_signal: 1 byte past the end of {P}",
    "write": f"upc_all_fwrite_shared: 1 byte past the end of thread 0's piece of {SPREAD}",
    "read": f"upc_all_fread_shared: 1 byte past the end of {P}",
    "local": f"upc_all_fwrite_local: 1 byte past the end of {P}",
    "list": f"upc_all_fwrite_list_shared: 4 bytes past the end of thread 0's piece of {SPREAD}",
}


@pytest.mark.no_sanitizers("AddressSanitizer is first")
def test_ranges(upct):
    upct.write("ranges.upc", PROGRAM)
    upct.check_output([upct.tool("upcc"), "-g", "-w", "-D__UPC_CHECK__", "ranges.upc", "-o", "ranges"], cwd=upct.folder)
    for error, message in ERRORS.items():
        result = upct.run([upct.path("ranges"), error], THREADS=2, UPC_CHECK=1, cwd=upct.folder)
        start, _, said = result.stderr.replace(f"{upct.folder}/", "").partition(": error: thread ")
        assert (said, result.returncode) in ((f"{t}: {message}\n".replace(" T's", f" {t}'s"), 1) for t in "01"), \
            (error, result.stderr)
        assert start == f"ranges.upc:{line_of(f'{chr(34)}{error}{chr(34)}')}", error
    result = upct.run([upct.path("ranges"), "good"], THREADS=2, UPC_CHECK=1, cwd=upct.folder)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
