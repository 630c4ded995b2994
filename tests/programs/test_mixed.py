"""Programs of several objects, from C compilers and from those of UPC: each thread
has its own copy of all their statics."""

import os

import pytest

from support import FULL

pytestmark = pytest.mark.tsan

LEVELS = ("-O0", "-Og", "-O1", "-O2", "-O3", "-Os")
KINDS = ("-fno-pie", "-fpie", "-fPIC")


def combinations():
    """Every compiler, level and kind of code; a sample of them unless full=1."""
    every = [(cc, level, kind) for cc in ("gcc", "clang") for level in LEVELS for kind in KINDS]
    return every if FULL else every[::2]


def compiled(upct, name, cc="gcc", *flags):
    output = upct.path(os.path.basename(name) + ".o")
    upct.check_output([cc, "-g", "-Wall", "-Wextra", "-Werror", *flags, "-c", upct.fixture(f"run/{name}.c"), "-o",
                       output])
    return output


@pytest.mark.parametrize("cc, level, kind", combinations())
def test_plain_c_program_runs_in_each_thread(upct, cc, level, kind):
    program = upct.link(*(compiled(upct, name, cc, level, kind) for name in ("plain", "counter")))
    for threads in (1, 2, 7):
        result = upct.run([program, "-n", threads, "one two", "Three-four", "five"])
        assert result.stdout == "counted 5, longest three\n" * threads
        assert (result.stderr, result.returncode) == ("", 0)


@pytest.mark.parametrize("cc, level, kind", combinations())
def test_upc_process_variables_are_one(upct, cc, level, kind):
    program = upct.link(*(compiled(upct, name, cc, level, kind) for name in ("count-all", "counter")))
    for threads in (1, 2, 7):
        result = upct.run([program, "-n", threads])
        assert result.stdout == f"{threads * (threads + 1) // 2} uses\n"
        assert (result.stderr, result.returncode) == ("", 0)


@pytest.mark.parametrize("cc, kind", [(cc, kind) for cc in ("gcc", "clang") for kind in ("-fpie", "-fPIC")])
def test_position_independent_program(upct, cc, kind):
    objects = [compiled(upct, name, cc, "-O2", kind) for name in ("plain", "counter")]
    program = upct.link(*objects, flags=["-pie"])
    assert "DYN" in upct.check_output(["readelf", "-h", program]), "it is not position-independent"
    assert upct.check_output([program, "-n", "3", "a bb"]) == "counted 2, longest bb\n" * 3


@pytest.mark.parametrize("cc, level", [(cc, level) for cc in ("gcc", "clang") for level in ("-O0", "-O2")])
def test_listing_with_c_objects(upct, cc, level):
    """A UPC program beside C objects whose statics are changed by a constructor."""
    source = upct.write("side.c", """
        #include <stdio.h>
        #include <stdlib.h>
        extern int MYTHREAD;
        static int started = 1;
        static int *where = &started;
        __attribute__ ((constructor)) static void start (void) { *where += MYTHREAD + 1; }
        __attribute__ ((destructor)) static void end (void)
        {
          if (started != MYTHREAD + 2)
            printf ("thread %d has %d\\n", MYTHREAD, started);
        }
        """)
    side = upct.path("side.o")
    upct.check_output([cc, level, "-c", source, "-o", side])
    for listing in ("hello.O2.s", "privates.O2.s"):
        program = upct.link(listing, side, output=listing[:-2])
        for threads in (1, 5):
            output = upct.check_output([program, "-n", threads])
            assert "has" not in output and "leaked" not in output


def test_archives_are_private_too(upct):
    archive = upct.path("libcounter.a")
    upct.check_output(["ar", "rcs", archive, compiled(upct, "counter", "gcc", "-O2")])
    program = upct.link(compiled(upct, "plain", "gcc", "-O2"), archive)
    assert upct.check_output([program, "-n", "4", "x yy"]) == "counted 2, longest yy\n" * 4


