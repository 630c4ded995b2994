"""upcc's switches, the commands it runs, what it leaves behind."""

import os
import shlex
import signal
import subprocess
import time

from harness import case
from tools.driver import (MAIN_CALLS_F, RETURNS_42, compiled, links, output_of, refuses, upcc)

USAGE_ERRORS = [
    ("no_input", [], "no input files"),
    ("unknown", ["-q"], "unknown switch '-q'"),
    ("unknown_long", ["--foo=1"], "unknown switch '--foo=1'"),
    ("unknown_upc", ["-fupc-foo", "a.o"], "unknown switch '-fupc-foo'"),
    ("dash", ["-"], "'-': standard input needs -x or -E"),
    ("no_value", ["a.o", "-o"], "'-o' needs a value"),
    ("no_folder", ["a.o", "-L"], "'-L' needs a value"),
    ("empty_output", ["a.o", "-o", ""], "'-o' needs a value"),
    ("empty_input", [""], "an input has an empty name"),
    ("shared", ["-shared", "a.o"], "'-shared': upcc links programs, not shared libraries"),
    ("relocatable", ["-r", "a.o"], "'-r': upcc links programs, not objects; use ld -r"),
    ("static_pie", ["-static-pie", "a.o"], "'-static-pie': either -static or -pie"),
    ("static_and_pie", ["-static", "-pie", "a.o"], "-static and -pie exclude each other"),
    ("lto", ["-flto", "a.o"], "'-flto': link-time optimisation leaves no instructions to make private"),
    ("lto_jobs", ["-flto=4", "a.o"], "'-flto=4': link-time optimisation leaves no instructions to make private"),
    ("pts", ["-fupc-pts=wide", "a.o"], "'-fupc-pts=wide': packed or struct"),
    ("pts_empty", ["-fupc-pts=", "a.o"], "'-fupc-pts=': packed or struct"),
    *[(f"threads_{n}", [f"-fupc-threads-{n}", "a.o"], f"'-fupc-threads-{n}': a number from 1 to 1024")
      for n in ("0", "1025", "-1", "x", "4x", "", "99999999999999999999")],
    ("output_of_two", ["-c", "a.c", "b.c", "-o", "x.o"], "-o with -c, -S or -E takes one source"),
    ("linker_shared", ["a.o", "-Wl,-shared"], "'-shared': upcc links programs"),
    ("open_group", ["a.o", "-Wl,--start-group"], "--start-group without --end-group"),
    ("closed_group", ["a.o", "-)"], "'-)' without --start-group"),
    ("nested_group", ["a.o", "-(", "-("], "'-(' within a group"),
    ("popped_state", ["a.o", "-Wl,--pop-state"], "'--pop-state' without --push-state"),
    ("no_response", ["@none"], "@none: No such file or directory"),
]


@case(each=[(name,) for name, _, _ in USAGE_ERRORS])
def usage_error(t, name):
    words, message = next((w, m) for n, w, m in USAGE_ERRORS if n == name)
    compiled(t, "a", RETURNS_42)
    refuses(t, words, message, status=1 if name == "no_response" else 2)


@case
def help_lists_the_switches(t):
    out = t.good([t.tool("upcc"), "--help"])
    for word in ("-o FILE", "-fupc-threads-N", "-fupc-pts=packed|struct", "-lNAME", "-save-temps"):
        t.check(f"\n  {word} " in out, f"{word} is not in\n{out}")


@case
def version_is_told(t):
    t.check(t.good([t.tool("upcc"), "--version"]).startswith("upcc (UPCT) "), "--version")
    t.check(t.good([t.tool("upc2c"), "--version"]).startswith("upc2c (UPCT) "), "--version")
    t.check(t.good([t.tool("upcc"), "-v"]).startswith("upcc (UPCT) "), "-v alone")


