"""Objects of the UPC compilers, as their listings in tests/fixtures/abi make them:
linked, and run with every number of threads that is worth a difference."""

import os
import re
from collections import Counter

import pytest

pytestmark = [pytest.mark.tsan, pytest.mark.emulated, pytest.mark.sample(2)]

THREADS = (1, 2, 3, 4, 8, 64)
STRUCT = ["-fupc-pts=struct"]


def listings(program):
    """Every form of PROGRAM, without the suffix .s."""
    folder = os.path.join(os.path.dirname(__file__), "..", "fixtures", "abi")
    found = sorted(f[:-2] for f in os.listdir(folder) if f.startswith(program + ".") and f.endswith(".s"))
    assert found, program
    return found


def link(upct, listing):
    return upct.link(f"{listing}.s", flags=STRUCT if ".struct" in listing else [])


def expect(upct, program, output, *arguments, threads=THREADS):
    for n in threads:
        result = upct.run([program, "-n", n, *arguments])
        assert result.stderr == "", f"stderr at {n} threads"
        assert result.stdout == output(n), f"output at {n} threads"
        assert result.returncode == 0, f"status at {n} threads"


@pytest.mark.parametrize("listing", listings("hello"))
def test_hello_prints_in_thread_order(upct, listing):
    expect(upct, link(upct, listing),
           lambda n: "".join(f"hello from thread {i} of {n}\n" for i in range(n)))


@pytest.mark.parametrize("name, listing", [
    (p, listing) for p in ("privates", "layouts", "heap", "library") for listing in listings(p)])
def test_program_checks_itself(upct, name, listing):
    threads = [int(n) for n in re.findall(r"threads(\d+)", listing)] or THREADS
    expect(upct, link(upct, listing), lambda n: f"{name}: done on {n} threads\n", threads=threads)


@pytest.mark.parametrize("listing", listings("heat"))
def test_heat_is_the_same_on_any_number_of_threads(upct, listing):
    expect(upct, link(upct, listing), lambda n: "near the edge: 68.9575756442\n")


def most_frequent(path):
    """The model of wordfreq: words are runs of letters, cut to 31, lower case."""
    with open(path, encoding="ascii") as f:
        words = re.findall(r"[a-z]+", f.read().lower())
    counts = Counter(word[:31] for word in words)
    ranks = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return "".join(f"{count:8} {word}\n" for word, count in ranks[:10])


@pytest.mark.parametrize("listing", listings("wordfreq"))
def test_wordfreq_agrees_with_its_model(upct, listing):
    text = upct.fixture("text.txt")
    expect(upct, link(upct, listing), lambda n: most_frequent(text), text)


def test_missing_library_functions_are_named(upct):
    source = upct.write("call.c", "int upc_all_dance (int);\nint upc_main (void) { return upc_all_dance (1); }\n")
    result = upct.run([upct.tool("upcc"), source, "-o", upct.path("prog")])
    assert result.returncode != 0, "it links"
    assert "upc_all_dance" in result.stderr
    assert not os.path.exists(upct.path("prog")), "a program is there"


def test_compiled_in_thread_count_is_kept(upct):
    program = upct.link("layouts.O2.threads4.s")
    for command, environment in (
            ([program], {}), ([program, "-n", "4"], {}), ([program, "-fupc-threads-4"], {}),
            ([program], {"THREADS": 4}), ([program], {"UPC_THREADS": 4})):
        assert upct.check_output(command, **environment) == "layouts: done on 4 threads\n"


@pytest.mark.only_x86_64("GNU and Clang UPC make code for x86-64")
@pytest.mark.parametrize("cc, level", [(cc, level) for cc in ("gcc", "clang") for level in ("-O0", "-O2")])
def test_inlined_page_cache(upct, cc, level):
    compiled = upct.path("pages.o")
    upct.check_output([cc, level, "-Wall", "-Werror", "-c", upct.fixture("run/pages.c"), "-o", compiled])
    # A block of 100 MiB; the race detector's partitions are of 256 MiB.
    expect(upct, upct.link(compiled), lambda n: f"pages: done on {n} threads\n", threads=(2, 3, 8))