@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_constants_of_objects_stay_apart(upct, cc):
    """Absolute code has constants that point to private data, position-independent code
    jump tables: the first must become private, the second cannot."""
    pointers = upct.write("pointers.c", """
        #include <stdio.h>
        #include <stdlib.h>
        int choose (int n);
        static int x = 3;
        int *const places[] = { &x, &x };
        int main (int argc, char **argv)
        {
          *places[argc > 2] += atoi (argv[1]);
          printf ("%d %d\\n", x, choose (atoi (argv[1])));
          return 0;
        }
        """)
    table = upct.write("table.c", """
        int a, b, c;
        int choose (int n)
        {
          switch (n)
            {
            case 0: return a++;
            case 1: return ++b + 7;
            case 2: return a += 9;
            case 3: return c -= 1;
            case 4: return b *= 3;
            case 5: return a + b;
            default: return 0;
            }
        }
        """)
    objects = []
    for source, kind in ((pointers, "-fno-pic"), (table, "-fPIC")):
        objects.append(source[:-2] + ".o")
        upct.check_output([cc, "-O1", kind, "-c", source, "-o", objects[-1]])
    for order in (objects, objects[::-1]):
        assert upct.check_output([upct.link(*order), "-n", "3", "2"]) == "5 9\n" * 3


# What standard C leaves to programs, and the runtime or libc use.
VARIABLES = ["environ", "index", "mmap", "open", "read", "sched_yield", "timezone", "write", "y1"]
FUNCTIONS = ["alarm", "clone", "close", "closedir", "creat", "dup2", "ffs", "gettid", "open", "opendir", "pause",
             "pipe", "poll", "read", "readdir", "readlink", "syscall", "write"]


@pytest.mark.parametrize("cc, kind, link", [
    (cc, kind, link) for cc in ("gcc", "clang") for kind, link in (("-fno-common", "-no-pie"), ("-fcommon", "-pie"),
                                                                   ("-fno-common", "-static"))])
def test_names_of_libc_are_free_for_variables(upct, cc, kind, link):
    if link == "-static" and upct.sanitizers:
        pytest.skip("sanitizers do not link into static programs")
    text = "#include <stdio.h>\nextern int MYTHREAD;\n" + "".join(f"int {name};\n" for name in VARIABLES)
    text += "int main (void)\n{\n" + "".join(f"  {name} += MYTHREAD + {i};\n" for i, name in enumerate(VARIABLES))
    text += f"  int sum = {' + '.join(VARIABLES)};\n"
    text += f"  printf (\"%d\\n\", sum - {len(VARIABLES)} * MYTHREAD);\n  return 0;\n}}\n"
    source, output = upct.write("in.c", text), upct.path("in.o")
    upct.check_output([cc, "-O1", "-w", "-fno-builtin", "-fPIE" if link == "-pie" else "-fno-pie", kind, "-c", source,
                       "-o", output])
    wanted = f"{sum(range(len(VARIABLES)))}\n"
    assert upct.check_output([upct.link(output, flags=[link])], UPC_THREADS=3) == wanted * 3


@pytest.mark.no_sanitizers("they take these names for libc's themselves")
@pytest.mark.parametrize("cc, link", [(cc, link) for cc in ("gcc", "clang") for link in ("-no-pie", "-static")])
def test_names_of_libc_are_free_for_functions(upct, cc, link):
    text = "#include <stdio.h>\nstatic int calls;\n"
    text += "".join(f"__attribute__ ((noinline)) int {name} (void) {{ return ++calls; }}\n" for name in FUNCTIONS)
    text += f"int main (void)\n{{\n  int sum = {' + '.join(name + ' ()' for name in FUNCTIONS)};\n"
    text += "  printf (\"%d of %d\\n\", calls, sum);\n  return 0;\n}\n"
    source, output = upct.write("in.c", text), upct.path("in.o")
    upct.check_output([cc, "-O1", "-w", "-fno-builtin", "-fno-pie", "-c", source, "-o", output])
    n = len(FUNCTIONS)
    assert upct.check_output([upct.link(output, flags=[link])], UPC_THREADS=3) == f"{n} of {n * (n + 1) // 2}\n" * 3
