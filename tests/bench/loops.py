"""Writes a function for each of COUNT loops, for the time that compilers take: over shared arrays, or over private ones of the
same names. No two are alike, as compilers do the work of equal functions once.

    loops.py COUNT shared|private >FILE"""

import sys

ROW = 48
BLOCKS = [1, 4, 64]

LOOPS = [
    "for (i = 0; i < n; i++) a@[i] = b@[i] + s * c@[i];",
    "for (i = 0; i < n; i++) sum += a@[i] * b@[i];",
    "for (i = 1; i < n - 1; i++) a@[i] = b@[i - 1] + b@[i + 1];",
    "for (i = 1; i < n - 1; i++) for (j = 1; j < ROW - 1; j++)"
    " t@[i][j] = (u@[i - 1][j] + u@[i + 1][j] + u@[i][j - 1] + u@[i][j + 1]) / 4;",
    "for (i = 0; i < n; i++) for (j = 0; j < n; j++) t@[i][j] = u@[j][i];",
    "for (i = 0; i < n; i++) for (j = 0; j < n; j++) for (k = 0; k < n; k++) t@[i][j] += u@[i][k] * v@[k][j];",
]


def declarations(shared):
    yield "#include <upc_relaxed.h>" if shared else ""
    yield f"enum {{ ROW = {ROW}, LENGTH = 4000 }};"
    for block in BLOCKS:
        layout, threads = (f"shared [{block}] ", " * THREADS") if shared else ("", "")
        yield layout + "double " + ", ".join(f"{a}{block}[LENGTH{threads}]" for a in "abc") + ";"
        yield layout + "double " + ", ".join(f"{a}{block}[ROW{threads}][ROW]" for a in "tuv") + ";"


def program(count, shared):
    yield from declarations(shared)
    for number in range(count):
        loop = LOOPS[number % len(LOOPS)].replace("@", str(BLOCKS[number // len(LOOPS) % len(BLOCKS)]))
        yield f"double f{number} (int n, double s) {{ int i, j, k; double sum = {number}; (void) i, (void) j, (void) k; {loop} return sum; }}"


if __name__ == "__main__":
    print("\n".join(program(int(sys.argv[1]), sys.argv[2] == "shared")))
