"""The ways in which kernels.upc is compiled. A name such as `4-pointers-O3` has the size of blocks and what is
not as in the plainest way: static arrays, any number of threads, gcc -O2, each loop in a function of its own."""

import itertools
import shutil

BLOCKS = [1, 2, 4, 8, 16, 48, 1000]
WORDS = {
    "pointers": "-DPOINTERS",    # to arrays from upc_all_alloc
    "fixed": "-T 2",             # THREADS
    "clang": "",
    "O3": "-O3 -march=native",
    "one": "-DIN_ONE",           # all loops in one large function
}

# In these each two words come together, and each block size comes.
SAMPLE = ["1", "1-pointers-fixed-O3", "2-clang-one", "4-pointers-clang-O3", "8-fixed-clang", "16-pointers-one",
          "48-fixed-O3-one", "1000-pointers"]


def every_way():
    for block in BLOCKS:
        for count in range(len(WORDS) + 1):
            for words in itertools.combinations(WORDS, count):
                yield "-".join([str(block), *words])


def chosen(only, full):
    """Those of the sample, or with FULL all; and those that ONLY names, as in loop/copy/4-clang."""
    family, *rest = only.split("/")
    way = rest[1] if family == "loop" and len(rest) == 2 else ""
    names = [name for name in every_way() if full or name in SAMPLE or (way and name.startswith(way))]
    return [name for name in names if "clang" not in name or shutil.which("clang")]


def command(name, upcc):
    """What compiles it, but for the source."""
    block, *words = name.split("-")
    level = [] if "O3" in words else ["-O2"]
    compiler = "UPCC_CC=clang " if "clang" in words else "UPCC_CC=gcc "
    return compiler + " ".join([upcc, *level, f"-DBLOCK={block}", f"'-DKIND=\"{name}\"'",
                                *(WORDS[word] for word in words)])
