"""Programs of several objects, from C compilers and from those of UPC: each thread
has its own copy of all their statics."""

import os

from harness import case

LEVELS = ("-O0", "-Og", "-O1", "-O2", "-O3", "-Os")
KINDS = ("-fno-pie", "-fpie", "-fPIC")
FULL = os.environ.get("UPCT_TEST_FULL") == "1"


def combinations():
    """Every compiler, level and kind of code; a sample of them unless full=1."""
    every = [(cc, level, kind) for cc in ("gcc", "clang") for level in LEVELS for kind in KINDS]
    return every if FULL else every[::2]


def compiled(t, name, cc="gcc", *flags):
    output = t.path(os.path.basename(name) + ".o")
    t.good([cc, "-g", "-Wall", "-Wextra", "-Werror", *flags, "-c", t.fixture(f"run/{name}.c"), "-o", output])
    return output


@case(each=combinations())
def plain_c_program_runs_in_each_thread(t, cc, level, kind):
    program = t.link(*(compiled(t, name, cc, level, kind) for name in ("plain", "counter")))
    for threads in (1, 2, 7):
        result = t.run([program, "-n", threads, "one two", "Three-four", "five"])
        t.equal(result.stdout, "counted 5, longest three\n" * threads)
        t.equal((result.stderr, result.returncode), ("", 0))


@case(each=combinations())
def upc_process_variables_are_one(t, cc, level, kind):
    program = t.link(*(compiled(t, name, cc, level, kind) for name in ("count-all", "counter")))
    for threads in (1, 2, 7):
        result = t.run([program, "-n", threads])
        t.equal(result.stdout, f"{threads * (threads + 1) // 2} uses\n")
        t.equal((result.stderr, result.returncode), ("", 0))


@case(each=[(cc, kind) for cc in ("gcc", "clang") for kind in ("-fpie", "-fPIC")])
def position_independent_program(t, cc, kind):
    objects = [compiled(t, name, cc, "-O2", kind) for name in ("plain", "counter")]
    program = t.link(*objects, flags=["-pie"])
    t.check("DYN" in t.good(["readelf", "-h", program]), "it is not position-independent")
    t.equal(t.good([program, "-n", "3", "a bb"]), "counted 2, longest bb\n" * 3)


@case(each=[(cc, level) for cc in ("gcc", "clang") for level in ("-O0", "-O2")])
def listing_with_c_objects(t, cc, level):
    """A UPC program beside C objects whose statics are changed by a constructor."""
    source = t.write("side.c", """
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
    side = t.path("side.o")
    t.good([cc, level, "-c", source, "-o", side])
    for listing in ("hello.O2.s", "privates.O2.s"):
        program = t.link(listing, side, output=listing[:-2])
        for threads in (1, 5):
            output = t.good([program, "-n", threads])
            t.check("has" not in output and "leaked" not in output, output)


@case
def archives_are_private_too(t):
    archive = t.path("libcounter.a")
    t.good(["ar", "rcs", archive, compiled(t, "counter", "gcc", "-O2")])
    program = t.link(compiled(t, "plain", "gcc", "-O2"), archive)
    t.equal(t.good([program, "-n", "4", "x yy"]), "counted 2, longest yy\n" * 4)


@case(each=["gcc", "clang"])
def constants_of_objects_stay_apart(t, cc):
    """Absolute code has constants that point to private data, position-independent code
    jump tables: the first must become private, the second cannot."""
    pointers = t.write("pointers.c", """
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
    table = t.write("table.c", """
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
        t.good([cc, "-O1", kind, "-c", source, "-o", objects[-1]])
    for order in (objects, objects[::-1]):
        t.equal(t.good([t.link(*order), "-n", "3", "2"]), "5 9\n" * 3)


# What standard C leaves to programs, and the runtime or libc use.
VARIABLES = ["environ", "index", "mmap", "open", "read", "sched_yield", "timezone", "write", "y1"]
FUNCTIONS = ["alarm", "clone", "close", "closedir", "creat", "dup2", "ffs", "gettid", "open", "opendir", "pause",
             "pipe", "poll", "read", "readdir", "readlink", "syscall", "write"]


@case(each=[(cc, kind, link) for cc in ("gcc", "clang")
            for kind, link in (("-fno-common", "-no-pie"), ("-fcommon", "-pie"), ("-fno-common", "-static"))])
def names_of_libc_are_free_for_variables(t, cc, kind, link):
    if link == "-static" and t.sanitizers:
        return
    text = "#include <stdio.h>\nextern int MYTHREAD;\n" + "".join(f"int {name};\n" for name in VARIABLES)
    text += "int main (void)\n{\n" + "".join(f"  {name} += MYTHREAD + {i};\n" for i, name in enumerate(VARIABLES))
    text += f"  int sum = {' + '.join(VARIABLES)};\n"
    text += f"  printf (\"%d\\n\", sum - {len(VARIABLES)} * MYTHREAD);\n  return 0;\n}}\n"
    source, output = t.write("in.c", text), t.path("in.o")
    t.good([cc, "-O1", "-w", "-fno-builtin", "-fPIE" if link == "-pie" else "-fno-pie", kind, "-c", source, "-o", output])
    wanted = f"{sum(range(len(VARIABLES)))}\n"
    t.equal(t.good([t.link(output, flags=[link])], UPC_THREADS=3), wanted * 3)


@case(each=[(cc, link) for cc in ("gcc", "clang") for link in ("-no-pie", "-static")])
def names_of_libc_are_free_for_functions(t, cc, link):
    if t.sanitizers:
        # They take these names for libc's themselves.
        return
    text = "#include <stdio.h>\nstatic int calls;\n"
    text += "".join(f"__attribute__ ((noinline)) int {name} (void) {{ return ++calls; }}\n" for name in FUNCTIONS)
    text += f"int main (void)\n{{\n  int sum = {' + '.join(name + ' ()' for name in FUNCTIONS)};\n"
    text += "  printf (\"%d of %d\\n\", calls, sum);\n  return 0;\n}\n"
    source, output = t.write("in.c", text), t.path("in.o")
    t.good([cc, "-O1", "-w", "-fno-builtin", "-fno-pie", "-c", source, "-o", output])
    n = len(FUNCTIONS)
    t.equal(t.good([t.link(output, flags=[link])], UPC_THREADS=3), f"{n} of {n * (n + 1) // 2}\n" * 3)
