"""tools/quickstart and tools/check, with stand-ins for apt-get and scons; then
quickstart for real, in a copy of the tree."""

import os
import shutil
import subprocess

from harness import ROOT, case

APT_GET = """#!/bin/sh
echo "$*" >>"$T/apt.log"
case "$*" in
*refuse*) echo "apt says no"; exit 100 ;;
install*) for w; do case $w in new-*) echo '#!/bin/sh' >"$T/bin/$w"; chmod +x "$T/bin/$w" ;; esac; done ;;
esac
"""

SCONS = """#!/bin/sh
echo "scons $*" >>"$T/scons.log"
echo "3 passed, 0 failed earlier, in the middle"
case "$*" in
*thread*) cat "$T/thread"; exit $(cat "$T/status") ;;
esac
echo "10 passed, 0 failed"
echo "scons: done"
"""


def tree(t, *rows):
    """A copy of the scripts, with this table of packages and tools that only pretend."""
    os.makedirs(t.path("tools"))
    os.mkdir(t.path("bin"))
    for name in "check", "quickstart", "setup.sh":
        shutil.copy(f"{ROOT}/tools/{name}", t.path("tools"))
    t.write("tools/packages", "# a comment\n\n" + "".join(row + "\n" for row in rows))
    for name, text in (("apt-get", APT_GET), ("scons", SCONS), ("id", "#!/bin/sh\necho ${FAKE_ID:-0}\n"),
                       ("sudo", "#!/bin/sh\n[ -n \"$FAKE_SUDO\" ] || exit 1\nshift; exec \"$@\"\n")):
        t.write(f"bin/{name}", text)
        os.chmod(t.path(f"bin/{name}"), 0o755)
    t.write("thread", "5 passed, 0 failed\n")
    t.write("status", "0")


def run(t, script, **environment):
    return t.run(["tools/" + script], PATH=t.path("bin") + ":" + os.environ["PATH"], T=t.folder, **environment)


def read(t, name):
    path = t.path(name)
    return open(path).read() if os.path.exists(path) else ""


@case
def check_sums_up(t):
    tree(t)
    result = run(t, "check")
    t.equal((result.returncode, result.stdout.splitlines()[-1], result.stderr), (0, "25 passed, 0 failed", ""))
    t.equal(read(t, "scons.log").splitlines(),
            ["scons -Q werror=1 test", "scons -Q werror=1 sanitize=address,undefined test",
             "scons -Q werror=1 sanitize=thread only=unit/,libc/,collective/,io/,gasp/e,gasp/listings,gasp/mixed,gasp/tools,negative/,stress/,tracer/runs,programs/abi,programs/run,programs/exit,"
             "programs/mixed test"])
    t.equal(read(t, "apt.log"), "")


@case(each=[("failing", "4 passed, 1 failed\n", "24 passed, 1 failed"),
            ("broken", "error: no such thing\n", "20 passed, 1 failed"),
            ("dying", "5 passed, 0 failed\n", "25 passed, 1 failed")])
def check_tells_failures(t, _, said, wanted):
    tree(t)
    t.write("thread", said)
    t.write("status", "2")
    result = run(t, "check")
    t.equal((result.returncode, result.stdout.splitlines()[-1]), (1, wanted))
    t.check(said in result.stdout, result.stdout)


@case
def missing_packages_are_installed_once(t):
    tree(t, "libc6-dev stdlib.h", "new-one new-one", "new-two new-two test")
    for _ in range(2):
        result = run(t, "check")
        t.equal((result.returncode, result.stderr), (0, ""))
    t.equal(read(t, "apt.log").splitlines(),
            ["update -qq", "install -y -qq --no-install-recommends new-one new-two"])


@case
def sudo_is_used_when_not_root(t):
    tree(t, "new-one new-one")
    t.equal(run(t, "check", FAKE_ID=1000, FAKE_SUDO=1).returncode, 0)
    t.check("install" in read(t, "apt.log"), "apt.log")


