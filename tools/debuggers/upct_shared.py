"""Where shared data lies in a process, and which object is there: what gdb's script and lldb's both know.

Static shared objects have records (include/upct/objects.h); the runtime's shadow has a byte where a
block of the heap begins (runtime/shared/shadow.h); upcr_debugger_layout leads to them
(runtime/shared/debugger.c)."""

import re
import struct

# The numbers in upcr_debugger_layout.
LAYOUT = ("base", "stride", "thread_bits", "phase_bits", "image", "first_object", "end_of_objects", "leaves")
# Of C structures that stand for shared objects (tools/upc2c/write/shared_object.c).
STRUCTURES = "__upc_shared_"
# As in runtime/shared/shadow.h.
UNIT, LIBRARY, LOCAL, CLASSES = 16, 2, 3, 33
# As in include/upct/shadow.h: a freed block, the red zone behind one, and an object's part of a unit.
FREED, BEHIND, PART = 1, 3, 0x10
# As in runtime/shared/record.h: how many bytes of a partition a record is for, and a leaf of records; and how long a record is.
RECORD_STRIDE, LEAF_BYTES, RECORD_BYTES = 32, 1 << 20, 56
# Blocks that begin farther back than so many units are not found.
FARTHEST = 1 << 20


class Unreadable(Exception):
    """There is no memory, or none that the debugger may read."""


