"""tools/package: Debian packages that lintian accepts, what is in them, and that nothing stays when they are removed."""

import os
import re
import shutil
import subprocess
import tempfile

import pytest

from support import FULL, ROOT
from tools.test_scripts import copy_of_the_project

pytestmark = [pytest.mark.host_only("packages are made for the host"),
              pytest.mark.no_sanitizers("what is packaged is the plain build"),
              pytest.mark.skipif(not shutil.which("dpkg-buildpackage"), reason="not a Debian")]

HELLO = """#include <upc.h>
#include <stdio.h>
#include "part.h"
int part (int);
shared int of[THREADS];
int
main (void)
{
  of[MYTHREAD] = part (MYTHREAD);
  upc_barrier;
  if (MYTHREAD == 0)
    printf ("%d %d\\n", of[THREADS - 1], THREADS);
  return 0;
}
"""
PART = "#include <gasp_upc.h>\nstatic unsigned calls = GASP_C_FUNC;\nint part (int thread) { return thread + (int) (calls++ - GASP_C_FUNC); }\n"
PACKAGES = ["libupc-dev", "upct", "upct-doc"]


def packaging(name):
    with open(f"{ROOT}/tools/packaging/{name}") as file:
        return file.read()


def packages(upct):
    """The folder of the packages, which are made once, of what is built. lintian has nothing to say of them."""
    def make(path):
        shutil.rmtree(path, ignore_errors=True)
        upct.check_output(["tools/package", "--built", "deb", path], cwd=ROOT)

    return upct.build_once("packages", make)


