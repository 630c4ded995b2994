"""Messages that say what would do, or what was meant, and how messages are shown."""

import glob
import os
import re

import pytest

from support import ROOT

CASES = [
    ("int main (void) { upc_barrier (); }",
     ["1:19: error: 'upc_barrier' is a statement, not a function; remove the parentheses behind it"]),
    ("int main (void) { upc_notify (); upc_wait (); upc_fence (); upc_barrier (3); }",
     ["1:19: error: 'upc_notify' is a statement, not a function; remove the parentheses behind it",
      "1:34: error: 'upc_wait' is a statement, not a function; remove the parentheses behind it",
      "1:47: error: 'upc_fence' is a statement, not a function; remove the parentheses behind it"]),
    ("sharde int x;", ["1:1: error: unknown type name 'sharde'; did you mean 'shared'?"]),
    ("sahred [2] int *q;", ["1:1: error: unknown type name 'sahred'; did you mean 'shared'?"]),
    ("int f (void) { sharedd int *p; return 0; }",
     ["1:16: error: unknown type name 'sharedd'; did you mean 'shared'?"]),
    ("int f (void) { return THREDS + MYTREAD; }",
     ["1:23: error: 'THREDS' undeclared; did you mean 'THREADS'?",
      "1:32: error: 'MYTREAD' undeclared; did you mean 'MYTHREAD'?"]),
    ("int f (void) { return upper; }", ["1:23: error: 'upper' undeclared"]),
    ("shared int *p; void f (void) { upc_memcpy (p, p, 3); }",
     ["1:32: error: implicit declaration of function 'upc_memcpy'; it is declared in <upc.h>"]),
    ("void f (void) { upc_all_lock_alloc (); upc_all_gather_all (); upc_all_fopen (); }",
     ["1:17: error: implicit declaration of function 'upc_all_lock_alloc'; it is declared in <upc.h>",
      "1:40: error: implicit declaration of function 'upc_all_gather_all'; it is declared in <upc_collective.h>",
      "1:63: error: implicit declaration of function 'upc_all_fopen'; it is declared in <upc_io.h>"]),
    ("void f (void) { upc_ticks_now (); upc_atomic_relaxed (); upc_sync_attempt (); upc_cast (); upc_mine (); }",
     ["1:17: error: implicit declaration of function 'upc_ticks_now'; it is declared in <upc_tick.h>",
      "1:35: error: implicit declaration of function 'upc_atomic_relaxed'; it is declared in <upc_atomic.h>",
      "1:58: error: implicit declaration of function 'upc_sync_attempt'; it is declared in <upc_nb.h>",
      "1:79: error: implicit declaration of function 'upc_cast'; it is declared in <upc_castable.h>"]),
    ("int f (void) { upc_foral (int i = 0; i < 3; i++; i) { i = 2; } upc_forall_ (f (), 2; ; ) ; return upc_foral (3); }",
     ["1:16: error: 'upc_foral' undeclared; did you mean 'upc_forall'?",
      "1:64: error: 'upc_forall_' undeclared; did you mean 'upc_forall'?"]),
    ("int f (void) { return upc_lockk (0) + upc_fre (1) + upc_all_reduce (2) + upc_sync_ (3); }", []),
    ("int printf (const char *, ...); shared int *p; void f (void) { printf (\"%p %d\", p, *p); }",
     ["1:81: warning: no conversion of 'printf' prints a pointer-to-shared; print its upc_threadof, "
      "upc_phaseof and upc_addrfield"]),
    ("int sscanf (const char *, const char *, ...); shared int *p; void f (int i) { sscanf (\"1\", \"%d %d\", &i, p); }",
     ["1:105: warning: no conversion of 'sscanf' stores through a pointer-to-shared; read into a private variable "
      "and assign that"]),
    ("struct s; typedef shared struct s lock; void f (void) { lock l; }",
     ["1:62: error: 'l' has incomplete type 'lock'; declare a pointer to it"]),
    ("void f (shared int *p) { p = (make (1)); f (make (2)); int i = make (3); }",
     ["1:30: error: implicit declaration of function 'make'",
      "1:45: error: implicit declaration of function 'make'"]),
    ("shared int x[THREADS]; void f (int i) { for (i = 0; i < 9; i++; &x[i]) x[i] = y; for (;;) i--; }",
     ["1:63: error: expected ')' before ';'; the loop with an affinity is 'upc_forall'",
      "1:79: error: 'y' undeclared"]),
]


def messages(upct, source, *switches, **environment):
    upct.write("case.i", '# 1 "case.upc"\n' + source + "\n")
    return upct.run([upct.tool("upc2c"), *switches, upct.path("case.i"), "-o", upct.path("case.c")],
                    **environment).stderr


@pytest.mark.parametrize("source, wanted", CASES, ids=[case[0][:30] for case in CASES])
def test_advice(upct, source, wanted):
    shown = [line for line in messages(upct, source).splitlines() if not line.startswith("  ")]
    assert shown == ["case.upc:" + line for line in wanted]


def test_each_function_of_the_library_has_its_header(upct):
    """Those that a header declares itself; what it includes does as well."""
    names = {}
    for path in glob.glob(f"{ROOT}/include/upc*.h"):
        with open(path) as header:
            text = header.read()
        for name in re.findall(r"^extern\b[^;#]*?\b(upc_\w+) \(", text, flags=re.M):
            names.setdefault(name, set()).add(os.path.basename(path))
    assert len(names) > 70
    source = "void f (void) {\n" + "".join(f"{name} ();\n" for name in sorted(names)) + "}"
    found = dict(re.findall(r"function '(\w+)'; it is declared in <(.*)>", messages(upct, source)))
    assert {name: header for name, header in found.items() if header not in names[name]} == {}
    assert sorted(set(names) - set(found)) == []


COLORED = "int f (void) { return MYTREAD; }"


def test_colors_are_those_of_gcc(upct):
    shown = messages(upct, COLORED, "-fdiagnostics-color=always", GCC_COLORS=None)
    assert shown == ("\33[01m\33[Kcase.upc:1:23:\33[m\33[K \33[01;31m\33[Kerror: \33[m\33[K"
                     "'\33[01m\33[KMYTREAD\33[m\33[K' undeclared; did you mean '\33[01m\33[KMYTHREAD\33[m\33[K'?\n"
                     "    1 | int f (void) { return \33[01;31m\33[KMYTREAD\33[m\33[K; }\n"
                     "      |                       \33[01;31m\33[K^~~~~~~\33[m\33[K\n"
                     "      |                       \33[32m\33[KMYTHREAD\33[m\33[K\n")


def test_colors_may_be_chosen(upct):
    shown = messages(upct, COLORED, "-fdiagnostics-color=always", GCC_COLORS="error=35:quote=04")
    assert "\33[35m\33[Kerror: " in shown and "\33[04m\33[KMYTREAD" in shown


@pytest.mark.parametrize("switch, colors", [("-fdiagnostics-color=never", None), ("-fdiagnostics-color=always", "")])
def test_no_colors(upct, switch, colors):
    assert "\33" not in messages(upct, COLORED, switch, GCC_COLORS=colors)
