"""Objects of the UPC compilers, as their listings in tests/fixtures/abi make them:
linked, and run with every number of threads that is worth a difference."""

import os
import re
from collections import Counter

from harness import case

THREADS = (1, 2, 3, 4, 8, 64)
STRUCT = ["-fupc-pts=struct"]


def listings(program):
    """Every form of PROGRAM, without the suffix .s."""
    folder = os.path.join(os.path.dirname(__file__), "..", "fixtures", "abi")
    found = sorted(f[:-2] for f in os.listdir(folder) if f.startswith(program + ".") and f.endswith(".s"))
    assert found, program
    return found


def link(t, listing):
    return t.link(f"{listing}.s", flags=STRUCT if ".struct" in listing else [])


def expect(t, program, output, *arguments, threads=THREADS):
    for n in threads:
        result = t.run([program, "-n", n, *arguments])
        t.equal(result.stderr, "", f"stderr at {n} threads")
        t.equal(result.stdout, output(n), f"output at {n} threads")
        t.equal(result.returncode, 0, f"status at {n} threads")


@case(each=listings("hello"))
def hello_prints_in_thread_order(t, listing):
    expect(t, link(t, listing),
           lambda n: "".join(f"hello from thread {i} of {n}\n" for i in range(n)))


@case(each=[(p, listing) for p in ("privates", "layouts", "heap", "library") for listing in listings(p)])
def program_checks_itself(t, name, listing):
    threads = [int(n) for n in re.findall(r"threads(\d+)", listing)] or THREADS
    expect(t, link(t, listing), lambda n: f"{name}: done on {n} threads\n", threads=threads)


@case(each=listings("heat"))
def heat_is_the_same_on_any_number_of_threads(t, listing):
    expect(t, link(t, listing), lambda n: "near the edge: 68.9575756442\n")


def most_frequent(path):
    """The model of wordfreq: words are runs of letters, cut to 31, lower case."""
    with open(path, encoding="ascii") as f:
        words = re.findall(r"[a-z]+", f.read().lower())
    counts = Counter(word[:31] for word in words)
    ranks = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return "".join(f"{count:8} {word}\n" for word, count in ranks[:10])


@case(each=listings("wordfreq"))
def wordfreq_agrees_with_its_model(t, listing):
    text = t.fixture("text.txt")
    expect(t, link(t, listing), lambda n: most_frequent(text), text)


@case
def missing_library_functions_are_named(t):
    source = t.write("call.c", "int upc_all_dance (int);\nint upc_main (void) { return upc_all_dance (1); }\n")
    result = t.run([t.tool("upcc"), source, "-o", t.path("prog")])
    t.check(result.returncode != 0, "it links")
    t.check("upc_all_dance" in result.stderr, result.stderr)
    t.check(not os.path.exists(t.path("prog")), "a program is there")


@case
def compiled_in_thread_count_is_kept(t):
    program = t.link("layouts.O2.threads4.s")
    for command, environment in (
            ([program], {}), ([program, "-n", "4"], {}), ([program, "-fupc-threads-4"], {}),
            ([program], {"THREADS": 4}), ([program], {"UPC_THREADS": 4})):
        t.equal(t.good(command, **environment), "layouts: done on 4 threads\n")


@case(each=[(cc, level) for cc in ("gcc", "clang") for level in ("-O0", "-O2")])
def inlined_page_cache(t, cc, level):
    compiled = t.path("pages.o")
    t.good([cc, level, "-Wall", "-Werror", "-c", t.fixture("run/pages.c"), "-o", compiled])
    # A block of 100 MiB; the race detector's partitions are of 256 MiB.
    expect(t, t.link(compiled), lambda n: f"pages: done on {n} threads\n", threads=(2, 3, 8))
