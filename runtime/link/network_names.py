"""Writes the names of the entry points that programs of several processes do not have yet, one a line, for
upcc to refuse.

    network_names.py RESULT LIBRARY OBJECT…

They are what the OBJECTs of one process's runtime define, and LIBRARY, that of several, does not.
"""

import subprocess
import sys


def defined(*files):
    listing = subprocess.run(["nm", "-P", "--defined-only", "-g", *files], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listing.splitlines()]
    return {row[0] for row in rows if len(row) > 2}


result, library, *objects = sys.argv[1:]
with open(result, "w") as file:
    file.writelines(f"{name}\n" for name in sorted(defined(*objects) - defined(library)) if not name.startswith("upcr_"))
