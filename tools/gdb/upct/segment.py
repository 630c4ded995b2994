"""Where shared data lies in the process that gdb debugs."""

import gdb

import upct_shared


class Segment(upct_shared.Segment):
    def __init__(self):
        layout = gdb.parse_and_eval("upcr_debugger_layout")
        numbers = {name: int(layout[name]) for name in upct_shared.LAYOUT}
        numbers["threads"] = int(layout["threads"].dereference())
        super().__init__(numbers, bool(gdb.parse_and_eval("*(char *) &upcr_is_checked")), read)


def require_process():
    """A process, or what is left of one: before there is one, the number of threads is not known."""
    if not gdb.selected_inferior().threads():
        raise gdb.GdbError("The program is not being run.")


def read(address, size):
    try:
        return gdb.selected_inferior().read_memory(address, size).tobytes()
    except gdb.MemoryError as error:
        raise Unreadable(str(error)) from None


class Unreadable(upct_shared.Unreadable, gdb.MemoryError):
    """For what catches gdb's own errors."""
