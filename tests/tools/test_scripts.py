"""tools/quickstart and tools/check, with stand-ins for apt-get and scons; then
quickstart for real, in a copy of the tree."""

import os
import re
import shutil
import subprocess

import pytest

from support import FULL, ROOT

pytestmark = pytest.mark.host_only("scripts that build for the host")

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

ARM = "aarch64-linux-gnu"

LIBRARIES = """#!/bin/sh
echo "$*" >>"$T/libraries.log"
mkdir -p build/packages/$1
exit ${LIBRARIES:-0}
"""


def tree(upct, *rows):
    """A copy of the scripts, with this table of packages and tools that only pretend."""
    os.makedirs(upct.path("tools"))
    os.mkdir(upct.path("bin"))
    for name in "check", "quickstart", "setup.sh":
        shutil.copy(f"{ROOT}/tools/{name}", upct.path("tools"))
    upct.write("tools/packages", "# a comment\n\n" + "".join(row + "\n" for row in rows))
    script(upct, "bin/apt-get", APT_GET)
    script(upct, "bin/scons", SCONS)
    script(upct, "bin/id", "#!/bin/sh\necho ${FAKE_ID:-0}\n")
    script(upct, "bin/sudo", "#!/bin/sh\n[ -n \"$FAKE_SUDO\" ] || exit 1\nshift; exec \"$@\"\n")
    script(upct, "bin/uname", "#!/bin/sh\necho ${FAKE_UNAME:-x86_64}\n")
    script(upct, "tools/libraries", LIBRARIES)
    upct.write("thread", "5 passed, 0 failed\n")
    upct.write("status", "0")


def script(upct, name, text):
    os.chmod(upct.write(name, text), 0o755)


def run(upct, name, *arguments, **environment):
    return upct.run(["tools/" + name, *arguments], PATH=upct.path("bin") + ":" + os.environ["PATH"], T=upct.folder, **environment)


def read(upct, name):
    path = upct.path(name)
    return open(path).read() if os.path.exists(path) else ""


def test_check_sums_up(upct):
    tree(upct)
    result = run(upct, "check")
    assert (result.returncode, result.stdout.splitlines()[-1], result.stderr) == (0, "35 passed, 0 failed", "")
    assert read(upct, "scons.log").splitlines() == [
        "scons -Q werror=1 default networks", "scons -Q werror=1 sample=1 test", "scons -Q werror=1 sample=2 sanitize=address,undefined test",
        f"scons -Q werror=1 sample=1 target={ARM} marks=emulated test",
        "scons -Q werror=1 sample=1 sanitize=thread marks=tsan test"]
    assert read(upct, "apt.log") == ""


def test_check_takes_fewer_cases_on_a_slow_machine(upct):
    """`date` says that the build took 170 seconds."""
    tree(upct)
    script(upct, "bin/date", '#!/bin/sh\necho >>"$T/asked"\necho $(($(wc -l <"$T/asked") * 170))\n')
    result = run(upct, "check")
    assert (result.returncode, result.stderr) == (0, "tools/check: note: one case of 9 is tested, as the build has taken long\n")
    assert read(upct, "scons.log").splitlines()[:3] == [
        "scons -Q werror=1 default networks", "scons -Q werror=1 sample=9 test", "scons -Q werror=1 sample=18 sanitize=address,undefined test"]


def test_check_counts_skips(upct):
    tree(upct)
    upct.write("thread", "5 passed, 0 failed, 7 skipped\n")
    result = run(upct, "check")
    assert (result.returncode, result.stdout.splitlines()[-1]) == (0, "35 passed, 0 failed, 7 skipped")


@pytest.mark.parametrize("how, said, wanted", [("failing", "4 passed, 1 failed\n", "34 passed, 1 failed"),
                                               ("broken", "error: no such thing\n", "30 passed, 1 failed"),
                                               ("dying", "5 passed, 0 failed\n", "35 passed, 1 failed")])
def test_check_tells_failures(upct, how, said, wanted):
    tree(upct)
    upct.write("thread", said)
    upct.write("status", "2")
    result = run(upct, "check")
    assert (result.returncode, result.stdout.splitlines()[-1]) == (1, wanted)
    assert said in result.stdout


def test_missing_packages_are_installed_once(upct):
    tree(upct, "libc6-dev stdlib.h", "new-one new-one", "new-two new-two test")
    for _ in range(2):
        result = run(upct, "check")
        assert (result.returncode, result.stderr) == (0, "")
    assert read(upct, "apt.log").splitlines() == [
        "update -qq", "install -y -qq --no-install-recommends new-one new-two"]


