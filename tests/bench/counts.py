"""Instructions of what programs do most, counted in qemu: those that thread 0 executes between the
first one of a function of counted.upc and the call after it, less those of a function that only returns."""

import os
import re
import shutil
import subprocess

from measures import Measure

MACHINES = ("aarch64", "x86_64")
COMPILERS = ("gcc", "clang")
# Each thread has its own count of them.
STEP = re.compile(r"Trace (\d+): \S+ \[[0-9a-f]+/([0-9a-f]+)/")
# Beside the same of thread-local variables.
PRIVATE = {"get": "<= ref + 2", "put": "<= ref + 2", "add": "<= ref + 2", "element": "<= ref + 2", "element_put": "<= ref + 2",
           "two": "<= ref + 4", "address": "<= ref + 2", "loop": "<= 1.02 ref"}
# Beside those of the other processor, in the same program.
OTHERS = ("shared_get", "shared_put", "shared_get_blocked", "shared_get_own", "shared_get_strict", "lock", "lock_attempt",
          "barrier_last", "notify_first")


def symbols(program):
    """{address: name of a counted function}, and where the program's code begins and ends."""
    lines = [line.split() for line in subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout.splitlines()]
    code = [int(words[0], 16) for words in lines if len(words) == 3 and words[1] in "tT"]
    return ({int(words[0], 16): words[2].removeprefix("counted_") for words in lines if re.fullmatch(r"counted_\w+", words[-1])},
            min(code), max(code))


def steps(program, machine):
    """Yields (thread, address) of each instruction of the program's own code."""
    names, begin, end = symbols(program)
    log = f"{program}.log"
    environment = {"THREADS": "2", "UPC_SHARED_HEAP_SIZE": "64M", "UPC_DEADLOCK": "off", "QEMU_LD_PREFIX": f"/usr/{machine}-linux-gnu"}
    subprocess.run([f"qemu-{machine}", "-singlestep", "-d", "exec,nochain", "-dfilter", f"{begin:#x}..{end + 4096:#x}", "-D", log, program],
                   check=True, timeout=300, env={**os.environ, **environment})
    with open(log, encoding="ascii", errors="replace") as lines:
        for line in lines:
            if match := STEP.match(line):
                yield match[1], int(match[2], 16)
    os.remove(log)


def counted(program, machine):
    """{name: how many each call took but the first}, which may bind functions."""
    names, _, _ = symbols(program)
    found, running = {}, {}
    for thread, address in steps(program, machine):
        name = names.get(address)
        if name == "end" and thread in running:
            what, count = running.pop(thread)
            found.setdefault(what, []).append(count)
        elif name and name != "end":
            running[thread] = (name, 0)
        if thread in running:
            running[thread] = (running[thread][0], running[thread][1] + 1)
    nothing = found.pop("nothing")[1]
    return {name: [count - nothing for count in counts[1:]] for name, counts in found.items()}


def is_there(program, machine):
    if os.path.exists(program) and shutil.which(f"qemu-{machine}"):
        return True
    print(f"instructions/{machine}/…: no program or no emulator to count in; see docs/compiling.md", flush=True)
    return False


def measure(name, reference, target, ours, theirs):
    result = Measure(f"instructions/{name.replace('_', '-')}", "", reference, target)
    result.samples = list(zip(ours, theirs))
    return result


def instructions(folder, only):
    """only=instructions/ has them, as they are no times; only=instructions/aarch64-gcc/ some of them."""
    if not only.startswith("instructions/"):
        return
    counts = {(machine, compiler): counted(f"{folder}/counted-{machine}-{compiler}", machine)
              for machine in MACHINES for compiler in COMPILERS if is_there(f"{folder}/counted-{machine}-{compiler}", machine)}
    for (machine, compiler), found in counts.items():
        way = f"{machine}-{compiler}"
        rows = [measure(f"{way}/private_{name}", "__thread", target, found[f"private_{name}"], found[f"thread_local_{name}"])
                for name, target in PRIVATE.items()]
        other = counts.get(("x86_64", compiler))
        if machine == "aarch64" and other:
            rows += [measure(f"{way}/{name}", "x86-64", "", found[name], other[name]) for name in OTHERS]
        yield from (row for row in rows if only in row.name)
