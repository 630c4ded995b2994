"""Holds the house to its plan: calls and includes go downwards only, and no files of a
room need each other in a circle.

    python3 tests/structure/rooms.py [--build build]

Two graphs say who needs whom: the #include directives of the sources, and the symbols of the
object files, where a file that refers to a name needs the file that defines it. A weak
reference is a hook, which may stay empty, and needs nobody.
"""

import argparse
import collections
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# The rooms of each house, lowest first. Rooms that share a line stand side by side: neither
# needs the other. Each has one header for the others, ROOM/ROOM.h, and catalogues (.def), which
# are data. The files beside the rooms are "main".
PLANS = {
    "runtime": """
        arch
        host
        diag
        start
        net
        shared
        sync
        gasp
        coll atomic
        libc
        io bupc
        abi
        race
        link
        """,
    "privatize": """
        arch
        elf
        dwarf data
        text
        program
        main
        """,
    "tools/common": "main",
    "tools/upc2c": """
        switches
        lex
        ast
        events
        sema
        parse
        plan
        write
        instrument
        main
        """,
    "tools/upcc": """
        diagnostics
        main
        """,
    "tools/upcrun": "main",
    "tools/trace": """
        main
        recorder report
        """,
}

# A grammar recurses, and so do the files that parse it and write it.
RECURSIVE = {"tools/upc2c/parse", "tools/upc2c/write"}


class House:
    def __init__(self, folder, plan, build="build", root=ROOT):
        self.folder = folder
        self.floor = {room: level for level, line in enumerate(plan.split("\n")) for room in line.split()}
        self.sources = os.path.join(root, folder)
        self.objects = os.path.join(root, build, "obj", folder)
        self.files = sorted(
            os.path.relpath(path, self.sources)
            for path in glob.glob(os.path.join(self.sources, "**", "*.[ch]"), recursive=True))

    def room(self, file):
        return file.split("/")[0] if "/" in file else "main"

    def may_need(self, user, used):
        """Whether room USER may need room USED."""
        return user == used or self.floor.get(used, -1) < self.floor.get(user, -1)

    def includes(self):
        """(file, line, included file) for each include of the house's own headers."""
        for file in self.files:
            with open(os.path.join(self.sources, file)) as text:
                for number, line in enumerate(text, 1):
                    match = re.match(rf'\s*#\s*include "{self.folder}/([^"]+)"', line)
                    if match:
                        yield file, number, match[1]

    def symbols(self):
        """(object's source, symbol, the source that defines it) for each reference to another file."""
        paths = [path for path in sorted(glob.glob(os.path.join(self.objects, "**", "*.o"), recursive=True))
                 if os.path.basename(path).count(".") == 1]
        defined, needed = {}, collections.defaultdict(set)
        listing = subprocess.run(["nm", "-A", "-P", *paths], capture_output=True, text=True, check=True).stdout
        for line in listing.splitlines():
            path, rest = line.split(": ", 1)
            name, kind = rest.split()[:2]
            source = os.path.relpath(path, self.objects)[:-2] + ".c"
            if source not in self.files:
                continue                    # the object of a file that has gone
            if kind == "U":
                needed[source].add(name)
            elif kind.isupper() and self.room(source) != "link":
                defined[name] = source      # what link/ defines stands in for the C library's
        for user in sorted(needed):
            for name in sorted(needed[user]):
                if defined.get(name, user) != user:
                    yield user, name, defined[name]


def cycles(edges):
    """The strongly connected components of more than one node (Tarjan)."""
    found, index, low, stack = [], {}, {}, []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def violations_of_includes(house):
    edges = collections.defaultdict(set)
    for room in sorted({house.room(file) for file in house.files} - set(house.floor)):
        yield f"{house.folder}/{room}: not a room of the plan in tests/structure/rooms.py"
    for file, line, used in house.includes():
        user, other = house.room(file), house.room(used)
        edges[file].add(used)
        where = f"{house.folder}/{file}:{line}"
        if not house.may_need(user, other):
            yield f"{where}: {user} is not above {other}: includes {used}"
        elif user != other != "main" and used != f"{other}/{other}.h" and not used.endswith(".def"):
            yield f"{where}: includes {used}, not {other}/{other}.h"
    for circle in cycles(edges):
        yield f"{house.folder}: headers include each other: {' '.join(circle)}"


def violations_of_symbols(house):
    edges = collections.defaultdict(set)
    names = collections.defaultdict(set)
    for user, name, used in house.symbols():
        edges[user].add(used)
        names[user, used].add(name)
        if not house.may_need(house.room(user), house.room(used)):
            yield (f"{house.folder}/{user}: {house.room(user)} is not above {house.room(used)}: "
                   f"needs {name} of {used}")
    for circle in cycles(edges):
        if {f"{house.folder}/{house.room(file)}" for file in circle} <= RECURSIVE:
            continue
        yield f"{house.folder}: files need each other: {' '.join(circle)}"
        for user in circle:
            for used in sorted(edges[user] & set(circle)):
                yield f"  {user} needs {', '.join(sorted(names[user, used]))} of {used}"
    yield from violations_of_folders(house, edges)


def violations_of_folders(house, edges):
    """The folders within a room."""
    folders = collections.defaultdict(set)
    for user in edges:
        for used in edges[user]:
            if house.room(user) == house.room(used) and os.path.dirname(user) != os.path.dirname(used):
                folders[os.path.dirname(user)].add(os.path.dirname(used))
    for circle in cycles(folders):
        yield f"{house.folder}: folders need each other: {' '.join(circle)}"


def violations(house):
    yield from violations_of_includes(house)
    yield from violations_of_symbols(house)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    options = parser.parse_args()
    found = [line for folder, plan in PLANS.items() for line in violations(House(folder, plan, options.build))]
    print("\n".join(found) or "the house is in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
