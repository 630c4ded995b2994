"""Writes LINES lines of accesses outside of loops, for the time that compilers take: to shared arrays,
or to private ones of the same names.

    accesses.py LINES shared|private >FILE"""

import random
import sys

FORMS = ["{a}[i + {n}] = {b}[j] + {c}[k * 2];", "{a}[{n}] += {b}[i];", "x[i + j] = y[k] * 2.0 + {a}[i];",
         "if ({a}[i] > {b}[j]) {c}[k]++;", "i = {a}[j] + {b}[i + k];"]
IN_FUNCTION = 40


def declarations(shared):
    scalars, length = ("shared int", "1000 * THREADS") if shared else ("int", "4000")
    blocked = "shared [8] double" if shared else "double"
    yield "#include <upc_relaxed.h>" if shared else ""
    yield f"{scalars} a[{length}], b[{length}], c[{length}], d[{length}];"
    yield f"{blocked} x[{length}], y[{length}];"


def program(lines, shared):
    """The lines of the program: the same accesses for both kinds."""
    choose = random.Random(1)
    yield from declarations(shared)
    for number in range(lines):
        if number % IN_FUNCTION == 0:
            yield f"{'}' if number else ''}\nvoid f{number} (int i, int j, int k)\n{{"
        a, b, c = (choose.choice("abcd") for _ in range(3))
        yield "  " + choose.choice(FORMS).format(a=a, b=b, c=c, n=choose.randrange(900))
    yield "}"


if __name__ == "__main__":
    print("\n".join(program(int(sys.argv[1]), sys.argv[2] == "shared")))
