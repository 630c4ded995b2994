"""Programs for another processor: compilers and binutils by their usual names, and the emulator."""

import functools
import os
import re
import shutil

# Target: the machine in the header of its ELF files, its emulator.
MACHINES = {"aarch64-linux-gnu": (183, "qemu-aarch64")}
# Those that make programs for each target, which they are told; the other tools have its name in front.
WITH_SWITCH = ("upcc", "upc", "gupc", "upc2c", "clang", "clang++")


def write_script(path, text):
    """All workers may write it at the same time, and some run it already."""
    new = f"{path}.{os.getpid()}"
    with open(new, "w") as file:
        file.write(text)
    os.chmod(new, 0o755)
    os.replace(new, path)


@functools.cache
def tools(build, target):
    """A folder with the tools for TARGET, to be the first one of PATH."""
    folder = os.path.join(build, "tests", target, "bin")
    os.makedirs(folder, exist_ok=True)
    commands = {name: shutil.which(f"{target}-{name}") for name in
                ("addr2line", "ar", "as", "g++", "gcc", "gcov", "ld", "nm", "objcopy", "objdump", "ranlib", "readelf", "size",
                 "strings", "strip")}
    # The target's gcc looks for ld.lld by that name.
    commands |= {"cc": commands["gcc"], "c++": commands["g++"], f"{target}-ld.lld": shutil.which("ld.lld")}
    for name in WITH_SWITCH:
        here = os.path.join(build, "bin", name)
        path = here if os.path.exists(here) else shutil.which(name, path=without(folder))
        commands[name] = path and f"{path} --target={target}"
    for name, command in commands.items():
        if command:
            write_script(os.path.join(folder, name), f'#!/bin/sh\nexec {command} "$@"\n')
    return folder


def without(folder):
    return ":".join(word for word in os.environ["PATH"].split(":") if word != folder)


def environment(build, target):
    """What commands for TARGET have in their environment."""
    folder = tools(build, target)
    variables = {"PATH": f"{folder}:{without(folder)}"}
    # qemu 7 has a record for each page of address space, reserved or not: 100 MB for a thread's partition.
    variables["UPC_SHARED_HEAP_SIZE"] = os.environ.get("UPC_SHARED_HEAP_SIZE", "256M")
    # Waits are long in an emulator on a busy machine, and it has no /proc that would tell them from deadlocks.
    variables["UPC_DEADLOCK"] = os.environ.get("UPC_DEADLOCK", "off")
    # libhwloc, which programs load to bind their threads, and what tests link with.
    packages = os.path.join(build, "packages", target)
    variables["QEMU_SET_ENV"] = f"LD_LIBRARY_PATH={packages}/usr/lib/{target}:{packages}/lib/{target}"
    if not os.path.exists("/lib/ld-linux-aarch64.so.1"):
        # The cross compiler's libraries, where the system has none for that processor.
        variables["QEMU_LD_PREFIX"] = f"/usr/{target}"
    return variables


def is_for_machine(path, machine):
    """Is it a program or a shared library of ELF for that machine?"""
    try:
        with open(path, "rb") as file:
            header = file.read(20)
    except OSError:
        return False
    return header[:4] == b"\x7fELF" and int.from_bytes(header[18:20], "little") == machine


# In place of the machine's own: what the emulator has, and cross compilers take.
NATIVE = {"aarch64-linux-gnu": "-march=armv8.2-a+fp16"}

# They start what stands behind their own words.
LAUNCHERS = ("bash", "prlimit", "setarch", "sh", "taskset")


def emulated(command, target):
    """COMMAND, in the emulator where it starts a program of TARGET, by itself or through another."""
    machine, emulator = MACHINES[target]
    if is_for_machine(command[0], machine):
        return [emulator, *command]
    if command[0] not in LAUNCHERS or emulator in command:
        return command

    def is_program(word):
        return is_for_machine(word, machine)

    def started(match):
        return f"{emulator} {match[0]}" if is_program(match[0]) else match[0]

    words = [[emulator, word] if is_program(word) else [re.sub(r"/[^\s;&|<>()]+", started, word)] for word in command]
    return [part for parts in words for part in parts]
