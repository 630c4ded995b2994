"""Messages name a source file as the compiler was given it, whether they know it from the program's own records or
from its debug information, and wherever the program runs."""

import os

import pytest

MAIN = """#include <upc.h>
#include "use.h"
shared [] int *p;
int
main (void)
{
  p = upc_alloc (16);
  return wrong ((shared [] int *) p);
}
"""
HEADER = """shared [4] int a[4 * THREADS];
static int
wrong (shared [] int *q)
{
#ifdef FREED
  upc_free (q);
#endif
#ifdef STATIC
  upc_memset (&a[0], 0, 20);
#endif
  upc_memset (q, 0, 20);
  return 0;
}
"""


@pytest.mark.parametrize("name, header", [("src/main.upc", "src/use.h"), ("./src/main.upc", "./src/use.h"),
                                          ("{}/src/main.upc", "{}/src/use.h"), ("01main.upc", "7use.h")])
def test_one_form(upct, name, header):
    os.makedirs(upct.path("src"))
    os.makedirs(upct.path("other"))
    name, header = (path.format(upct.folder) for path in (name, header))
    upct.write(name, MAIN.replace("use.h", os.path.basename(header)))
    upct.write(header, HEADER)
    told = {"-DPAST": f"{header}:11: error: thread 0: upc_memset: 4 bytes past the end of a block of 16 bytes "
                      f"that thread 0 allocated at {name}:7 by upc_alloc\n",
            "-DFREED": f"{header}:11: error: thread 0: upc_memset: 4 bytes past the end of a block of 16 bytes "
                       f"that thread 0 allocated at {name}:7 by upc_alloc and thread 0 freed at {header}:6\n",
            "-DSTATIC": f"{header}:9: error: thread 0: upc_memset: 4 bytes past the end of "
                        f"'shared [4] int a[4*THREADS]', declared at {header}:1\n"}
    for switch, line in told.items():
        program = upct.compile("-g", "-fupc-check", switch, name, cwd=upct.folder)
        assert upct.run([program], THREADS=1, cwd=upct.path("other")).stderr == line


def test_sources_of_several_folders(upct):
    for folder in "main", "library":
        os.makedirs(upct.path(folder))
    upct.write("main/main.upc", MAIN.replace('#include "use.h"', "int wrong (shared [] int *q);"))
    upct.write("library/wrong.upc", "#include <upc.h>\n" + HEADER.replace("static int", "int"))
    for folder, file in ("main", "main.upc"), ("library", "wrong.upc"):
        upct.check_output([upct.tool("upcc"), "-c", "-g", file], cwd=upct.path(folder))
    program = upct.compile("-g", "main/main.o", "library/wrong.o")
    assert upct.run([program], THREADS=1, UPC_CHECK=1).stderr == (
        "wrong.upc:12: error: thread 0: upc_memset: 4 bytes past the end of a block of 16 bytes "
        "that thread 0 allocated at main.upc:7 by upc_alloc\n")


EQUAL = """#include <upc.h>
#include <upc_collective.h>
#include <stdlib.h>
shared [] char text[10];
shared [16] char bytes[16 * THREADS];
int
main (int argc, char **argv)
{
  upc_lock_t *lock = upc_global_lock_alloc ();

  switch (atoi (argv[1]))
    {
    case 0: upc_lock (lock); upc_lock (lock); break;
    case 1: upc_lock_free (lock); upc_lock (lock); break;
    case 2: upc_all_broadcast (bytes, text, 17, 0); break;
    case 3: upc_all_broadcast (bytes, text, MYTHREAD == 1 ? 4 : 5, 0); break;
    }
  return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_equal_calls_have_their_own_lines(upct, compiler):
    """Compilers make one of equal ends of branches, and a call there would have the line of either, or none."""
    upct.write("equal.upc", EQUAL)
    program = upct.compile("-g", "-O2", "-fupc-check", "equal.upc", UPCC_CC=compiler)
    first = 1 + EQUAL[:EQUAL.index("    case 0:")].count("\n")
    for case in range(4):
        result = upct.run([program, case], THREADS=2)
        assert result.stderr.startswith(f"equal.upc:{first + case}: error: thread "), result.stderr
