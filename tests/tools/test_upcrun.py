"""upcrun: what it hands to the program, and what it refuses."""

import os

from harness import case

SHOW = ["env"]

USAGE_ERRORS = [
    *[(["-n", n], f"invalid value '{n}' for -n; expected a number from 1 to 1024") for n in ("0", "-1", "1025", "x", "", "4x", "1e3", "99999999999999999999")],
    *[(["-heap", s], f"invalid value '{s}' for -heap; expected a size in bytes, or with suffix K, M or G")
      for s in ("0", "-1", "", "K", "1T", "1KB", "1.5G", "99999999999G")],
    *[(["-bind", b], f"invalid value '{b}' for -bind; expected none or core") for b in ("", "socket")],
    (["-np", "4"], "unknown switch '-np'"),
    (["--threads"], "unknown switch '--threads'"),
    ([], "no program given"),
    (["-n", "4"], "no program given"),
    (["--"], "no program given"),
]


def environment_of(t, *words, **given):
    out = t.good([t.tool("upcrun"), *words, *SHOW], **given)
    return dict(line.split("=", 1) for line in out.splitlines() if "=" in line)


@case(each=[(i,) for i in range(len(USAGE_ERRORS))])
def usage_error(t, i):
    words, message = USAGE_ERRORS[i]
    result = t.run([t.tool("upcrun"), *words, *(SHOW if "no program" not in message else [])])
    t.equal((result.returncode, result.stdout, result.stderr), (2, "", f"upcrun: error: {message}\n"))


@case(each=["-n", "-heap", "-bind"])
def value_must_be_there(t, switch):
    result = t.run([t.tool("upcrun"), switch])
    t.equal((result.returncode, result.stderr), (2, f"upcrun: error: missing argument to '{switch}'\n"))


@case
def switches_become_variables(t):
    got = environment_of(t, "-n", "7", "-heap", "64M", "-bind", "core", "--", THREADS=3, UPC_THREADS=4)
    t.equal([got.get(k) for k in ("UPC_THREADS", "THREADS", "UPC_SHARED_HEAP_SIZE", "UPC_BIND")],
            ["7", None, "64M", "core"])


@case(each=["1", "4096", "1k", "2m", "16G"])
def heap_sizes(t, size):
    t.equal(environment_of(t, "-heap", size)["UPC_SHARED_HEAP_SIZE"], size)


@case
def environment_stays_without_switches(t):
    got = environment_of(t, THREADS=3, UPC_BIND="core")
    t.equal([got.get(k) for k in ("THREADS", "UPC_THREADS", "UPC_BIND")], ["3", None, "core"])


@case
def arguments_and_status_pass_through(t):
    t.write("prog", "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 9\n")
    os.chmod(t.path("prog"), 0o755)
    for name in "prog", "./prog", t.path("prog"):
        result = t.run([t.tool("upcrun"), "-n", "1", name, "-n", "a b", "--"])
        t.equal((result.returncode, result.stdout), (9, "-n|a b|--|"))


@case
def cannot_be_run(t):
    t.write("plain", "text")
    os.mkdir(t.path("folder"))
    for name, status, why in (("none", 127, "No such file or directory"), ("./none", 127, "No such file or directory"),
                              ("./plain", 126, "Permission denied"), ("plain", 126, "Permission denied"),
                              ("./folder", 126, "Permission denied")):
        result = t.run([t.tool("upcrun"), name])
        t.equal((result.returncode, result.stderr), (status, f"upcrun: error: cannot run '{name}': {why}\n"))


@case
def help_and_version(t):
    out = t.good([t.tool("upcrun"), "--help"])
    t.check(out.startswith("usage: upcrun") and "-heap" in out and "-bind" in out, out)
    t.check(t.good([t.tool("upcrun"), "--version"]).startswith("upcrun (UPCT) "), "--version")


@case
def manual_has_every_variable(t):
    help_text = t.good([t.tool("upcrun"), "--help"])
    switches = t.good([t.tool("upcrun"), "--manual=switches"])
    pages = {page: t.good([t.tool("upcrun"), f"--manual={page}"]) for page in ("variables", "variables.md")}
    for variable in ("UPC_THREADS", "THREADS", "UPC_SHARED_HEAP_SIZE", "UPC_STACK_SIZE", "UPC_BIND", "UPC_DEADLOCK",
                     "UPC_WAIT", "UPC_CHECK", "UPC_TRACE", "UPC_TRACE_LIMIT", "UPC_TRACE_REPORT"):
        t.check(f".TP\n\\fB{variable}\\fR=" in pages["variables"], f"{variable} is not in the manual")
        t.check(f"\n| `{variable}` | " in pages["variables.md"], f"{variable} is not in the table")
    for switch in "-n", "-heap", "-bind":
        t.check(f"\n  {switch} " in help_text, f"{switch} is not in the help")
        t.check(f".TP\n\\fB\\{switch}\\fR" in switches, f"{switch} is not in the manual")
    result = t.run([t.tool("upcrun"), "--manual=all"])
    t.equal((result.returncode, result.stderr),
            (2, "upcrun: error: invalid value 'all' for --manual; expected switches, variables or variables.md\n"))
