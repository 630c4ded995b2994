"""Expressions: C's, and gdb's `@`, over shared and other values."""

import operator
import re

import gdb

from upct.segment import require_process
from upct.values import Array, Element, Pointer, leads_to_integers, plain, settled, shared_object, type_of


TOKEN = re.compile(r"""\s*(\$?[A-Za-z_]\w*|\$\d*|0[xX][\da-fA-F]+[uUlL]*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[uUlLfF]*
                       |'(?:\\.|[^'\\])+'|"(?:\\.|[^"\\])*"|->|<<|>>|<=|>=|==|!=|&&|\|\||.)""", re.VERBOSE)
LEVELS = [{"||": None}, {"&&": None}, {"|": operator.or_}, {"^": operator.xor}, {"&": operator.and_},
          {"==": operator.eq, "!=": operator.ne},
          {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge},
          {"<<": operator.lshift, ">>": operator.rshift}, {"@": None}, {"+": operator.add, "-": operator.sub},
          {"*": operator.mul, "/": operator.truediv, "%": operator.mod}]


class Expression:
    """An expression of UPC, which is evaluated as it is read."""

    def __init__(self, text):
        self.tokens = [match.group(1) for match in TOKEN.finditer(text.strip())]
        self.at = 0

    def evaluate(self):
        result = self.assignment()
        if self.next() is not None:
            raise gdb.GdbError(f"A syntax error in expression, near `{''.join(self.tokens[self.at:])}'.")
        return result

    def next(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else None

    def accept(self, *tokens):
        if self.next() not in tokens:
            return None
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, token):
        if not self.accept(token):
            raise gdb.GdbError(f"A syntax error in expression: `{token}' is missing.")

    def assignment(self):
        if re.match(r"\$[A-Za-z_]", self.next() or "") and self.next(1) == "=":
            return self.set_convenience()
        left = self.conditional()
        if not self.accept("="):
            return left
        right = settled(self.assignment())
        target = left.value() if isinstance(left, Element) else left
        if not isinstance(target, gdb.Value) or target.address is None:
            raise gdb.GdbError("Left operand of assignment is not an lvalue.")
        gdb.set_convenience_variable("_upc_to", target.address)
        gdb.set_convenience_variable("_upc_value", right.value() if isinstance(right, Pointer) else right)
        return gdb.parse_and_eval("*$_upc_to = $_upc_value")

    def set_convenience(self):
        name, self.at = self.next()[1:], self.at + 2
        right = settled(self.assignment())
        gdb.set_convenience_variable(name, right.value() if isinstance(right, Pointer) else right)
        return right

    def conditional(self):
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        left = self.assignment()
        self.expect(":")
        right = self.conditional()
        return left if is_true(condition) else right

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while token := self.accept(*LEVELS[level]):
            left = self.combine(token, left, self.binary(level + 1), LEVELS[level][token])
        return left

    @staticmethod
    def combine(token, left, right, function):
        if token == "@":
            if isinstance(left, Element):
                return Array(left.pointer, int(plain(right)))
            if isinstance(left, Array):
                return Array(left.pointer.moved(0, [left.count, *left.pointer.rows]), int(plain(right)))
            gdb.set_convenience_variable("_upc_value", plain(left))
            return gdb.parse_and_eval(f"$_upc_value @ {int(plain(right))}")
        left, right = settled(left), settled(right)
        if token in ("||", "&&"):
            left, right = is_true(left), is_true(right)
            return gdb.Value(int(left or right if token == "||" else left and right))
        if isinstance(right, Pointer) and not isinstance(left, Pointer):
            if token not in ("+", "==", "!="):
                raise gdb.GdbError(f"Invalid operands of `{token}'.")
            left, right = right, left
        if isinstance(left, Pointer) and token not in ("+", "-", "==", "!="):
            raise gdb.GdbError(f"Invalid operands of `{token}'.")
        result = function(left, right)
        return gdb.Value(int(result)) if isinstance(result, bool) else result

    def unary(self):
        token = self.accept("&", "*", "-", "+", "!", "~", "sizeof")
        if token == "sizeof":
            return self.size()
        if token is None:
            kind = self.type_name()
            return self.postfix() if kind is None else self.cast(kind)
        operand = self.unary()
        if token == "&":
            if isinstance(operand, (Element, Array)):
                return operand.pointer
            if isinstance(operand, Pointer) or operand.address is None:
                raise gdb.GdbError("Attempt to take address of value not located in memory.")
            return operand.address
        operand = settled(operand)
        if token == "*":
            return operand.element() if isinstance(operand, Pointer) else operand.dereference()
        if token == "!":
            return gdb.Value(int(not is_true(operand)))
        return {"-": operator.neg, "+": operator.pos, "~": operator.invert}[token](operand)

    def size(self):
        kind = self.type_name()
        if kind is not None:
            return gdb.Value(kind.sizeof)
        operand = self.unary()
        if isinstance(operand, Array):
            return gdb.Value(operand.count * operand.pointer.step * operand.pointer.kind.sizeof)
        return gdb.Value((operand.value() if isinstance(operand, (Element, Pointer)) else operand).type.sizeof)

    def type_name(self):
        """A type in parentheses, which is read; or None."""
        if self.next() != "(" or not re.match(r"[A-Za-z_]", self.next(1) or ""):
            return None
        depth, end = 0, self.at
        while end < len(self.tokens):
            depth += {"(": 1, ")": -1}.get(self.tokens[end], 0)
            end += 1
            if depth == 0:
                break
        try:
            kind = gdb.parse_and_eval(f"({' '.join(self.tokens[self.at + 1:end - 1])} *) 0").type.target()
        except gdb.error:
            return None
        self.at = end
        return kind

    def cast(self, kind):
        operand = settled(self.unary())
        if isinstance(operand, Pointer):
            operand = gdb.Value(operand.address())
        return operand.cast(kind)

    def postfix(self):
        value = self.primary()
        while token := self.accept("[", "(", ".", "->"):
            if token == "[":
                value = self.index(value, settled(self.assignment()))
                self.expect("]")
            elif token == "(":
                value = settled(value)(*self.arguments())
            else:
                value = self.member(value, token)
        return value

    @staticmethod
    def index(value, index):
        if isinstance(value, Array) and not 0 <= int(index) < value.count:
            require_process()
            raise gdb.GdbError(f"Index {int(index)} is out of bounds: the array has {value.count} elements.")
        value = settled(value)
        if isinstance(value, Pointer):
            return (value + index).element()
        return index[value] if isinstance(index, Pointer) else value[index]

    def member(self, value, token):
        value = settled(value)
        if token == "->":
            value = plain(value.element()) if isinstance(value, Pointer) else value.dereference()
        self.at += 1
        return value[self.tokens[self.at - 1]]

    def arguments(self):
        found = []
        while not self.accept(")"):
            found.append(settled(self.assignment()))
            self.accept(",")
        return [value.value() if isinstance(value, Pointer) else value for value in found]

    def primary(self):
        if self.accept("("):
            value = self.assignment()
            self.expect(")")
            return value
        token = self.next()
        if token is None or not re.match(r"[\w$'\".]", token):
            raise gdb.GdbError("A syntax error in expression.")
        self.at += 1
        return (shared_object(token) if re.match(r"[A-Za-z_]", token) else None) or gdb.parse_and_eval(token)


def is_true(value):
    value = settled(value)
    return not value.is_null() if isinstance(value, Pointer) else bool(value)


def names(text):
    """The names in TEXT that may be those of variables."""
    tokens = Expression(text).tokens
    return [token for before, token in zip([None, *tokens], tokens)
            if re.match(r"[A-Za-z_]", token) and before not in (".", "->", "struct", "union", "enum")]


def mentions_object(text):
    """Whether a name in TEXT is that of a static shared object that C does not know as it is, or leads to a
    pointer-to-shared that C takes for an integer."""
    return any(shared_object(name) or leads_to_integers(type_of(name)) for name in names(text)) or \
        any(leads_to_integers(type_of(value)) for value in re.findall(r"\$\w*", text))


def value_for_gdb(text):
    """What the expression TEXT is, as a gdb.Value."""
    try:
        value = Expression(text).evaluate()
        value = value if isinstance(value, gdb.Value) else value.value()
        value.fetch_lazy()
        return value
    except gdb.error as error:
        raise gdb.GdbError(str(error)) from None
    except (AttributeError, TypeError):
        raise gdb.GdbError("Invalid operands of an operator.") from None
    except OverflowError:
        raise gdb.GdbError("The pointer-to-shared leads out of the segment.") from None
