"""Prints what UPC has without a header, for clangd: the macros of a UPC compiler, and the names of threads.

    python3 prelude.py UPCC >prelude.h"""

import subprocess
import sys

macros = subprocess.run([sys.argv[1], "-E", "-dM", "-x", "upc", "/dev/null"], text=True, capture_output=True, check=True).stdout
for line in macros.splitlines():
    name = line.split()[1]
    # They say how this compiler makes pointers-to-shared, which clangd does not.
    if "UPC" in name and "PTS" not in name and "THREADS" not in name:
        print(line)
print("""#ifndef THREADS
#define __UPC_DYNAMIC_THREADS__ 1
enum { THREADS = 4 }; /* a number that types may depend on */
#endif
extern const int MYTHREAD;""")
