"""upcrun: what it hands to the program, and what it refuses."""

import glob
import os
import re

import pytest
from support import ROOT

SHOW = ["env"]

USAGE_ERRORS = [
    *[(["-n", n], f"invalid value '{n}' for -n; expected a number from 1 to 1024") for n in ("0", "-1", "1025", "x", "", "4x", "1e3", "99999999999999999999")],
    *[(["-heap", s], f"invalid value '{s}' for -heap; expected a size such as 512K, 64M or 1.5G")
      for s in ("0", "-1", "", "K", "1KK", "1.5.5G", "1x", "99999999999G")],
    *[(["-bind", b], f"invalid value '{b}' for -bind; expected none or core") for b in ("", "socket")],
    (["-np", "4"], "unknown switch '-np'"),
    (["--threads"], "unknown switch '--threads'"),
    ([], "no program given"),
    (["-n", "4"], "no program given"),
    (["--"], "no program given"),
]


def environment_of(upct, *words, **given):
    out = upct.check_output([upct.tool("upcrun"), *words, *SHOW], **given)
    return dict(line.split("=", 1) for line in out.splitlines() if "=" in line)


@pytest.mark.parametrize("i", [i for i in range(len(USAGE_ERRORS))])
def test_usage_error(upct, i):
    words, message = USAGE_ERRORS[i]
    result = upct.run([upct.tool("upcrun"), *words, *(SHOW if "no program" not in message else [])])
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"upcrun: error: {message}\n")


@pytest.mark.parametrize("switch", ["-n", "-heap", "-bind"])
def test_value_must_be_there(upct, switch):
    result = upct.run([upct.tool("upcrun"), switch])
    assert (result.returncode, result.stderr) == (2, f"upcrun: error: missing argument to '{switch}'\n")


def test_switches_become_variables(upct):
    got = environment_of(upct, "-n", "7", "-heap", "64M", "-bind", "core", "--", THREADS=3, UPC_THREADS=4)
    assert [got.get(k) for k in ("UPC_THREADS", "THREADS", "UPC_SHARED_HEAP_SIZE", "UPC_BIND")] == [
        "7", None, "64M", "core"]


@pytest.mark.parametrize("size", ["1", "4096", "1k", "2m", "16G", "64MB", "1.5GB", "1T", "9b"])
def test_heap_sizes(upct, size):
    assert environment_of(upct, "-heap", size)["UPC_SHARED_HEAP_SIZE"] == size


def test_environment_stays_without_switches(upct):
    got = environment_of(upct, THREADS=3, UPC_BIND="core")
    assert [got.get(k) for k in ("THREADS", "UPC_THREADS", "UPC_BIND")] == ["3", None, "core"]


def test_arguments_and_status_pass_through(upct):
    upct.write("prog", "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 9\n")
    os.chmod(upct.path("prog"), 0o755)
    for name in "prog", "./prog", upct.path("prog"):
        result = upct.run([upct.tool("upcrun"), "-n", "1", name, "-n", "a b", "--"])
        assert (result.returncode, result.stdout) == (9, "-n|a b|--|")


def test_cannot_be_run(upct):
    upct.write("plain", "text")
    os.mkdir(upct.path("folder"))
    for name, status, why in (("none", 127, "No such file or directory"), ("./none", 127, "No such file or directory"),
                              ("./plain", 126, "Permission denied"), ("plain", 126, "Permission denied"),
                              ("./folder", 126, "Permission denied")):
        result = upct.run([upct.tool("upcrun"), name])
        assert (result.returncode, result.stderr) == (status, f"upcrun: error: cannot run '{name}': {why}\n")


def test_help_and_version(upct):
    out = upct.check_output([upct.tool("upcrun"), "--help"])
    assert out.startswith("usage: upcrun") and "-heap" in out and "-bind" in out
    assert upct.check_output([upct.tool("upcrun"), "--version"]).startswith("upcrun (UPCT) ")


def test_manual_has_every_variable(upct):
    help_text = upct.check_output([upct.tool("upcrun"), "--help"])
    switches = upct.check_output([upct.tool("upcrun"), "--manual=switches"])
    pages = {page: upct.check_output([upct.tool("upcrun"), f"--manual={page}"]) for page in ("variables",
                                                                                             "variables.md")}
    for variable in ("UPC_THREADS", "THREADS", "UPC_SHARED_HEAP_SIZE", "UPC_STACK_SIZE", "UPC_BIND", "UPC_DEADLOCK",
                     "UPC_WAIT", "UPC_CHECK", "UPC_TRACE", "UPC_TRACE_LIMIT", "UPC_TRACE_REPORT"):
        assert f".TP\n\\fB{variable}\\fR=" in pages["variables"], f"{variable} is not in the manual"
        assert f"\n| `{variable}` | " in pages["variables.md"], f"{variable} is not in the table"
    for switch in "-n", "-heap", "-bind":
        assert f"\n  {switch} " in help_text, f"{switch} is not in the help"
        assert f".TP\n\\fB\\{switch}\\fR" in switches, f"{switch} is not in the manual"
    result = upct.run([upct.tool("upcrun"), "--manual=all"])
    assert (result.returncode, result.stderr) == (
        2, "upcrun: error: invalid value 'all' for --manual; expected switches, variables or variables.md\n")


def test_table_has_every_variable_that_is_read():
    read = set()
    for folder in "runtime", "tools/trace":
        for path in glob.glob(os.path.join(ROOT, folder, "**", "*.c"), recursive=True):
            with open(path) as text:
                read |= set(re.findall(r'getenv \("(UPC_\w+)"\)', text.read()))
    assert "UPC_TRACE" in read
    with open(os.path.join(ROOT, "runtime/host/variables.def")) as table:
        assert read <= set(re.findall(r'VARIABLE \(\.name = "(\w+)"', table.read()))
