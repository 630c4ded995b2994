"""Writes the names that plugins and the programs that load them have in common.

    python3 plugin_names.py FUNCTIONS.def SYMS WORDS OBJECT...

SYMS, for objcopy, gives a plugin's calls of libc the names of the runtime's versions. WORDS, for the
linker, are the names that a program with -rdynamic has for plugins: what the OBJECTs, the files of
entry points, define, and those versions.
"""

import re
import subprocess
import sys

# objcopy takes no second name for one of ours: upc-plugin.c has the aliases that programs call.
#
# What stays libc's in a plugin: variables are private data of the program; handlers go when the plugin
# is closed; what C++'s and coverage's libraries call is their own.
LIBC = {"getopt.c", "exit.c", "streams.c", "coverage_gcc.c, coverage_llvm.c", "gamma.c", "fork.c", "names.c", "segments.c"}
YET = {"exit"}
NOT = {"getdate"}


def replaced(path):
    """(name, the runtime's name) for each function that the runtime has a version of."""
    file = None
    for line in open(path, encoding="utf-8"):
        heading = re.match(r"/\* ([\w.]+\.c(?:, [\w.]+\.c)*)\b", line)
        file = heading[1] if heading else file
        row = re.match(r"(?:FUNCTION|NAMED) \([\w *]+?, (\w+)(?:, (\w+))?,", line)
        if not row:
            continue
        name, ours = row[1], row[2] or row[1]
        if (file not in LIBC or name in YET) and name not in NOT:
            yield name, f"upcr_{ours}"


def defined(objects):
    listing = subprocess.run(["nm", "-P", "-g", "--defined-only", *objects], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {line.split()[0] for line in listing.splitlines() if len(line.split()) > 1}


def main():
    functions, syms, words, *objects = sys.argv[1:]
    rows = list(replaced(functions))
    with open(syms, "w", encoding="ascii") as file:
        file.writelines(f"{name} {ours}\n" for name, ours in rows)
    with open(words, "w", encoding="ascii") as file:
        names = defined(objects) | {ours for _, ours in rows} | {"upct_plugin_begin"}
        file.writelines(f"--undefined={name}\n" for name in sorted(names))


if __name__ == "__main__":
    main()
