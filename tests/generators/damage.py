"""One mistake in a right UPC program, at a place that chance chooses: an index, a barrier, a lock, a free.

A mistake is a change of the text. Beside it stands what the same place is replaced by to learn whether
a run comes there at all, since a mistake where nobody comes is none."""

import random
import re
from collections import namedtuple

# WRONG and TRAP are the whole program, with the mistake and with a trap in its place.
Damage = namedtuple("Damage", "kind line wrong trap")

FAR = 1 << 22
TRAP = "__builtin_trap ()"

SHARED_NAME = re.compile(r"\bshared\b[^;={}()]*?\**\b(\w+) *(?:\[|;|,|=)")
# From the start of a statement up to the second name that it declares, or a later one.
DECLARATION = re.compile(r"\s*(?!return\b|else\b|case\b|goto\b)(?:\w+[\s*]+)+\w+ *(?:\[[^;]*|=[^;]*)?, *\**$", re.S)
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)


def blanked(text):
    """TEXT without what only looks like code, at the same places."""
    return COMMENT_OR_STRING.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def end_of(text, start):
    """Where the bracket at START is closed."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    raise ValueError(f"no end of the bracket at {start}")


def depth_at(text, place):
    return text.count("{", 0, place) - text.count("}", 0, place)


def accesses(code):
    """The extents of the first indexes of shared arrays in functions, and whether only the address is taken."""
    names = set(SHARED_NAME.findall(code))
    for match in re.finditer(r"\b(\w+) *\[", code):
        if match[1] not in names or depth_at(code, match.start()) == 0:
            continue
        end = end_of(code, match.end() - 1)
        # A declaration has a type before the name, or before others.
        before = code[:match.start()].rstrip()
        statement = before[max(before.rfind(c) for c in ";{}") + 1:]
        if end > match.end() and not re.search(r"[\w*]$|\bshared\b[^;{}()]*$", before) and not DECLARATION.match(statement):
            yield match.end(), end, bool(re.search(r"[^&\w)\]] *&$", before))


def calls(code, names):
    """The extents of the arguments of calls of NAMES."""
    for match in re.finditer(rf"\b(?:{names}) *\(", code):
        if depth_at(code, match.start()) > 0:
            yield match.start(), match.end(), end_of(code, match.end() - 1)


def changes(text):
    """All mistakes that can be made: kind, start, end, what stands there then, what traps there."""
    code = blanked(text)
    for start, end, is_address in accesses(code):
        index = text[start:end]
        for kind, step in ("far", FAR), ("far", -FAR), ("near", 1), ("near", -1):
            yield "address" if is_address else kind, start, end, f"({index}) + {step}", f"({TRAP}, {index})"
    for match in re.finditer(r"\bupc_barrier\b[^;]*;", code):
        yield "barrier", match.start(), match.end(), ";", f"{TRAP};"
    for start, first, end in calls(code, "upc_lock"):
        yield "lock", start, end + 1, "(void) 0", TRAP
    for start, first, end in calls(code, "upc_free"):
        call, argument = text[start:end + 1], text[first:end]
        trap = f"(({argument}) != 0 ? {TRAP} : (void) 0)"
        yield "twice", start, end + 1, f"({call}, {call})", trap
        yield "inside", start, end + 1, f"upc_free ((shared char *) ({argument}) + 1)", trap


def damages(text, seed, count, only=""):
    """COUNT mistakes, as many of one kind as of another where there are enough, or of ONLY one kind."""
    rng = random.Random(seed)
    kinds = {}
    for change in changes(text):
        if only in ("", change[0]):
            kinds.setdefault(change[0], []).append(change)
    for of_kind in kinds.values():
        rng.shuffle(of_kind)
    while count and kinds:
        for kind in list(kinds):
            kind, start, end, wrong, trap = kinds[kind].pop()
            if not kinds[kind]:
                del kinds[kind]
            yield Damage(kind, text.count("\n", 0, start) + 1, text[:start] + wrong + text[end:],
                         text[:start] + trap + text[end:])
            count -= 1
            if not count:
                break