@case
def sources_and_objects_link(t):
    t.write("a.c", MAIN_CALLS_F)
    program = links(t, "a.c", compiled(t, "f", RETURNS_42))
    t.equal(output_of(t, program), "42\n")


@case
def assembly_links(t):
    t.write("f.s", ".globl f\nf: movl $7, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n")
    t.write("g.S", "#define SEVEN 7\n.globl g\ng: movl $SEVEN, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n")
    t.write("a.c", MAIN_CALLS_F.replace("f ())", "f () + g ())").replace("int f", "int g (void); int f"))
    t.equal(output_of(t, links(t, "a.c", "f.s", "g.S")), "14\n")


@case
def default_output_is_a_out(t):
    t.write("a.c", "int main (void) { return 0; }")
    t.equal(upcc(t, "a.c").returncode, 0)
    t.equal(output_of(t, t.path("a.out")), "")


@case
def output_has_usual_permissions(t):
    t.write("a.c", "int main (void) { return 0; }")
    mask = os.umask(0)
    os.umask(mask)
    t.equal(os.stat(links(t, "a.c")).st_mode & 0o777, 0o777 & ~mask)


@case
def compile_flags_reach_the_compiler(t):
    os.mkdir(t.path("inc"))
    t.write("inc/seven.h", "#define SEVEN 7\n")
    t.write("forced.h", "#define FORCED 1\n")
    t.write("a.c", "#include <stdio.h>\n#include \"seven.h\"\n#if !FORCED || defined GONE || !defined __OPTIMIZE__\n"
            "#error flags\n#endif\nint main (void) { printf (\"%d %ld\\n\", SEVEN + N, __STDC_VERSION__); return 0; }\n")
    program = links(t, "-O2", "-g", "-Iinc", "-DN=1", "-D", "GONE", "-U", "GONE", "-include", "forced.h",
                    "-std=c99", "-Wall", "-Wextra", "-Wp,-DX", "-Wa,--noexecstack", "-pthread", "-pipe", "a.c")
    t.equal(output_of(t, program), "8 199901\n")


@case
def compile_only(t):
    t.write("a.c", MAIN_CALLS_F)
    t.write("b.c", RETURNS_42)
    t.equal(upcc(t, "-c", "a.c", "b.c", "-lfoo", "-L.").returncode, 0)
    t.equal(output_of(t, links(t, "a.o", "b.o")), "42\n")
    t.equal(upcc(t, "-c", "b.c", "-o", "other.o", "-MD", "-MF", "b.d").returncode, 0)
    t.check(os.path.exists(t.path("other.o")) and "b.c" in open(t.path("b.d")).read(), "other.o, b.d")


@case
def compile_only_in_a_folder_below(t):
    os.mkdir(t.path("sub"))
    t.write("sub/a.c", RETURNS_42)
    t.equal(upcc(t, "-c", "sub/a.c").returncode, 0)
    t.check(os.path.exists(t.path("a.o")), "a.o in the current folder")


@case
def assembly_and_preprocessing(t):
    t.write("a.c", "int x = VALUE;\n")
    t.equal(upcc(t, "-S", "-DVALUE=3", "a.c").returncode, 0)
    t.check(".globl\tx" in open(t.path("a.s")).read(), "a.s")
    t.check("int x = 3;" in upcc(t, "-E", "-DVALUE=3", "a.c").stdout, "-E")


@case(each=["-c", "-S", "-E"])
def objects_cannot_be_compiled(t, mode):
    compiled(t, "a", RETURNS_42)
    refuses(t, [mode, "a.o"], "a.o: not a source; -c, -S and -E take sources")


@case
def compile_errors_come_through(t):
    t.write("a.c", "int main (void) { return nothing; }\n")
    result = upcc(t, "a.c")
    t.equal(result.returncode, 1)
    t.check("a.c:1:26: error:" in result.stderr, result.stderr)
    t.check(result.stderr.endswith(" failed with status 1\n"), result.stderr)


