"""Shared values: pointers, elements, arrays.

The types of pointers-to-shared are typedefs of __upc_pts; __upc_pointer_types says what each points
to (tools/upc2c/write/pointer_types.c)."""

import gdb

from upct.segment import Segment, read
from upct_shared import STRUCTURES


def typedef_names(kind):
    """The names of KIND, typedef by typedef."""
    while kind.code == gdb.TYPE_CODE_TYPEDEF:
        yield kind.name
        kind = kind.unqualified().target()
    yield kind.name


def pointer_name(kind):
    """`__upc_pts_shared_int` of a type of pointers-to-shared, `__upc_pts` of one that does not say
    to what; None of other types."""
    names = [name for name in typedef_names(kind) if name and name.startswith("__upc_pts")]
    return names[0] if names else None


def is_integer(kind):
    """Whether pointers-to-shared of the type KIND are integers, as with AddressSanitizer; elsewhere they are structures."""
    return kind.strip_typedefs().code == gdb.TYPE_CODE_INT


def is_packed(kind):
    """Whether pointers-to-shared of the type KIND are 64 bits."""
    return is_integer(kind) or kind.strip_typedefs().fields()[0].name == "__bits"


def type_of(name):
    """The type of the variable or gdb's own value NAME, or None."""
    try:
        return gdb.parse_and_eval(name).type
    except gdb.error:
        return None


def leads_to_integers(kind, seen=None):
    """Whether a pointer-to-shared that is an integer is in a value of the type KIND, or in what that points to. SEEN are the
    structures that were looked at."""
    seen = set() if seen is None else seen
    if kind is None or pointer_name(kind):
        return kind is not None and is_integer(kind)
    kind = kind.strip_typedefs().unqualified()
    if kind.code in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR):
        return leads_to_integers(kind.target(), seen)
    if kind.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) or kind.name in seen:
        return False
    if kind.name:
        seen.add(kind.name)
    return any(leads_to_integers(field.type, seen) for field in kind.fields())


def target_of(name):
    """The block size and the type that pointers of the type NAME point to; 0 and None."""
    for symbol in gdb.lookup_static_symbols("__upc_pointer_types"):
        for field in symbol.type.target().fields():
            if field.name == name:
                target = field.type.target()
                if target.code != gdb.TYPE_CODE_ARRAY:
                    return 0, target
                return target.range()[1] + 1, target.target()
    return 0, None


def rows_of(kind):
    """The lengths of the arrays KIND is made of, and the type of their elements."""
    rows = []
    while kind is not None and kind.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
        kind = kind.strip_typedefs()
        rows.append(kind.range()[1] + 1)
        kind = kind.target()
    return rows, kind


