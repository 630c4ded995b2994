"""upcc's switches, the commands it runs, what it leaves behind."""

import os
import re
import shlex
import signal
import subprocess
import time

import pytest

from support.upcc import (MAIN_CALLS_F, RETURNS_42, assembly, compiled, links, output_of, refuses, upcc)

USAGE_ERRORS = [
    ("no_input", [], "no input files"),
    ("packed_bits", ["-fupc-packed-bits=24,8,32", "a.o"],
     "invalid value in '-fupc-packed-bits=24,8,32'; packed pointers-to-shared have 20,10,34"),
    ("unknown", ["-q"], "unknown switch '-q'"),
    ("unknown_long", ["--foo=1"], "unknown switch '--foo=1'"),
    ("unknown_upc", ["-fupc-foo", "a.o"], "unknown switch '-fupc-foo'"),
    ("dash", ["-"], "-E or -x is required when input is from standard input"),
    ("no_value", ["a.o", "-o"], "missing argument to '-o'"),
    ("no_folder", ["a.o", "-L"], "missing argument to '-L'"),
    ("empty_output", ["a.o", "-o", ""], "missing argument to '-o'"),
    ("empty_input", [""], "empty file name"),
    ("relocatable", ["-r", "a.o"], "'-r': upcc links programs, not objects; use ld -r"),
    ("static_pie", ["-static-pie", "a.o"], "'-static-pie': either -static or -pie"),
    ("static_and_pie", ["-static", "-pie", "a.o"], "-static and -pie cannot be combined"),
    *[(f"lto{n}", [*words, "a.o"],
       f"'{words[0]}': link-time optimisation leaves no instructions to make private; -ffat-lto-objects adds them")
      for n, words in enumerate([["-flto"], ["-flto=4"], ["-flto", "-ffat-lto-objects", "-fno-fat-lto-objects"]])],
    ("pts", ["-fupc-pts=wide", "a.o"], "invalid value in '-fupc-pts=wide'; expected packed or struct"),
    ("pts_empty", ["-fupc-pts=", "a.o"], "invalid value in '-fupc-pts='; expected packed or struct"),
    *[(f"threads_{n}", [f"-fupc-threads-{n}", "a.o"], f"invalid value in '-fupc-threads-{n}'; expected a number from 1 to 1024")
      for n in ("0", "1025", "-1", "x", "4x", "", "99999999999999999999")],
    ("output_of_two", ["-c", "a.c", "b.c", "-o", "x.o"], "cannot specify -o with -c, -S or -E with multiple files"),
    ("linker_shared", ["a.o", "-Wl,-shared"], "'-shared': upcc links programs"),
    ("open_group", ["a.o", "-Wl,--start-group"], "--start-group without --end-group"),
    ("closed_group", ["a.o", "-)"], "'-)' without --start-group"),
    ("nested_group", ["a.o", "-(", "-("], "'-(' within a group"),
    ("popped_state", ["a.o", "-Wl,--pop-state"], "'--pop-state' without --push-state"),
    ("no_response", ["@none"], "@none: No such file or directory"),
]


@pytest.mark.parametrize("name", [name for name, _, _ in USAGE_ERRORS])
def test_usage_error(upct, name):
    words, message = next((w, m) for n, w, m in USAGE_ERRORS if n == name)
    compiled(upct, "a", RETURNS_42)
    refuses(upct, words, message, status=1 if name == "no_response" else 2)


def test_help_lists_the_switches(upct):
    out = upct.check_output([upct.tool("upcc"), "--help"])
    for word in ("-o FILE", "-fupc-threads-N", "-fupc-pts=packed|struct", "-lNAME", "-save-temps"):
        assert f"\n  {word} " in out, f"{word} is not in\n{out}"


