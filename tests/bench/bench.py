"""Runs the benchmarks of a build, prints the table of ratios and writes it to
BUILD/bench/results.tsv, a row a measure, for a plot.

The programs print samples (see bench.h). Here they become medians; the ratio is
the median of the ratios of neighbouring samples, with their quartiles. A target is
met when half of the neighbours or more meet it."""

import argparse
import itertools
import json
import os
import re
import shutil
import statistics
import subprocess
import sys

import counts
import kernels
from measures import Measure

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

COLUMNS = [("measure", 34), ("ours", 10), ("unit", 4), ("reference", 16), ("theirs", 10),
           ("ratio", 7), ("quartiles", 15), ("target", 13), ("", 6)]


def run_program(command, environment):
    """Yields the measures that COMMAND prints, each when it is complete."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                               env={**os.environ, **environment})
    measure = None
    for line in process.stdout:
        kind, *fields = line.rstrip("\n").split("\t")
        if kind == "sample":
            measure.samples.append(tuple(map(float, fields)))
        else:
            if measure:
                yield measure
            measure = Measure(*fields)
    if process.wait() != 0:
        sys.exit(f"bench: error: {' '.join(command)}: status {process.returncode}")
    if measure:
        yield measure


def spawn(folder, clock, name, reference, target, samples, ours, theirs):
    return [f"{folder}/spawn", clock, name, reference, target, str(samples),
            f"{folder}/{ours}", f"{folder}/{theirs}"]


# Phases of ten microseconds of work, in short runs and a long one.
PHASES = [(2, 1, 3000), (2, 2, 3000), (4, 1, 1500), (4, 2, 1500), (64, 1, 100), (64, 2, 100), (4, 2, 15000)]


def phases_beside_load(folder, only):
    """Runs beside programs that compute: each way to wait loses slices to them."""
    for threads, others, phases in PHASES:
        name = f"sync/phases-{threads}-beside-{others}" + ("-long" if phases > 10000 else "")
        if only not in name:
            continue
        work = f"{phases} 40000"
        adaptive = f"{folder}/beside {others} {folder}/phases {work}"
        for reference, target, theirs in [
                ("UPC_WAIT=sleep", "<= 1.3 ref", f"env UPC_WAIT=sleep {adaptive}"),
                ("libgomp passive", "<= ref", f"{folder}/beside {others} {folder}/phases-omp {work}")]:
            yield ([f"{folder}/spawn", "wall", name, reference, target, "5" if phases > 10000 else "15", adaptive, theirs],
                   {"THREADS": str(threads), "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"})


def translations(folder, only):
    """The translator beside the compiler that reads what it wrote, and beside itself."""
    upc2c = f"{os.path.dirname(folder)}/bin/upc2c -w -o /dev/null {folder}"
    for name, samples in [("plain-c", 21), ("cg", 21), ("lines-10000", 3)]:
        if only in f"upc/translate-{name}":
            yield ([f"{folder}/spawn", "cpu", f"upc/translate-{name}", "cc -O2", "<= ref", str(samples),
                    f"{upc2c}/{name}.upci", f"cc -O2 -w -c -o /dev/null {folder}/{name}.i"], {})
    if only in "upc/translate-lines-100000":
        yield ([f"{folder}/spawn", "cpu", "upc/translate-lines-100000", "10,000 lines", "<= 11 ref", "7",
                f"{upc2c}/lines-100000.upci", f"{upc2c}/lines-10000.upci"], {})


def compilations(folder, only):
    """4,000 lines of accesses to shared arrays, and 54 loops over such, beside those of private ones."""
    upcc = f"{os.path.dirname(folder)}/bin/upcc"
    for name, source in [("compile", "accesses"), ("compile-loops", "loops")]:
        for level in ["O0", "O2"]:
            if only in f"upc/{name}-{level}":
                yield ([f"{folder}/spawn", "cpu", f"upc/{name}-{level}", "private", "<= 2 ref", "5",
                        f"{upcc} -{level} -c -o /dev/null {folder}/{source}-shared.upc",
                        f"cc -{level} -c -o /dev/null {folder}/{source}-private.c"], {})


def real_programs(folder, only):
    """The same objects linked by upcc and natively; one thread."""
    for program in ["lua fib", "lua nbody", "lua spectral", "lua strings", "lua tables", "zlib", "bzip2", "sqlite",
                    "expat", "jpeg", "kernel"]:
        name, *words = program.split()
        for kind, target in [("native", "<= 1.05 ref"), ("tls", "<= 1.02 ref")]:
            label = "real/" + program.replace(" ", "-") + (f"-{kind}" if kind == "tls" else "")
            if only in label and os.path.exists(f"{folder}/{name}-{kind}"):
                ours, theirs = (" ".join([f"{name}-{which}", *words]) for which in ("upc", kind))
                reference = "native" if kind == "native" else "__thread"
                yield (spawn(folder, "cpu", label, reference, target, 21, ours, theirs), {"THREADS": "1"})


def nas_programs(folder, only):
    """Programs with plain accesses to shared data, and the same with OpenMP."""
    for program, target in [("mg 20", "<= 1.5 ref"), ("cg 400", "<= 1.1 ref"), ("ft 20", "<= 1.1 ref")]:
        name, work = program.split()
        for threads in [1, 2]:
            label = f"nas/{name}-{threads}"
            if only in label:
                yield (spawn(folder, "wall", label, "OpenMP", target, 15, f"nas-{name} {work}", f"nas-{name}-omp {work}"),
                       {"THREADS": str(threads), "OMP_NUM_THREADS": str(threads)})


# What checks may cost: programs of loops, and whole programs.
CHECKS = [("check", "checked", 1.3), ("asan", "asan", 2.5)]


def checked_programs(folder, only):
    """Whole programs with checks, start and all."""
    for family, kind, times in CHECKS:
        for program in ["cg", "fft", "is"]:
            name = f"{family}/program-{program}"
            if only in name and os.path.exists(f"{folder}/{program}-program-{kind}"):
                yield (spawn(folder, "cpu", name, "plain -O2", f"<= {times} ref", 21, f"{program}-program-{kind}",
                             f"{program}-program"), {"THREADS": "1"})


def rewriting(folder, only):
    """upc-privatize on a large object, at 50 MiB/s or more, beside a plain copy of it."""
    archive, merged = "/usr/lib/x86_64-linux-gnu/libsqlite3.a", f"{folder}/merged.o"
    if only not in "tool/privatize-sqlite" or not os.path.exists(archive):
        return
    subprocess.run(["ld", "-r", "--whole-archive", archive, "-o", merged], check=True)
    target = f"<= {os.path.getsize(merged) * 1000000 // (50 << 20)}"
    tool = f"{os.path.dirname(folder)}/bin/upc-privatize {merged} -o {folder}/private.o"
    yield ([f"{folder}/spawn", "cpu", "tool/privatize-sqlite", "objcopy", target, "21", tool,
            f"objcopy {merged} {folder}/copy.o"], {})


def together(measures):
    """What programs of real size cost altogether: the geometric mean, sample by sample."""
    real = [m for m in measures if m.name.startswith("real/") and m.reference == "native"]
    if len(real) < 2:
        return []
    mean = Measure("real/geometric-mean", "us", "native", "<= 1.02 ref")
    for samples in zip(*(m.samples for m in real)):
        mean.samples.append(tuple(statistics.geometric_mean(column) for column in zip(*samples)))
    return [mean]


def commands(folder, only, full):
    """Every (command, environment) that has measures with ONLY in their names."""
    for name in ["access", "copy", "heap", "private", "library", "inline"]:
        yield [f"{folder}/{name}", only], {"THREADS": "2"}
    for name in ["gasp-none", "gasp-count"]:
        yield [f"{folder}/{name}", only], {"THREADS": "1"}
    for threads in [2, 8, 64]:
        yield [f"{folder}/coll", only], {"THREADS": str(threads)}
    for threads in [2, 8, 64, 256]:
        policy = "active" if threads == 2 else "passive"
        yield [f"{folder}/sync", only], {"THREADS": str(threads), "OMP_WAIT_POLICY": policy}
    for threads in [2, 8, 32]:
        yield [f"{folder}/waiting", only], {"THREADS": str(threads)}
    for name, pairs in [("sync/handover-4", 1), ("sync/handover-2x2", 2)]:
        if only in name:
            yield (spawn(folder, "wall", name, "2 threads", "<= 5 ref", 21, f"handover -n 4 {pairs}",
                         "handover -n 2"), {})
    yield from phases_beside_load(folder, only)
    for threads in [1, 2, 8, 64, 256, 1024]:
        name = f"start/hello-{threads}"
        if only in name:
            target = "<= 1.3 ref" if threads == 8 else f"<= {2000 + 60 * threads}"
            yield (spawn(folder, "wall", name, "plain pthreads", target, 21, "hello", "hello-pthreads"),
                   {"THREADS": str(threads)})
    # A gibibyte of zeros for each; 64 MiB of other values, of which a thread reads a page.
    for threads, data, target in [(8, "zeros", "<= 1.3 ref"), (1024, "zeros", "<= 50000"), (8, "values", "")]:
        name = f"start/{data}-{threads}"
        if only in name:
            yield (spawn(folder, "wall", name, "without them", target, 21, f"hello-{data}", "hello"),
                   {"THREADS": str(threads)})
    for threads in [2, 1, 8]:
        yield [f"{folder}/upc", only], {"THREADS": str(threads)}
    for name in ["loops", "loops-fixed", "patterns", "patterns-fixed", "gups", "gups-fixed", "io"]:
        yield [f"{folder}/{name}", only], {"THREADS": "2"}
    for name in kernels.chosen(only, full):
        yield [f"{folder}/kernels-{name}", only], {"THREADS": "2"}
    # They are traced whatever they measure.
    for program, names in [("trace", ["trace/event", "trace/event-function", "trace/event-get"]),
                           ("traced", [f"trace/loop-{name}" for name in ("get", "get-blocked", "get-in-order", "put", "update")])]:
        if any(only in name for name in names):
            yield ([f"{folder}/{program}", only],
                   {"THREADS": "2", "UPC_TRACE": f"{folder}/bench.trace", "UPC_TRACE_REPORT": "no"})
    yield [f"{folder}/watching", only], {"THREADS": "2"}
    yield from translations(folder, only)
    yield from compilations(folder, only)
    yield from rewriting(folder, only)
    yield from nas_programs(folder, only)
    yield from checked_programs(folder, only)
    yield from real_programs(folder, only)


def profiled(folder, only):
    """What the profile of a trace says of a function, beside the same work timed by hand: of
    work that is one chain of operations, and of operations that do not wait for each other."""
    trace, measures = f"{folder}/bench.trace", {}
    for work in ["chain", "sums"] if only in "trace/profile-time" else []:
        measures[work] = [Measure(f"trace/profile-time-{work}", "ms", "by hand", target)
                          for target in ("<= 1.05 ref", ">= 0.95 ref")]
    for _ in range(9 if measures else 0):
        by_hand = subprocess.run([f"{folder}/trace", "profile"], check=True, capture_output=True, text=True,
                                 env={**os.environ, "THREADS": "1", "UPC_TRACE": trace}).stdout
        with open(f"{trace}/report.html") as page:
            data = json.loads(re.search(r'id="data">(.*?)</script>', page.read(), re.S)[1])
        traced = {data["site"][place][0]: values[1] for place, *values in data["calls"]}
        for work, ns in (line.split() for line in by_hand.splitlines()):
            for measure in measures[work]:
                measure.samples.append((traced[work] / 1e6, float(ns) / 1e6))
    yield from itertools.chain(*measures.values())


MPI = {"mpich": "MPICH", "openmpi": "Open MPI"}
MPI_ROUNDS = 7


def pair_times(command, **environment):
    """What a program of moves.h prints: nanoseconds by (function, bytes)."""
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=120,
                            env={**os.environ, **environment})
    if result.returncode != 0:
        sys.exit(f"bench: error: {' '.join(command)}: status {result.returncode}")
    rows = [line.split() for line in result.stdout.splitlines()]
    return {(name, int(size)): float(ns) for name, size, ns in rows}


def beside_mpi(folder, only):
    """Measures of our collective functions beside those of each MPI that is there, in two
    threads and in two processes that take turns. All of them take minutes: only=mpi has them,
    and no word at all."""
    if only and "mpi" not in only:
        return
    found = []
    for library in MPI:
        if os.path.exists(f"{folder}/coll-{library}") and shutil.which(f"mpirun.{library}"):
            found.append(library)
        else:
            print(f"mpi/…: no {MPI[library]} to compare with; Debian's packages are "
                  + {"mpich": "mpich libmpich-dev", "openmpi": "openmpi-bin libopenmpi-dev"}[library])
    measures = {}
    for _ in range(MPI_ROUNDS if found else 0):
        ours = pair_times([f"{folder}/coll-pair", only], THREADS="2")
        for library in found:
            theirs = pair_times([f"mpirun.{library}", "-n", "2", f"{folder}/coll-{library}", only],
                                OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
            for (name, size), ns in theirs.items():
                target = "<= 0.5 ref" if size <= 4096 else "<= 0.833 ref"
                measure = measures.setdefault(
                    (library, name, size), Measure(f"mpi/{name}-{size}", "ns", MPI[library], target))
                measure.samples.append((ours[name, size], ns))
    yield from measures.values()


# What bounds ours in time, of programs of two processes; what is not here is at most 1.1 of MPI's.
NETWORK_TARGETS = {"get-8": 1.2, "put-8": 1.2, "puts-8": 1 / 0.9, "get-1048576": 1 / 0.95, "put-1048576": 1 / 0.95, "barrier-0": 1.2,
                   "updates-8": 1 / 0.9, "stencil-16384": 1.25, "transpose-256": 1.25}
# The ways in which processes reach each other: the name in a measure, with which MPI, its settings, how often. MPICH
# has no setting that keeps its windows out of memory.
NETWORK_WAYS = (("", tuple(MPI), {}, "1"),
                ("tcp-", ("openmpi",), {"UPC_NETWORK_SHARED": "1", "OMPI_MCA_btl": "tcp,self", "OMPI_MCA_pml": "ob1",
                                        "OMPI_MCA_osc": "pt2pt"}, "0.1"))


def network_words(only, way):
    """What the programs of network.h are told of ONLY; None: nothing of this way is wanted."""
    if not only.startswith(f"network/{way}"):
        return "" if f"network/{way}".startswith(only) else None
    if way == "" and only.startswith("network/tcp-"):
        return None
    return f"network/{re.sub('-(mpich|openmpi)$', '', only.removeprefix(f'network/{way}'))}"


def beside_windows(folder, only):
    """Measures of programs of two processes beside MPI's own programs of the same work, and of local accesses
    beside the program of one process, in memory that the processes share and over TCP. Those take turns."""
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    measures = {}
    for way, libraries, settings, times in NETWORK_WAYS:
        word = network_words(only, way)
        found = [m for m in libraries if word is not None and os.path.exists(f"{folder}/network-{m}")]
        for library, _ in itertools.product(found, range(MPI_ROUNDS)):
            start = [f"mpirun.{library}", "-n", "2"]
            mine = pair_times([*start, f"{folder}/network-{library}", word, times], **root, **settings)
            theirs = pair_times([*start, f"{folder}/network-{library}-raw", word, times], **root, **settings)
            alone = pair_times([f"{folder}/network-alone", word, times])
            for (name, size), ns in mine.items():
                bound = NETWORK_TARGETS.get(f"{name}-{size}", 1.1)
                against, other = ("one process", alone) if name == "local" else (MPI[library], theirs)
                measure = measures.setdefault((way, library, name, size), Measure(
                    f"network/{way}{name}-{size}-{library}", "ns", against, f"<= {bound:.3g} ref"))
                measure.samples.append((ns, other[name, size]))
    yield from (m for m in measures.values() if only in m.name)


def in_turns(commands):
    """Lines of programs that take turns, sample by sample: tuples, one of each."""
    programs = [subprocess.Popen([*command, "in turns"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                 env={**os.environ, "THREADS": "2"}) for command in commands]
    while True:
        lines = []
        for program in programs:
            try:
                print(file=program.stdin, flush=True)
            except BrokenPipeError:
                pass
            lines.append(program.stdout.readline().split("\t"))
        if lines[0] == [""]:
            break
        yield lines
    if any(program.wait() for program in programs):
        sys.exit(f"bench: error: {commands[0][0]} or {commands[1][0]} has failed")


def checked(folder, only):
    """Loops with checks beside the same without. Like those of beside_mpi they are many: only=check/
    has them, only=asan/loop some of AddressSanitizer's."""
    for family, kind, times in CHECKS:
        if not only.startswith(f"{family}/"):
            continue
        for program in ["upc", "loops", "loops-fixed", "patterns", "patterns-fixed"]:
            measure = None
            if not os.path.exists(f"{folder}/{program}-{kind}"):
                continue
            words = [only[len(family) + 1:]]
            for ours, plain in in_turns([[f"{folder}/{program}-{kind}", *words], [f"{folder}/{program}", *words]]):
                if ours[0] == "sample":
                    measure.samples.append((float(ours[1]), float(plain[1])))
                    continue
                if measure:
                    yield measure
                target = f"<= {times} ref" if ours[2] == "ns" else f">= {1 / times:.2f} ref"
                measure = Measure(f"{family}/{ours[1]}", ours[2], "plain -O2", target)
            if measure:
                yield measure


