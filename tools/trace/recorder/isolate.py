"""Makes one object of the recorder's, in which nothing has a name that a program may have, too:
ld -r would take the one for the other.

    python3 isolate.py PREFIX OUT.o OBJECT...

PREFIX is what the names of the binutils begin with, "-" for nothing.
What the recorder defines is local, but for the functions of a tool of gasp.h. What it needs of
libc is called libc.NAME until upc-privatize has read the program.
"""

import subprocess
import sys

OF_GASP = ["gasp_init", "gasp_event_notify", "gasp_event_notifyVA", "gasp_control", "gasp_create_event"]
RESERVED = ("_", "upc", "upct_", "upcr_", "gasp_", "pupc_")


def main():
    prefix, output, *objects = sys.argv[1:]
    prefix = prefix.removeprefix("-")
    subprocess.run([f"{prefix}ld", "-r", "--unique=.rodata", "-o", output, *objects], check=True)
    listing = subprocess.run([f"{prefix}nm", "-P", "-u", output], check=True, stdout=subprocess.PIPE, text=True).stdout
    names = [line.split()[0] for line in listing.splitlines()]
    renamings = [f"--redefine-sym={name}=libc.{name}" for name in names if not name.startswith(RESERVED)]
    subprocess.run([f"{prefix}objcopy", *renamings, *(f"--keep-global-symbol={name}" for name in OF_GASP), output], check=True)


if __name__ == "__main__":
    main()