def installed(upct):
    """The folder usr of a system of its own, without what packages depend on. Nobody need be root."""
    def install(root):
        shutil.rmtree(root, ignore_errors=True)
        os.makedirs(f"{root}/var/lib/dpkg/updates")
        for name in "status", "available":
            open(f"{root}/var/lib/dpkg/{name}", "w").close()
        debs = [f"{packages(upct)}/{name}" for name in sorted(os.listdir(packages(upct))) if "-dbgsym" not in name]
        upct.check_output(["dpkg", f"--root={root}", "--force-not-root", "--force-depends", "--force-script-chrootless",
                           f"--log={root}/log", "--install", *debs], PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")

    return upct.build_once("installed", install) + "/usr"


# The others wait for what it makes.
@pytest.mark.slow
def test_packages_are_made(upct):
    """And those of debug information, which the others are stripped of."""
    names = [re.match(r"(.*)_0\.1_(amd64|arm64|all)\.deb$", name)[1] for name in os.listdir(packages(upct))]
    assert sorted(names) == ["libupc-dev", "upct", "upct-dbgsym", "upct-doc"]


# What bare-system does first.
OVERLAY = """mount -t tmpfs tmpfs "$PWD" && cd "$PWD" && mkdir changes work root &&
mount -t overlay overlay -o lowerdir=/,upperdir=changes,workdir=work root"""


def may_have_a_copy_of_the_system():
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(["unshare", "-m", "sh", "-c", OVERLAY], cwd=folder, capture_output=True, check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(not may_have_a_copy_of_the_system(), reason="for root alone, where file systems may be laid over each other")
def test_a_bare_system_installs_uses_and_removes_them(upct):
    """With apt-get and what they depend on. Programs run where there is nothing else, what is missing is named, and no file
    is left."""
    said = upct.check_output([f"{ROOT}/tests/tools/bare-system", packages(upct), "/tmp/try-packages", packages(upct)])
    assert said.endswith("everything was removed\n")


def test_pkg_config_tells_c_where_headers_are(upct):
    """An object of cc's, with the flags of pkg-config, and the link by the compiler that it names."""
    usr = installed(upct)
    upct.write("hello.upc", HELLO)
    upct.write("part.c", PART)
    upct.write("part.h", "")
    upct.write("Makefile", "hello: hello.upc part.o\n\t$(shell pkg-config --variable=upcc upc) -O2 $^ -o $@\n"
                           "part.o: part.c\n\t$(CC) $(shell pkg-config --cflags upc) -c $<\n")
    path = f"{usr}/share/pkgconfig"
    upct.check_output(["make"], PKG_CONFIG_PATH=path, MAKEFLAGS=None)
    assert upct.check_output([upct.path("hello"), "-n", "3"]) == "2 3\n"
    assert upct.check_output(["pkg-config", "--modversion", "upc"], PKG_CONFIG_PATH=path) == "0.1\n"
    assert upct.check_output(["pkg-config", "--libs", "upc"], PKG_CONFIG_PATH=path).strip() == ""


def test_no_file_names_where_it_was_built(upct):
    usr = installed(upct)
    assert [path for path, text in texts(usr) if ROOT.encode() in text] == []


def texts(top):
    for path, _, names in os.walk(top):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                yield os.path.join(path, name), file.read()


def test_tools_and_libraries_are_stripped(upct):
    usr = installed(upct)
    for path, text in texts(usr):
        if text.startswith(b"\x7fELF") and not path.endswith(".o") or path.endswith(".a"):
            sections = upct.check_output(["readelf", "-SW", path])
            assert " .debug_info" not in sections, path
            assert path.endswith(".a") or " .symtab" not in sections, path


# What is said twice.


def field(name):
    """The packages of a field of control, without versions."""
    value = re.search(rf"^{name}:(.*\n(?: .*\n)*)", packaging("debian/control"), re.M)[1]
    return {re.split(r"[\s(:]", word.strip())[0] for word in value.split(",") if word.strip()}


def test_packages_are_built_with_what_the_build_needs():
    with open(f"{ROOT}/tools/packages") as table:
        rows = [line.split() for line in table if line.strip() and line[0] != "#"]
    essential = {"gcc", "libc6-dev", "binutils", "build-essential", "lintian", "debhelper"}
    needed = {row[0] for row in rows if len(row) == 2 or "package" in row[2].split(",")} - essential
    assert field("Build-Depends") - {"debhelper-compat", "python3"} == needed


def test_version_is_that_of_the_tools(upct):
    version = re.match(r"upct \((.*)\) ", packaging("debian/changelog"))[1]
    assert upct.check_output([upct.tool("upcc"), "--version"]).startswith(f"upcc (UPCT) {version}\n")


def test_image_has_the_packages():
    """Every file and every package that the Containerfile names is there."""
    text = packaging("Containerfile")
    assert "RUN cd /src && tools/package deb /packages\n" in text
    assert set(re.findall(r"/packages/(\S+?)_\*\.deb", text)) < set(PACKAGES)
    assert os.access(f"{ROOT}/tools/package", os.X_OK)


# What goes wrong.


def refused(upct, *words):
    result = upct.run([f"{ROOT}/tools/package", *words])
    assert (result.returncode, result.stdout) == (1, "")
    return result.stderr.replace(f"{ROOT}/", "")


def test_wrong_calls_have_one_line(upct):
    for words in [], ["deb"], ["deb", "a", "b"]:
        assert refused(upct, *words) == "tools/package: error: usage: tools/package deb FOLDER\n"
    assert refused(upct, "rpm", "out") == "tools/package: error: rpm: not supported; use deb\n"
    upct.write("file", "")
    assert refused(upct, "deb", upct.path("file/out")) == f"tools/package: error: cannot make {upct.path('file/out')}\n"


def test_releases_have_what_git_knows(upct):
    """The archive of `scons dist` is the last commit, and the same each time."""
    made = []
    for _ in range(2):
        upct.check_output(["scons", "-Q", "dist"], cwd=ROOT)
        with open(f"{upct.build}/upct-0.1.tar.gz", "rb") as file:
            made.append(file.read())
    assert made[0] == made[1]
    known = subprocess.run(["git", "ls-tree", "-r", "--name-only", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    listed = upct.check_output(["tar", "-tzf", f"{upct.build}/upct-0.1.tar.gz"]).splitlines()
    assert sorted(name for name in listed if not name.endswith("/")) == sorted(f"upct-0.1/{name}" for name in known.splitlines())


def test_a_release_needs_a_repository(upct):
    copy_of_the_project(upct, with_build=False)
    result = upct.run(["scons", "-Q", "dist"])
    assert (result.returncode, result.stdout.splitlines()[0]) == (
        2, "scons: error: dist: no repository of git here; releases are made from its commits")


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)
@pytest.mark.skipif(not FULL, reason="builds all twice; full=1 does")
def test_packages_are_the_same_from_another_folder(upct):
    """Of a release that was unpacked: in two folders, in one of them by one process at a time."""
    upct.check_output(["scons", "-Q", "dist"], cwd=ROOT)
    made = []
    for folder, nproc in ("a", []), ("another folder/below", ["taskset", "-c", "0"]):
        os.makedirs(upct.path(folder))
        upct.check_output(["tar", "-xzf", f"{upct.build}/upct-0.1.tar.gz", "-C", upct.path(folder)])
        upct.check_output([*nproc, "tools/package", "deb", upct.path(f"{folder}/out")], cwd=upct.path(f"{folder}/upct-0.1"))
        made.append(dict(texts_by_name(upct.path(f"{folder}/out"))))
    assert made[0].keys() == made[1].keys() and [name for name in made[0] if made[0][name] != made[1][name]] == []


def texts_by_name(folder):
    return [(os.path.basename(path), text) for path, text in texts(folder)]
