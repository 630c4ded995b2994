"""Each paragraph of the language: the function that exercises it, in a program of
tests/fixtures/upc2c/rules, and the violations of its constraints, in upc2c/constraints."""

import glob
import os
import re
import zlib

import pytest

from support import FULL, ROOT

FOLDER = os.path.join(ROOT, "tests", "fixtures", "upc2c", "rules")
CONSTRAINTS = os.path.join(ROOT, "tests", "upc2c", "test_constraints.py")
THREADS = (1, 2, 3, 4, 7, 16)

# Section and paragraphs of UPC 1.3; program: function; violations.
PARAGRAPHS = [
    ("6.2 p3", "names: keywords_p3", "keyword_name keyword_function"),
    ("6.3.1 p1", "names: threads_p1", "threads_assigned threads_address"),
    ("6.3.2 p1", "names: mythread_p1", "mythread_step mythread_compound"),
    ("6.3.3 p1", "names: max_block_size_p1", "block_too_large block_star_too_large"),
    ("6.4.1 p1", "sizes: syntax_p1", ""),
    ("6.4.1.1 p1", "sizes: sizeof_p1", ""),
    ("6.4.1.2 p1", "", "localsizeof_private localsizeof_incomplete localsizeof_bit_field"),
    ("6.4.1.2 p2-4", "sizes: localsizeof_p2_p3_p4", ""),
    ("6.4.1.3 p1", "", "blocksizeof_private blocksizeof_incomplete blocksizeof_bit_field"),
    ("6.4.1.3 p2-5", "sizes: blocksizeof_p2_to_p5", ""),
    ("6.4.1.4 p1", "", "elemsizeof_private elemsizeof_bit_field elemsizeof_function"),
    ("6.4.1.4 p2-4", "sizes: elemsizeof_p2_p3_p4", ""),
    ("6.4.2 p1", "", "minus_local equal_local less_local conditional_mixed"),
    ("6.4.2 p2", "", "relational_generic relational_incomplete"),
    ("6.4.2 p3", "arithmetic: indefinite_p3", "generic_arithmetic"),
    ("6.4.2 p4", "arithmetic: equations_p4", ""),
    ("6.4.2 p5-6", "arithmetic: local_addresses_p5_p6", ""),
    ("6.4.2 p7", "arithmetic: equal_p7", ""),
    ("6.4.2 p8", "arithmetic: difference_p8", ""),
    ("6.4.2 p9", "arithmetic: relational_p9", ""),
    ("6.4.3 p1", "casts: null_p1", "local_to_shared local_to_shared_cast integer_to_shared_cast inner_level_cast cast_to_shared"),
    ("6.4.3 p2", "casts: phase_p2", ""),
    ("6.4.3 p3", "casts: generic_p3", ""),
    ("6.4.3 p4-6", "casts: local_p4_p5_p6", "shared_to_local"),
    ("6.4.4 p1", "casts: address_of_member_p1", "bit_field_address"),
    ("6.4.4 p2", "casts: address_of_array_p2", ""),
    ("6.5 p2", "", "strict_and_relaxed strict_and_relaxed_typedef"),
    ("6.5 p3", "", "two_blocks two_blocks_typedef"),
    ("6.5.1.1 p2", "", "strict_alone relaxed_alone"),
    ("6.5.1.1 p3", "qualifiers: anywhere_p3", "member member_pointer member_array"),
    ("6.5.1.1 p4", "", "star_pointer star_cast star_parameter"),
    ("6.5.1.1 p5", "", "star_typedef"),
    ("6.5.1.1 p6", "", "layout_void layout_void_indefinite"),
    ("6.5.1.1 p6-7", "qualifiers: strict_or_relaxed_p6_p7", ""),
    ("6.5.1.1 p8-9", "qualifiers: blocking_factor_p8_p9", "block_negative block_not_constant block_threads"),
    ("6.5.1.1 p10-11", "qualifiers: compatible_p10_p11", "assign_blocks assign_indefinite compare_blocks pass_blocks return_blocks initialise_blocks"),
    ("6.5.1.1 p12", "qualifiers: effective_type_p12", ""),
    ("6.5.1.1 p13", "qualifiers: star_p13", ""),
    ("6.5.1.1 example 2", "", "automatic automatic_pointer"),
    ("6.5.2 p2", "", "two_blocks_pointer"),
    ("6.5.2 p3", "", "strict_and_relaxed_pointer"),
    ("6.5.2 p4", "declarators: storage_p4", "automatic automatic_array register auto parameter parameter_array_shared for_declaration"),
    ("6.5.2 p5", "declarators: thread_zero_p5", ""),
    ("6.5.2.1 p2", "", "threads_missing threads_missing_blocked threads_twice threads_squared threads_added threads_negative threads_pointer threads_typedef threads_cast"),
    ("6.5.2.1 p3", "", "threads_indefinite"),
    ("6.5.2.1 p4", "declarators: initialiser_p4", "initial_mythread initial_excess"),
    ("6.5.2.1 p5-6", "declarators: round_robin_p5_p6", ""),
    ("6.5.2.1 p7", "declarators: phase_p7", ""),
    ("6.5.2.1 example 6", "declarators: example_6", ""),
    ("6.6.1 p2", "barriers: expression_p2", "barrier_pointer notify_record wait_pointer fence_value"),
    ("6.6.1 p3-4", "barriers: phases_p3_p4", ""),
    ("6.6.1 p5", "barriers: fence_p5", ""),
    ("6.6.1 p6", "barriers: null_strict_p6", ""),
    ("6.6.1 p7", "barriers: values_p7", ""),
    ("6.6.1 p8", "barriers: barrier_p8", ""),
    ("6.6.2 p2-3", "forall: syntax_p2_p3", "affinity_missing"),
    ("6.6.2 p4", "", "affinity_pointer affinity_double"),
    ("6.6.2 p7", "forall: affinity_pointer_p7", ""),
    ("6.6.2 p8", "forall: affinity_integer_p8", ""),
    ("6.6.2 p9", "forall: affinity_continue_p9", ""),
    ("6.6.2 p10", "forall: nested_p10", ""),
    ("6.6.2 p11", "forall: clauses_p11", ""),
    ("6.6.2 p13", "forall: jumps_p13", ""),
    ("6.7.1 p1", "directives: outside_p2_p3", "pragma_unknown"),
    ("6.7.1 p2-3", "directives: inside_p3", ""),
    ("6.7.2", "directives: main", ""),
]
PROGRAMS = sorted(os.path.basename(path)[:-4] for path in glob.glob(os.path.join(FOLDER, "*.upc")))
COLUMNS = [(compiler, pts, threads) for compiler in ("gcc", "clang") for pts in ("packed", "struct")
           for threads in (0, *THREADS)]