class Pointer:
    """A pointer-to-shared: to ROWS of elements of type KIND, BLOCK of them in a block."""

    def __init__(self, place, block, rows, kind, named=None):
        self.place = self.thread, self.offset, self.phase = place
        self.block, self.rows, self.kind, self.named = block, rows, kind, named

    @property
    def step(self):
        result = 1
        for length in self.rows:
            result *= length
        return result

    def moved(self, elements, rows):
        """A pointer to ROWS that is so many ELEMENTS further."""
        return Pointer(Segment().moved(self.place, self.block, self.kind.sizeof, elements), self.block, rows, self.kind)

    def __add__(self, count):
        self.require_target()
        return self.moved(int(count) * self.step, self.rows)

    def __sub__(self, other):
        if not isinstance(other, Pointer):
            return self + -int(other)
        self.require_target()
        size, threads = self.kind.sizeof, Segment().threads
        bytes_apart = (self.offset - self.phase * size) - (other.offset - other.phase * size)
        if not self.block:
            return gdb.Value((self.offset - other.offset) // size // self.step)
        blocks = bytes_apart // (self.block * size) * threads + self.thread - other.thread
        return gdb.Value((blocks * self.block + self.phase - other.phase) // self.step)

    def __eq__(self, other):
        other = pointer_from(other) if isinstance(other, gdb.Value) else other
        if isinstance(other, gdb.Value):
            return self.is_null() and int(other) == 0
        return (self.thread, self.offset) == (other.thread, other.offset)

    def is_null(self):
        return (self.thread, self.offset) == (0, 0)

    def require_target(self):
        if self.kind is None or self.kind.strip_typedefs().code == gdb.TYPE_CODE_VOID:
            raise gdb.GdbError("The pointer-to-shared does not say what it points to.")

    def element(self):
        """What it points to."""
        self.require_target()
        if self.is_null():
            raise gdb.GdbError("The pointer-to-shared is null.")
        if self.rows:
            return Array(self.moved(0, self.rows[1:]), self.rows[0])
        return Element(self)

    def address(self):
        return 0 if self.is_null() else Segment().address(self.thread, self.offset)

    def value(self):
        """For gdb, with the best type that the program has for it."""
        kind = gdb.lookup_type(self.named or self.type_name())
        segment = Segment()
        if is_packed(kind):
            return gdb.Value(segment.bits_of_place(self.place).to_bytes(8, "little"), kind)
        address = 0 if self.is_null() else self.offset + segment.image
        return gdb.Value(b"".join([address.to_bytes(8, "little"), self.thread.to_bytes(4, "little"),
                                   self.phase.to_bytes(4, "little")]), kind)

    def type_name(self):
        for symbol in gdb.lookup_static_symbols("__upc_pointer_types"):
            for field in symbol.type.target().fields():
                block, target = target_of(field.name)
                if (block, *rows_of(target)) == (self.block, self.rows, self.kind):
                    return field.name
        return "__upc_pts"

    def text(self):
        return Segment().text(self.place)


class Element:
    """A shared object that is no array."""

    def __init__(self, pointer):
        self.pointer = pointer

    def value(self):
        return gdb.Value(self.pointer.address()).cast(self.pointer.kind.pointer()).dereference()


class Array:
    """COUNT objects, the first of which POINTER points to."""

    def __init__(self, pointer, count):
        self.pointer, self.count = pointer, count

    def value(self):
        """For gdb: all of it, or just more than gdb will print."""
        limit, step = gdb.parameter("print elements"), self.pointer.step
        count = self.count if not limit else min(self.count, limit + 1)
        kind, size = self.pointer.kind, self.pointer.kind.sizeof
        parts, left, at = [], count * step, self.pointer
        while left:
            run = min(left, at.block - at.phase) if at.block else left
            parts.append(read(at.address(), run * size))
            left -= run
            at = at.moved(run, [])
        for length in reversed(self.pointer.rows):
            kind = kind.array(length - 1)
        return gdb.Value(b"".join(parts), kind.array(count - 1))


def pointer_from(value):
    """VALUE, or a Pointer if it is a pointer-to-shared."""
    name = pointer_name(value.type)
    if not name:
        return value
    segment = Segment()
    if is_packed(value.type):
        place = segment.place_of_bits(int(value if is_integer(value.type) else value["__bits"]))
    else:
        place = segment.place_of_parts(*(int(value[name]) for name in ("__vaddr", "__thread_index", "__phase")))
    block, target = target_of(name)
    return Pointer(place, block, *rows_of(target), name)


def type_in_c(kind):
    """The type of what C has of a static shared object whose variable has the type KIND; None where that is a scalar as any
    other."""
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_STRUCT and (kind.name or "").startswith(STRUCTURES):
        return kind.fields()[0].type
    return kind if kind.code == gdb.TYPE_CODE_ARRAY else None


def is_shared_object(symbol):
    """Whether SYMBOL is a static shared array, or another object that C takes for a structure, in a process or before there
    is one."""
    if not symbol.is_variable or symbol.needs_frame or type_in_c(symbol.type) is None:
        return False
    address = symbol.value().address
    layout = gdb.parse_and_eval("upcr_debugger_layout")
    return address is not None and 0 <= int(address) - int(layout["base"]) < int(layout["stride"])


def shared_object(name):
    """The static shared object NAME, if it means one in the selected frame that C does not know as it is; or None."""
    symbol = gdb.lookup_symbol(name)[0] if has_frame() else gdb.lookup_global_symbol(name)
    if not symbol or not is_shared_object(symbol):
        return None
    kind, segment = type_in_c(symbol.type), Segment()
    offset = int(symbol.value().address) - segment.base
    for record in segment.objects():
        if record.offset == offset:
            pointer = Pointer((0, offset, 0), record.block, record.rows, rows_of(kind)[1])
            return Array(pointer, record.count // (pointer.step or 1)) if record.is_array else Element(pointer)
    return None


def has_frame():
    try:
        gdb.selected_frame()
        return True
    except gdb.error:
        return False


def plain(value):
    """VALUE for an operator of C."""
    return value.value() if isinstance(value, Element) else value


def settled(value):
    """VALUE as an operand: an array is a pointer to its first element."""
    if isinstance(value, Array):
        return value.pointer
    value = plain(value)
    return pointer_from(value) if isinstance(value, gdb.Value) else value