@case
def undefined_symbols_are_named(t):
    result = upcc(t, compiled(t, "a", "void upc_all_nothing (void); int main (void) { upc_all_nothing (); return 0; }"))
    t.equal(result.returncode, 1)
    t.check("undefined reference to `upc_all_nothing'" in result.stderr, result.stderr)
    t.check(not os.path.exists(t.path("a.out")), "a.out was written")


@case
def main_must_be_there(t):
    refuses(t, [compiled(t, "f", RETURNS_42)], "no input defines main")


@case
def local_main_does_not_count(t):
    refuses(t, [compiled(t, "f", "static int main (void); int (*p) (void) = main; static int main (void) { return 0; }",
                         "-ffreestanding", "-w")], "no input defines main")


@case
def verbose_prints_what_runs(t):
    t.write("it's.c", MAIN_CALLS_F)
    compiled(t, "f", RETURNS_42)
    result = upcc(t, "-v", "-O1", "-x", "c", "it's.c", "-x", "none", "f.o", "-lm", "-fupc-threads-1", "-o", "my prog")
    t.equal(result.returncode, 0, result.stderr)
    commands = [shlex.split(line) for line in result.stderr.splitlines()]
    t.equal([os.path.basename(c[0]) for c in commands][2:4], ["ld", "upc-privatize"])
    t.equal(len(commands), 5)
    t.check("-O1" in commands[0] and "it's.c" in commands[0], commands[0])
    t.equal([os.path.basename(w) for w in commands[2]][:2], ["ld", "-r"])
    names = [os.path.basename(w) for w in commands[2]]
    t.equal((names[7], names[-1]), ("upc-crtbegin.o", "upc-crtend.o"))
    t.check(commands[4][commands[4].index("-no-pie") + 1] == "-O1", commands[4])
    last = [os.path.basename(w) for w in commands[4]]
    t.check(last.index("-lm") < last.index("libupc.a") < last.index("-lpthread"), last)
    t.check("'it'\\''s.c'" in result.stderr, result.stderr)
    t.equal(output_of(t, t.path("my prog")), "42\n")


@case
def save_temps_keeps_what_was_made(t):
    t.write("a.c", "int main (void) { return 0; }")
    links(t, "-save-temps", "a.c")
    t.equal(sorted(os.listdir(t.folder)),
            ["a.c", "a.o", "a.trans.i", "a.upci", "prog", "prog.all.o", "prog.private.o", "scratch"])


@case
def names_may_be_strange(t):
    for name in ("-dash.c", "a b.c", "quo'te\".c", "@at.c"):
        t.write(name, "int " + "".join(c for c in name[:-2] if c.isalpha()) + " = 1;\n")
    t.write("-main.c", "#include <stdio.h>\nextern int dash, ab, quote, at;\n"
            "int main (void) { printf (\"%d\\n\", dash + ab + quote + at); return 0; }\n")
    result = upcc(t, "-o", "-out", "--", "-main.c", "-dash.c", "a b.c", "quo'te\".c", "@at.c")
    t.equal((result.returncode, result.stderr), (0, ""))
    t.equal(output_of(t, t.path("-out")), "4\n")


@case
def response_files_are_expanded(t):
    os.mkdir(t.path("a folder"))
    t.write("a folder/a.c", MAIN_CALLS_F)
    compiled(t, "f", RETURNS_42)
    t.write("more", "f.o\n\t-DX=\\\"y\\\"")
    t.write("words", "'a folder/a.c'  @more -o\nprog \"-DTWO=1 2\" a\\ folder/../none.c")
    refuses(t, ["@words"], "a folder/../none.c: No such file or directory")
    t.write("words", "'a folder/a.c'  @more -o\nprog \"-DTWO=1 2\"\n\n")
    t.equal(upcc(t, "@words").returncode, 0)
    t.equal(output_of(t, t.path("prog")), "42\n")


