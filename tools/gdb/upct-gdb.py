"""Shared data of UPC programs in gdb. Programs that upcc links name this file in their section
.debug_gdb_scripts, so gdb loads it by itself where its auto-load safe-path has the folder."""

import os
import sys

import gdb
import gdb.printing

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [FOLDER, os.path.normpath(os.path.join(FOLDER, "../../upct"))]
from upct import commands, values  # noqa: E402


class PointerPrinter:
    """A pointer-to-shared wherever gdb prints values."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        # Backtraces ask for arguments that the compiler has left out.
        if self.value.is_optimized_out:
            return "<optimized out>"
        return values.pointer_from(self.value).text()


class Printers(gdb.printing.PrettyPrinter):
    def __init__(self):
        super().__init__("upct")

    def __call__(self, value):
        return PointerPrinter(value) if values.pointer_name(value.type) else None


class AccessFunctions:
    """Backtraces without the inline functions that accesses to shared data are made of."""

    name, priority, enabled = "upct", 100, True

    def filter(self, frames):
        return (frame for frame in frames if not self.is_access(frame.inferior_frame()))

    @staticmethod
    def is_access(frame):
        return frame.type() == gdb.INLINE_FRAME and (frame.name() or "").startswith("__upc_")


def leave_access_functions(_event):
    """Where optimised code stops in one, commands are about the program's function that it is inlined in."""
    frame = gdb.selected_frame()
    while AccessFunctions.is_access(frame) and frame.older():
        frame = frame.older()
    if frame != gdb.selected_frame():
        frame.select()


gdb.printing.register_pretty_printer(gdb.current_objfile(), Printers(), replace=True)
gdb.frame_filters["upct"] = AccessFunctions()
for command in (commands.Print, commands.SetVariable, commands.ValueOf, commands.Upc, commands.Threads, commands.Locks,
                commands.Heap):
    command()
gdb.events.stop.connect(leave_access_functions)
for event in (gdb.events.breakpoint_created, gdb.events.breakpoint_modified):
    event.connect(commands.complete_condition)
