"""docs/porting-berkeley.md lists the switches of other drivers, with examples that upcc and upcrun take."""

import re
import shlex

import pytest

from support import ROOT

DOCUMENT = f"{ROOT}/docs/porting-berkeley.md"
# The C compiler's and the linker's, which are no affair of the document.
PASSED = {"to_both", "to_compile", "to_preprocess", "to_link", "to_appearance", "ask", "add_linker_switch", "add_depfile_switch",
          "add_depfile_target", "set_depfile", "set_depfile_name", "set_standard", "refuse_unknown", "unset_sanitizers",
          "set_profile_only", "set_check", "set_target", "set_lto", "set_fat_lto"}


def table(heading):
    """The words between backquotes in the first column."""
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read().split("## Switches", 1)[1]
    rows = re.search(rf"^\| {heading} \| effect \|\n\|---\|---\|\n((?:\|.*\n)+)", text, re.M)[1].splitlines()
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


def source(path):
    with open(f"{ROOT}/{path}", encoding="utf-8") as file:
        return file.read()


def name_of(example):
    return re.split(r"[= ]", example)[0].lstrip("-")


def missing(names, examples):
    """NAMES that no example begins with."""
    return [n for n in names if not any(e == n or name_of(e) == n.strip("-=") or (n.endswith(("-", ",", "-q")) and e.startswith(n)) for e in examples)]


def test_each_switch_of_upcc_is_listed():
    rows = re.findall(r'^(OTHER|FLAG) \("([^"]+)", (.*)\)$', source("tools/upcc/options.def"), re.M)
    names = [name for kind, name, rest in rows
             if (kind == "OTHER" and rest.split(", ")[-1] not in PASSED) or (kind == "FLAG" and rest.split(", ")[1] == "NULL")]
    assert len(names) > 60
    assert missing([n for n in names if n != "-fpreprocessed"], table("upcc")) == []


def test_each_switch_of_upcrun_is_listed():
    names = re.findall(r'^(?:SHOWN|OTHER) \("([^"]+)"', source("tools/upcrun/switches.def"), re.M)
    assert len(names) > 50
    assert missing([n for n in names if n != "--manual"], table("upcrun")) == []


@pytest.mark.parametrize("example", table("upcc"))
def test_upcc_takes_it(upct, example):
    upct.write("a.upc", "int main (void) { return 0; }\n")
    upct.write("FILE", "")
    words = shlex.split(example)
    if example == "-uses-mpi":
        upct.write("mpicc", "#!/bin/sh\necho gcc -I/usr/include -lm\n")
        upct.run(["chmod", "+x", "mpicc"])
    mode = [] if example == "-h" else ["-###", "a.upc"]
    if example == "-x upc-header":
        mode = ["-###", "-c", "a.upc"]
    result = upct.run([upct.tool("upcc"), *words, *mode], UPCC_MPICC=upct.path("mpicc"))
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("example", table("upcrun"))
def test_upcrun_takes_it(upct, example):
    upct.write("FILE", "")
    result = upct.run([upct.tool("upcrun"), "-t", *shlex.split(example), "true"])
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", [n for n in table("variables of other compilers") if not n.startswith(("UPCC_", "UPCRUN_"))
                                  and n not in ("UPC_SHARED_HEAP_SIZE", "UPC_STACK_SIZE", "UPC_REQUIRE_SHARED_SIZE", "UPC_POLITE_SYNC",
                                                "UPC_ABORT", "UPC_WARN_FATAL", "UPC_BARRIER_MISMATCH_WARNS", "UPC_FREEZE",
                                                "UPC_FREEZE_EARLY", "GASNET_PSHM_NODES")])
def test_variables_without_effect_are_named(upct, name):
    result = upct.run([upct.tool("upcrun"), "-v", "true"], **{name: "1"})
    assert result.stderr == f"upcrun: note: variable {name} is none of UPCT's\ntrue\n"
