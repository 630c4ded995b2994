"""clang-tidy finds nothing in the product's C (.clang-tidy), and clang-format nothing to change
(.clang-format). Names are the terms of docs/glossary.md."""

import glob
import re
import shutil
import subprocess

import pytest

from support import ROOT

pytestmark = pytest.mark.host_only("the sources are the same")

# What SConscript files define for single sources.
DEFINES = ['-DUPCC_CC="cc"', '-DUPCC_SANITIZE=""']


def sources(suffix="c"):
    """The runtime, the tools, upc-privatize."""
    return sorted(path for folder in ("runtime", "privatize", "tools")
                  for path in glob.glob(f"{folder}/**/*.{suffix}", root_dir=ROOT, recursive=True))


def mpi_headers():
    """The switches by which mpi.h is found; none where there is no MPI."""
    if not shutil.which("mpicc"):
        return []
    shown = subprocess.run(["mpicc", "-show"], text=True, capture_output=True).stdout
    return [word for word in shown.split() if word.startswith("-I")]


@pytest.mark.no_sanitizers("the sources are the same")
@pytest.mark.parametrize("part", range(4))
def test_clang_tidy_finds_nothing(upct, part):
    if not shutil.which("clang-tidy"):
        pytest.skip("clang-tidy is not installed")
    aarch64 = [path for path in sources() if path.startswith("privatize/arch/aarch64/")]
    network = [path for path in sources() if path.startswith("runtime/net/") or "/network/" in path]
    mpi = mpi_headers()
    if not mpi:
        network = [path for path in network if not path.startswith("runtime/net/mpi")]
    chosen = [path for path in sources() if path not in aarch64 + network and not path.startswith("runtime/net/mpi")][part::4]
    assert len(chosen) > 20 and aarch64 and network
    for files, defines in ((chosen, DEFINES), (aarch64[part::4], ["-DPRIVATIZE_TARGET_AARCH64"]),
                           (network[part::4], ["-DUPCR_NETWORK", *mpi])):
        upct.check_output(["clang-tidy", "--quiet", *files, "--", "-std=gnu11", "-D_GNU_SOURCE", *defines,
                           "-Iinclude", "-I."], cwd=ROOT)


@pytest.mark.no_sanitizers("the sources are the same")
def test_clang_tidy_finds_a_defect(upct):
    if not shutil.which("clang-tidy"):
        pytest.skip("clang-tidy is not installed")
    source = upct.write("wrong.c", "int f (int n);\nint f (int n) { for (char i = 0; i < n; i++) n--; return n; }\n")
    result = upct.run(["clang-tidy", "--quiet", f"--config-file={ROOT}/.clang-tidy", source, "--"])
    assert "bugprone-too-small-loop-variable" in result.stdout and result.returncode != 0


@pytest.mark.no_sanitizers("the sources are the same")
def test_clang_format_changes_nothing(upct):
    if not shutil.which("clang-format"):
        pytest.skip("clang-format is not installed")
    if "version 14." not in upct.check_output(["clang-format", "--version"]):
        pytest.skip("other versions of clang-format than 14 format otherwise")
    chosen = sources("[ch]") + sorted(glob.glob("include/**/*.h", root_dir=ROOT, recursive=True))
    assert len(chosen) > 300
    upct.check_output(["clang-format", "--dry-run", "-Werror", *chosen], cwd=ROOT)


# A word that has a standard term, where it may not stand in a name.
REPLACED = {
    "crowd": "oversubscribed", "crowded": "oversubscribed", "patience": "spin budget", "seats": "CPU placement",
    "population": "run-queue load", "nudge": "kick", "rendezvous": "combining tree", "own_range": "one_block",
    "sureness": "single-valuedness", "steady": "loop-invariant", "peel": "strip_parens", "captured": "buffered",
    "board": "mailbox", "anchor": "code start", "follower": "copied tail",
}


@pytest.mark.no_sanitizers("the sources are the same")
@pytest.mark.parametrize("word", sorted(REPLACED))
def test_names_are_standard_terms(word):
    found = []
    for path in sources("[ch]"):
        with open(f"{ROOT}/{path}") as text:
            found += [f"{path}: {line.strip()}" for line in text if re.search(rf"(?<![a-z]){word}(?![a-z])", line)]
        assert word not in path
    assert not found, f"the term is {REPLACED[word]}"
