"""Tools: written from the text of the specification, linked in every way, with statics, options
and code of their own; and programs without one."""

import os

import pytest

from gasp.common import build
from support import ROOT

pytestmark = pytest.mark.tsan

HEADERS = os.path.join(ROOT, "include")
# few.c raises these in each thread.
COUNTS = "GASP_UPC_COLLECTIVE_EXIT 1 GASP_UPC_BARRIER 1 GASP_UPC_ALLOC 1 GASP_UPC_FREE 1 GASP_UPC_GET 1 GASP_UPC_PUT 1"
PAPER = f"status 0 GASP_C_FUNC 1 {COUNTS} got 4 put 4 user 0"


def compiled(upct, source, output, *flags):
    """The object of a tool, by the C compiler alone: a tool needs no other headers."""
    path = upct.path(output)
    upct.check_output(["cc", "-c", "-g", "-Wall", "-Wextra", "-Werror", f"-I{HEADERS}", *flags,
                       upct.fixture(f"gasp/{source}"), "-o", path])
    return path


def lines(text):
    return sorted(text.splitlines())


def arguments(threads, n=1, text=""):
    return [f"{t}: {n} arguments{text}" for t in range(threads)]


@pytest.mark.parametrize("standard", ["c89", "c99", "gnu17"])
def test_a_tool_of_the_text_compiles_and_counts(upct, standard):
    tool = compiled(upct, "paper.c", "paper.o", f"-std={standard}", "-pedantic-errors")
    out = upct.check_output([upct.link(upct.fixture("gasp/few.c"), tool)], THREADS=3)
    assert lines(out) == sorted(arguments(3) + [PAPER] * 3)


def test_all_events_of_the_text_have_names_where_asked_for(upct):
    tool = compiled(upct, "paper.c", "paper.o", "-std=c89", "-pedantic-errors", "-DGASP_ALL_EVENTS")
    assert lines(upct.check_output([upct.link(upct.fixture("gasp/few.c"), tool)], THREADS=1)) == (
        sorted(arguments(1) + [PAPER]))
    probe = upct.write("probe.c", "#include <gasp.h>\n#if defined GASP_UPC_CACHE_HIT || defined GASP_UPC_NB_GET_DATA\n"
                               "#error\n#endif\n")
    upct.check_output(["cc", "-c", f"-I{HEADERS}", probe, "-o", upct.path("probe.o")])


def test_a_tool_of_the_text_sees_a_whole_program(upct):
    tool = compiled(upct, "paper.c", "paper.o", "-std=c89")
    out = upct.check_output(["sh", "-c", f"{upct.link(upct.fixture('gasp/calls.c'), tool)}; test $? = 3"], THREADS=3)
    seen = [line for line in out.splitlines() if line.startswith("status")]
    assert len(seen) == 3
    for line in seen:
        assert "UNPAIRED" not in line and "GASP_UPC_ALL_EXCHANGE 1 " in line and line.endswith("user 6")


def test_a_tool_of_version_1_3_compiles_and_counts(upct):
    tool = compiled(upct, "paper-1.3.c", "paper.o", "-std=c89", "-pedantic-errors", "-DGASP_COMPAT_1_3")
    out = upct.run([upct.link(upct.fixture("gasp/calls.c"), tool)], THREADS=3).stdout
    assert [line for line in lines(out) if line.startswith("1.3")] == [
        "1.3: status 3, 3 barriers, 1 reductions of int, 0 hits"] * 3


# What version 1.3-pre2 says of each call: arguments that 1.4 has others for.
TABLES = """
#include <upc.h>
#include <upc_nb.h>
#include <upc_collective.h>
#include <pupc.h>
#include <gasp.h>
#include <stdlib.h>
shared int a[8 * THREADS], b[8 * THREADS];
int main (void)
{
  int n, *m;
  shared void *p = upc_alloc (24), *q = upc_local_alloc (3, 8);
  volatile size_t too_much = (size_t) -1 / 2;
  m = malloc (too_much);
  m = realloc (m, too_much);
  m = realloc (m, 16);
  free (m);
  upc_sync (upc_memget_nb (&n, &a[0], sizeof n));
  upc_memput_nbi (&a[0], &n, sizeof n);
  upc_synci ();
  upc_memput (&a[0], &n, sizeof n);
  upc_all_reduceI (&a[0], &b[0], UPC_ADD, 8 * THREADS, 1, NULL, 0);
  upc_free (p);
  upc_free (q);
  if (pupc_control (3) == 0 || gasp_control_query (NULL) != 3)
    abort ();
  return 5;
}
"""
TOLD = """C_FUNC start int main(void)
UPC_ALLOC start 1 24
UPC_ALLOC end 1 24 p
UPC_ALLOC start 3 8
UPC_ALLOC end 3 8 p
C_MALLOC start 9223372036854775807
C_MALLOC end 0 0
C_REALLOC start 0 9223372036854775807
C_REALLOC end 0 0
C_REALLOC start 0 16
C_REALLOC end 0 16
C_FREE start v
C_FREE end v
UPC_NB_GET_INIT atomic 1 v p 4 trivial
UPC_NB_PUT_INIT atomic 1 p v 4 trivial
UPC_MEMPUT start p p 4
UPC_MEMPUT end p p 4
UPC_ALL_REDUCE start p p 1 8 1 0 0 4
UPC_ALL_REDUCE end p p 1 8 1 0 0 4
UPC_FREE start p
UPC_FREE end p
UPC_FREE start p
UPC_FREE end p
C_FUNC end int main(void)
COLLECTIVE_EXIT start
COLLECTIVE_EXIT end 5
"""