def test_a_path_shows_that_a_package_is_there(upct):
    there, missing = upct.write("there.a", ""), upct.path("missing.a")
    tree(upct, f"libthere-dev {there}")
    assert run(upct, "check").returncode == 0
    assert read(upct, "apt.log") == ""
    upct.write("tools/packages", f"libmissing-dev {missing}\n")
    assert run(upct, "check").stderr == "tools/check: error: installed, but not found: libmissing-dev\n"


def test_sudo_is_used_when_not_root(upct):
    tree(upct, "new-one new-one")
    assert run(upct, "check", FAKE_ID=1000, FAKE_SUDO=1).returncode == 0
    assert "install" in read(upct, "apt.log")


@pytest.mark.parametrize("script", ["check", "quickstart"])
def test_one_line_when_it_cannot_be_installed(upct, script):
    def error(row, **environment):
        upct.write("tools/packages", row + "\n")
        result = run(upct, script, **environment)
        assert result.returncode == 1
        return result.stderr

    tree(upct)
    assert error("new-one new-one", FAKE_ID=1000) == (
        f"tools/{script}: error: not root, and sudo asks for a password; run: sudo apt-get install new-one\n")
    assert error("refuse refuse") == f"apt says no\ntools/{script}: error: apt-get could not install refuse\n"
    assert error("libnothing-dev no/such.h") == f"tools/{script}: error: installed, but not found: libnothing-dev\n"
    upct.write("bin/apt-get", "#!/bin/sh\nexit 1\n")
    assert error("new-one new-one") == f"tools/{script}: error: apt-get update failed; is there a network?\n"


def test_libraries_for_arm_are_fetched_once(upct):
    tree(upct)
    for _ in range(2):
        assert run(upct, "check", FAKE_UNAME="aarch64").returncode == 0
    assert read(upct, "libraries.log") == ""
    for _ in range(2):
        assert run(upct, "check").returncode == 0
    assert read(upct, "libraries.log") == "aarch64-linux-gnu\n"


def test_libraries_for_arm_that_cannot_be_fetched_are_a_note(upct):
    tree(upct)
    result = run(upct, "check", LIBRARIES=1)
    assert (result.returncode, result.stderr) == (0, "tools/check: note: no programs for ARM are tested\n")


@pytest.mark.no_sanitizers("nothing else is built for other processors there")
def test_what_is_missing_for_arm_is_named(upct):
    """A cross compiler finds none of the libraries, or but that of C; or there is none."""
    for there, missing in (("", {"C library": "apt-get install libc6-dev-arm64-cross",
                                 "jemalloc and liburcu": f"tools/libraries {ARM}"}),
                           ("*libc.a) echo /there/libc.a ;;", {"jemalloc and liburcu": f"tools/libraries {ARM}"})):
        os.makedirs(upct.path("bin"), exist_ok=True)
        script(upct, f"bin/{ARM}-gcc", f"#!/bin/sh\nfor word; do :; done\ncase $word in {there} *) echo ${{word#*=}} ;; esac\n")
        assert notes_of_all(upct, upct.path("bin") + ":" + os.environ["PATH"]) == missing
    for name in "scons", "gcc", "python3":
        os.symlink(shutil.which(name), upct.path(f"bin/{name}"))
    os.remove(upct.path(f"bin/{ARM}-gcc"))
    assert notes_of_all(upct, upct.path("bin")) == {"compiler": f"apt-get install gcc-{ARM}"}


def notes_of_all(upct, path):
    """What `scons all` says is missing for ARM: what fetches it."""
    out = upct.check_output([shutil.which("scons"), "-Q", "-h", "all"], cwd=ROOT, PATH=path)
    return dict(re.findall(f"^scons: note: nothing is built for {ARM}: no (.*); fetch with: (.*)$", out, re.M))


def test_ci_runs_check(upct):
    tree(upct)
    os.mkdir(upct.path(".ci"))
    shutil.copy(f"{ROOT}/.ci/run", upct.path(".ci"))
    result = upct.run([".ci/run"], PATH=upct.path("bin") + ":" + os.environ["PATH"], T=upct.folder)
    assert result.stdout.splitlines()[-1] == "35 passed, 0 failed"


def test_every_package_is_there(upct):
    """What the tests run with is in the table, so that a bare machine gets it."""
    out = upct.check_output(["sh", "-c", ". tools/setup.sh; missing test"], cwd=ROOT)
    assert out == ""


