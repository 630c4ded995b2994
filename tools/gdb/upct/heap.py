"""What is in the shared heap."""

import gdb

from upct.segment import read
from upct_shared import CLASSES, LIBRARY, LOCAL, UNIT


def blocks_text(count, size):
    return f"{count} block of {size} bytes" if count == 1 else f"{count} blocks of {size} bytes in all"


# ---- The checked heap: by the sites of runtime/shared/site.h ----


def sites():
    """Each site that has blocks."""
    buckets = gdb.parse_and_eval("'runtime/shared/site.c'::buckets")
    for i in range(buckets.type.range()[1] + 1):
        site = buckets[i]
        while site:
            if int(site["blocks"]):
                yield site
            site = site["next"]


def place_of_site(site):
    """`f.upc:12`, the innermost line that is not the runtime's; or None."""
    if site["file"]:
        return f"{site['file'].string()}:{int(site['line'])}"
    for i in range(int(site["n"])):
        sal = gdb.find_pc_line(int(site["frames"][i]))
        if sal.symtab and not is_of_runtime(sal.symtab.filename):
            return f"{sal.symtab.filename}:{sal.line}"
    return None


def is_of_runtime(file):
    return file.startswith("runtime/") or "/upct/" in file


def places():
    """A line for each place, the most bytes first."""
    sums = {}
    for site in sites():
        key = place_of_site(site), site["what"].string()
        blocks, size = sums.get(key, (0, 0))
        sums[key] = blocks + int(site["blocks"]), size + int(site["bytes"])
    for (place, what), (blocks, size) in sorted(sums.items(), key=lambda item: (-item[1][1], str(item[0]))):
        yield f"{blocks_text(blocks, size)}, allocated {f'at {place} ' if place else ''}by {what}"


# ---- The plain heap: by its shadow, runtime/shared/shadow.h ----


def count_blocks(segment, thread, begin, end, first):
    """How many small blocks begin in a range of a partition, their bytes, and how many others, of which
    the shadow does not say the size: it has FIRST for them, and LIBRARY."""
    stride = segment.stride // UNIT
    shadow = segment.base - (stride << segment.thread_bits) + thread * stride
    small = other = size = 0
    for at in range(begin // UNIT, end // UNIT, 1 << 20):
        text = read(shadow + at, min(1 << 20, end // UNIT - at))
        other += text.count(bytes([first])) + text.count(bytes([LIBRARY])) * (first == LOCAL)
        for kind in range(1, CLASSES):
            found = text.count(bytes([first + kind]))
            small, size = small + found, size + found * kind * UNIT
    return small, size, other


def counts_text(small, size, other, pages):
    parts = [blocks_text(small, size)] if small or not other else []
    parts += [f"{other} large or aligned"] if other else []
    return f"{', '.join(parts)}, in {pages >> 10} KiB of pages"


def threads(segment):
    """A line for the blocks that are in all partitions, and one for each thread's own."""
    zone = gdb.parse_and_eval("upcr_zone")
    begin, low, top = int(zone["start"]), int(zone["low"]), int(zone["top"])
    counts = count_blocks(segment, 0, begin, low, LOCAL + CLASSES)
    yield f"upc_all_alloc, upc_global_alloc: {counts_text(*counts, low - begin)} in each thread"
    for thread in range(segment.threads):
        high = int(zone["high"][thread])
        counts = count_blocks(segment, thread, high, top, LOCAL)
        yield f"thread {thread}: {counts_text(*counts, top - high)}"
