"""upcrun: what it hands to the program, and what it refuses."""

import glob
import os
import re
import signal
import subprocess

import pytest
from support import ROOT

SHOW = ["env"]

USAGE_ERRORS = [
    *[(["-n", n], f"invalid value '{n}' for -n; expected a number from 1 to 1024") for n in ("0", "-1", "1025", "x", "", "4x", "1e3", "99999999999999999999")],
    *[(["-heap", s], f"invalid value '{s}' for -heap; expected a size such as 512K, 64M or 1.5G")
      for s in ("0", "-1", "", "K", "1KK", "1.5.5G", "1x", "99999999999G")],
    *[(["-bind", b], f"invalid value '{b}' for -bind; expected none or core") for b in ("", "socket")],
    (["-np", "x"], "invalid value 'x' for -np; expected a number"),
    (["-N", "x"], "invalid value 'x' for -N; expected a number"),
    (["-shared-heap=x"], "invalid value 'x' for -shared-heap; expected a size such as 64M"),
    (["-q=1"], "'-q' takes no value"),
    (["-freeze=x"], "invalid value 'x' for -freeze; expected a number"),
    (["-n", "p"], "invalid value 'p' for -n; expected a number from 1 to 1024"),
    (["-n4x"], "unknown switch '-n4x'"),
    (["-n0"], "invalid value '0' for -n; expected a number from 1 to 1024"),
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


@pytest.mark.parametrize("words, name, value", [
    ("-np 3", "UPC_THREADS", "3"), ("-n p3", "UPC_THREADS", "3"), ("-np=p3", "UPC_THREADS", "3"), ("--np=3", "UPC_THREADS", "3"), ("-n=3", "UPC_THREADS", "3"),
    ("-n3", "UPC_THREADS", "3"), ("-np3 -N1 -c2 -p4", "UPC_THREADS", "3"),
    ("-shared-heap 64", "UPC_SHARED_HEAP_SIZE", str(64 << 20)), ("-shared-heap=1GB", "UPC_SHARED_HEAP_SIZE", str(1 << 30)),
    ("-shared-heap 8K", "UPC_SHARED_HEAP_SIZE", "8192B"),
    ("--shared-heap 0.5G", "UPC_SHARED_HEAP_SIZE", str(1 << 29)), ("-bind-threads", "UPC_BIND", "core"),
    ("-polite-sync", "UPC_WAIT", "sleep"), ("-tracefile there", "UPC_TRACE", "there")])
def test_switches_of_other_launchers(upct, words, name, value):
    assert environment_of(upct, *words.split())[name] == value


@pytest.mark.parametrize("value, words, given, wait", [
    ("yes", [], {}, "sleep"), ("Y", [], {}, "sleep"), ("1", ["-polite-sync"], {}, "sleep"), ("no", [], {}, None), ("0", [], {}, None),
    ("yes", [], {"UPC_WAIT": "spin"}, "spin"), ("no", ["-polite-sync"], {}, "sleep")])
def test_polite_waits_may_be_asked_for_in_the_environment(upct, value, words, given, wait):
    """UPC_WAIT and switches say more."""
    assert environment_of(upct, *words, UPC_POLITE_SYNC=value, **given).get("UPC_WAIT") == wait
    result = upct.run([upct.tool("upcrun"), "-v", *words, "true"], UPC_POLITE_SYNC=value, **given)
    assert result.stderr == ("UPC_WAIT=sleep true\n" if wait == "sleep" else "true\n")


def test_a_wrong_value_of_polite_waits_is_an_error(upct):
    result = upct.run([upct.tool("upcrun"), "true"], UPC_POLITE_SYNC="maybe")
    assert (result.returncode, result.stderr) == (
        2, "upcrun: error: invalid value 'maybe' for UPC_POLITE_SYNC; expected yes or no\n")


@pytest.mark.host_only("what upcrun starts, and asks, is the emulator")
@pytest.mark.parametrize("switches", ["-i", "-info", "-noinfo -t -i -n 2"])
def test_information_of_a_program_stands_alone(upct, switches):
    upct.write("a.upc", "#include <stdio.h>\nint main (void) { puts (\"runs\"); return 0; }\n")
    program = upct.compile("a.upc", output="prog")
    result = upct.run([upct.tool("upcrun"), *switches.split(), program], THREADS=1)
    assert (result.stdout, result.stderr, result.returncode) == (
        f"{program}: a.upc: dynamicthreads process pts=packed\n", "", 0)


def test_where_processes_run_is_ignored(upct):
    words = ("-N 1 -nodes=1 -c 2 -cpus-per-node 2 -p 2 -pthreads=2 -localhost -norc -q -backtrace "
             "-fca_enable 1 -fca_np=2 -pshm-width 2").split()
    assert environment_of(upct, *words, THREADS=3)["THREADS"] == "3"
    result = upct.run([upct.tool("upcrun"), "-v", *words, "-n", "2", "true", "x"], UPC_NODES="a b")
    lines = result.stderr.splitlines()
    assert lines[0] == "upcrun: note: '-N' has no effect: 'true' is not made by upcc -fupc-network=mpi"
    assert lines[-2:] == ["upcrun: note: variable UPC_NODES is none of UPCT's", "UPC_THREADS=2 true x"]
    result = upct.run([upct.tool("upcrun"), "-N", "2", "true", "x"])
    assert (result.stderr, result.returncode) == ("upcrun: note: '-N' has no effect: 'true' is not made by upcc -fupc-network=mpi\n", 0)
    result = upct.run([upct.tool("upcrun"), "-v", "true"], UPC_SMP_SPAWNCMD="a %C", UPC_UDP_SPAWN_NODESCMD="b", GASNET_NEW="c",
                      UPC_WAIT="sleep", UPC_REQUIRE_SHARED_SIZE="1", UPCR="d")
    assert sorted(result.stderr.splitlines()) == ["true", *(
        f"upcrun: note: variable {name} is none of UPCT's" for name in ("GASNET_NEW", "UPC_SMP_SPAWNCMD", "UPC_UDP_SPAWN_NODESCMD"))]


def test_switches_may_stand_in_the_environment(upct):
    """Before those of the command line: the last one counts."""
    assert environment_of(upct, "-n", "2", UPCRUN_FLAGS=" -n 3 '-tracefile' \"a  b\"")["UPC_TRACE"] == "a  b"
    assert environment_of(upct, "-n", "2", UPCRUN_FLAGS="-n 3")["UPC_THREADS"] == "2"
    assert environment_of(upct, UPCRUN_FLAGS="-q -n 3")["UPC_THREADS"] == "3"
    for flags, message in (("-n 3 prog", "UPCRUN_FLAGS: 'prog' is no switch"), ("-n", "missing argument to '-n'")):
        result = upct.run([upct.tool("upcrun"), "true"], UPCRUN_FLAGS=flags)
        assert (result.returncode, result.stderr) == (2, f"upcrun: error: {message}\n")


def test_settings_of_the_user(upct):
    """Before UPCRUN_FLAGS, which come before the command line; variables give way to those of the environment."""
    upct.write(".upcrunrc", "# mine\ndefault_options = -n 3 \\\n  -bind core\n\nmpi_options = -n 9\nudp_spawn=a %N\n"
                            "default_environment = UPC_CHECK=1 'MINE=a b'\n")
    home = {"HOME": upct.folder, "MINE": None, "UPC_CHECK": None}
    got = environment_of(upct, **home)
    assert [got.get(k) for k in ("UPC_THREADS", "UPC_BIND", "UPC_CHECK", "MINE")] == ["3", "core", "1", "a b"]
    assert environment_of(upct, **home, UPCRUN_FLAGS="-n 4")["UPC_THREADS"] == "4"
    assert environment_of(upct, "-n", "5", **home, UPCRUN_FLAGS="-n 4")["UPC_THREADS"] == "5"
    assert environment_of(upct, **{**home, "MINE": "c"})["MINE"] == "c"
    assert "UPC_BIND" not in environment_of(upct, "-norc", **home)
    assert "UPC_BIND" not in environment_of(upct, **home, UPCRUN_FLAGS="--norc")
    assert "UPC_BIND" not in environment_of(upct, "-n", "2", "-norc", **home)
    assert "UPC_BIND" not in environment_of(upct, **home, UPCRUN_NORC="1")
    for line, message in (("a", "expected 'key = value'"), ("a = 1", "unknown key 'a'"),
                          ("default_environment = =1", "'=1': expected NAME=VALUE")):
        upct.write(".upcrunrc", f"\n{line}\n")
        result = upct.run([upct.tool("upcrun"), "true"], **home)
        assert (result.returncode, result.stderr) == (1, f"upcrun: error: {upct.folder}/.upcrunrc:2: {message}\n")


def test_settings_may_stand_in_another_file(upct):
    upct.write(".upcrunrc", "default_options = -n 3\n")
    upct.write("other", "default_options = -n 4 -v\n")
    home = {"HOME": upct.folder}
    for words in (["-conf", "other"], ["-conf=other"], ["--conf", "other"], ["-bind", "none", "-conf=other", "-q"]):
        assert environment_of(upct, *words, **home)["UPC_THREADS"] == "4"
    assert environment_of(upct, **home, UPCRUN_FLAGS="-conf=other")["UPC_THREADS"] == "4"
    assert "UPC_THREADS" not in environment_of(upct, "-conf=other", "-norc", **home)
    result = upct.run([upct.tool("upcrun"), "-conf=gone", "true"], **home)
    assert (result.returncode, result.stderr) == (1, "upcrun: error: gone: No such file or directory\n")


def test_settings_of_the_environment_may_be_taken_back(upct):
    upct.write(".upcrunrc", "default_environment = MINE=a OTHER=b\nsmp_environment = !MINE !OTHER !NONE PATH MINE=c\n")
    got = environment_of(upct, HOME=upct.folder, MINE=None, OTHER="d")
    assert (got["MINE"], got["OTHER"]) == ("c", "d")


def test_switches_may_be_negated(upct):
    """What a file of settings says, the command line may take back."""
    result = upct.run([upct.tool("upcrun"), "-noverbose", "-noshow", "echo", "x"], UPCRUN_FLAGS="-v -t")
    assert (result.stdout, result.stderr) == ("x\n", "")


@pytest.mark.parametrize("words, shown", [("-qv", ""), ("-tqn4", "UPC_THREADS=4 "), ("-vn 2", "UPC_THREADS=2 "), ("-vtnp4", None),
                                          ("--n 3 -t", "UPC_THREADS=3 "), ("--bind=core -t", "UPC_BIND=core "), ("-tv", None)])
def test_letters_may_stand_in_one_word(upct, words, shown):
    """As Berkeley UPC's upcrun takes them, which reads switches with one dash or two."""
    result = upct.run([upct.tool("upcrun"), *words.split(), "true"])
    if shown is not None:
        assert (result.returncode, result.stderr.splitlines()[-1]) == (0, f"{shown}true")
    elif words == "-tv":
        assert (result.returncode, result.stderr) == (0, "")
    else:
        assert (result.returncode, result.stderr) == (2, f"upcrun: error: unknown switch '{words}'\n")


def test_commands_that_are_shown_can_be_pasted(upct):
    result = upct.run([upct.tool("upcrun"), "-t", "-tracefile", "my traces", "prog", "a b", "it's", ""])
    assert result.stderr == "UPC_TRACE='my traces' prog 'a b' 'it'\\''s' ''\n"


def test_commands_can_be_shown_alone(upct):
    result = upct.run([upct.tool("upcrun"), "-t", "-n", "2", "none", "x"])
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "UPC_THREADS=2 none x\n")