def test_manual_has_every_switch(upct):
    out = upct.check_output([upct.tool("upcc"), "--help"])
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  -")]
    entries = upct.check_output([upct.tool("upcc"), "--manual=switches"]).split(".TP\n")[1:]
    shown = [entry.split("\\fR")[0].removeprefix("\\fB").replace("\\-", "-") for entry in entries]
    assert all(word.startswith(name) for word, name in zip(listed, shown, strict=True))
    assert all(entry.count("\n") >= 2 and entry.endswith(".\n") for entry in entries)
    refuses(upct, ["--manual=all"], "invalid value 'all' for --manual; expected switches", status=2)


def test_version_is_told(upct):
    """And that of the C compiler, by which build systems know what switches there are."""
    for compiler in "gcc", "clang", "upcc":
        version = upct.check_output([upct.tool("upcc"), "--version"], UPCC_CC=compiler, PATH=f"{upct.bin}:{os.environ['PATH']}")
        other = upct.check_output([compiler if compiler == "clang" else "gcc", "--version"])
        assert version.startswith("upcc (UPCT) ") and version.partition("\n")[2] == other
    alone = upct.check_output([upct.tool("upcc"), "--version"], UPCC_CC="no-such-compiler")
    assert alone.startswith("upcc (UPCT) ") and alone.count("\n") == 1
    assert upct.check_output([upct.tool("upc2c"), "--version"]).startswith("upc2c (UPCT) ")


def test_verbose_alone_tells_the_version_and_where_it_is(upct):
    version, include, library = upct.check_output([upct.tool("upcc"), "-v"]).splitlines()
    assert version == upct.check_output([upct.tool("upcc"), "--version"]).partition("\n")[0]
    assert include == "include: " + upct.check_output([upct.tool("upcc"), "-print-include-dir"]).strip()
    assert library.startswith("library: ") and os.path.exists(f"{library[9:]}/libupc.a")


def test_sources_and_objects_link(upct):
    upct.write("a.c", MAIN_CALLS_F)
    program = links(upct, "a.c", compiled(upct, "f", RETURNS_42))
    assert output_of(upct, program) == "42\n"


def test_assembly_links(upct):
    upct.write("f.s", assembly(upct, "f", 7))
    upct.write("g.S", "#define SEVEN 7\n" + assembly(upct, "g", "SEVEN"))
    upct.write("a.c", MAIN_CALLS_F.replace("f ())", "f () + g ())").replace("int f", "int g (void); int f"))
    assert output_of(upct, links(upct, "a.c", "f.s", "g.S")) == "14\n"


