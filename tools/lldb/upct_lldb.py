"""Shared data of UPC programs in lldb:

    (lldb) command script import …/share/lldb/upct_lldb.py
    (lldb) upc-print a[5]

Pointers-to-shared are shown as `<thread 1, phase 2, a[5]>` by all commands, and upc-print knows what C does
not: elements of shared arrays, and what pointers-to-shared point to. Where shared data lies and which objects
there are is told by upcr_debugger_layout (runtime/shared/debugger.c), as to gdb (tools/gdb)."""

import os
import re
import sys

import lldb

sys.path.insert(0, os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../upct")))
import upct_shared  # noqa: E402

MOST_ELEMENTS = 200
POINTERS = "^__upc_pts(_.*)?$"


class Wrong(Exception):
    """What upc-print says instead of a value."""


class Segment(upct_shared.Segment):
    """Where shared data lies in TARGET's process."""

    def __init__(self, target):
        layout = target.FindFirstGlobalVariable("upcr_debugger_layout")
        if not layout.IsValid():
            raise Wrong("this is no UPC program")
        numbers = {name: layout.GetChildMemberWithName(name).GetValueAsUnsigned() for name in upct_shared.LAYOUT}
        numbers["threads"] = layout.GetChildMemberWithName("threads").Dereference().GetValueAsUnsigned()
        is_checked = target.FindFirstGlobalVariable("upcr_is_checked").GetValueAsUnsigned() != 0
        super().__init__(numbers, is_checked, self.read_memory)
        self.process = target.process

    def read_memory(self, address, size):
        error = lldb.SBError()
        data = self.process.ReadMemory(address, size, error)
        if error.Fail():
            raise upct_shared.Unreadable(str(error))
        return data

    def named(self, name):
        return next((each for each in self.objects() if each.name == name), None)


class Pointer:
    """A pointer-to-shared to elements of type KIND in rows of ROWS, BLOCK of them in a block."""

    def __init__(self, segment, place, block, rows, kind):
        self.segment, self.block, self.rows, self.kind = segment, block, rows, kind
        self.place = self.thread, self.offset, self.phase = place

    def moved(self, count, rows):
        """So many elements, or arrays of ROWS, further."""
        if self.kind is None or not self.kind.GetByteSize():
            raise Wrong("the pointer-to-shared does not say what it points to")
        for length in rows:
            count *= length
        return self.at(self.segment.moved(self.place, self.block, self.kind.GetByteSize(), count), rows)

    def at(self, place, rows):
        return Pointer(self.segment, place, self.block, rows, self.kind)

    def is_null(self):
        return (self.thread, self.offset) == (0, 0)

    def text(self):
        return self.segment.text(self.place)

    def value(self, target):
        """What it points to, as lldb has it."""
        if self.is_null():
            raise Wrong("the pointer-to-shared is null")
        self.moved(0, [])
        address = self.segment.address(self.thread, self.offset)
        return target.CreateValueFromAddress("element", lldb.SBAddress(address, target), self.kind)


class Array:
    """COUNT elements, or rows of them, from POINTER on."""

    def __init__(self, pointer, count):
        self.pointer, self.count = pointer, count

    def element(self, index):
        if not 0 <= index < self.count:
            raise Wrong(f"index {index} is out of bounds: the array has {self.count} elements")
        return target_of(self.pointer.moved(index, self.pointer.rows))

    def text(self, target):
        shown = [text_of(self.element(i), target) for i in range(min(self.count, MOST_ELEMENTS))]
        return "{" + ", ".join(shown) + (", ..." if self.count > MOST_ELEMENTS else "") + "}"


def target_of(pointer):
    """The array, or the place of the one element, that POINTER points to."""
    return Array(pointer.at(pointer.place, pointer.rows[1:]), pointer.rows[0]) if pointer.rows else Place(pointer)


class Place:
    """An element, which POINTER points to."""

    def __init__(self, pointer):
        self.pointer = pointer


def strip_arrays(kind):
    """The lengths of the arrays that KIND is made of, and the type of their elements. lldb has a size for arrays
    without elements, so lengths are those in the type's name. A pointer-to-shared is known by its typedef, which
    stays."""
    rows = [int(length or 0) for length in re.findall(r"\[(\d*)\]", kind.GetCanonicalType().GetName() or "")]
    while kind.GetCanonicalType().IsArrayType():
        kind = (kind if kind.IsArrayType() else kind.GetCanonicalType()).GetArrayElementType()
    return rows, kind


def type_in_c(kind):
    """Of what C has of a static shared object whose variable has the type KIND."""
    kind = kind.GetCanonicalType()
    is_structure = (kind.GetName() or "").startswith((upct_shared.STRUCTURES, "struct " + upct_shared.STRUCTURES))
    return kind.GetFieldAtIndex(0).GetType() if is_structure else kind


def pointer_target(target, name):
    """The block size, the rows and the type that pointers of the type NAME point to."""
    for table in target.FindGlobalVariables("__upc_pointer_types", 1000):
        union = table.GetType().GetArrayElementType()
        for i in range(union.GetNumberOfFields()):
            field = union.GetFieldAtIndex(i)
            if field.GetName() == name:
                rows, kind = strip_arrays(field.GetType().GetPointeeType())
                return (rows[0], rows[1:], kind) if rows else (0, [], None)
    return 0, [], None


def pointer_name(kind):
    """The name of the type KIND if that is one of pointers-to-shared, or None."""
    name = (kind.GetName() or "").replace("const ", "").replace("volatile ", "")
    return name if re.match(POINTERS, name) else None


def pointer_from(value):
    """The Pointer that VALUE, of such a type, is."""
    value, target = value.GetNonSyntheticValue(), value.GetTarget()
    segment = Segment(target)
    bits = value.GetChildMemberWithName("__bits")
    if bits.IsValid():
        place = segment.place_of_bits(bits.GetValueAsUnsigned())
    elif not value.MightHaveChildren():
        place = segment.place_of_bits(value.GetValueAsUnsigned())
    else:
        place = segment.place_of_parts(*(value.GetChildMemberWithName(name).GetValueAsUnsigned()
                                         for name in ("__vaddr", "__thread_index", "__phase")))
    return Pointer(segment, place, *pointer_target(target, pointer_name(value.GetType())))


def pointer_summary(value, _):
    try:
        return pointer_from(value).text()
    except (Wrong, upct_shared.Unreadable) as wrong:
        return f"<{wrong}>"


# ---- upc-print ----

TOKEN = re.compile(r"\s*([A-Za-z_]\w*|\d+|->|.)")


class Expression:
    """`*p`, `&a[i]`, `p->next->value`, `(p + 3)->m`: what leads to shared data; other operands are lldb's."""

    def __init__(self, text, frame):
        self.tokens, self.at, self.frame, self.target = TOKEN.findall(text.strip()), 0, frame, frame.thread.process.target

    def evaluate(self):
        result = self.sum()
        if self.next():
            raise Wrong(f"syntax error near '{self.next()}'")
        return result

    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def sum(self):
        left = self.unary()
        while self.next() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            right = self.number(self.unary())
            pointer = self.pointer(left)
            left = pointer.moved(sign * right, pointer.rows) if pointer else self.number(left) + sign * right
        return left

    def unary(self):
        if self.next() == "*":
            self.take()
            return self.pointed(self.unary())
        if self.next() == "&":
            self.take()
            operand = self.unary()
            if not isinstance(operand, (Place, Array)):
                raise Wrong("the operand of & is no shared object")
            return operand.pointer
        if self.next() == "-":
            self.take()
            return -self.number(self.unary())
        return self.postfix()

    def postfix(self):
        value = self.primary()
        while self.next() in ("[", ".", "->"):
            token = self.take()
            if token == "[":
                index = self.number(self.sum())
                if self.take() != "]":
                    raise Wrong("']' is missing")
                value = self.indexed(value, index)
            else:
                value = self.pointed(value) if token == "->" else value
                value = self.settled(value).GetChildMemberWithName(self.take())
        return value

    def primary(self):
        token = self.take()
        if token == "(":
            value = self.sum()
            if self.take() != ")":
                raise Wrong("')' is missing")
            return value
        if token.isdigit():
            return int(token)
        if not re.match(r"[A-Za-z_]", token):
            raise Wrong(f"syntax error near '{token}'")
        return self.named(token)

    def named(self, name):
        local = self.frame.FindVariable(name)
        segment = Segment(self.target)
        record = None if local.IsValid() and local.GetValueType() != lldb.eValueTypeVariableStatic else segment.named(name)
        if record:
            _, kind = strip_arrays(type_in_c(self.target.FindFirstGlobalVariable(name).GetType()))
            pointer, count = Pointer(segment, (0, record.offset, 0), record.block, record.rows, kind), record.count
            for length in record.rows:
                count //= length
            return Array(pointer, count) if record.is_array else Place(pointer)
        value = local if local.IsValid() else self.frame.EvaluateExpression(name)
        if value.GetError().Fail():
            raise Wrong(f"no value of '{name}': {value.GetError()}")
        return value

    def pointer(self, value):
        """VALUE as a Pointer, or None."""
        if isinstance(value, Array):
            return value.pointer
        if isinstance(value, Pointer) or isinstance(value, int):
            return value if isinstance(value, Pointer) else None
        value = self.settled(value)
        return pointer_from(value) if pointer_name(value.GetType()) else None

    def pointed(self, value):
        pointer = self.pointer(value)
        if pointer:
            return target_of(pointer)
        return self.settled(value).Dereference()

    def indexed(self, value, index):
        if isinstance(value, Array):
            return value.element(index)
        pointer = self.pointer(value)
        if pointer:
            return target_of(pointer.moved(index, pointer.rows))
        value = self.settled(value)
        if value.GetType().IsPointerType():
            kind = value.GetType().GetPointeeType()
            return value.CreateValueFromAddress("element", value.GetValueAsUnsigned() + index * kind.GetByteSize(), kind)
        return value.GetChildAtIndex(index)

    def settled(self, value):
        return value.pointer.value(self.target) if isinstance(value, Place) else value

    def number(self, value):
        value = self.settled(value)
        return value if isinstance(value, int) else value.GetValueAsSigned()


def text_of(value, target):
    """VALUE as lldb shows it."""
    if isinstance(value, (int, str)):
        return str(value)
    if isinstance(value, Array):
        return value.text(target)
    if isinstance(value, Pointer):
        return value.text()
    value = value.pointer.value(target) if isinstance(value, Place) else value
    if pointer_name(value.GetType()):
        return pointer_summary(value, None)
    if value.GetNumChildren() and not value.GetType().IsPointerType():
        fields = (value.GetChildAtIndex(i) for i in range(value.GetNumChildren()))
        return "{" + ", ".join(f"{field.GetName()} = {text_of(field, target)}" for field in fields) + "}"
    if value.GetError().Fail():
        raise Wrong(str(value.GetError()))
    return value.GetSummary() or value.GetValue() or "?"


def print_shared(debugger, text, result, _):
    """upc-print EXPRESSION: its value, where it leads to shared data, too."""
    target = debugger.GetSelectedTarget()
    try:
        frame = target.process.GetSelectedThread().GetSelectedFrame()
        if not frame.IsValid():
            raise Wrong("there is no process, or it runs")
        result.AppendMessage(f"{text.strip()} = {text_of(Expression(text, frame).evaluate(), target)}")
    except (Wrong, upct_shared.Unreadable) as wrong:
        result.SetError(str(wrong))
    except AttributeError:
        result.SetError("invalid operands of an operator")


def __lldb_init_module(debugger, _):
    debugger.HandleCommand(f"type summary add -x '{POINTERS}' -F {__name__}.pointer_summary")
    debugger.HandleCommand(f"command script add -f {__name__}.print_shared upc-print")
