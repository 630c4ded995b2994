"""Programs of csmith whose global variables are made shared, in random layouts, against
the same programs compiled as C: every operator of C on every kind of shared lvalue,
relaxed and strict."""

import os
import random
import re
import subprocess

from harness import case

SEEDS = range(1, 100 if os.environ.get("UPCT_TEST_FULL") == "1" else 9)
HEADERS = "/usr/include/csmith"
# Without pointers: those to shared objects would have to be declared otherwise.
SWITCHES = ["--no-pointers", "--max-funcs", "6", "--bitfields", "--packed-struct", "--unions"]


def share_globals(text, rng):
    lines = []
    for line in text.splitlines():
        if re.match(r"static [^(]*\bg_\d+(\[\d+\])*( = |;)", line):
            layout = rng.choice(("", "[2] ", "[3] ", "[5] ", "[] ", "[*] "))
            line = line.replace("static ", f"static shared {layout}", 1)
        lines.append(line.replace("int main (", "int csmith_main ("))
    return "\n".join(lines) + "\nint main (int c, char **v) { return MYTHREAD ? 0 : csmith_main (c, v); }\n"


@case(each=list(SEEDS))
def shared_globals_are_like_private_ones(t, seed):
    rng = random.Random(seed)
    text = t.good(["csmith", "--seed", seed, *SWITCHES])
    plain, program = t.path("plain"), t.path("program")
    t.good(["gcc", "-O1", "-w", "-I", HEADERS, t.write("plain.c", text), "-o", plain])
    try:
        wanted = subprocess.run([plain], capture_output=True, text=True, timeout=2).stdout
    except subprocess.TimeoutExpired:
        return
    header = "#include <upc_strict.h>\n" if seed % 3 == 0 else "#include <upc.h>\n"
    source = t.write("shared.upc", header + share_globals(text, rng))
    switches = ["-fupc-threads-3"] + (["-fupc-pts=struct"] if seed % 4 == 0 else [])
    t.good([t.tool("upcc"), "-O1", "-w", "-I", HEADERS, *switches, source, "-o", program])
    t.equal(t.good([program]), wanted)