@pytest.mark.no_sanitizers("their malloc ends the program where there is no memory")
@pytest.mark.parametrize("way", ["object", "library"])
def test_a_tool_of_version_1_3_is_told_what_its_tables_say(upct, way):
    tool = compiled(upct, "paper-1.3.c", "paper.o", "-std=c89", "-pedantic-errors", "-DGASP_COMPAT_1_3", "-fPIC")
    if way == "library":
        library = upct.path("libpaper.so")
        upct.check_output(["cc", "-shared", tool, "-o", library])
        tool = f"{library} -Wl,-rpath,{upct.folder}"
    source = upct.write("tables.upc", TABLES)
    program = upct.path("tables")
    upct.check_output([upct.tool("upcc"), "--profile", "-w", "-DGASP_COMPAT_1_3", source, *tool.split(), "-o", program])
    result = upct.run([program], THREADS=1, SHOW=1)
    assert (result.stdout, result.stderr, result.returncode) == (TOLD, "", 5)


def test_a_tool_of_version_1_5_compiles_and_counts(upct):
    tool = compiled(upct, "paper-1.5.c", "paper.o", "-std=c99", "-pedantic-errors", "-DGASP_COMPAT_1_5")
    out = upct.check_output([upct.link(upct.fixture("gasp/few.c"), tool)], THREADS=3)
    assert lines(out) == sorted(arguments(3) + ["1.5: UPC, status 0, 2 accesses"] * 3)


# Section 3 and 5: declarations of the text, and numbers in the order of its enumerations.
DECLARED = """
#include <gasp.h>
#include <pupc.h>
#define IS(type, value) _Static_assert (_Generic ((value), type: 1, default: 0), #value)
IS (gasp_context_t (*) (gasp_lang_t, int *, char ***), &gasp_init);
IS (void (*) (gasp_context_t, unsigned int, gasp_evttype_t, const char *, int, int, ...), &gasp_event_notify);
IS (void (*) (gasp_context_t, unsigned int, gasp_evttype_t, const char *, int, int, va_list), &gasp_event_notifyVA);
IS (int (*) (gasp_context_t, int), &gasp_control);
IS (unsigned int (*) (gasp_context_t, const char *, const char *), &gasp_create_event);
IS (int (*) (int), &pupc_control);
IS (unsigned int (*) (const char *, const char *), &pupc_create_event);
IS (void (*) (unsigned int, ...), &pupc_event_start);
IS (void (*) (unsigned int, ...), &pupc_event_end);
IS (void (*) (unsigned int, ...), &pupc_event_atomic);
IS (void *, (gasp_upc_PTS_t *) 0);
IS (void *, (gasp_upc_pts_t *) 0);
IS (void *, (gasp_upc_lock_t *) 0);
IS (struct _gasp_context_S *, (gasp_context_t) 0);
IS (int, GASP_VERSION);
_Static_assert (GASP_VERSION == 20051101 && GASP_UPC_VERSION >= 1, "versions");
_Static_assert (GASP_UPC_USEREVT_START <= GASP_UPC_USEREVT_END, "user events");
#define IN_ORDER(number, name) _Static_assert (name == number, #name)
IN_ORDER (0, GASP_LANG_UPC); IN_ORDER (1, GASP_LANG_TITANIUM); IN_ORDER (2, GASP_LANG_CAF);
IN_ORDER (3, GASP_LANG_MPI); IN_ORDER (4, GASP_LANG_SHMEM);
IN_ORDER (0, GASP_START); IN_ORDER (1, GASP_END); IN_ORDER (2, GASP_ATOMIC);
#define TYPE(number, letters) IN_ORDER (number, REDUCTION (letters)); IS (int, REDUCTION (letters))
TYPE (0, C); TYPE (1, UC); TYPE (2, S); TYPE (3, US); TYPE (4, I); TYPE (5, UI); TYPE (6, L); TYPE (7, UL);
TYPE (8, F); TYPE (9, D); TYPE (10, LD);
gasp_upc_nb_handle_t none = GASP_NB_TRIVIAL;
"""
NEW = "#define REDUCTION(letters) GASP_UPC_REDUCTION_##letters\n#include <gasp.h>\ngasp_upc_reduction_t type;\n"
OLD = ("#define GASP_COMPAT_1_3\n#define REDUCTION(letters) GASP_UPC_REDUCE_##letters\n#include <gasp.h>\n"
       "gasp_upc_reduc_t type;\nint (*query) (gasp_context_t) = gasp_control_query;\n"
       "_Static_assert (GASP_USEREVT_START <= GASP_USEREVT_END, \"user events\");\n")