def test_programs_can_be_asked(upct):
    upct.write("prog", "text $GCCUPCConfig: (a.upc) dynamicthreads process pts=packed$\0 $GCCUPCConfig: (")
    os.chmod(upct.path("prog"), 0o755)
    assert upct.check_output([upct.tool("upcrun"), "-i", "-show", "prog"]) == (
        "./prog: a.upc: dynamicthreads process pts=packed\n")
    result = upct.run([upct.tool("upcrun"), "-i", "none"])
    assert (result.returncode, result.stderr) == (1, "upcrun: error: ./none: No such file or directory\n")


def test_programs_can_wait_for_a_debugger(upct):
    run = subprocess.Popen([upct.tool("upcrun"), "-freeze-earlier", "true"], stderr=subprocess.PIPE, text=True)
    assert os.waitpid(run.pid, os.WUNTRACED)[1] == 0x7f | signal.SIGSTOP << 8
    assert run.stderr.readline() == (
        f"upcrun: note: process {run.pid} is stopped; attach a debugger, or go on with: kill -CONT {run.pid}\n")
    os.kill(run.pid, signal.SIGCONT)
    assert run.wait() == 0


def test_environment_stays_without_switches(upct):
    got = environment_of(upct, THREADS=3, UPC_BIND="core")
    assert [got.get(k) for k in ("THREADS", "UPC_THREADS", "UPC_BIND")] == ["3", None, "core"]