@case
def response_files_cannot_circle(t):
    t.write("circle", "@circle")
    refuses(t, ["@circle"], "@circle: response files nest too deeply", status=2)


@case(each=["packed", "struct"])
def pts_picks_the_library(t, pts):
    t.write("a.c", "int main (void) { return 0; }")
    result = upcc(t, "-v", f"-fupc-pts={pts}", "a.c")
    wanted = "libupc.a" if pts == "packed" else "libupc-struct.a"
    t.equal((result.returncode, f"/{wanted} " in result.stderr), (0, True), result.stderr)


@case
def static_threads_are_recorded(t):
    t.write("a.c", "#include <stdio.h>\nextern int THREADS;\n"
            "int main (void) { printf (\"%d\\n\", THREADS); return 0; }\n")
    program = links(t, "-fupc-threads-3", "-x", "c", "a.c")
    t.equal(t.good([program]), "3\n" * 3)
    result = t.run([program], THREADS=2)
    t.check(result.returncode == 2 and "was compiled for 3" in result.stderr, result.stderr)


@case
def pie_and_no_pie(t):
    t.write("a.c", "#include <stdio.h>\nextern int MYTHREAD; static int x = 3; int *p = &x;\n"
            "int main (void) { x += MYTHREAD; printf (\"%d\\n\", *p); return 0; }")
    for switches, kind in ([], "EXEC"), (["-pie", "-fpie"], "DYN"), (["-pie", "-no-pie"], "EXEC"):
        program = links(t, *switches, "-x", "c", "a.c")
        header = t.good(["readelf", "-h", program])
        t.check(f" {kind} " in header, f"{switches}: {header}")
        t.equal(sorted(t.good([program], THREADS=3).split()), ["3", "4", "5"])


@case
def strip_and_static(t):
    if t.sanitizers:
        return
    t.write("a.c", "int main (void) { return 0; }")
    t.equal(upcc(t, "-s", "-static", "a.c", "-o", "prog").returncode, 0)
    program = t.path("prog")
    t.check(".symtab" not in t.good(["readelf", "-SW", program]), "-s")
    t.check("INTERP" not in t.good(["readelf", "-lW", program]), "-static")
    output_of(t, program)


@case
def linker_switches_reach_the_linker(t):
    t.write("a.c", MAIN_CALLS_F)
    compiled(t, "f", RETURNS_42)
    program = links(t, "a.c", "f.o", "-Wl,-rpath,/some where", "-Xlinker", "-rpath=/a,b", "-z", "now", "-rdynamic",
                    "-Wl,-Map=map")
    dynamic = t.good(["readelf", "-dW", program])
    t.check("/some where:/a,b" in dynamic and "NOW" in dynamic, dynamic)
    t.check(os.path.exists(t.path("map")), "map")


@case
def wrap_works_once(t):
    t.write("a.c", MAIN_CALLS_F)
    t.write("w.c", "int __real_f (void); int __wrap_f (void) { return __real_f () + 1; }")
    t.equal(output_of(t, links(t, "a.c", "w.c", compiled(t, "f", RETURNS_42), "-Wl,--wrap=f")), "43\n")


@case
def failed_link_leaves_the_old_program(t):
    t.write("prog", "old")
    result = upcc(t, compiled(t, "a", MAIN_CALLS_F), "-o", "prog")
    t.equal(result.returncode, 1)
    t.equal(open(t.path("prog")).read(), "old")


@case
def inputs_are_not_overwritten(t):
    t.write("a.c", "int main (void) { return 0; }")
    os.symlink("a.c", t.path("same"))
    refuses(t, ["a.c", "-o", "same"], "a.c: the output would overwrite this input")
    refuses(t, ["-c", "a.c", "-o", "a.c"], "a.c: the output would overwrite this input")