@pytest.mark.parametrize("names", ["1.4", "1.3"])
def test_headers_declare_what_the_text_does(upct, names):
    source = upct.write("declared.c", (NEW if names == "1.4" else OLD) + DECLARED)
    upct.check_output([upct.tool("upcc"), "-x", "c", "-Wall", "-Werror", "-fsyntax-only", source])


@pytest.mark.parametrize("standard", ["c++98", "c++11", "c++20"])
def test_headers_are_of_cxx_too(upct, standard):
    probe = upct.write("probe.cc", "#include <gasp.h>\n#include <pupc.h>\nint main () { return GASP_VERSION == 0; }\n")
    upct.check_output(["g++", f"-std={standard}", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", f"-I{HEADERS}",
                       "-fsyntax-only", probe])


def test_a_tool_may_be_in_cxx(upct):
    tool = upct.path("counts.o")
    upct.check_output(["g++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-g", f"-I{HEADERS}", "-c",
                       upct.fixture("gasp/counts.cc"), "-o", tool])
    out = upct.check_output([upct.link(upct.fixture("gasp/few.c"), tool, "-lstdc++")], THREADS=3)
    assert lines(out) == sorted(arguments(3) + ["1:1 5:1 9:1 14:1 15:1 26:1 27:1 "] * 3)


def test_the_example_of_the_documents_works(upct):
    with open(os.path.join(ROOT, "docs", "tracing.md")) as document:
        tool = upct.write("count.c", document.read().split("cat >count.c <<'END'\n")[1].split("\nEND\n")[0])
    out = upct.check_output([upct.link(upct.fixture("gasp/few.c"), tool)], THREADS=3)
    assert lines(out) == sorted(arguments(3) + ["1 of 3 barriers"] * 3)


@pytest.mark.parametrize("way", ["object", "archive", "library", "preload"])
def test_a_tool_is_linked_in_every_way(upct, way):
    pic = ["-fPIC"] if way in ("library", "preload") else []
    tool = compiled(upct, "paper.c", "paper.o", *pic)
    few, environment, flags = upct.fixture("gasp/few.c"), {}, []
    if way == "archive":
        upct.check_output(["ar", "rc", upct.path("libpaper.a"), tool])
        flags = [upct.path("libpaper.a")]
    elif way == "object":
        flags = [tool]
    else:
        library = upct.path("libpaper.so")
        upct.check_output(["cc", "-shared", tool, "-o", library])
        if way == "library":
            flags = [library, f"-Wl,-rpath,{upct.folder}"]
        else:
            # What stands in for a tool is in the program, and must not be taken for one.
            environment["LD_PRELOAD"] = library
    program = upct.link(few, *flags)
    if environment and upct.sanitizers:
        pytest.skip("their library must be loaded before one of LD_PRELOAD")
    assert lines(upct.check_output([program], THREADS=3, **environment)) == sorted(arguments(3) + [PAPER] * 3)


def test_without_a_tool_nothing_happens(upct):
    out = upct.check_output([upct.link(upct.fixture("gasp/few.c"))], THREADS=3)
    assert lines(out) == arguments(3)


@pytest.mark.no_sanitizers("they do not link into static programs")
def test_without_a_tool_a_static_program_links(upct):
    out = upct.check_output([upct.link("-static", upct.fixture("gasp/few.c"), upct.fixture("gasp/paper.c"))], THREADS=2)
    assert lines(out) == sorted(arguments(2) + [PAPER] * 2)
    assert lines(upct.check_output([upct.link("-static", upct.fixture("gasp/few.c"))], THREADS=2)) == arguments(2)