def columns_of(program):
    """All, or some that are always the same."""
    first = zlib.crc32(program.encode())
    return COLUMNS if FULL else [COLUMNS[first % 14], COLUMNS[14 + first // 14 % 14]]


def test_each_paragraph_has_what_its_row_names(upct):
    with open(CONSTRAINTS) as f:
        violations = set(re.findall(r'^    \("(\w+)",', f.read(), flags=re.M))
    used = set()
    for place, function, names in PARAGRAPHS:
        assert function or names, place
        assert set(names.split()) - violations == set(), f"{place}: violations that are no case"
        if function:
            program, name = function.split(": ")
            with open(os.path.join(FOLDER, program + ".upc")) as f:
                assert len(re.findall(rf"\b{name} \(", f.read())) == 1 + (name != "main"), f"{place}: {function}"
            used.add(program)
    assert sorted(used) == PROGRAMS, "programs"


@pytest.mark.parametrize("name, compiler, pts, threads", [
    (program, *column) for program in PROGRAMS for column in columns_of(program)])
def test_program_is_right(upct, name, compiler, pts, threads):
    switches = ["-Wall", "-Wno-unused", "-Werror", "-O2", f"-fupc-pts={pts}"]
    if threads:
        switches.append(f"-fupc-threads-{threads}")
    program = upct.compile(*switches, os.path.join(FOLDER, name + ".upc"), output=name, UPCC_CC=compiler)
    for n in [threads] if threads else THREADS:
        upct.check_prints("ok\n", [program], THREADS=n)
