"""Shared memory that a program gives to free or realloc, by a private pointer."""

import pytest

pytestmark = pytest.mark.no_sanitizers("they know the private heap themselves")

PROGRAM = """#include <upc.h>
#include <stdlib.h>
#include <string.h>
extern void drop (void *block);
static shared [4] int rows[4 * THREADS];
int
main (int argc, char **argv)
{
  shared [] int *p = upc_alloc (40);
  void *own = (int *) p, *private = malloc (40);

  if (MYTHREAD == 1 && strcmp (argv[1], "free") == 0)
    free (own);
  if (MYTHREAD == 1 && strcmp (argv[1], "realloc") == 0)
    own = realloc (own, 80);
  if (MYTHREAD == 1 && strcmp (argv[1], "in C") == 0)
    drop (&p[2] == NULL ? NULL : (int *) (p + 2));
  if (MYTHREAD == 1 && strcmp (argv[1], "static") == 0)
    free ((int *) &rows[5]);
  private = realloc (private, 100000);
  free (private);
  free (NULL);
  return 0;
}
"""

DROP = """#include <stdlib.h>
void drop (void *block) { free (block); }
"""

PLAIN = "a block of up to 48 bytes with affinity to thread 1"
CHECKED = "a block of 40 bytes that thread 1 allocated at wrong.upc:9 by upc_alloc"
ERRORS = {"free": ("wrong.upc:13", "free", "byte 0 of {}"), "realloc": ("wrong.upc:15", "realloc", "byte 0 of {}"),
          "in C": ("drop.c:2", "free", "byte 8 of {}"),
          "static": ("wrong.upc:19", "free", "rows[5] (thread 1, phase 1) of 'shared [4] int rows[4*THREADS]', declared at wrong.upc:5")}


@pytest.mark.parametrize("switch, checks", [("-O2", 0), ("-O0", 1), ("-fupc-check", 0), ("-static", 0)])
def test_shared_memory_is_told(upct, switch, checks):
    upct.write("wrong.upc", PROGRAM)
    upct.write("drop.c", DROP)
    upct.check_output([upct.tool("upcc"), "-c", "-g", "-x", "c", "drop.c"])
    program = upct.compile("-g", switch, "wrong.upc", "drop.o", cwd=upct.folder)
    upct.check_prints("", [program, "nothing"], THREADS=2, UPC_CHECK=checks)
    block = CHECKED if checks or switch == "-fupc-check" else PLAIN
    for error, (place, function, text) in ERRORS.items():
        result = upct.run([program, error], THREADS=2, UPC_CHECK=checks)
        assert (result.stderr, result.returncode) == (
            f"{place}: error: thread 1: {function}: shared memory, which upc_free frees: {text.format(block)}\n", 1)


OWN = """#include <upc.h>
#include <stdio.h>
#include <string.h>
static char memory[1 << 16] __attribute__ ((aligned (16)));
static size_t used, freed;
void *malloc (size_t bytes) { used += (bytes + 15) / 16 * 16; return used > sizeof memory ? NULL : memory + used - (bytes + 15) / 16 * 16; }
void *calloc (size_t n, size_t bytes) { return memset (malloc (n * bytes), 0, n * bytes); }
void *realloc (void *p, size_t bytes) { return p ? memmove (malloc (bytes), p, bytes) : malloc (bytes); }
void free (void *p) { freed += (char *) p >= memory && (char *) p < memory + sizeof memory; }
int
main (void)
{
  char *p = realloc (NULL, 10);

  free (p);
  printf ("%d\\n", freed > 0 && p >= memory && p < memory + sizeof memory);
  return 0;
}
"""


def test_a_program_may_have_a_heap_of_its_own(upct):
    upct.write("own.upc", OWN)
    upct.check_prints("1\n", [upct.compile("-O1", "-fno-builtin", "own.upc", output="own")], THREADS=1)
