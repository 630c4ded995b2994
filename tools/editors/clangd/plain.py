"""The text of a UPC file as C, for what knows only C: each character has the line and the column that it had.

    python3 plain.py FILE.upc       prints it

The words of UPC and layouts become blanks, upc_forall a for whose affinity is a part of its increment, and
synchronisation an expression. What is not UPC stays as it is, in comments and strings, too."""

import re
import sys

TOKEN = re.compile(r"""(?P<skip> //(?:[^\\\n]|\\.)* | /\*.*?(?:\*/|\Z) | \s+ | \\\n
                      | ^[ \t]*\#[ \t]*(?:pragma|include|error|warning|line)\b(?:[^\\\n]|\\.|\\\n)*)
                    | (?P<word> [A-Za-z_$][\w$]*)
                    | (?P<other> (?:L|u8?|U)?"(?:[^"\\\n]|\\.)*"? | '(?:[^'\\\n]|\\.)*'? | \.?\d(?:[eEpP][+-]|[\w.])* | .)""",
                   re.VERBOSE | re.DOTALL | re.MULTILINE)

QUALIFIERS = {"shared", "strict", "relaxed"}
STATEMENTS = {"upc_barrier", "upc_notify", "upc_wait", "upc_fence"}
SIZES = {"upc_blocksizeof", "upc_elemsizeof", "upc_localsizeof"}


class Text:
    def __init__(self, text):
        self.characters = list(text)
        self.tokens = [(match[0], match.start()) for match in TOKEN.finditer(text) if match.lastgroup != "skip"]

    def word(self, i):
        return self.tokens[i][0] if i < len(self.tokens) else ""

    def put(self, i, text=""):
        """TEXT in place of token I, and blanks for the rest of it."""
        word, at = self.tokens[i]
        new = text.ljust(len(word))
        assert len(new) == len(word)
        # Lines stay lines.
        self.characters[at:at + len(word)] = ["\n" if old == "\n" else now for old, now in zip(word, new)]

    def blank(self, first, end):
        for i in range(first, end):
            self.put(i)

    def closing(self, i):
        """The bracket that closes the one at I; the end of the text if none does."""
        depth = 0
        for k in range(i, len(self.tokens)):
            depth += self.word(k) in ("(", "[", "{")
            depth -= self.word(k) in (")", "]", "}")
            if depth == 0:
                return k
        return len(self.tokens)

    def layout(self, i):
        if self.word(i) == "[":
            self.blank(i, min(self.closing(i) + 1, len(self.tokens)))

    def loop(self, i):
        """upc_forall (a; b; c; affinity) is for (a; b; c, affinity)."""
        self.put(i, "for")
        if self.word(i + 1) != "(":
            return
        end = self.closing(i + 1)
        parts, k = [], i + 2
        while k < end:
            if self.word(k) == ";":
                parts.append(k)
            k = self.closing(k) + 1 if self.word(k) in ("(", "[", "{") else k + 1
        if len(parts) < 3:
            return
        second, third = parts[1:3]
        if self.word(third + 1) == "continue" or third + 1 == end:
            self.blank(third, end)
        else:
            self.put(third, "," if third > second + 1 else "")


def plain(text):
    result = Text(text)
    for i in range(len(result.tokens)):
        word = result.word(i)
        if word in QUALIFIERS:
            result.put(i)
            result.layout(i + 1)
        elif word == "upc_forall":
            result.loop(i)
        elif word in STATEMENTS:
            result.put(i, "(void)0" if result.word(i + 1) == ";" else "(void)0,")
        elif word in SIZES:
            result.put(i, "sizeof")
    return "".join(result.characters)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8", errors="surrogateescape", newline="") as source:
        sys.stdout.reconfigure(errors="surrogateescape", newline="")
        sys.stdout.write(plain(source.read()))
