"""What the cases about upcc share."""

import os
import subprocess
import sys

sys.dont_write_bytecode = True

MAIN_CALLS_F = "#include <stdio.h>\nint f (void);\nint main (void) { printf (\"%d\\n\", f ()); return 0; }\n"
RETURNS_42 = "int f (void) { return 42; }\n"


def upcc(t, *words, **options):
    """Runs upcc with a temporary folder that must be empty again afterwards."""
    scratch = t.path("scratch")
    os.makedirs(scratch, exist_ok=True)
    options.setdefault("TMPDIR", scratch)
    result = t.run([t.tool("upcc"), *words], **options)
    t.equal(os.listdir(scratch), [], "temporaries left")
    t.equal([f for f in os.listdir(t.folder) if f.startswith(".upcc")], [], "half-written outputs left")
    return result


def links(t, *words, **options):
    """upcc must succeed without a word; returns the path of prog."""
    result = upcc(t, *words, "-o", "prog", **options)
    t.equal((result.returncode, result.stdout, result.stderr), (0, "", ""), f"upcc {words}")
    return t.path("prog")


def refuses(t, words, message, status=1, **options):
    """upcc must fail with this one line and write nothing."""
    before = sorted(os.listdir(t.folder))
    result = upcc(t, *words, **options)
    t.equal(result.stderr, f"upcc: error: {message}\n", f"upcc {words}")
    t.equal((result.returncode, result.stdout), (status, ""), f"upcc {words}")
    t.equal(sorted(set(os.listdir(t.folder)) - {"scratch"}), [f for f in before if f != "scratch"], "files")


def compiled(t, name, text, *flags):
    """An object of the C source TEXT; returns its name in t.folder."""
    source = t.write(name + ".c", text)
    subprocess.run(["gcc", "-c", *flags, source, "-o", t.path(name + ".o")], check=True)
    os.unlink(source)
    return name + ".o"


def archive(t, name, *objects, flags="rc"):
    """An archive of objects in t.folder; returns its name."""
    os.makedirs(os.path.dirname(t.path(name)), exist_ok=True)
    # ar looks for symbols with plugins, which have opinions about bad members.
    subprocess.run(["ar", flags, name, *objects], check=True, cwd=t.folder,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return name


def shared_library(t, name, text):
    os.makedirs(os.path.dirname(t.path(name)), exist_ok=True)
    source = t.write("shared.c", text)
    subprocess.run(["gcc", "-shared", "-fpic", source, "-o", t.path(name)], check=True)
    os.unlink(source)
    return name


def output_of(t, program, **environment):
    return t.good([program], THREADS=1, **environment)
