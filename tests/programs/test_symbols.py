"""The names that libupc.a gives to compiled programs: exactly those of
tests/fixtures/abi/symbols.txt, in both representations of a pointer-to-shared."""

import os

import pytest


def exported(upct, library):
    """Lines `KIND NAME`; kinds are those of nm, T for text, W weak, and so on. Names
    of upcr_… are the runtime's own, between its files; a sanitized library has some more."""
    output = upct.check_output(["nm", "--extern-only", "--defined-only", "--format=posix",
                                os.path.join(upct.build, "lib", "upct", library)])
    words = [line.split() for line in output.splitlines() if len(line.split()) >= 2]
    return sorted({f"{kind} {name}" for name, kind, *_ in words
                   if not name.startswith(("upcr_", "__wrap_upcr_", "__odr_asan", "__asan", "__upc_poisonings"))})


@pytest.mark.parametrize("library", ["libupc.a", "libupc-struct.a"])
def test_exported_names_are_the_listed_ones(upct, library):
    with open(upct.fixture("abi/symbols.txt"), encoding="ascii") as f:
        listed = sorted(line.strip() for line in f if line.strip() and line[0] != "#")
    got = exported(upct, library)
    assert sorted(set(got) - set(listed)) == [], "not listed"
    assert sorted(set(listed) - set(got)) == [], "missing"
