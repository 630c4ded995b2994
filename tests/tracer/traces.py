"""Traces as bytes, for tests that need to know every tick: what tools/trace/record.h says.
A tick is a nanosecond, and recording costs nothing unless it is said."""

import os
import struct

START, END, ATOMIC, TIME, SITE, USER, OFF, ON, PAUSE = range(1, 10)
CHUNK_WORDS = 65536 // 8 - 3
RUNNING, ENDED, STOPPED = range(3)
EACH, NOBODY = 0xffe, 0xfff

# Numbers of gasp_upc.h.
FUNCTION, EXIT, BARRIER, FENCE, FORALL, LOCK, UNLOCK = 1, 5, 9, 10, 11, 19, 21
MALLOC, REALLOC, PRIVATE_FREE, GLOBAL_ALLOC, ALLOC, SHARED_FREE = 2, 3, 4, 12, 14, 15
MEMCPY, MEMGET, MEMPUT, GET, PUT, BROADCAST, GATHER, EXCHANGE = 22, 23, 24, 26, 27, 36, 38, 40
USER_EVENT = 1000


def transfer(size, source, target):
    return size | source << 40 | target << 52


LESS, SHARED = 1, 2


def heap(size, thread, flags):
    return size | thread << 40 | flags << 52


def lock_at(thread, place):
    return thread + 1 << 48 | place


def text_words(*texts):
    data = b"".join(text.encode() for text in texts)
    data += bytes(-len(data) % 8)
    return list(struct.unpack(f"<{len(data) // 8}Q", data))


def string_value(text):
    """A %s of a user event."""
    return [len(text.encode()), *text_words(text)]


class Thread:
    def __init__(self, thread, threads, begin=1000, state=ENDED, end=0, program="made", run=7, costs=(0, 0, 0, 0)):
        self.fields = dict(thread=thread, threads=threads, state=state, begin=begin, end=end, program=program,
                           run=run, costs=costs, rate=1 << 40, cut=0, dropped=0, version=3,
                           cpu=600 + 100 * thread, date=1 << 30, host="node", command=["./made", "a b"],
                           first_rate=1 << 40, clocks=((0, 0, 0), (0, 0, 0)))
        self.now = begin
        self.chunks = []
        self.words = []
        self.chunk_ticks = begin
        self.sites = 0

    def record(self, kind, site, words, ticks=None):
        if len(self.words) + len(words) + 3 > CHUNK_WORDS:
            self.end_chunk()
        delta = 0
        if ticks is not None:
            delta = ticks - self.now
            if delta >> 32:
                self.words += [TIME << 60 | 1 << 52, ticks]
                delta = 0
            self.now = ticks
        self.words += [kind << 60 | len(words) << 52 | site << 32 | delta, *words]

    def end_chunk(self):
        self.chunks.append((self.words, self.chunk_ticks))
        self.words, self.chunk_ticks = [], self.now

    def site(self, tag, line, name="", file="made.upc", column=0):
        self.sites += 1
        self.record(SITE, self.sites, [tag | line << 32, column | len(file.encode()) << 32 | len(name.encode()) << 48,
                                       *text_words(file, name)])
        return self.sites

    def user(self, tag, name, form):
        self.record(USER, 0, [tag | len(name.encode()) << 32 | len(form.encode()) << 48, *text_words(name, form)])

    def start(self, site, ticks, *words):
        self.record(START, site, list(words), ticks)

    def end(self, site, ticks, *words):
        self.record(END, site, list(words), ticks)

    def atomic(self, site, ticks, *words):
        self.record(ATOMIC, site, list(words), ticks)

    def both(self, site, start, end, *words):
        self.start(site, start, *words)
        self.end(site, end)

    def control(self, ticks, on):
        self.words += [TIME << 60 | 1 << 52, ticks]
        self.now = ticks
        self.record(ON if on else OFF, 0, [])

    def pause(self, ticks):
        self.record(PAUSE, 0, [ticks])

    def header(self):
        f = self.fields
        program = f["program"].encode()
        head = struct.pack("<8sIIII", b"UPCT-trc", f["version"], f["thread"], f["threads"], f["state"])
        head += struct.pack("<8Q", f["run"], f["begin"], f["end"], f["rate"], *(256 * cost for cost in f["costs"]))
        command, host = "\0".join(f["command"]).encode() + b"\0", f["host"].encode()
        head += struct.pack("<IIQ", f["cut"], len(program), f["dropped"])
        head += struct.pack("<QqII256s64s1024s", f["cpu"], f["date"], len(host), len(command), program, host, command)
        head += struct.pack("<7Q", f["first_rate"], *f["clocks"][0], *f["clocks"][1])
        return head + bytes(4096 - len(head))

    @staticmethod
    def chunk(number, words, ticks):
        data = struct.pack("<IIQQ", 0x4b4e4843, len(words), number, ticks)
        data += struct.pack(f"<{len(words)}Q", *words)
        return data + bytes(65536 - len(data))

    def data(self):
        complete = [self.chunk(i, *chunk) for i, chunk in enumerate(self.chunks)]
        return (self.header()
                + self.chunk(len(self.chunks), self.words, self.chunk_ticks) + b"".join(complete))


def write(folder, threads):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "run"), "w") as f:
        f.write("UPCT trace\n")
    for thread in threads:
        with open(os.path.join(folder, f"thread-{thread.fields['thread']}.bin"), "wb") as f:
            f.write(thread.data())
    return folder