@case
def output_places(t):
    t.write("a.c", "int main (void) { return 0; }")
    os.mkdir(t.path("folder"))
    refuses(t, ["a.c", "-o", "folder"], "folder: a folder, cannot be written as a program")
    refuses(t, ["a.c", "-o", "none/prog"], "cannot write none/prog: No such file or directory")
    t.equal(upcc(t, "a.c", "-o", "/dev/null").returncode, 0)
    t.equal(upcc(t, "a.c", "-o", "folder/prog").returncode, 0)
    t.equal(os.listdir(t.path("folder")), ["prog"])
    t.check(not os.path.isfile("/dev/null"), "/dev/null is a device still")


@case
def a_temporary_folder_that_is_not_there_is_not_used(t):
    t.write("a.c", "int main (void) { return 0; }")
    t.equal(t.run([links(t, "a.c", TMPDIR="/none")]).returncode, 0)


@case
def the_compiler_can_be_chosen(t):
    t.write("a.c", MAIN_CALLS_F)
    compiled(t, "f", RETURNS_42)
    refuses(t, ["a.c", "f.o"], "cannot run 'no-cc': No such file or directory", UPCC_CC="no-cc")
    result = upcc(t, "-v", "a.c", "f.o", UPCC_CC="env A=b gcc")
    t.equal(result.stderr.splitlines()[0].split()[:3], ["env", "A=b", "gcc"])


@case
def death_of_a_command_is_told(t):
    t.write("a.c", "int main (void) { return 0; }")
    t.write("cc", "#!/bin/sh\nkill -9 $$\n")
    os.chmod(t.path("cc"), 0o755)
    refuses(t, ["a.c"], "cc was killed by signal 9 (Killed)", UPCC_CC=t.path("cc"))


# A compiler that hangs, with a helper and a half-written output, at the step whose
# command has WORD in it.
HANGING_CC = """#!/bin/sh
case " $* " in *" WORD "*) ;; *) exec gcc "$@" ;; esac
for output; do :; done
echo half >"$output"
sleep 60 &
echo $! >pid.new && mv pid.new pid
wait
"""


@case(each=[(signal_name, step) for signal_name in ("SIGINT", "SIGTERM", "SIGHUP") for step in ("-c", "-no-pie")])
def signals_end_it_cleanly(t, signal_name, step):
    number = getattr(signal, signal_name)
    t.write("a.c", "int main (void) { return 0; }")
    t.write("prog", "old")
    t.write("cc", HANGING_CC.replace("WORD", step))
    os.chmod(t.path("cc"), 0o755)
    os.mkdir(t.path("scratch"))
    environment = dict(os.environ, TMPDIR=t.path("scratch"), UPCC_CC=t.path("cc"))
    driver = subprocess.Popen([t.tool("upcc"), "a.c", "-o", "prog"], cwd=t.folder, env=environment,
                              stderr=subprocess.PIPE)
    deadline = time.time() + 20
    while not os.path.exists(t.path("pid")) and time.time() < deadline:
        time.sleep(0.01)
    with open(t.path("pid")) as f:
        helper = int(f.read())
    driver.send_signal(number)
    _, err = driver.communicate(timeout=20)
    t.equal((driver.returncode, err), (-number, b""))
    t.equal(os.listdir(t.path("scratch")), [], "temporaries left")
    t.equal(sorted(os.listdir(t.folder)), ["a.c", "cc", "pid", "prog", "scratch"])
    with open(t.path("prog")) as f:
        t.equal(f.read(), "old")
    t.check(not os.path.exists(f"/proc/{helper}"), "a helper lives on")


@case
def a_sanitizer_needs_its_runtime(t):
    compiled(t, "a", RETURNS_42)
    for name in "address", "thread":
        if name not in t.sanitizers:
            refuses(t, [f"-fsanitize={name}", "a.o"],
                    f"'-fsanitize={name}': this libupc.a was built without it; 'scons sanitize={name}' makes an "
                    "upcc that has it", status=2)