def test_a_program_may_call_the_functions_of_a_tool_that_is_not_there(upct):
    source = upct.write("direct.c", """#include <gasp.h>
#include <stdio.h>
int main (int argc, char **argv)
{
  gasp_context_t context = gasp_init (GASP_LANG_UPC, &argc, &argv);
  gasp_event_notify (context, gasp_create_event (context, "a", 0), GASP_ATOMIC, "f", 1, 0);
  printf ("%d\\n", gasp_control (context, 1) != 0);
  return 0;
}
""")
    assert upct.check_output([upct.link(source)], THREADS=1) == "1\n"


# Prints each user event by its format.
PRINTS = """
#include <gasp.h>
#include <stdio.h>
static const char *format;
gasp_context_t gasp_init (gasp_lang_t language, int *argc, char ***argv)
{
  (void) language, (void) argc, (void) argv;
  return NULL;
}
void gasp_event_notifyVA (gasp_context_t context, unsigned int tag, gasp_evttype_t type, const char *file,
                          int line, int column, va_list arguments)
{
  (void) context, (void) file, (void) line, (void) column;
  if (tag < GASP_UPC_USEREVT_START || tag > GASP_UPC_USEREVT_END)
    return;
  printf ("%d ", type);
  vprintf (format, arguments);
}
void gasp_event_notify (gasp_context_t context, unsigned int tag, gasp_evttype_t type, const char *file,
                        int line, int column, ...)
{
  va_list arguments;
  va_start (arguments, column);
  gasp_event_notifyVA (context, tag, type, file, line, column, arguments);
  va_end (arguments);
}
int gasp_control (gasp_context_t context, int on) { (void) context; return on; }
unsigned int gasp_create_event (gasp_context_t context, const char *name, const char *description)
{
  (void) context;
  printf ("%s\\n", name);
  format = description;
  return GASP_UPC_USEREVT_END;
}
"""
TELLS = """
#include <pupc.h>
int main (void)
{
  unsigned event = pupc_create_event ("phase", "%d %s %.2f %lu %c\\n");
  pupc_event_start (event, 1, "one", 1.5, 1ul << 40, 'x');
  pupc_event_end (event, 2, "two", 2.5, 0ul, 'y');
  pupc_event_atomic (event, -3, "three", 3.25, 7ul, 'z');
  return 0;
}
"""


@pytest.mark.parametrize("language", ["upc", "c"])
def test_user_events_have_the_arguments_of_their_format(upct, language):
    """From UPC, instrumented, and from plain C that is linked to it."""
    tool = upct.path("prints.o")
    upct.check_output(["cc", "-c", "-Wall", "-Wextra", "-Werror", f"-I{HEADERS}", upct.write("prints.c", PRINTS), "-o", tool])
    source = upct.write("tells.c", TELLS)
    upct.check_output([upct.tool("upcc"), "--profile", "-x", language, source, "-x", "none", tool, "-o", upct.path("tells")])
    assert upct.check_output([upct.path("tells")], THREADS=1) == (
        "phase\n0 1 one 1.50 1099511627776 x\n1 2 two 2.50 0 y\n2 -3 three 3.25 7 z\n")


@pytest.mark.parametrize("flag, missing", [("", "gasp_event_notifyVA"), ("-DNO_NOTIFY", "gasp_event_notify")])
def test_a_tool_that_lacks_a_function_is_refused(upct, flag, missing):
    tool = compiled(upct, "incomplete.c", "tool.o", *([flag] if flag else []))
    result = upct.run([upct.link(upct.fixture("gasp/few.c"), tool)], THREADS=2)
    assert (result.returncode, result.stdout, result.stderr) == (
        2, "", f"prog: error: the performance tool does not define {missing} (GASP 1.4, 3.2)\n")


@pytest.mark.parametrize("threads", [1, 3, 8])
def test_a_tool_may_call_upc_code_and_has_statics_in_each_thread(upct, threads):
    program = build(upct, "few.c", tool="upcall.c")
    out = upct.check_output([program, "one", "--tool=word", "two"], THREADS=threads)
    # 7 pairs: the barrier, the function, four calls in it, the exit. The last end counts itself.
    wanted = [f"thread {thread}: 14 events, status 0, word" for thread in range(threads)]
    assert lines(out) == sorted(wanted + arguments(threads, 3, " one two"))


@pytest.mark.parametrize("threads", [1, 3])
def test_a_tool_may_end_the_program(upct, threads):
    result = upct.run([build(upct, "few.c", tool="upcall.c"), "--tool=exit"], THREADS=threads)
    assert (result.returncode, result.stdout, result.stderr) == (11, "", "")
    # One thread alone does: the others have their events, and no wait for ever.
    empty = upct.write("empty.c", "int main (void) { return 0; }\n")
    result = upct.run([upct.link(empty, upct.fixture("gasp/upcall.c")), "--tool=exit0"], THREADS=threads)
    assert (result.returncode, result.stderr) == (11, "")