def link_or_copy(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def copy_of_the_project(upct, with_build=True):
    files = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout
    for name in filter(None, files.split("\0")):
        os.makedirs(os.path.dirname(upct.path(name)), exist_ok=True)
        shutil.copy2(f"{ROOT}/{name}", upct.path(name))
    # What is built already, where scons has written down what of.
    if with_build and os.path.exists(f"{ROOT}/.sconsign.dblite"):
        shutil.copy(f"{ROOT}/.sconsign.dblite", upct.folder)
        for part in "bin", "lib", "obj", "share":
            shutil.copytree(f"{ROOT}/build/{part}", upct.path(f"build/{part}"), symlinks=True, copy_function=link_or_copy)


def check_quickstart(upct):
    result = upct.run(["tools/quickstart"])
    assert result.returncode == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()
    ranks = [line.split()[1] for line in lines if line[:8].strip().isdigit() and line[8:9] == " "]
    assert (len(ranks), ranks[0]) == (10, "the")
    reads = sorted(line for line in result.stderr.splitlines() if line.startswith("thread "))
    assert [line.split()[1] for line in reads] == ["0", "1", "2", "3"]
    assert len({line.split(" ", 2)[2] for line in reads}) == 1, "counts of lines"
    assert sum(" sum 72806.069054" in line for line in lines) == 3, "heat"
    again = lines[lines.index("To run it again, with as many threads as you like:") + 1:lines.index(
        "Next: docs/examples/README.md has ten small programs that teach, README.md says how to")]
    assert upct.check_output(["sh", "-ec", "\n".join(again)]).count(" the\n") == 2


def check_install(upct):
    upct.check_output(["scons", "-s", "install", "PREFIX=/opt/upct", "DESTDIR=" + upct.path("dest")])
    os.rename(upct.path("dest/opt/upct"), upct.path("moved"))
    upct.write("a.c", "#include <upc_types.h>\nint main (void) { return 0; }\n")
    os.symlink("moved/bin/upcc", upct.path("link"))
    result = upct.run([upct.path("link"), "-v", "a.c", "-o", "prog"])
    assert result.returncode == 0, result.stderr
    assert upct.path("moved/include/upct") in result.stderr and upct.path("build") not in result.stderr
    upct.check_output([upct.path("moved/bin/upcrun"), "-n", "2", "prog"])


def files_and_folders(top):
    """Those below TOP, folders with a slash behind them."""
    found = []
    for path, folders, names in os.walk(top):
        found += [os.path.join(path, name) for name in names] + [os.path.join(path, name) + "/" for name in folders]
    return sorted(os.path.relpath(name, top) + "/" * name.endswith("/") for name in found)


def check_uninstall(upct):
    """What is installed is all that goes: files, and the folders that were made for them."""
    folder = upct.path("a prefix")
    os.makedirs(f"{folder}/share/doc")
    upct.check_output(["scons", "-s", "install", "prefix=" + folder])
    program = upct.path("prog")
    upct.check_output([f"{folder}/bin/upc", "a.c", "-o", program])
    upct.check_output([f"{folder}/bin/upcrun", "-n", "2", program])
    upct.check_output([f"{folder}/bin/gupc", "a.c", "-o", program])
    assert os.path.exists(f"{folder}/share/upct/editors/vim/syntax/upc.vim") and os.path.exists(f"{folder}/share/cmake/UPC/UPCConfig.cmake")
    upct.check_output([f"{folder}/bin/upc-clangd", "--version"], PYTHONPYCACHEPREFIX=None, PYTHONDONTWRITEBYTECODE=None)
    assert "share/upct/clangd/__pycache__/" in files_and_folders(folder), "what Python keeps of scripts"
    upct.check_output(["gdb", "-batch", "-iex", f"add-auto-load-safe-path {folder}", "-ex", "quit", program], PYTHONPYCACHEPREFIX=None, PYTHONDONTWRITEBYTECODE=None)
    upct.write("a prefix/lib/mine", "stays")
    # Once more, beside an earlier version's: all of it goes.
    upct.write("a prefix/bin/old-tool", "of an earlier version")
    with open(upct.path("a prefix/share/upct/installed"), "a") as record:
        record.write("bin/old-tool\n")
    upct.check_output(["scons", "-s", "install", "prefix=" + folder])
    upct.check_output(["scons", "-s", "uninstall", "prefix=" + folder])
    assert files_and_folders(folder) == ["lib/", "lib/mine", "share/", "share/doc/"]
    assert os.path.exists(upct.path("build/bin/upcc")), "the build"
    result = upct.run(["scons", "-s", "uninstall", "prefix=" + folder])
    assert (result.returncode, result.stdout) == (
        2, f"scons: error: {folder}/share/upct/installed: not there: nothing of UPCT is installed in {folder}\n")


def check_missing_parts(upct):
    for part in "lib/upct/libupc.a", "lib/upct/upc-crtend.o", "bin/upc-privatize":
        os.rename(upct.path("moved/" + part), upct.path("aside"))
        result = upct.run([upct.path("link"), "a.c", "-o", "prog"])
        assert (result.returncode, result.stderr) == (
            1, f"upcc: error: incomplete installation of UPCT: {upct.path('moved/' + part)}: No such file or directory\n")
        os.rename(upct.path("aside"), upct.path("moved/" + part))


def in_qemu(upct, *command):
    folder = f"{ROOT}/build/packages/{ARM}"
    libraries = f"{folder}/usr/lib/{ARM}:{folder}/lib/{ARM}:/usr/{ARM}/lib"
    return upct.check_output(["qemu-aarch64", "-L", f"/usr/{ARM}", "-E", f"LD_LIBRARY_PATH={libraries}", *command])


def check_build_for_arm(upct):
    """The tools of both machines make the same. Without optimisation, which takes half the time; upc-privatize
    knows the names of all of the runtime, which is compiled for it."""
    os.symlink(f"{ROOT}/build/packages", upct.path("build/packages"))
    native, made = "build", f"build-debug-{ARM}"
    tools = ["upcc", "upcrun", "upc2c", "upc-layout"] + (["upc-privatize", "upc-trace"] if FULL else [])
    upct.check_output(["scons", "-s", f"HOST={ARM}", "debug=1", *([] if FULL else [f"{made}/bin/{tool}" for tool in tools])])
    for tool in tools:
        assert in_qemu(upct, f"{made}/bin/{tool}", "--version").startswith(f"{tool} (UPCT) 0.1\n")
    upct.check_output([f"{native}/bin/upcc", f"--target={ARM}", "-E", upct.fixture("upc2c/features/pointers.upc"), "-o", "a.i"])
    upct.check_output([f"{native}/bin/upc2c", f"--target={ARM}", "a.i", "-o", "here.c"])
    in_qemu(upct, f"{made}/bin/upc2c", "a.i", "-o", "there.c")
    assert read(upct, "there.c") == read(upct, "here.c") != ""
    if FULL:
        check_privatize_for_arm(upct, native, made)


def check_privatize_for_arm(upct, native, made):
    upct.write("count.c", "static int count;\nint next (void) { return ++count; }\n")
    upct.check_output([f"{ARM}-gcc", "-O2", "-c", "count.c", "-o", "a.o"])
    upct.check_output([f"{native}/lib/upct/{ARM}/upc-privatize", "a.o", "-o", "here.o"])
    in_qemu(upct, f"{made}/bin/upc-privatize", "a.o", "-o", "there.o")
    assert open(upct.path("there.o"), "rb").read() == open(upct.path("here.o"), "rb").read()


@pytest.mark.slow
@pytest.mark.no_sanitizers("what is installed is the plain build")
def test_quickstart_then_install(upct):
    copy_of_the_project(upct)
    check_quickstart(upct)
    if os.path.isdir(f"{ROOT}/build/packages/{ARM}"):
        check_build_for_arm(upct)
    check_install(upct)
    check_uninstall(upct)
    check_missing_parts(upct)


# Both find their folder in the configuration that tools/libraries writes.
FETCH = """#!/bin/sh
echo "$*" >>"$T/apt.log"
case "$*" in
*refuse*) echo "apt says no"; exit 100 ;;
*install*)
  cp "$(sed -n 's/^Dir::State::status "\\(.*\\)";/\\1/p' "$APT_CONFIG")" "$T/status"
  archives=$(sed -n 's/^Dir::Cache::archives "\\(.*\\)";/\\1/p' "$APT_CONFIG")
  for word; do case $word in lib*) echo "$word" >"$archives/$word.deb" ;; esac; done ;;
esac
"""

UNPACK = """#!/bin/sh
echo unpacked >"$3/$(cat "$2")"
"""


def tree_of_libraries(upct):
    tree(upct, "gcc gcc", "libc6-dev stdlib.h", "libone-dev one.h", "libtwo-dev two.h", "libthree-dev three.h test")
    shutil.copy(f"{ROOT}/tools/libraries", upct.path("tools"))
    script(upct, "bin/apt-get", FETCH)
    script(upct, "bin/dpkg-deb", UNPACK)


def fetched(upct):
    """The files below build/packages."""
    top = upct.path("build/packages")
    return sorted(os.path.relpath(os.path.join(path, name), top) for path, _, names in os.walk(top) for name in names)


def test_libraries_are_unpacked_below_build(upct):
    """Those that every build needs, and those that are named."""
    tree_of_libraries(upct)
    result = run(upct, "libraries", "aarch64-linux-gnu", "libmine")
    assert (result.returncode, result.stderr, result.stdout) == (
        0, "", "Fetching for aarch64-linux-gnu: libone-dev libtwo-dev libmine\n")
    assert fetched(upct) == [f"aarch64-linux-gnu/{name}" for name in ("libmine", "libone-dev", "libtwo-dev")]
    installed = {package.splitlines()[0]: package.splitlines() for package in read(upct, "status").split("\n\n") if package}
    assert "Provides: libc-dev" in installed["Package: libc6-dev"], "what some packages depend on"
    run(upct, "libraries", "aarch64-linux-gnu")
    assert "aarch64-linux-gnu/libmine" not in fetched(upct), "what an earlier call left"


def test_libraries_link_to_each_other_below_build(upct):
    """A package's link from the root leads into the folder."""
    tree_of_libraries(upct)
    script(upct, "bin/dpkg-deb", """#!/bin/sh
mkdir -p "$3/usr/lib/arm" "$3/lib/arm"
echo library >"$3/lib/arm/lib.so.1"
ln -sf /lib/arm/lib.so.1 "$3/usr/lib/arm/lib.so"
ln -sf lib.so "$3/usr/lib/arm/another.so"
""")
    assert run(upct, "libraries", "aarch64-linux-gnu").returncode == 0
    folder = upct.path("build/packages/aarch64-linux-gnu/usr/lib/arm")
    assert [read(upct, f"{folder}/{name}") for name in ("lib.so", "another.so")] == ["library\n", "library\n"]
    assert os.readlink(f"{folder}/lib.so") == "../../../lib/arm/lib.so.1"


def test_libraries_that_cannot_be_had(upct):
    """One line, and what was there stays."""
    def error(*arguments):
        result = run(upct, "libraries", *arguments)
        assert result.returncode == 1
        return result.stderr

    tree_of_libraries(upct)
    assert error() == "tools/libraries: error: usage: tools/libraries MACHINE [PACKAGE]...\n"
    assert error("sparc") == "tools/libraries: error: sparc: not supported; use aarch64-linux-gnu or x86_64-linux-gnu\n"
    run(upct, "libraries", "aarch64-linux-gnu")
    before = fetched(upct)
    assert error("aarch64-linux-gnu", "refuse") == (
        "apt says no\ntools/libraries: error: apt-get could not fetch libone-dev libtwo-dev refuse\n")
    assert fetched(upct) == before
    script(upct, "bin/dpkg-deb", "#!/bin/sh\nexit 2\n")
    assert error("aarch64-linux-gnu").startswith("tools/libraries: error: cannot unpack ")
    assert fetched(upct) == before


CLANG_UPC = """#!/bin/sh
case "$*" in --version) echo "clang version 4.0.1 (UPC $RELEASE 0)"; exit ;; esac
for output; do :; done
echo "$*" >"$output"
"""


def make_listings(upct, **environment):
    upct.write("clang-upc", CLANG_UPC)
    os.chmod(upct.path("clang-upc"), 0o755)
    return upct.run([upct.fixture("abi/make-listings"), upct.path("clang-upc"), upct.folder], **environment)


def test_listings_are_made_as_their_names_say(upct):
    assert make_listings(upct, RELEASE="3.9.1-2").returncode == 0
    names = [name for name in os.listdir(upct.fixture("abi")) if name.endswith(".s")]
    assert sorted(name for name in os.listdir(upct.folder) if name != "clang-upc") == sorted(names)
    for name, switches in (("heat.O2.s", "-O2"), ("layouts.O2.threads4.s", "-O2 -fupc-threads-4"),
                           ("heap.O2.struct.s", "-O2 -fupc-pts=struct"), ("heap.O1.debug.s", "-O1 -fupc-debug"),
                           ("privates.O2.pic.s", "-O2 -fPIC"), ("privates.O0.g.s", "-O0 -g")):
        assert read(upct, name).startswith(f"-S -fno-upc-inline-lib {switches} {name.split('.')[0]}.upc -o ")


def test_listings_need_their_compiler(upct):
    script = upct.fixture("abi/make-listings")
    result = upct.run([script, "no-such-compiler"])
    assert (result.returncode, result.stderr) == (
        1, f"{script}: error: no compiler 'no-such-compiler'; the listings need Clang UPC 3.9.1-2\n")
    result = make_listings(upct, RELEASE="4.0.0-1")
    assert (result.returncode, result.stderr) == (
        1, f"{script}: error: '{upct.path('clang-upc')}' is not Clang UPC 3.9.1-2\n")
    assert os.listdir(upct.folder) == ["clang-upc"]