def test_arguments_and_status_pass_through(upct):
    upct.write("prog", "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 9\n")
    os.chmod(upct.path("prog"), 0o755)
    for name in "prog", "./prog", upct.path("prog"):
        result = upct.run([upct.tool("upcrun"), "-n", "1", name, "-n", "a b", "--"])
        assert (result.returncode, result.stdout) == (9, "-n|a b|--|")


def test_scripts_without_a_first_line(upct):
    os.chmod(upct.write("no-first-line", 'echo "$1"\n'), 0o755)
    for name in "no-first-line", "./no-first-line":
        upct.check_prints("a\n", [upct.tool("upcrun"), "-n", "3", name, "a"])


def test_cannot_be_run(upct):
    upct.write("plain", "text")
    os.mkdir(upct.path("folder"))
    os.chmod(upct.write("foreign", b"\x7fELF\2\1\1" + bytes(60)), 0o755)
    for name, status, why in (("./foreign", 126, "Exec format error"), ("none", 127, "No such file or directory"), ("./none", 127, "No such file or directory"),
                              ("./plain", 126, "Permission denied"), ("plain", 126, "Permission denied"),
                              ("./folder", 126, "Permission denied")):
        result = upct.run([upct.tool("upcrun"), name])
        assert (result.returncode, result.stderr) == (status, f"upcrun: error: cannot run '{name}': {why}\n")


def test_help_and_version(upct):
    out = upct.check_output([upct.tool("upcrun"), "--help"])
    assert all(f"\n  {line} " in out for line in ("-np N", "-tracefile NAME", "-freeze", "-shared-heap SIZE"))
    assert out.startswith("usage: upcrun") and "-heap" in out and "-bind" in out
    assert upct.check_output([upct.tool("upcrun"), "--version"]).startswith("upcrun (UPCT) ")


def test_manual_has_every_variable(upct):
    help_text = upct.check_output([upct.tool("upcrun"), "--help"])
    switches = upct.check_output([upct.tool("upcrun"), "--manual=switches"])
    pages = {page: upct.check_output([upct.tool("upcrun"), f"--manual={page}"]) for page in ("variables",
                                                                                             "variables.md")}
    for variable in ("UPC_THREADS", "THREADS", "UPC_SHARED_HEAP_SIZE", "UPC_STACK_SIZE", "UPC_BIND", "UPC_DEADLOCK",
                     "UPC_WAIT", "UPC_CHECK", "UPC_TRACE", "UPC_TRACE_LIMIT", "UPC_TRACE_REPORT", "UPC_TRACE_SAMPLE"):
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
