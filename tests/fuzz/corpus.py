"""Writes what a fuzzer of upc2c starts from: short sources, one file each, and the
words of the language as a dictionary.

    corpus.py FOLDER    makes FOLDER/seeds/ and FOLDER/words.dict"""

import ast
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LONGEST = 1500
SOURCES = ["tests/fixtures/*/*.upc", "tests/fixtures/upc2c/*/*.upc"]
SNIPPETS = ["tests/upc2c/test_*.py"]


def stripped(text):
    """Without comments and preprocessing directives: upc2c reads what cpp wrote."""
    return re.sub(r"/\*.*?\*/|//[^\n]*|^\s*#.*$", "", text, flags=re.S | re.M)


def chunks(text):
    """Pieces of whole declarations, each as long as a seed may be."""
    piece = ""
    for part in re.split(r"(?<=\n)\n+(?=\S)", text):
        if piece and len(piece) + len(part) > LONGEST:
            yield piece
            piece = ""
        piece += part
    yield piece


def strings(path):
    """The sources in a test: its string constants that look like one."""
    with open(path) as file:
        for node in ast.walk(ast.parse(file.read())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if re.search(r"[;{}]", node.value) and "error:" not in node.value:
                    yield node.value


def files(patterns):
    return [path for pattern in patterns for path in sorted(glob.glob(os.path.join(ROOT, pattern)))]


def seeds():
    for path in files(SNIPPETS):
        yield from (text for text in strings(path) if len(text) <= LONGEST)
    for path in files(SOURCES):
        with open(path) as file:
            yield from (text for text in chunks(stripped(file.read())) if len(text) <= 2 * LONGEST)


def words():
    """Of the lexer's table, and what is made of several characters."""
    with open(os.path.join(ROOT, "tools/upc2c/lex/keywords.def")) as file:
        return sorted(set(re.findall(r'"([^"\\\n ]{2,})"', file.read())))


def main():
    folder = sys.argv[1]
    os.makedirs(f"{folder}/seeds", exist_ok=True)
    for number, text in enumerate(sorted(set(seeds()))):
        with open(f"{folder}/seeds/{number:04}", "w") as file:
            file.write(text)
    with open(f"{folder}/words.dict", "w") as file:
        file.writelines(f'"{word}"\n' for word in words())


if __name__ == "__main__":
    main()
