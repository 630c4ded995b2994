"""Shared data of UPC programs in gdb. Programs that upcc links name this file in their section
.debug_gdb_scripts, so gdb loads it by itself where its auto-load safe-path has the folder."""

import os
import sys

import gdb
import gdb.printing

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from upct import commands, values  # noqa: E402


class PointerPrinter:
    """A pointer-to-shared wherever gdb prints values."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
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


gdb.printing.register_pretty_printer(gdb.current_objfile(), Printers(), replace=True)
gdb.frame_filters["upct"] = AccessFunctions()
for command in (commands.Print, commands.SetVariable, commands.ValueOf, commands.Upc, commands.Threads, commands.Locks,
                commands.Heap):
    command()
for event in (gdb.events.breakpoint_created, gdb.events.breakpoint_modified):
    event.connect(commands.complete_condition)
