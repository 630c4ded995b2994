"""print, upc threads, upc locks."""

import re

import gdb

from upct.expression import Expression, mentions_array
from upct.segment import number_at
from upct.values import pointer_from


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
        try:
            value = Expression(text).evaluate()
            gdb.set_convenience_variable("_upc", value if isinstance(value, gdb.Value) else value.value())
        except gdb.error as error:
            raise gdb.GdbError(str(error)) from None
        except (AttributeError, TypeError):
            raise gdb.GdbError("Invalid operands of an operator.") from None
        gdb.execute(f"call {head}$_upc", from_tty)


def is_upc(text):
    try:
        return mentions_array(text)
    except (gdb.error, gdb.MemoryError):
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


def place_of(frame):
    """The frame of the program that FRAME was called from, and the last function called there."""
    called = None
    while frame and is_runtime(frame):
        if frame.name() and frame.type() not in (gdb.INLINE_FRAME, gdb.SIGTRAMP_FRAME):
            called = frame.name()
        frame = frame.older()
    return frame, re.sub(r"^(__upc|upcr)_", "upc_", called) if called else None


def upc_threads():
    """Each thread of the process that belongs to a UPC thread; it is the selected one meanwhile."""
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
        for address, name in sorted(names.items()):
            gdb.write(f"{name}: {self.state(number_at(address, 4), waiting.get(address, []))}\n")

    @staticmethod
    def state(word, waiting):
        holder = (word & 0x7ff) - 1
        text = "free" if holder < 0 else f"held by thread {holder}"
        if waiting:
            text += f", thread{'s' * (len(waiting) > 1)} {', '.join(map(str, sorted(waiting)))} waiting"
        return text