def print_row(cells):
    aligned = [f"{cell:<{width}}" if title in ("measure", "unit", "reference", "target", "")
               else f"{cell:>{width}}" for cell, (title, width) in zip(cells, COLUMNS)]
    print("  ".join(aligned).rstrip(), flush=True)


def number(value):
    return f"{value:.0f}" if value >= 1000 else f"{value:.2f}"


def print_measure(m):
    spread = f"{m.quartile1:.2f} .. {m.quartile3:.2f}"
    verdict = {None: "", True: "met", False: "MISSED"}[m.is_met()]
    print_row([m.name, number(m.ours), m.unit, m.reference, number(m.theirs),
               f"{m.ratio:.3f}", spread, m.target, verdict])


def write_results(path, measures):
    with open(path, "w") as f:
        print("name", "ours", "reference", "theirs", "ratio", "quartile1", "quartile3",
              "samples", "unit", "target", "met", sep="\t", file=f)
        for m in measures:
            met = {None: "", True: "yes", False: "no"}[m.is_met()]
            print(m.name, f"{m.ours:.6g}", m.reference, f"{m.theirs:.6g}", f"{m.ratio:.4f}",
                  f"{m.quartile1:.4f}", f"{m.quartile3:.4f}", len(m.samples), m.unit, m.target,
                  met, sep="\t", file=f)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", default="", help="measures with this in their names")
    parser.add_argument("--full", action="store_true", help="loops compiled in all ways, not a sample")
    options = parser.parse_args()
    folder = os.path.join(ROOT, options.build, "bench")
    print_row([title for title, _ in COLUMNS])
    measures = []
    programs = (run_program(*command) for command in commands(folder, options.only, options.full))
    for measure in itertools.chain(*programs, profiled(folder, options.only), beside_mpi(folder, options.only),
                                   beside_windows(folder, options.only), checked(folder, options.only),
                                   counts.instructions(folder, options.only)):
        measure.finish()
        print_measure(measure)
        measures.append(measure)
    for measure in together(measures):
        measure.finish()
        print_measure(measure)
        measures.append(measure)
    if not measures:
        sys.exit(f"bench: error: no measure has '{options.only}' in its name")
    path = os.path.join(folder, "results.tsv")
    write_results(path, measures)
    verdicts = [m.is_met() for m in measures]
    print(f"{verdicts.count(True)} targets met, {verdicts.count(False)} missed; "
          f"{os.path.relpath(path)}")


if __name__ == "__main__":
    main()
