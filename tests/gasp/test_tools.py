"""Tools: written from the text of the specification, linked in every way, with statics, options
and code of their own; and programs without one."""

import os

from gasp.common import build
from harness import ROOT, case

HEADERS = os.path.join(ROOT, "include")
# few.c raises these in each thread.
COUNTS = "GASP_UPC_COLLECTIVE_EXIT 1 GASP_UPC_BARRIER 1 GASP_UPC_ALLOC 1 GASP_UPC_FREE 1 GASP_UPC_GET 1 GASP_UPC_PUT 1"
PAPER = f"status 0 GASP_C_FUNC 1 {COUNTS} got 4 put 4 user 0"


def compiled(t, source, output, *flags):
    """The object of a tool, by the C compiler alone: a tool needs no other headers."""
    path = t.path(output)
    t.good(["cc", "-c", "-g", "-Wall", "-Wextra", "-Werror", f"-I{HEADERS}", *flags,
            t.fixture(f"gasp/{source}"), "-o", path])
    return path


def lines(text):
    return sorted(text.splitlines())


def arguments(threads, n=1, text=""):
    return [f"{t}: {n} arguments{text}" for t in range(threads)]


@case(each=["c89", "c99", "gnu17"])
def a_tool_of_the_text_compiles_and_counts(t, standard):
    tool = compiled(t, "paper.c", "paper.o", f"-std={standard}", "-pedantic-errors")
    out = t.good([t.link(t.fixture("gasp/few.c"), tool)], THREADS=3)
    t.equal(lines(out), sorted(arguments(3) + [PAPER] * 3))


@case
def all_events_of_the_text_have_names_where_asked_for(t):
    tool = compiled(t, "paper.c", "paper.o", "-std=c89", "-pedantic-errors", "-DGASP_ALL_EVENTS")
    t.equal(lines(t.good([t.link(t.fixture("gasp/few.c"), tool)], THREADS=1)), sorted(arguments(1) + [PAPER]))
    probe = t.write("probe.c", "#include <gasp.h>\n#if defined GASP_UPC_CACHE_HIT || defined GASP_UPC_NB_GET_DATA\n"
                               "#error\n#endif\n")
    t.good(["cc", "-c", f"-I{HEADERS}", probe, "-o", t.path("probe.o")])


@case
def a_tool_of_the_text_sees_a_whole_program(t):
    tool = compiled(t, "paper.c", "paper.o", "-std=c89")
    out = t.good(["sh", "-c", f"{t.link(t.fixture('gasp/calls.c'), tool)}; test $? = 3"], THREADS=3)
    seen = [line for line in out.splitlines() if line.startswith("status")]
    t.equal(len(seen), 3)
    for line in seen:
        t.check("UNPAIRED" not in line and "GASP_UPC_ALL_EXCHANGE 1 " in line and line.endswith("user 6"), line)


@case
def a_tool_of_version_1_3_compiles_and_counts(t):
    tool = compiled(t, "paper-1.3.c", "paper.o", "-std=c89", "-pedantic-errors", "-DGASP_COMPAT_1_3")
    out = t.run([t.link(t.fixture("gasp/calls.c"), tool)], THREADS=3).stdout
    t.equal([line for line in lines(out) if line.startswith("1.3")],
            ["1.3: status 3, 3 barriers, 1 reductions of int, 0 hits"] * 3)


@case
def a_tool_of_version_1_5_compiles_and_counts(t):
    tool = compiled(t, "paper-1.5.c", "paper.o", "-std=c99", "-pedantic-errors", "-DGASP_COMPAT_1_5")
    out = t.good([t.link(t.fixture("gasp/few.c"), tool)], THREADS=3)
    t.equal(lines(out), sorted(arguments(3) + ["1.5: UPC, status 0, 2 accesses"] * 3))


