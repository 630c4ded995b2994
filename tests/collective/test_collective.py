"""UPC's collective functions against models in tests/fixtures/collective: each program
makes its calls with every mode and checks what the mode promises, while threads come late;
thread 0 prints "ok"."""

import os

import harness
from harness import case

FOLDER = os.path.join(harness.ROOT, "tests", "fixtures", "collective")
FULL = os.environ.get("UPCT_TEST_FULL") == "1"
THREADS = (1, 2, 3, 4, 7, 16)
PROGRAMS = ("moves", "reduce", "one_block", "sort", "gasnet", "teams", "prototypes")
# Switches and numbers of threads; the compiler is clang where the name says so.
COLUMNS = {
    "O2": (["-O2"], THREADS),
    "struct": (["-O1", "-fupc-pts=struct"], THREADS if FULL else (3, 16)),
    "clang": (["-O2"], THREADS if FULL else (2, 7)),
    "clang_O0_struct": (["-O0", "-fupc-pts=struct"], THREADS if FULL else (4,)),
    "static": (["-O2", "-fupc-threads-3"], (3,)),
}


def compile_with(t, name, column):
    program = t.path(name)
    t.good([t.tool("upcc"), "-w", *COLUMNS[column][0], os.path.join(FOLDER, name + ".upc"), "-o", program],
           UPCC_CC="clang" if "clang" in column else "gcc")
    return program


def check(t, program, threads, *arguments, **environment):
    result = t.run([program, *arguments], THREADS=threads, **environment)
    t.equal((result.stdout, result.stderr, result.returncode), ("ok\n", "", 0),
            f"{os.path.basename(program)} on {threads} threads")


@case(each=[(p, c) for p in PROGRAMS for c in COLUMNS])
def agrees_with_its_model(t, name, column):
    program = compile_with(t, name, column)
    for threads in COLUMNS[column][1]:
        check(t, program, threads)
        if FULL:
            check(t, program, threads, "all")
    if column == "O2":
        # Many threads, for which the race detector takes a minute; and the checks find
        # nothing in right use.
        check(t, program, 16 if "thread" in t.sanitizers else 64)
        # Blocks that all work at, piece by piece.
        for threads in (2, 3) if name == "moves" and "thread" not in t.sanitizers else ():
            check(t, program, threads, "all")
        check(t, program, 1, UPC_CHECK=1)
        check(t, program, 4, UPC_CHECK=1)


# Of upc_types.h, and below which number all combinations of them are (UPC 1.3, 7.3).
OPERATIONS = "ADD MULT AND OR XOR LOGAND LOGOR MIN MAX".split()
TYPES = ("CHAR UCHAR SHORT USHORT INT UINT LONG ULONG LLONG ULLONG INT8 UINT8 INT16 UINT16 INT32 UINT32 "
         "INT64 UINT64 FLOAT DOUBLE LDOUBLE PTS").split()
FLAGS = "IN_ALLSYNC IN_MYSYNC IN_NOSYNC OUT_ALLSYNC OUT_MYSYNC OUT_NOSYNC".split()


@case
def types_are_plain_c_with_constants_for_the_preprocessor(t):
    """Bits that are all different have different combinations."""
    def bits(names, limit):
        return [f"({' | '.join(f'UPC_{name}' for name in names)}) < {limit}", *(
            f"UPC_{name} > 0 && (UPC_{name} & (UPC_{name} - 1)) == 0" for name in names), *(
            f"(UPC_{a} & UPC_{b}) == 0" for a in names for b in names if a < b)]

    conditions = [*bits(OPERATIONS, 65536), *bits(FLAGS, 64),
                  *(f"UPC_{name} > 0 && UPC_{name} < 65536" for name in TYPES),
                  *(f"UPC_{a} != UPC_{b}" for a in TYPES for b in TYPES if a < b)]
    checks = "\n".join(f"#if !({c})\n#error {c}\n#endif" for c in conditions)
    source = t.write("types.c", f"#include <upc_types.h>\n{checks}\n"
                     "upc_op_t op = UPC_ADD;\nupc_type_t type = UPC_PTS;\nupc_flag_t flag = UPC_IN_NOSYNC;\n")
    for standard in ("c99", "c11", "gnu17"):
        t.good(["cc", f"-std={standard}", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                f"-I{harness.ROOT}/include", source])


@case(each=["upc", "upc_collective", "upc_atomic", "upc_nb", "upc_castable"])
def headers_with_shared_types_say_so_in_c(t, header):
    result = t.run(["cc", f"-I{harness.ROOT}/include", "-fsyntax-only", "-x", "c", "-"],
                   stdin=f"#include <{header}.h>\n")
    t.check(f"error: #error {header}.h is for UPC source: C has no shared types" in result.stderr, result.stderr)


@case
def headers_without_shared_types_are_for_c_and_cplusplus(t):
    text = "".join(f"#include <{name}.h>\n" for name in ("gasnet_coll", "gasp", "upc_types", "upc_tick"))
    for language, standard in (("c", "c99"), ("c", "c11"), ("c", "gnu17"), ("c++", "c++11"), ("c++", "c++20")):
        t.good(["c++" if language == "c++" else "cc", f"-std={standard}", "-pedantic-errors", "-Wall", "-Wextra",
                "-Werror", f"-I{harness.ROOT}/include", "-fsyntax-only", "-x", language, t.write("headers.c", text)])


@case(each=[2, 3, 8])
def rounding_is_the_same_in_each_run(t, threads):
    program = compile_with(t, "rounding", "O2")
    first = t.good([program, 1], THREADS=threads)
    t.equal(len(first.splitlines()), 36)
    for seed in range(2, 6):
        t.equal(t.good([program, seed], THREADS=threads), first, f"seed {seed}")


@case(each=["O2", "struct"])
def no_flag_waits_for_more_than_it_asks_for(t, column):
    program = compile_with(t, "early", column)
    for threads in THREADS:
        check(t, program, threads)
