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
    assert shown[-8:] == ["$1 = 0", "$2 = 0", "18\t      a[i] = i + 1;", "$3 = 5", "$4 = 7", "$5 = {of_thread_0 = {1, 2, 3, 4}}",
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


STEPPED = """#include <upc.h>
shared [4] int a[8 * THREADS], b[8 * THREADS];
static int
sum (int k)
{
  int i, s = 0;

  upc_forall (i = 0; i < 8; i++; &a[i])
    {
      int t = i * 2;
      a[i] = t;
      b[i] = a[i] + k;
      s += b[i];
    }
  for (i = 0; i < 2; i++)
    {
      int u = a[i];
      s += u;
    }
  return s;
}
int
main (void)
{
  return sum (3) != 82;
}
"""
LOOP = [10, 11, 12, 13, 8]


def stepped(upct, cc, level):
    """The lines at which gdb stops from the first of the loop on, and the locals at line 13 and 18."""
    upct.write("prog.upc", STEPPED)
    program = links(upct, "-g", level, "prog.upc", UPCC_CC=cc)
    script = upct.write("gdb", "set debuginfod enabled off\nbreak 10\nbreak 13\nbreak 18\nrun\ndelete 1\ncontinue\ninfo locals\n"
                        "delete 2\n" + 35 * "next\n" + "continue\ninfo locals\nkill\n")
    # Optimised, the program may have ended: then `kill` fails.
    text = upct.run(["gdb", "-q", "-batch", "-nx", "-x", script, program], THREADS=1).stdout
    locals_ = re.findall(r"^(\w+) = (.+)$", text, flags=re.M)
    return [int(line) for line in re.findall(r"^(\d+)\t", text, flags=re.M)], locals_, text


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("level", ["-O0", "-Og"])
def test_next_goes_through_a_loop_in_order(upct, level):
    lines, _, text = stepped(upct, "gcc", level)
    # The breakpoints, and what follows line 13 of the first iteration.
    assert lines[:2] == [10, 13], text
    assert lines[2:37] == ([8] + 7 * LOOP)[:35], text


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("cc, level", [("gcc", "-O0"), ("gcc", "-Og"), ("gcc", "-O2"), ("clang", "-O0"), ("clang", "-O2")])
def test_locals_are_those_of_the_program(upct, cc, level):
    _, shown, text = stepped(upct, cc, level)
    assert {"t", "i"} <= {name for name, _ in shown} <= set("tuis"), text
    if level == "-O0":
        assert shown == [("t", "0"), ("i", "0"), ("s", "0"), ("u", "0"), ("i", "0"), ("s", "80")], text
