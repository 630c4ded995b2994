"""UPC's collective functions against models in tests/fixtures/collective: each program
makes its calls with every mode and checks what the mode promises, while threads come late;
thread 0 prints "ok"."""

import os

import pytest

from support import FULL, ROOT

pytestmark = [pytest.mark.tsan, pytest.mark.sample(8, plain=4)]

FOLDER = os.path.join(ROOT, "tests", "fixtures", "collective")
THREADS = (1, 2, 3, 4, 7, 16)
PROGRAMS = ("moves", "reduce", "one_block", "sort", "gasnet", "teams", "prototypes", "uses", "long_scans")
# Of runtime/coll/algorithms.h.
ALGORITHMS = ("pipelined", "unsynchronised", "central", "eager", "one_block", "gathered", "direct")
# Switches and numbers of threads; the compiler is clang where the name says so.
COLUMNS = {
    "O2": (["-O2"], THREADS),
    "struct": (["-O1", "-fupc-pts=struct"], THREADS if FULL else (3, 16)),
    "clang": (["-O2"], THREADS if FULL else (2, 7)),
    "clang_O0_struct": (["-O0", "-fupc-pts=struct"], THREADS if FULL else (4,)),
    "static": (["-O2", "-fupc-threads-3"], (3,)),
}


def compile_with(upct, name, column):
    return upct.compile("-w", *COLUMNS[column][0], os.path.join(FOLDER, name + ".upc"), output=name,
                        UPCC_CC="clang" if "clang" in column else "gcc")


def check(upct, program, threads, *arguments, **environment):
    upct.check_prints("ok\n", [program, *arguments], THREADS=threads, **environment)


@pytest.mark.parametrize("name, column", [(p, c) for p in PROGRAMS for c in COLUMNS])
def test_agrees_with_its_model(upct, name, column):
    program = compile_with(upct, name, column)
    for threads in COLUMNS[column][1]:
        check(upct, program, threads)
        if FULL:
            check(upct, program, threads, "all")
    if column == "O2":
        # Many threads, for which the race detector takes a minute; and the checks find
        # nothing in right use.
        if "thread" not in upct.sanitizers:
            check(upct, program, 64)
        # Blocks that all work at, piece by piece.
        for threads in (2, 3) if name == "moves" and "thread" not in upct.sanitizers else ():
            check(upct, program, threads, "all")
        check(upct, program, 1, UPC_CHECK=1)
        check(upct, program, 4, UPC_CHECK=1)
        # The same cases by each algorithm, wherever it applies.
        for algorithm in ALGORITHMS:
            check(upct, program, 3, UPC_COLL=algorithm)


@pytest.mark.parametrize("compiler", ["gcc -std=c99", "gcc -std=gnu17", "clang -std=c11", "upcc", "upcc -x upc"])
def test_header_declares_what_the_notes_on_gasnet_do(upct, compiler):
    command, *switches = compiler.split()
    if command == "upcc":
        command = upct.tool("upcc")
    upct.check_prints("", [command, *switches, "-Wall", "-Wextra", "-Werror", "-isystem", os.path.join(ROOT, "include"), "-c",
                           os.path.join(FOLDER, "notes.c"), "-o", "notes.o"])


# Of upc_types.h, and below which number all combinations of them are (UPC 1.3, 7.3).
OPERATIONS = "ADD MULT AND OR XOR LOGAND LOGOR MIN MAX".split()
TYPES = ("CHAR UCHAR SHORT USHORT INT UINT LONG ULONG LLONG ULLONG INT8 UINT8 INT16 UINT16 INT32 UINT32 "
         "INT64 UINT64 FLOAT DOUBLE LDOUBLE PTS").split()
FLAGS = "IN_ALLSYNC IN_MYSYNC IN_NOSYNC OUT_ALLSYNC OUT_MYSYNC OUT_NOSYNC".split()


def test_types_are_plain_c_with_constants_for_the_preprocessor(upct):
    """Bits that are all different have different combinations."""
    def bits(names, limit):
        return [f"({' | '.join(f'UPC_{name}' for name in names)}) < {limit}", *(
            f"UPC_{name} > 0 && (UPC_{name} & (UPC_{name} - 1)) == 0" for name in names), *(
            f"(UPC_{a} & UPC_{b}) == 0" for a in names for b in names if a < b)]

    conditions = [*bits(OPERATIONS, 65536), *bits(FLAGS, 64),
                  *(f"UPC_{name} > 0 && UPC_{name} < 65536" for name in TYPES),
                  *(f"UPC_{a} != UPC_{b}" for a in TYPES for b in TYPES if a < b)]
    checks = "\n".join(f"#if !({c})\n#error {c}\n#endif" for c in conditions)
    source = upct.write("types.c", f"#include <upc_types.h>\n{checks}\n"
                        "upc_op_t op = UPC_ADD;\nupc_type_t type = UPC_PTS;\nupc_flag_t flag = UPC_IN_NOSYNC;\n")
    for standard in ("c99", "c11", "gnu17"):
        upct.check_output(["cc", f"-std={standard}", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                           f"-I{ROOT}/include", source])


@pytest.mark.parametrize("header", ["upc", "upc_collective", "upc_atomic", "upc_nb", "upc_castable"])
def test_headers_with_shared_types_say_so_in_c(upct, header):
    result = upct.run(["cc", f"-I{ROOT}/include", "-fsyntax-only", "-x", "c", "-"],
                      stdin=f"#include <{header}.h>\n")
    assert f"error: #error {header}.h is for UPC source: C has no shared types" in result.stderr


def test_headers_without_shared_types_are_for_c_and_cplusplus(upct):
    text = "".join(f"#include <{name}.h>\n" for name in ("gasnet_coll", "gasp", "upc_types", "upc_tick"))
    for language, standard in (("c", "c99"), ("c", "c11"), ("c", "gnu17"), ("c++", "c++11"), ("c++", "c++20")):
        upct.check_output(["c++" if language == "c++" else "cc", f"-std={standard}", "-pedantic-errors", "-Wall",
                           "-Wextra", "-Werror", f"-I{ROOT}/include", "-fsyntax-only", "-x", language,
                           upct.write("headers.c", text)])


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_rounding_is_the_same_in_each_run(upct, threads):
    program = compile_with(upct, "rounding", "O2")
    first = upct.check_output([program, 1], THREADS=threads)
    assert len(first.splitlines()) == 54
    assert "wrong" not in first
    for seed in range(2, 6):
        assert upct.check_output([program, seed], THREADS=threads) == first, f"seed {seed}"


@pytest.mark.parametrize("column", ["O2", "struct"])
def test_no_flag_waits_for_more_than_it_asks_for(upct, column):
    program = compile_with(upct, "early", column)
    for threads in THREADS:
        check(upct, program, threads)
