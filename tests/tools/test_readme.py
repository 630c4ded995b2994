"""The commands of README, as a newcomer pastes them, one after the other."""

import os
import re

import pytest

from support import ROOT

# The program that a section takes for granted.
MAIN = r"""cat >main.upc <<'END'
#include <upc.h>
#include <stdio.h>
int help (void), add (int);
int main (void) { int n = help (); printf ("%d %d %d\n", MYTHREAD, n, add (n)); return 0; }
END
build/bin/upcc -c main.upc
echo 'static int calls; int help (void) { return ++calls; }' >helper.c
echo 'int add (int n) { return n + 1; }' >tools.c
cc -c tools.c
ar rc libtools.a tools.o
"""


def section(heading):
    with open(f"{ROOT}/README.md") as readme:
        after = re.split(rf"^##+ {re.escape(heading)}$", readme.read(), flags=re.M)[1]
    return re.split(r"^##", after, flags=re.M)[0]


def paste(upct, heading, before="", after=""):
    """Runs the indented blocks below HEADING; returns the lines of the output, sorted."""
    blocks = "".join(line[4:] + "\n" for line in section(heading).splitlines() if line.startswith("    ") or not line)
    return sorted(upct.check_output(["bash", "-ec", before + blocks + after]).splitlines())


def test_commands_do_what_is_said(upct):
    if upct.build != f"{ROOT}/build":
        pytest.skip("README has the plain build")
    for name in "build", "include":
        os.symlink(f"{ROOT}/{name}", upct.path(name))
    hello = [f"thread {i} of 4: 20540" for i in range(4)]
    assert paste(upct, "Compile a program") == hello
    # Linked by upcc, and then step by step.
    assert paste(upct, "Link a program", MAIN, "./prog -n 4") == sorted(2 * [f"{i} 1 2" for i in range(4)])
    assert paste(upct, "Trace a program", "cp hello.upc prog.upc\n") == hello
    reports = re.findall(r"^\| `([a-z0-9./]+)` \|", section("Trace a program"), flags=re.M)
    assert len(reports) == 5
    for name in reports:
        assert os.path.exists(upct.path(f"prog.trace/{name}"))
    paste(upct, "Watch a program (GASP)")
    assert paste(upct, "Switches", after="THREADS=4 ./prog") == sorted(4 * ["1 of 4 barriers"] + hello)
