"""Writes the table of names by which libupc.a and the archives that it stands on find what they
need outside themselves. A definition of the program by such a name is not for them.

    python3 runtime_names.py CC OUT.c OBJECT...

The OBJECTs are libupc.a's; CC, a command with its switches, knows where the archives are.
"""

import os
import re
import shlex
import subprocess
import sys

ARCHIVES = ["liburcu-cds.a", "liburcu-bp.a", "liburcu-common.a", "libjemalloc.a", "libjemalloc_pic.a"]
OPENED = "libhwloc.so.15"  # by dlopen

# What a program may rightly tell the runtime: its tables, a tool's functions. And C++'s
# operators new and delete, which are the program's to replace.
FOR_THE_RUNTIME = ("upc", "__upc", "gasp_", "__start_", "__stop_", "_Z", "DW.ref.", "main")
# Reserved to the implementation: a program that defines one is a part of it, such as an unwinder.
RESERVED = re.compile("_[_A-Z]")
# Spelled as the language spells them, and yet names of a C file like any other.
OWN = {"THREADS", "MYTHREAD"}


def symbols(nm, files, *options):
    """The undefined and the defined global names of FILES, weak definitions apart."""
    undefined, defined = set(), set()
    if not files:
        return undefined, defined
    listing = subprocess.run([nm, "-P", *options, *files], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if listing.returncode:
        sys.exit(f"error: nm cannot read all of {' '.join(files)}")
    for line in listing.stdout.splitlines():
        name, _, rest = line.partition(" ")
        name = name.partition("@")[0]
        if rest[:1] in ("U", "w", "v"):
            undefined.add(name)
        elif rest[:1].isupper() and rest[0] not in "WV":
            defined.add(name)
    return undefined, defined


def runtime_names(cc, objects):
    def printed(switch):
        return subprocess.check_output([*shlex.split(cc), switch], text=True).strip()

    def installed(*names):
        found = [printed(f"-print-file-name={name}") for name in names]
        return [path for path in found if os.path.isabs(path)]

    nm = printed("-print-prog-name=nm")
    wanted, own = symbols(nm, objects)
    below, theirs = symbols(nm, installed(*ARCHIVES))
    opened, _ = symbols(nm, installed(OPENED), "-D")
    names = {name for name in (wanted - own) | below | opened if not RESERVED.match(name)} | theirs
    return sorted({name for name in names if not name.startswith(FOR_THE_RUNTIME)} | OWN)


def main():
    cc, output, *objects = sys.argv[1:]
    rows = "".join(f'  "{name}",\n' for name in runtime_names(cc, objects))
    with open(output, "w", encoding="ascii") as file:
        file.write('#include "privatize/data/names.h"\n\n'
                   f"const char *const runtime_names[] = {{\n{rows}}};\n"
                   "const size_t runtime_name_count = sizeof runtime_names / sizeof *runtime_names;\n")


if __name__ == "__main__":
    main()
