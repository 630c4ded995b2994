"""Programs of csmith as UPC: their global variables are made shared, in random layouts."""

import re

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
