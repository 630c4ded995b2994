"""Commands: print and others over UPC expressions, upc threads, upc locks."""

import re

import gdb

from upct import heap
from upct.expression import mentions_object, names, value_for_gdb
from upct.segment import Segment, require_process
from upct.values import is_shared_object, pointer_from, pointer_name


# Of a lock's word: the thread that has it, and 1 (UPCR_LOCK_OWNER of runtime/sync/primitives/lock.h).
LOCK_OWNER = 0xfff

# What gdb says where it takes a pointer-to-shared for a struct.
NOT_FOR_GDB = re.compile("^(Structure has no component named operator|There is no member named"
                         "|Attempt to take address of value not located|Attempt to take contents of a non-pointer|Argument to (arithmetic|comparison)"
                         "|The -> operator must not be applied|Invalid cast)")


class Print(gdb.Command):
    """Print value of expression EXP, of C or UPC.
Usage: print [[OPTION]... --] [/FMT] [EXP]

Elements of shared arrays and what pointers-to-shared point to are those of the thread that
has them; a[I]@N are N elements in UPC order. What is C alone gdb prints as it always does."""

    def __init__(self):
        super().__init__("print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        head, text = re.match(r"((?:-.*?-- )?\s*(?:/\w+\s)?)(.*)", argument, re.DOTALL).groups()
        if not is_upc(text):
            try:
                gdb.execute("call " + argument, from_tty)
                return
            except gdb.error as error:
                if not NOT_FOR_GDB.match(str(error)):
                    raise gdb.GdbError(str(error)) from None
        gdb.set_convenience_variable("_upc_result", value_for_gdb(text))
        gdb.execute(f"call {head}$_upc_result", from_tty)


def is_upc(text):
    try:
        return mentions_object(text)
    except (gdb.error, gdb.MemoryError):
        return False


class SetVariable(gdb.Command):
    """Evaluate expression EXP, of C or UPC, and assign the result to a variable.
Usage: set variable VARIABLE = EXP"""

    def __init__(self):
        super().__init__("set variable", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, _from_tty):
        if not is_upc(argument):
            try:
                gdb.parse_and_eval(argument)
                return
            except gdb.error as error:
                if not NOT_FOR_GDB.match(str(error)):
                    raise gdb.GdbError(str(error)) from None
        value_for_gdb(argument)


class ValueOf(gdb.Function):
    """$_upc ("EXP") - the value of an expression of UPC, wherever gdb takes one of C.
Usage: $_upc ("a[5]")

For display, printf, conditions and others that know C alone."""

    def __init__(self):
        super().__init__("_upc")

    def invoke(self, text):
        return value_for_gdb(text.string())


def complete_condition(breakpoint):
    """Conditions that name shared data are C to gdb: it has them evaluated as UPC."""
    condition = breakpoint.condition
    if condition and not condition.startswith("$_upc") and names_shared_data(condition, breakpoint.location):
        escaped = condition.replace("\\", "\\\\").replace('"', '\\"')
        breakpoint.condition = f'$_upc ("{escaped}")'


def names_shared_data(text, location):
    """Whether one is a shared array, or a pointer-to-shared at LOCATION."""
    try:
        places = gdb.decode_line(location)[1] or []
        blocks = [gdb.block_for_pc(place.pc) for place in places]
    except gdb.error:
        blocks = []
    for name in names(text):
        symbols = [gdb.lookup_symbol(name, block)[0] for block in blocks if block] or [gdb.lookup_global_symbol(name)]
        if any(symbol and symbol.type and (is_shared_object(symbol) or pointer_name(symbol.type)) for symbol in symbols):
            return True
    return False


class Upc(gdb.Command):
    """Commands for UPC programs: upc threads, upc locks."""

    def __init__(self):
        super().__init__("upc", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)


def is_runtime(frame):
    """Whether FRAME is a function of UPCT's or of a shared library."""
    name, symtab = frame.name() or "", frame.find_sal().symtab
    return name.startswith(("__upc_", "upcr_")) or gdb.solib_name(frame.pc()) is not None or symtab is None \
        or symtab.filename.startswith("runtime/")


def function_name(frame):
    """Behind a tail call gdb names what was in line there, not the function itself."""
    block = gdb.block_for_pc(frame.pc() - 1) if frame.type() == gdb.TAILCALL_FRAME else None
    name = frame.name()
    while block and not block.is_static and not block.is_global:
        name = block.function.name if block.function else name
        block = block.superblock
    return name


def program_name(frame):
    """The function of FRAME as the program calls it: one of libc's has a form for each UPC thread in runtime/libc."""
    symtab = frame.find_sal().symtab
    is_libc = symtab is not None and symtab.filename.startswith("runtime/libc/")
    return re.sub(r"^(__upc|upcr)_", "" if is_libc else "upc_", function_name(frame))


def place_of(frame):
    """The frame of the program that FRAME was called from, and the last function called there."""
    called = None
    while frame and is_runtime(frame):
        if frame.name() and frame.type() not in (gdb.INLINE_FRAME, gdb.SIGTRAMP_FRAME):
            called = program_name(frame)
        frame = frame.older()
    return frame, called


def upc_threads():
    """Each thread of the process that belongs to a UPC thread; it is the selected one meanwhile."""
    require_process()
    selected, frame_of_user = gdb.selected_thread(), gdb.selected_frame()
    try:
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
            thread.switch()
            frame = gdb.newest_frame()
            frame.select()
            yield thread, int(gdb.parse_and_eval("*(int *) &MYTHREAD")), frame
    finally:
        selected.switch()
        frame_of_user.select()


class Threads(gdb.Command):
    """What each UPC thread does, and where."""

    def __init__(self):
        super().__init__("upc threads", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, _argument, _from_tty):
        rows = []
        for thread, number, newest in upc_threads():
            frame, called = place_of(newest)
            if frame is None:
                what = f"in {called or newest.name()}"
            else:
                sal = frame.find_sal()
                what = f"in {called + ' called by ' if called else ''}{frame.name()} at {sal.symtab.filename}:{sal.line}"
            rows.append((number, thread.num, what))
        for number, thread, what in sorted(rows):
            gdb.write(f"UPC thread {number} (thread {thread}): {what}\n")


class Locks(gdb.Command):
    """The locks that variables of the program point to: who holds them, who waits for them."""

    def __init__(self):
        super().__init__("upc locks", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, _argument, _from_tty):
        names, waiting = {}, {}
        listing = gdb.execute("info variables -q -n -t __upc_pts_upc_lock_t", to_string=True)
        variables = re.findall(r"__upc_pts_upc_lock_t (\w+);", listing)
        for _, number, newest in upc_threads():
            for name in variables:
                lock = pointer_from(gdb.parse_and_eval(name))
                if not lock.is_null():
                    names.setdefault(lock.address(), name)
            frame = newest
            while frame and frame.name() != "upcr_lock_acquire_slowly":
                frame = frame.older()
            if frame:
                address = int(frame.read_var("lock"))
                waiting.setdefault(address, []).append(number)
                names.setdefault(address, "a lock")
        segment = Segment()
        for address, name in sorted(names.items()):
            gdb.write(f"{name}: {self.state(segment.number_at(address, 4), waiting.get(address, []))}\n")

    @staticmethod
    def state(word, waiting):
        holder = (word & LOCK_OWNER) - 1
        text = "free" if holder < 0 else f"held by thread {holder}"
        if waiting:
            text += f", thread{'s' * (len(waiting) > 1)} {', '.join(map(str, sorted(waiting)))} waiting"
        return text


class Heap(gdb.Command):
    """The shared heap: blocks in use, by thread; in a checked heap, by where they were allocated."""

    def __init__(self):
        super().__init__("upc heap", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, _argument, _from_tty):
        require_process()
        segment = Segment()
        for line in heap.places() if segment.is_checked else heap.threads(segment):
            gdb.write(line + "\n")
