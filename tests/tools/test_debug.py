"""A debugger on a UPC program: breakpoints by its lines, variables private and shared."""

import re

import pytest

from support.upcc import links

pytestmark = pytest.mark.host_only("gdb cannot run programs in an emulator")

PROGRAM = """#include <upc.h>
shared [4] int a[4 * THREADS];
shared double sum;
int counter = 5;
static int
add (int more)
{
  int local = counter;
  counter += more;
  return local;
}
int
main (void)
{
  int i, total = 0;
  upc_forall (i = 0; i < 4 * THREADS; i++; &a[i])
    {
      a[i] = i + 1;
      total += a[i];
    }
  sum = 2.5;
  return total == 0 ? add (1) : add (2) != 5;
}
"""


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_gdb_shows_private_and_shared_variables(upct, cc):
    upct.write("prog.upc", PROGRAM)
    program = links(upct, "-g", "-O0", "prog.upc", UPCC_CC=cc)
    script = upct.write("gdb", "set debuginfod enabled off\nbreak prog.upc:18\nbreak add\nrun\n"
                        "print i\nprint total\nlist 18,18\ndelete 1\ncontinue\nnext\nnext\nprint local\nprint counter\n"
                        "print a\nprint sum\nup\nprint total\n")
    text = upct.check_output(["gdb", "-q", "-batch", "-nx", "-x", script, program], THREADS=1)
    shown = [line for line in text.splitlines() if line.startswith("$") or line.startswith("18\t")]
    assert shown[-8:] == ["$1 = 0", "$2 = 0", "18\t      a[i] = i + 1;", "$3 = 5", "$4 = 7", "$5 = {1, 2, 3, 4}",
                          "$6 = 2.5", "$7 = 10"], text


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("cc, level", [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O0"), ("clang", "-O2")])
def test_main_is_the_program_s_and_types_of_pointers_have_names(upct, cc, level):
    upct.write("prog.upc", "#include <upc.h>\nstruct node { int value; shared struct node *next; };\nshared [3] int *p;\n"
               "shared [] struct node *head;\nint\nmain (int argc, char **argv)\n{\n  p = 0;\n  head = 0;\n"
               "  return argc - 1;\n}\n")
    program = links(upct, "-g", level, "prog.upc", UPCC_CC=cc)
    script = upct.write("gdb", "set debuginfod enabled off\nbreak main\nrun\nwhatis p\nwhatis head\nptype struct node\n"
                        "whatis __upc_pointer_types\nprint sizeof __upc_pointer_types\nbt\n")
    text = upct.check_output(["gdb", "-q", "-batch", "-nx", "-x", script, program], THREADS=1)
    assert ("type = __upc_pts_shared_3_int\ntype = __upc_pts_shared_0_struct_node\n"
            "type = struct node {\n    int value;\n    __upc_pts_shared_struct_node next;\n}\n") in text, text
    assert re.search(r"\$1 = 0\n#0  main \(argc=[^#]*$", text), text