def test_default_output_is_a_out(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    assert upcc(upct, "a.c").returncode == 0
    assert output_of(upct, upct.path("a.out")) == ""


def test_output_has_usual_permissions(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    mask = os.umask(0)
    os.umask(mask)
    assert os.stat(links(upct, "a.c")).st_mode & 0o777 == 0o777 & ~mask


def test_compile_flags_reach_the_compiler(upct):
    os.mkdir(upct.path("inc"))
    upct.write("inc/seven.h", "#define SEVEN 7\n")
    upct.write("forced.h", "#define FORCED 1\n")
    upct.write("a.c", "#include <stdio.h>\n#include \"seven.h\"\n#if !FORCED || defined GONE || !defined __OPTIMIZE__\n"
            "#error flags\n#endif\nint main (void) { printf (\"%d %ld\\n\", SEVEN + N, __STDC_VERSION__); return 0; }\n")
    program = links(upct, "-O2", "-g", "-Iinc", "-DN=1", "-D", "GONE", "-U", "GONE", "-include", "forced.h",
                    "-std=c99", "-Wall", "-Wextra", "-Wp,-DX", "-Wa,--noexecstack", "-pthread", "-pipe", "a.c")
    assert output_of(upct, program) == "8 199901\n"


def test_compile_only(upct):
    upct.write("a.c", MAIN_CALLS_F)
    upct.write("b.c", RETURNS_42)
    assert upcc(upct, "-c", "a.c", "b.c", "-lfoo", "-L.").returncode == 0
    assert output_of(upct, links(upct, "a.o", "b.o")) == "42\n"
    assert upcc(upct, "-c", "b.c", "-o", "other.o", "-MD", "-MF", "b.d").returncode == 0
    assert os.path.exists(upct.path("other.o")) and "b.c" in open(upct.path("b.d")).read(), "other.o, b.d"


def test_compile_only_in_a_folder_below(upct):
    os.mkdir(upct.path("sub"))
    upct.write("sub/a.c", RETURNS_42)
    assert upcc(upct, "-c", "sub/a.c").returncode == 0
    assert os.path.exists(upct.path("a.o")), "a.o in the current folder"


def test_assembly_and_preprocessing(upct):
    upct.write("a.c", "int x = VALUE;\n")
    assert upcc(upct, "-S", "-DVALUE=3", "a.c").returncode == 0
    assert re.search(r"\.globa?l\tx\n", open(upct.path("a.s")).read())
    assert "int x = 3;" in upcc(upct, "-E", "-DVALUE=3", "a.c").stdout


@pytest.mark.parametrize("mode", ["-c", "-S", "-E"])
def test_objects_cannot_be_compiled(upct, mode):
    compiled(upct, "a", RETURNS_42)
    refuses(upct, [mode, "a.o"], "a.o: not a source; -c, -S and -E take sources")


def test_compile_errors_come_through(upct):
    upct.write("a.c", "int main (void) { return nothing; }\n")
    result = upcc(upct, "a.c")
    assert result.returncode == 1
    assert "a.c:1:26: error:" in result.stderr
    # The compiler has said it all.
    assert "failed with status" not in result.stderr


def test_undefined_symbols_are_named(upct):
    result = upcc(upct,
                  compiled(upct, "a", "void upc_all_nothing (void); int main (void) { upc_all_nothing (); return 0; }"))
    assert result.returncode == 1
    assert "undefined reference to `upc_all_nothing'" in result.stderr
    assert not os.path.exists(upct.path("a.out")), "a.out was written"


def test_main_must_be_there(upct):
    refuses(upct, [compiled(upct, "f", RETURNS_42)], "no input file defines main")


def test_local_main_does_not_count(upct):
    refuses(upct,
            [compiled(upct, "f", "static int main (void); int (*p) (void) = main; static int main (void) { return 0; }",
                      "-ffreestanding", "-w")], "no input file defines main")


def test_verbose_prints_what_runs(upct):
    upct.write("it's.c", MAIN_CALLS_F)
    compiled(upct, "f", RETURNS_42)
    result = upcc(upct, "-v", "-O1", "-x", "c", "it's.c", "-x", "none", "f.o", "-lm", "-fupc-threads-1", "-o",
                  "my prog")
    assert result.returncode == 0, result.stderr
    commands = [shlex.split(line) for line in result.stderr.splitlines()]
    assert [os.path.basename(c[0]) for c in commands][2:4] == [f"{upct.binutils}ld", "upc-privatize"]
    assert len(commands) == 6 and os.path.basename(commands[4][-1]).endswith("names.o")
    assert "-O1" in commands[0] and "it's.c" in commands[0]
    assert [os.path.basename(w) for w in commands[2]][:2] == [f"{upct.binutils}ld", "-r"]
    names = [os.path.basename(w) for w in commands[2]]
    assert (names[7], names[-1]) == ("upc-crtbegin.o", "upc-crtend.o")
    assert commands[5][commands[5].index("-no-pie") + 1] == "-O1"
    last = [os.path.basename(w) for w in commands[5]]
    assert last.index("-lm") < last.index("libupc.a") < last.index("-lpthread")
    assert "'it'\\''s.c'" in result.stderr
    assert output_of(upct, upct.path("my prog")) == "42\n"


def test_save_temps_keeps_what_was_made(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    links(upct, "-save-temps", "a.c")
    assert sorted(os.listdir(upct.folder)) == [
        "a.c", "a.o", "a.trans.i", "a.upci", "names.o", "names.s", "prog", "prog.all.o", "prog.private.o", "scratch"]


def test_save_temps_keeps_them_beside_the_result(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    os.makedirs(upct.path("sub/dir"))
    upct.check_output([upct.tool("upcc"), "-save-temps=obj", "a.c", "-o", "sub/dir/prog"])
    assert sorted(os.listdir(upct.path("sub/dir"))) == ["a.o", "a.trans.i", "a.upci", "names.o", "names.s", "prog", "prog.all.o",
                                                        "prog.private.o"]
    upct.check_output([upct.tool("upcc"), "-save-temps=obj", "-c", "a.c", "-o", "sub/a.o"])
    assert sorted(os.listdir(upct.path("sub"))) == ["a.o", "a.trans.i", "a.upci", "dir"]
    assert sorted(os.listdir(upct.folder)) == ["a.c", "sub"]


def test_names_may_be_strange(upct):
    for name in ("-dash.c", "a b.c", "quo'te\".c", "@at.c"):
        upct.write(name, "int " + "".join(c for c in name[:-2] if c.isalpha()) + " = 1;\n")
    upct.write("-main.c", "#include <stdio.h>\nextern int dash, ab, quote, at;\n"
               "int main (void) { printf (\"%d\\n\", dash + ab + quote + at); return 0; }\n")
    result = upcc(upct, "-o", "-out", "--", "-main.c", "-dash.c", "a b.c", "quo'te\".c", "@at.c")
    assert (result.returncode, result.stderr) == (0, "")
    assert output_of(upct, upct.path("-out")) == "4\n"


def test_response_files_are_expanded(upct):
    os.mkdir(upct.path("a folder"))
    upct.write("a folder/a.c", MAIN_CALLS_F)
    compiled(upct, "f", RETURNS_42)
    upct.write("more", "f.o\n\t-DX=\\\"y\\\"")
    upct.write("words", "'a folder/a.c'  @more -o\nprog \"-DTWO=1 2\" a\\ folder/../none.c")
    refuses(upct, ["@words"], "a folder/../none.c: No such file or directory")
    upct.write("words", "'a folder/a.c'  @more -o\nprog \"-DTWO=1 2\"\n\n")
    assert upcc(upct, "@words").returncode == 0
    assert output_of(upct, upct.path("prog")) == "42\n"


def test_response_files_cannot_circle(upct):
    upct.write("circle", "@circle")
    refuses(upct, ["@circle"], "@circle: response files nest too deeply", status=2)


@pytest.mark.parametrize("pts", ["packed", "struct"])
def test_pts_picks_the_library(upct, pts):
    upct.write("a.c", "int main (void) { return 0; }")
    result = upcc(upct, "-v", f"-fupc-pts={pts}", "a.c")
    wanted = "libupc.a" if pts == "packed" else "libupc-struct.a"
    assert (result.returncode, f"/{wanted} " in result.stderr) == (0, True)


def test_static_threads_are_recorded(upct):
    upct.write("a.c", "#include <stdio.h>\nextern int THREADS;\n"
               "int main (void) { printf (\"%d\\n\", THREADS); return 0; }\n")
    program = links(upct, "-fupc-threads-3", "-x", "c", "a.c")
    assert upct.check_output([program]) == "3\n" * 3
    result = upct.run([program], THREADS=2)
    assert result.returncode == 2 and "was compiled for 3" in result.stderr


def test_pie_and_no_pie(upct):
    upct.write("a.c", "#include <stdio.h>\nextern int MYTHREAD; static int x = 3; int *p = &x;\n"
               "int main (void) { x += MYTHREAD; printf (\"%d\\n\", *p); return 0; }")
    for switches, kind in ([], "EXEC"), (["-pie", "-fpie"], "DYN"), (["-pie", "-no-pie"], "EXEC"):
        program = links(upct, *switches, "-x", "c", "a.c")
        header = upct.check_output(["readelf", "-h", program])
        assert f" {kind} " in header, f"{switches}: {header}"
        assert sorted(upct.check_output([program], THREADS=3).split()) == ["3", "4", "5"]


@pytest.mark.no_sanitizers("they do not link into static programs")
def test_strip_and_static(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    assert upcc(upct, "-s", "-static", "a.c", "-o", "prog").returncode == 0
    program = upct.path("prog")
    assert ".symtab" not in upct.check_output(["readelf", "-SW", program]), "-s"
    assert "INTERP" not in upct.check_output(["readelf", "-lW", program]), "-static"
    output_of(upct, program)


def test_linker_switches_reach_the_linker(upct):
    upct.write("a.c", MAIN_CALLS_F)
    compiled(upct, "f", RETURNS_42)
    program = links(upct, "a.c", "f.o", "-Wl,-rpath,/some where", "-Xlinker", "-rpath=/a,b", "-z", "now", "-rdynamic",
                    "-Wl,-Map=map")
    dynamic = upct.check_output(["readelf", "-dW", program])
    assert "/some where:/a,b" in dynamic and "NOW" in dynamic
    assert os.path.exists(upct.path("map"))


@pytest.mark.parametrize("switches", [["-Wl,-Map=map"], ["-Wl,-Map,map"], ["-Xlinker", "--Map", "-Xlinker", "map"]])
def test_the_map_has_private_data_and_its_objects(upct, switches):
    """A static of main, one of a member of an archive, and no member that the program does not need."""
    upct.write("a.c", "int f (void); static int hits[20] = {1}; int main (void) { return hits[f ()]++; }")
    member = compiled(upct, "f", "static int calls[30]; int f (void) { return calls[2]++; }")
    other = compiled(upct, "unused", "int unused[40];")
    upct.check_output(["ar", "rcs", upct.path("lib.a"), member, other])
    links(upct, "a.c", "lib.a", *switches)
    with open(upct.path("map"), encoding="utf-8") as f:
        linker, private = f.read().split("\nPrivate data of the program\n")
    private, merged = private.split("\nObjects and members of archives in it\n")
    assert re.search(r"^ \.data +0x\w+ +0x\w+ \S*prog\.private\.o$", linker, re.M)
    assert sorted(re.findall(r"prog\.all\.o:(\.\w+\+)0x\w+: private '(hits|calls|unused)' (\d+) bytes", private)) == [
        (".bss+", "calls", "120"), (".data+", "hits", "80")]
    assert re.search(r"^ \.bss +0x\w+ +0x78 lib\.a\(f\.o\)$", merged, re.M)


def test_too_much_private_data_is_named(upct):
    upct.write("a.c", "char big[700000000]; char *f (void); int main (void) { return big[3] = *f (); }")
    result = upcc(upct, "a.c", compiled(upct, "f", "static char huge[1500000000]; char *f (void) { return huge; }"))
    assert result.returncode == 1
    # Sanitizers add some bytes, and symbols of their own.
    assert re.search(r"error: 220000\d{4} bytes of private data exceed the limit of 2130706432 bytes per thread; "
                     r"the largest symbols:\n    1500000000 huge\n     700000000 big\n", result.stderr)


def test_wrap_works_once(upct):
    upct.write("a.c", MAIN_CALLS_F)
    upct.write("w.c", "int __real_f (void); int __wrap_f (void) { return __real_f () + 1; }")
    assert output_of(upct, links(upct, "a.c", "w.c", compiled(upct, "f", RETURNS_42), "-Wl,--wrap=f")) == "43\n"


def test_failed_link_leaves_the_old_program(upct):
    upct.write("prog", "old")
    result = upcc(upct, compiled(upct, "a", MAIN_CALLS_F), "-o", "prog")
    assert result.returncode == 1
    assert open(upct.path("prog")).read() == "old"


def test_inputs_are_not_overwritten(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    os.symlink("a.c", upct.path("same"))
    refuses(upct, ["a.c", "-o", "same"], "a.c: input file is the same as output file")
    refuses(upct, ["-c", "a.c", "-o", "a.c"], "a.c: input file is the same as output file")


def test_output_places(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    os.mkdir(upct.path("folder"))
    refuses(upct, ["a.c", "-o", "folder"], "folder: is a directory")
    refuses(upct, ["a.c", "-o", "none/prog"], "cannot write none/prog: No such file or directory")
    assert upcc(upct, "a.c", "-o", "/dev/null").returncode == 0
    assert upcc(upct, "a.c", "-o", "folder/prog").returncode == 0
    assert os.listdir(upct.path("folder")) == ["prog"]
    assert not os.path.isfile("/dev/null"), "/dev/null is a device still"


def test_temporaries_are_where_tmpdir_says(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    os.mkdir(upct.path("scratch"))
    commands = upcc(upct, "-v", "a.c", TMPDIR=upct.path("scratch")).stderr
    assert f" {upct.path('scratch')}/upcc-" in commands and " /tmp/upcc-" not in commands
    assert os.listdir(upct.path("scratch")) == []


def test_a_temporary_folder_that_is_not_there_is_not_used(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    assert upct.run([links(upct, "a.c", TMPDIR="/none")]).returncode == 0


def test_the_compiler_can_be_chosen(upct):
    upct.write("a.c", MAIN_CALLS_F)
    compiled(upct, "f", RETURNS_42)
    refuses(upct, ["a.c", "f.o"], "cannot run 'no-cc': No such file or directory", UPCC_CC="no-cc")
    result = upcc(upct, "-v", "a.c", "f.o", UPCC_CC="env A=b gcc")
    assert result.stderr.splitlines()[0].split()[:3] == ["env", "A=b", "gcc"]


def test_it_may_be_the_compiler_that_it_is_told_to_call(upct):
    """make CC=upcc leaves CC in the environment; a wrapper may call upcc as well."""
    upct.write("a.upc", "int main (void) { return MYTHREAD; }\n")
    wrapper = upct.write("wrapper", f"#!/bin/sh\nexec {upct.tool('upcc')} \"$@\"\n")
    os.chmod(wrapper, 0o755)
    for cc in upct.tool("upcc"), wrapper:
        program = links(upct, "-O1", "a.upc", CC=cc, UPCC_CC="")
        assert upct.run([program], THREADS=2).returncode == 1


def test_death_of_a_command_is_told(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    upct.write("cc", "#!/bin/sh\nkill -9 $$\n")
    os.chmod(upct.path("cc"), 0o755)
    refuses(upct, ["a.c"], "cc was killed by signal 9 (Killed)", UPCC_CC=upct.path("cc"))


# A compiler that hangs, with a helper and a half-written output, at the step whose
# command has WORD in it.
HANGING_CC = """#!/bin/sh
case " $* " in *" WORD "*) ;; *) exec gcc "$@" ;; esac
for output; do :; done
echo half >"$output"
sleep 1800 &
echo $! >pid.new && mv pid.new pid
wait
"""


@pytest.mark.parametrize("signal_name, step", [
    (signal_name, step) for signal_name in ("SIGINT", "SIGTERM", "SIGHUP") for step in ("-c", "-no-pie")])
def test_signals_end_it_cleanly(upct, signal_name, step):
    number = getattr(signal, signal_name)
    upct.write("a.c", "int main (void) { return 0; }")
    upct.write("prog", "old")
    upct.write("cc", HANGING_CC.replace("WORD", step))
    os.chmod(upct.path("cc"), 0o755)
    os.mkdir(upct.path("scratch"))
    environment = dict(os.environ, TMPDIR=upct.path("scratch"), UPCC_CC=upct.path("cc"))
    driver = subprocess.Popen([upct.tool("upcc"), "a.c", "-o", "prog"], cwd=upct.folder, env=environment,
                              stderr=subprocess.PIPE)
    while not os.path.exists(upct.path("pid")):
        assert driver.poll() is None
        time.sleep(0.01)
    with open(upct.path("pid")) as f:
        helper = int(f.read())
    driver.send_signal(number)
    _, err = driver.communicate()
    assert (driver.returncode, err) == (-number, b"")
    assert os.listdir(upct.path("scratch")) == [], "temporaries left"
    assert sorted(os.listdir(upct.folder)) == ["a.c", "cc", "pid", "prog", "scratch"]
    with open(upct.path("prog")) as f:
        assert f.read() == "old"
    # It is killed, but it may take a while to go.
    while os.path.exists(f"/proc/{helper}"):
        time.sleep(0.01)