@case(each=["c++98", "c++11", "c++20"])
def headers_are_of_cxx_too(t, standard):
    probe = t.write("probe.cc", "#include <gasp.h>\n#include <pupc.h>\nint main () { return GASP_VERSION == 0; }\n")
    t.good(["g++", f"-std={standard}", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", f"-I{HEADERS}", "-fsyntax-only", probe])


@case
def a_tool_may_be_in_cxx(t):
    tool = t.path("counts.o")
    t.good(["g++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-g", f"-I{HEADERS}", "-c", t.fixture("gasp/counts.cc"), "-o", tool])
    out = t.good([t.link(t.fixture("gasp/few.c"), tool, "-lstdc++")], THREADS=3)
    t.equal(lines(out), sorted(arguments(3) + ["1:1 5:1 9:1 14:1 15:1 26:1 27:1 "] * 3))


@case
def the_example_of_the_readme_works(t):
    with open(os.path.join(ROOT, "README.md")) as readme:
        text = readme.read().split("cat >count.c <<'END'\n")[1].split("\n    END\n")[0]
    tool = t.write("count.c", "\n".join(line[4:] for line in text.split("\n")))
    out = t.good([t.link(t.fixture("gasp/few.c"), tool)], THREADS=3)
    t.equal(lines(out), sorted(arguments(3) + ["1 of 3 barriers"] * 3))


@case(each=["object", "archive", "library", "preload"])
def a_tool_is_linked_in_every_way(t, way):
    pic = ["-fPIC"] if way in ("library", "preload") else []
    tool = compiled(t, "paper.c", "paper.o", *pic)
    few, environment, flags = t.fixture("gasp/few.c"), {}, []
    if way == "archive":
        t.good(["ar", "rc", t.path("libpaper.a"), tool])
        flags = [t.path("libpaper.a")]
    elif way == "object":
        flags = [tool]
    else:
        library = t.path("libpaper.so")
        t.good(["cc", "-shared", tool, "-o", library])
        if way == "library":
            flags = [library, f"-Wl,-rpath,{t.folder}"]
        else:
            # What stands in for a tool is in the program, and must not be taken for one.
            environment["LD_PRELOAD"] = library
    program = t.link(few, *flags)
    if environment and t.sanitizers:
        return
    t.equal(lines(t.good([program], THREADS=3, **environment)), sorted(arguments(3) + [PAPER] * 3))


@case
def without_a_tool_nothing_happens(t):
    out = t.good([t.link(t.fixture("gasp/few.c"))], THREADS=3)
    t.equal(lines(out), arguments(3))


@case
def without_a_tool_a_static_program_links(t):
    if t.sanitizers:
        return
    out = t.good([t.link("-static", t.fixture("gasp/few.c"), t.fixture("gasp/paper.c"))], THREADS=2)
    t.equal(lines(out), sorted(arguments(2) + [PAPER] * 2))
    t.equal(lines(t.good([t.link("-static", t.fixture("gasp/few.c"))], THREADS=2)), arguments(2))


@case
def a_program_may_call_the_functions_of_a_tool_that_is_not_there(t):
    source = t.write("direct.c", """#include <gasp.h>
#include <stdio.h>
int main (int argc, char **argv)
{
  gasp_context_t context = gasp_init (GASP_LANG_UPC, &argc, &argv);
  gasp_event_notify (context, gasp_create_event (context, "a", 0), GASP_ATOMIC, "f", 1, 0);
  printf ("%d\\n", gasp_control (context, 1) != 0);
  return 0;
}
""")
    t.equal(t.good([t.link(source)], THREADS=1), "1\n")


@case(each=[("", "gasp_event_notifyVA"), ("-DNO_NOTIFY", "gasp_event_notify")])
def a_tool_that_lacks_a_function_is_refused(t, flag, missing):
    tool = compiled(t, "incomplete.c", "tool.o", *([flag] if flag else []))
    result = t.run([t.link(t.fixture("gasp/few.c"), tool)], THREADS=2)
    t.equal((result.returncode, result.stdout, result.stderr),
            (2, "", f"prog: error: the performance tool has no {missing} (GASP 1.4, 3.2)\n"))


@case(each=[1, 3, 8])
def a_tool_may_call_upc_code_and_has_statics_in_each_thread(t, threads):
    program = build(t, "few.c", tool="upcall.c")
    out = t.good([program, "one", "--tool=word", "two"], THREADS=threads)
    # 7 pairs: the barrier, the function, four calls in it, the exit. The last end counts itself.
    wanted = [f"thread {thread}: 14 events, status 0, word" for thread in range(threads)]
    t.equal(lines(out), sorted(wanted + arguments(threads, 3, " one two")))


@case(each=[1, 3])
def a_tool_may_end_the_program(t, threads):
    result = t.run([build(t, "few.c", tool="upcall.c"), "--tool=exit"], THREADS=threads)
    t.equal((result.returncode, result.stdout, result.stderr), (11, "", ""))
    # One thread alone does: the others have their events, and no wait for ever.
    empty = t.write("empty.c", "int main (void) { return 0; }\n")
    result = t.run([t.link(empty, t.fixture("gasp/upcall.c")), "--tool=exit0"], THREADS=threads)
    t.equal((result.returncode, result.stderr), (11, ""))
