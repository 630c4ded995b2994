"""Build systems that ask pkg-config for UPCT: make and automake. And Bazel, by an example of rules."""

import ast
import os
import shutil
import types

import pytest

from support import ROOT

pytestmark = [pytest.mark.host_only("build systems look for programs of the host"),
              pytest.mark.no_sanitizers("build systems do the same with all builds")]

BAZEL = os.path.join(ROOT, "tests", "fixtures", "bazel")
CONFIGURE = """AC_INIT([hello], [1.0])
AM_INIT_AUTOMAKE([foreign -Wall])
AC_PROG_CC
PKG_CHECK_MODULES([UPC_HEADERS], [upc >= 0.1])
PKG_CHECK_VAR([UPC], [upc], [upcc])
AM_PROG_UPC
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
"""
AUTOMAKE = """AM_CFLAGS = $(UPC_HEADERS_CFLAGS)
bin_PROGRAMS = hello
hello_SOURCES = hello.upc tool.c part.c part.h
hello_UPCFLAGS = -O2
check_PROGRAMS = $(bin_PROGRAMS)
TESTS = hello
AM_TESTS_ENVIRONMENT = THREADS=3; export THREADS;
"""
MAKEFILE = """UPCC := $(shell pkg-config --variable=upcc upc)
CFLAGS += $(shell pkg-config --cflags upc)
hello: hello.upc tool.o part.o
\t$(UPCC) -O2 $^ -o $@
"""
# C that includes a header of UPCT's.
TOOL = "#include <gasp_upc.h>\nint event (void);\nint event (void) { return GASP_C_FUNC; }\n"


def project(upct):
    """The example's sources, and an installation of links that pkg-config knows and PATH does not."""
    for name in "hello.upc", "part.c", "part.h":
        shutil.copy(f"{BAZEL}/{name}", upct.folder)
    upct.write("tool.c", TOOL)
    for folder in "share/pkgconfig", "include":
        os.makedirs(upct.path(f"prefix/{folder}"))
    for link, to in ("bin", upct.bin), ("include/upct", f"{ROOT}/include"):
        os.symlink(to, upct.path(f"prefix/{link}"))
    shutil.copy(f"{upct.build}/share/pkgconfig/upc.pc", upct.path("prefix/share/pkgconfig"))
    return {"PKG_CONFIG_PATH": upct.path("prefix/share/pkgconfig"), "MAKEFLAGS": None, "UPC": None}


def test_make_asks_pkg_config(upct):
    environment = project(upct)
    upct.write("Makefile", MAKEFILE)
    upct.check_output(["make"], **environment)
    assert upct.check_output([upct.path("hello"), "-n", "3"]) == "3 threads: 33\n"


@pytest.mark.slow
def test_automake_asks_pkg_config(upct):
    environment = project(upct)
    upct.write("configure.ac", CONFIGURE)
    upct.write("Makefile.am", AUTOMAKE)
    upct.check_output(["autoreconf", "-i"], **environment)
    out = upct.check_output(["./configure"], **environment)
    assert "checking for upc >= 0.1... yes" in out
    upct.check_output(["make"], **environment)
    assert upct.check_output([upct.path("hello"), "-n", "3"]) == "3 threads: 33\n"
    assert "# PASS:  1\n" in upct.check_output(["make", "check"], **environment)


# Bazel's rules are in Starlark, whose syntax is Python's. Debian's Bazel is large, so that the tests do not install it:
# the rules' actions are run as Bazel runs them, and by itself where it is there.


class Actions:
    """Those of a rule. Each finds its inputs and no other file, and makes its outputs."""

    def __init__(self, upct):
        self.upct = upct

    def declare_file(self, name):
        return source_file(name)

    def run(self, executable, arguments, inputs, outputs, mnemonic, use_default_shell_env):
        sandbox = self.upct.path(mnemonic)
        for file in [*inputs, *outputs]:
            os.makedirs(os.path.dirname(f"{sandbox}/{file.path}"), exist_ok=True)
        for file in inputs:
            shutil.copy(self.upct.path(file.path), f"{sandbox}/{file.path}")
        assert use_default_shell_env, "which has the PATH"
        self.upct.check_output([executable, *arguments], cwd=sandbox, PATH=f"{self.upct.bin}:{os.environ['PATH']}")
        for file in outputs:
            os.makedirs(os.path.dirname(self.upct.path(file.path)), exist_ok=True)
            os.rename(f"{sandbox}/{file.path}", self.upct.path(file.path))
        shutil.rmtree(sandbox)


def source_file(name):
    return types.SimpleNamespace(path=name, basename=os.path.basename(name), extension=name.rpartition(".")[2])


def context(upct, attributes, words):
    """What a rule's implementation gets: the words of a target, and defaults of the other attributes."""
    assert words.keys() - {"name"} <= attributes.keys()
    values = {name: words.get(name, default) for name, default in attributes.items()}
    files = {name: [source_file(file) for file in values[name]] for name in ("srcs", "hdrs")}
    return types.SimpleNamespace(actions=Actions(upct), attr=types.SimpleNamespace(**values),
                                 files=types.SimpleNamespace(**files), label=types.SimpleNamespace(name=words["name"]))


def rules(upct):
    """The functions that the file of rules has for BUILD."""
    def rule(implementation, attrs, **kind):
        return lambda **words: implementation(context(upct, attrs, words))[0]

    names = {"attr": types.SimpleNamespace(label_list=lambda **_: [], string_list=lambda **_: [], int=lambda: 0),
             "rule": rule, "DefaultInfo": lambda executable: executable}
    with open(f"{BAZEL}/upc.bzl") as file:
        exec(compile(file.read(), "upc.bzl", "exec"), names)
    return names


@pytest.mark.parametrize("target, threads, wanted", [("hello", "2", "2 threads: 21\n"), ("hello_test", None, "3 threads: 33\n")])
def test_bazels_rules_make_programs(upct, target, threads, wanted):
    project(upct)
    names = rules(upct)
    with open(f"{BAZEL}/BUILD") as file:
        for statement in ast.parse(file.read()).body:
            call = statement.value
            words = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
            if words.get("name") == target:
                program = names[call.func.id](**words)
    assert upct.check_output([upct.path(program.path)], THREADS=threads) == wanted


@pytest.mark.skipif(not shutil.which("bazel"), reason="no Bazel is installed")
def test_bazel_knows_the_rules(upct):
    """Without its tests, for which it fetches what it draws coverage with."""
    shutil.copytree(BAZEL, upct.path("project"))
    bazel = ["bazel", "--batch", f"--output_user_root={upct.path('root')}"]
    path = f"{upct.bin}:{os.environ['PATH']}"
    upct.check_output([*bazel, "build", "//:hello"], cwd=upct.path("project"), PATH=path)
    assert upct.check_output([upct.path("project/bazel-bin/hello")], THREADS=2) == "2 threads: 21\n"
    upct.check_output(["chmod", "-R", "u+w", upct.path("root")])
