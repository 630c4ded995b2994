"""Where shared data lies, and which object is there.

Static shared objects have records (include/upct/objects.h); the runtime's shadow has a byte where a
block of the heap begins (runtime/shared/shadow.h); upcr_debugger_layout leads to them
(runtime/shared/debugger.c)."""

import re

import gdb


class Segment:
    """Where shared data lies in the process that is being debugged."""

    def __init__(self):
        layout = gdb.parse_and_eval("upcr_debugger_layout")
        for name in ("base", "stride", "thread_bits", "phase_bits", "image", "first_object", "end_of_objects"):
            setattr(self, name, int(layout[name]))
        self.threads = int(layout["threads"].dereference())
        self.is_checked = bool(gdb.parse_and_eval("*(char *) &upcr_is_checked"))

    def address(self, thread, offset):
        return self.base + thread * self.stride + offset


def read(address, size):
    return gdb.selected_inferior().read_memory(address, size).tobytes()


def number_at(address, size):
    return int.from_bytes(read(address, size), "little")


def strings_at(address, count):
    """So many strings that follow each other."""
    found = []
    for _ in range(count):
        text = gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string(errors="replace")
        found.append(text)
        address += len(text.encode(errors="replace")) + 1
    return found


class Object:
    """A static shared object, by its record."""

    RECORD = 64

    def __init__(self, at, segment):
        image, text, self.count, self.bytes, self.block, _ = (number_at(at + 8 * i, 8) for i in range(6))
        if number_at(at + 52, 4):
            self.count *= segment.threads
        self.offset = image - segment.image
        _declaration, _file, self.name, lengths = strings_at(text, 4)
        self.is_array = lengths != ""
        self.rows = [eval_length(length, segment.threads) for length in re.findall(r"\[([^]]*)\]", lengths)[1:]]

    def piece(self, threads):
        """Bytes of the largest piece, that of thread 0."""
        block = self.block or self.count
        return -(-self.count // (block * threads)) * block * self.bytes if self.count else 0

    def element(self, thread, offset, threads):
        """`a[5]`, of the element at OFFSET of THREAD's partition."""
        place, rest = divmod(offset - self.offset, self.bytes)
        block = self.block or self.count or 1
        index = (place // block * threads + thread) * block + place % block
        indexes = []
        for length in reversed(self.rows):
            index, inner = divmod(index, length)
            indexes.insert(0, inner)
        text = self.name + ("".join(f"[{i}]" for i in [index, *indexes]) if self.is_array else "")
        return text + (f" + {rest}" if rest else "")


def eval_length(text, threads):
    """`4*THREADS`."""
    factors = [threads if factor == "THREADS" else int(factor) for factor in text.split("*")]
    result = 1
    for factor in factors:
        result *= factor
    return result


def objects(segment):
    """The static shared objects of the program."""
    places = range(segment.first_object, segment.end_of_objects, Object.RECORD)
    return [Object(at, segment) for at in places if number_at(at, 8)]


def object_at(offset, segment):
    """The object with OFFSET in its piece, or right behind it; of two the one that begins there."""
    found = [o for o in objects(segment) if o.offset <= offset <= o.offset + o.piece(segment.threads)]
    return max(found, key=lambda o: o.offset, default=None)


def describe(thread, offset, phase, segment):
    """`<thread 1, phase 2, a[5]>`"""
    found = object_at(offset, segment)
    what = found.element(thread, offset, segment.threads) if found else block_text(thread, offset, segment)
    return f"<thread {thread}, phase {phase}, {what}>"


# As in runtime/shared/shadow.h.
UNIT, LIBRARY, LOCAL, CLASSES = 16, 2, 3, 33
# As in include/upct/shadow.h: red zones, and an object's part of a unit.
FRONT, BEHIND, PART = 2, 3, 0x10
# As in runtime/shared/checked.h: how far in front of a block its record is.
FRONT_BYTES = 64
# Blocks that begin farther back than so many units are not found.
FARTHEST = 1 << 20


def block_text(thread, offset, segment):
    if segment.is_checked:
        return checked_text(thread, offset, segment)
    for owner in dict.fromkeys((thread, 0)):
        start, kind = block_start(owner, offset, segment)
        if start is not None and (owner == thread or kind >= LOCAL + CLASSES):
            size = 0 if kind == LIBRARY else (kind - LOCAL) % CLASSES * UNIT
            if not size or offset - start <= size:
                return within(f"block of {size} bytes" if size else "block", offset - start)
    return f"offset {offset:#x}"


def within(block, distance):
    return block + (f" + {distance}" if distance > 0 else "")


def shadow_back(owner, offset, segment):
    """The shadow bytes from the one of OFFSET back, each with the offset of its unit."""
    stride = segment.stride // UNIT
    shadow = segment.base - (stride << segment.thread_bits) + owner * stride
    end = offset // UNIT + 1
    for last in range(end, max(0, end - FARTHEST), -4096):
        first = max(last - 4096, 0)
        try:
            text = read(shadow + first, last - first)
        except gdb.MemoryError:
            return
        for place in range(len(text) - 1, -1, -1):
            yield (first + place) * UNIT, text[place]


def block_start(owner, offset, segment):
    """Where the block that OFFSET is in begins, and its shadow byte; None and 0."""
    for start, kind in shadow_back(owner, offset, segment):
        if LIBRARY <= kind < LOCAL + 2 * CLASSES:
            return start, kind
        if kind:
            break
    return None, 0


def checked_text(thread, offset, segment):
    """The block of the checked heap that has OFFSET, or ends there, by its record."""
    for start, kind in shadow_back(thread, offset, segment):
        if kind == FRONT:
            payload = start + UNIT
            record = segment.address(thread, payload - FRONT_BYTES)
            size, freed = number_at(record, 8), number_at(record + 16, 8)
            if payload <= offset <= payload + size:
                return within(f"{'freed ' if freed else ''}block of {size} bytes", offset - payload)
        if kind == 0 or kind == FRONT:
            break
    return f"offset {offset:#x}"
