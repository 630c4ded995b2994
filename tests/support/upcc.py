"""What the cases about upcc share."""

import os
import subprocess

import pytest

MAIN_CALLS_F = "#include <stdio.h>\nint f (void);\nint main (void) { printf (\"%d\\n\", f ()); return 0; }\n"
RETURNS_42 = "int f (void) { return 42; }\n"


def upcc(upct, *words, **options):
    """Runs upcc with a temporary folder that must be empty again afterwards."""
    scratch = upct.path("scratch")
    os.makedirs(scratch, exist_ok=True)
    options.setdefault("TMPDIR", scratch)
    result = upct.run([upct.tool("upcc"), *words], **options)
    assert os.listdir(scratch) == [], "temporaries left"
    assert [f for f in os.listdir(upct.folder) if f.startswith(".upcc")] == [], "half-written outputs left"
    return result


def needs_libraries(upct):
    """Skips the test where there is none for AddressSanitizer."""
    if "address" not in upct.sanitizers and not os.path.exists(os.path.join(upct.build, "lib/upct/address/libupc.a")):
        pytest.skip("of the libraries for -fsanitize=address, which 'scons all' makes")


def links(upct, *words, **options):
    """upcc must succeed without a word; returns the path of prog."""
    result = upcc(upct, *words, "-o", "prog", **options)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", ""), f"upcc {words}"
    return upct.path("prog")


def refuses(upct, words, message, status=1, **options):
    """upcc must fail with this one line and write nothing."""
    before = sorted(os.listdir(upct.folder))
    result = upcc(upct, *words, **options)
    assert result.stderr == f"upcc: error: {message}\n", f"upcc {words}"
    assert (result.returncode, result.stdout) == (status, ""), f"upcc {words}"
    assert sorted(set(os.listdir(upct.folder)) - {"scratch"}) == [f for f in before if f != "scratch"], "files"


def compiled(upct, name, text, *flags):
    """An object of the C source TEXT; returns its name in t.folder."""
    source = upct.write(name + ".c", text)
    subprocess.run(["gcc", "-c", *flags, source, "-o", upct.path(name + ".o")], check=True)
    os.unlink(source)
    return name + ".o"


def assembly(upct, name, number):
    """A function that returns NUMBER."""
    code = {"x86_64": f"movl ${number}, %eax", "aarch64": f"mov w0, {number}"}[upct.processor]
    return f".globl {name}\n{name}: {code}\n ret\n.section .note.GNU-stack,\"\",%progbits\n"


def archive(upct, name, *objects, flags="rc"):
    """An archive of objects in t.folder; returns its name."""
    os.makedirs(os.path.dirname(upct.path(name)), exist_ok=True)
    # ar looks for symbols with plugins, which have opinions about bad members.
    subprocess.run(["ar", flags, name, *objects], check=True, cwd=upct.folder,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return name


def shared_library(upct, name, text):
    os.makedirs(os.path.dirname(upct.path(name)), exist_ok=True)
    source = upct.write("shared.c", text)
    subprocess.run(["gcc", "-shared", "-fpic", source, "-o", upct.path(name)], check=True)
    os.unlink(source)
    return name


def output_of(upct, program, **environment):
    return upct.check_output([program], THREADS=1, **environment)