class Segment:
    """LAYOUT has the numbers of upcr_debugger_layout and `threads`; READ (address, size) returns bytes or raises
    Unreadable."""

    def __init__(self, layout, is_checked, read):
        self.__dict__.update(layout)
        self.is_checked, self.read = is_checked, read

    def address(self, thread, offset):
        return self.base + thread * self.stride + offset

    def number_at(self, address, size):
        return int.from_bytes(self.read(address, size), "little")

    def strings_at(self, address, count):
        """So many strings that follow each other."""
        found = []
        for _ in range(count):
            text = b""
            while b"\0" not in text:
                text += self.read(address + len(text), 16)
            text = text[:text.index(b"\0")]
            found.append(text.decode(errors="replace"))
            address += len(text) + 1
        return found

    def objects(self):
        """The static shared objects of the program."""
        places = range(self.first_object, self.end_of_objects, Object.RECORD)
        return [Object(self, at) for at in places if self.number_at(at, 8)]

    # ---- Pointers-to-shared: (thread, offset, phase) ----

    def place_of_bits(self, bits):
        """That of the packed form."""
        return (bits >> self.phase_bits & (1 << self.thread_bits) - 1, bits >> self.phase_bits + self.thread_bits,
                bits & (1 << self.phase_bits) - 1)

    def bits_of_place(self, place):
        thread, offset, phase = place
        return (offset << self.thread_bits | thread) << self.phase_bits | phase

    def place_of_parts(self, address, thread, phase):
        """That of the struct form."""
        return thread, address - self.image if address else 0, phase

    def moved(self, place, block, size, count):
        """COUNT elements of SIZE further, of which BLOCK are in a block, or all where that is 0."""
        thread, offset, phase = place
        if not block:
            return thread, offset + count * size, 0
        blocks, to_phase = divmod(phase + count, block)
        rounds, to_thread = divmod(thread + blocks, self.threads)
        return to_thread, offset + (rounds * block + to_phase - phase) * size, to_phase

    def record(self, thread, payload):
        """Where the record of the checked heap's block that begins at PAYLOAD is."""
        leaves = self.number_at(self.leaves, 8)
        leaf = self.number_at(leaves + 8 * (thread * (self.stride // LEAF_BYTES) + payload // LEAF_BYTES), 8)
        return leaf + payload % LEAF_BYTES // RECORD_STRIDE * RECORD_BYTES

    def text(self, place):
        """`<thread 1, phase 2, a[5]>`, or NULL."""
        thread, offset, phase = place
        if (thread, offset) == (0, 0):
            return "NULL"
        found = object_at(self, offset)
        what = found.element(thread, offset) if found else block_text(self, thread, offset)
        return f"<thread {thread}, phase {phase}, {what}>"


class Object:
    """A static shared object, by its record."""

    RECORD = 64

    def __init__(self, segment, at):
        image, text, self.count, self.bytes, self.block, _ = struct.unpack("<6Q", segment.read(at, 48))
        self.threads = segment.threads
        if segment.number_at(at + 52, 4):
            self.count *= self.threads
        self.offset = image - segment.image
        _declaration, _file, self.name, lengths = segment.strings_at(text, 4)
        self.is_array = lengths != ""
        self.rows = [length_of(length, self.threads) for length in re.findall(r"\[([^]]*)\]", lengths)[1:]]

    def piece(self):
        """Bytes of the largest piece, that of thread 0."""
        block = self.block or self.count
        return -(-self.count // (block * self.threads)) * block * self.bytes if self.count else 0

    def element(self, thread, offset):
        """`a[5]`, of the element at OFFSET of THREAD's partition."""
        place, rest = divmod(offset - self.offset, self.bytes)
        block = self.block or self.count or 1
        index = (place // block * self.threads + thread) * block + place % block
        indexes = []
        for length in reversed(self.rows):
            index, inner = divmod(index, length)
            indexes.insert(0, inner)
        text = self.name + ("".join(f"[{i}]" for i in [index, *indexes]) if self.is_array else "")
        return text + (f" + {rest}" if rest else "")


def length_of(text, threads):
    """`4*THREADS`."""
    result = 1
    for factor in text.split("*"):
        result *= threads if factor == "THREADS" else int(factor)
    return result


def object_at(segment, offset):
    """The object with OFFSET in its piece, or right behind it; of two the one that begins there."""
    found = [o for o in segment.objects() if o.offset <= offset <= o.offset + o.piece()]
    return max(found, key=lambda o: o.offset, default=None)


# ---- Blocks of the heap ----


def block_text(segment, thread, offset):
    if segment.is_checked:
        return checked_text(segment, thread, offset)
    for owner in dict.fromkeys((thread, 0)):
        start, kind = block_start(segment, owner, offset)
        if start is not None and (owner == thread or kind >= LOCAL + CLASSES):
            size = 0 if kind == LIBRARY else (kind - LOCAL) % CLASSES * UNIT
            if not size or offset - start <= size:
                return within(f"block of {size} bytes" if size else "block", offset - start)
    return f"offset {offset:#x}"


def within(block, distance):
    return block + (f" + {distance}" if distance > 0 else "")


def shadow_back(segment, owner, offset):
    """The shadow bytes from the one of OFFSET back, each with the offset of its unit."""
    stride = segment.stride // UNIT
    shadow = segment.base - (stride << segment.thread_bits) + owner * stride
    end = offset // UNIT + 1
    for last in range(end, max(0, end - FARTHEST), -4096):
        first = max(last - 4096, 0)
        try:
            text = segment.read(shadow + first, last - first)
        except Unreadable:
            return
        for place in range(len(text) - 1, -1, -1):
            yield (first + place) * UNIT, text[place]


def block_start(segment, owner, offset):
    """Where the block that OFFSET is in begins, and its shadow byte; None and 0."""
    for start, kind in shadow_back(segment, owner, offset):
        if LIBRARY <= kind < LOCAL + 2 * CLASSES:
            return start, kind
        if kind:
            break
    return None, 0


def checked_text(segment, thread, offset):
    """The block of the checked heap that has OFFSET, or ends there, by its record."""
    payload = None
    for start, kind in shadow_back(segment, thread, offset):
        if kind > PART or kind == FREED:
            payload = start
        elif payload is not None or kind != BEHIND:
            break
    if payload is not None:
        record = segment.record(thread, payload)
        size, freed = segment.number_at(record, 8), segment.number_at(record + 24, 8)
        if offset <= payload + size:
            return within(f"{'freed ' if freed else ''}block of {size} bytes", offset - payload)
    return f"offset {offset:#x}"