@case(each=["check", "quickstart"])
def one_line_when_it_cannot_be_installed(t, script):
    def error(row, **environment):
        t.write("tools/packages", row + "\n")
        result = run(t, script, **environment)
        t.equal(result.returncode, 1)
        return result.stderr

    tree(t)
    t.equal(error("new-one new-one", FAKE_ID=1000),
            f"tools/{script}: error: not root, and sudo asks for a password; run: sudo apt-get install new-one\n")
    t.equal(error("refuse refuse"), f"apt says no\ntools/{script}: error: apt-get could not install refuse\n")
    t.equal(error("libnothing-dev no/such.h"),
            f"tools/{script}: error: installed, but not found: libnothing-dev\n")
    t.write("bin/apt-get", "#!/bin/sh\nexit 1\n")
    t.equal(error("new-one new-one"), f"tools/{script}: error: apt-get update failed; is there a network?\n")


@case
def ci_runs_check(t):
    tree(t)
    os.mkdir(t.path(".ci"))
    shutil.copy(f"{ROOT}/.ci/run", t.path(".ci"))
    result = t.run([".ci/run"], PATH=t.path("bin") + ":" + os.environ["PATH"], T=t.folder)
    t.equal(result.stdout.splitlines()[-1], "25 passed, 0 failed")


@case
def every_package_is_there(t):
    """What the tests run with is in the table, so that a bare machine gets it."""
    out = t.good(["sh", "-c", ". tools/setup.sh; missing test"], cwd=ROOT)
    t.equal(out, "")


def copy_of_the_project(t):
    files = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout
    for name in filter(None, files.split("\0")):
        os.makedirs(os.path.dirname(t.path(name)), exist_ok=True)
        shutil.copy(f"{ROOT}/{name}", t.path(name))


def check_quickstart(t):
    result = t.run(["tools/quickstart"], timeout=600)
    t.equal(result.returncode, 0, result.stdout + result.stderr)
    lines = result.stdout.splitlines()
    ranks = [line.split()[1] for line in lines if line[:8].strip().isdigit() and line[8:9] == " "]
    t.equal((len(ranks), ranks[0]), (10, "the"))
    reads = sorted(line for line in result.stderr.splitlines() if line.startswith("thread "))
    t.equal([line.split()[1] for line in reads], ["0", "1", "2", "3"])
    t.equal(len({line.split(" ", 2)[2] for line in reads}), 1, "counts of lines")
    again = lines[lines.index("To run it again, with as many threads as you like:") + 1:]
    t.equal(t.good(["sh", "-ec", "\n".join(again)]).count(" the\n"), 2)


def check_install(t):
    t.good(["scons", "-s", "install", "PREFIX=/opt/upct", "DESTDIR=" + t.path("dest")], timeout=600)
    os.rename(t.path("dest/opt/upct"), t.path("moved"))
    t.write("a.c", "#include <upc_types.h>\nint main (void) { return 0; }\n")
    os.symlink("moved/bin/upcc", t.path("link"))
    result = t.run([t.path("link"), "-v", "a.c", "-o", "prog"])
    t.equal(result.returncode, 0, result.stderr)
    t.check(t.path("moved/include/upct") in result.stderr and t.path("build") not in result.stderr, result.stderr)
    t.good([t.path("moved/bin/upcrun"), "-n", "2", "prog"])


def check_uninstall(t):
    """What is installed is all that goes."""
    folder = t.path("a prefix")
    t.good(["scons", "-s", "install", "prefix=" + folder], timeout=600)
    program = t.path("prog")
    t.good([f"{folder}/bin/upc", "a.c", "-o", program])
    t.good([f"{folder}/bin/upcrun", "-n", "2", program])
    t.write("a prefix/lib/mine", "stays")
    t.good(["scons", "-s", "uninstall", "prefix=" + folder])
    left = [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names]
    t.equal(left, [f"{folder}/lib/mine"])
    t.check(not os.path.exists(f"{folder}/include/upct"), "include/upct")
    t.check(os.path.exists(t.path("build/bin/upcc")), "the build")


def check_missing_parts(t):
    for part in "lib/upct/libupc.a", "lib/upct/upc-crtend.o", "bin/upc-privatize":
        os.rename(t.path("moved/" + part), t.path("aside"))
        result = t.run([t.path("link"), "a.c", "-o", "prog"])
        t.equal((result.returncode, result.stderr),
                (1, f"upcc: error: a part of UPCT is missing: {t.path('moved/' + part)}: No such file or directory\n"))
        os.rename(t.path("aside"), t.path("moved/" + part))


@case
def quickstart_then_install(t):
    if t.sanitizers:
        return
    copy_of_the_project(t)
    check_quickstart(t)
    check_install(t)
    check_uninstall(t)
    check_missing_parts(t)
