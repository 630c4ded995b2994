"""upc-clangd: what an editor hears of UPC sources from clangd."""

import glob
import json
import os
import re
import subprocess
import sys

import pytest

from support import ROOT
from support.upcc import refuses

sys.path.insert(0, os.path.join(ROOT, "tools", "editors", "clangd"))
from plain import plain  # noqa: E402

pytestmark = [
    pytest.mark.no_sanitizers("it is a script, the same in each build"),
    pytest.mark.host_only("it is for the editor that runs here"),
]

UNIT = """#include <upc.h>
#include "row.h"
shared [4] int cells[THREADS * 4];

void
fill (shared [4] int *p)
{
  upc_forall (int i = 0; i < 4 * THREADS; i++; &p[i])
    p[i] = row_sum (i) + MYTHREAD; // shared [] in a comment
  upc_barrier 1;
  upc_lock_t *lock = upc_all_lock_alloc ();
  upc_lock (lock);
}
"""
HEADER = "shared [3] double matrix[3 * THREADS];\nint row_sum (int row);\n"


class Editor:
    """An editor that waits for each answer."""

    def __init__(self, upct, **environment):
        self.upct = upct
        self.server = subprocess.Popen(
            [upct.tool("upc-clangd"), "--log=error", "--background-index=false", "-j=1"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=upct.folder, env={**os.environ, **environment})
        self.version = 0
        self.capabilities = self.ask("initialize", {"processId": None, "rootUri": self.uri(""), "capabilities": {}})["capabilities"]
        self.tell("initialized", {})

    def uri(self, name):
        return "file://" + self.upct.path(name)

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = 0
        for line in iter(self.server.stdout.readline, b"\r\n"):
            assert line, self.server.stderr.read().decode()
            length = int(line.split(b":")[1])
        return json.loads(self.server.stdout.read(length))

    def wait(self, wanted):
        message = self.receive()
        while not wanted(message):
            message = self.receive()
        return message

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.version += 1
        number = self.version
        self.send({"id": number, "method": method, "params": params})
        return self.wait(lambda message: message.get("id") == number and "method" not in message)["result"]

    def diagnostics(self, name):
        """(line, column, text) of each, counted from 1."""
        found = self.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics"
                          and message["params"]["uri"] == self.uri(name))
        return [(row["range"]["start"]["line"] + 1, row["range"]["start"]["character"] + 1, row["message"])
                for row in found["params"]["diagnostics"]]

    def open(self, name, text):
        language = "upc" if name.endswith(".upc") else "c"
        self.tell("textDocument/didOpen", {"textDocument": {"uri": self.uri(name), "languageId": language, "version": 1, "text": text}})
        return self.diagnostics(name)

    def change(self, name, text):
        self.version += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": self.uri(name), "version": self.version},
                                             "contentChanges": [{"text": text}]})
        return self.diagnostics(name)

    def definition(self, name, text, word):
        """(file, line) of what WORD of the file means."""
        line = next(number for number, row in enumerate(text.splitlines()) if word in row)
        place, = self.ask("textDocument/definition", {
            "textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": text.splitlines()[line].index(word)}})
        return os.path.basename(place["uri"]), place["range"]["start"]["line"] + 1

    def close(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.server.stdin.close()
        assert self.server.wait(timeout=60) == 0


def test_an_editor_sees_a_program(upct):
    """No message where all is right, wrong code at its place, and where names are defined."""
    upct.write("row.h", HEADER)
    editor = Editor(upct)
    assert editor.capabilities["textDocumentSync"]["change"] == 1
    assert "documentFormattingProvider" not in editor.capabilities
    assert editor.open("unit.upc", UNIT) == []
    assert editor.definition("unit.upc", UNIT, "row_sum") == ("row.h", 2)
    assert editor.definition("unit.upc", UNIT, "upc_all_lock_alloc")[0] == "upc.h"
    assert editor.definition("unit.upc", UNIT, "p[i] = ") == ("unit.upc", 6)
    wrong = UNIT.replace("row_sum (i)", "row_sum (i, absent)")
    assert editor.change("unit.upc", wrong) == [(9, 24, "Use of undeclared identifier 'absent'")]
    assert editor.change("unit.upc", UNIT) == []
    editor.close()


def test_commands_of_a_project(upct):
    """Switches of the compiler are its own, and those that only upcc has say what they mean."""
    text = "#include <wanted.h>\n#if THREADS != 8 || WANTED != 3\n#error\n#endif\nshared [] int *p;\n"
    for folder in ("headers", "build"):
        os.mkdir(upct.path(folder))
    upct.write("headers/wanted.h", "extern shared [2] int there[2 * THREADS];\n")
    upct.write("a.upc", text)
    upct.check_output([upct.tool("upcc"), "-fupc-threads-8", "-fupc-check", "-DWANTED=3", "-Iheaders", "-c", "a.upc",
                       "-MJ", "a.json"], cwd=upct.folder)
    upct.write("build/compile_commands.json", upct.check_output(["sed", "-e", "1s/^/[/", "-e", "$s/,$/]/", upct.path("a.json")]))
    editor = Editor(upct)
    assert editor.open("a.upc", text) == []
    assert editor.open("plain.c", "int shared, strict = 1;\n") == []
    editor.close()


# Names of functions that are not declared with upcc; a file that wants macros; words of UPC by macros.
BEYOND = ("/own_names.upc", "/misuse.upc", "/old/heat.upc", "/old/aliases.upc", "/old/uts.upc")


def test_sources_of_the_project_are_right(upct):
    """All lines and columns stay, and what is left is C. Without a server, as it is cheaper."""
    share = f"{upct.build}/share/upct/clangd"
    include = [f"-I{upct.path('copy')}", f"-isystem{share}", "-include", f"{share}/prelude.h"]
    sources = [path for folder in ("docs/examples", "tests/fixtures/collective", "tests/fixtures/compat")
               for path in glob.glob(f"{ROOT}/{folder}/**/*.upc", recursive=True) if not path.endswith(BEYOND)]
    assert len(sources) > 20
    made_sources = []
    for path in sources + glob.glob(f"{ROOT}/tests/fixtures/**/*.h", recursive=True):
        made = upct.path("copy/" + os.path.relpath(path, ROOT))
        os.makedirs(os.path.dirname(made), exist_ok=True)
        with open(path, encoding="utf-8", newline="") as source, open(made, "w", encoding="utf-8", newline="") as copy:
            text = source.read()
            copy.write(plain(text))
        assert [len(line) for line in plain(text).split("\n")] == [len(line) for line in text.split("\n")]
        if path in sources:
            made_sources.append(made)
    result = upct.run(["clang", "-fsyntax-only", "-std=gnu2x", "-w", *include, "-x", "c", *made_sources])
    assert re.findall(r"error: .*", result.stderr) == []


def test_entries_of_a_database(upct):
    """Of each source, behind those of other calls; only what concerns it."""
    upct.write("a.upc", "#include <upc.h>\n")
    upct.write("b.c", "int main (void) { return 0; }\n")
    for words in (["-c", "a.upc", "-DTEXT=\"a b\"", "-o", "out.o", "-lm"], ["-O2", "a.upc", "b.c", "-o", "prog"]):
        upct.check_output([upct.tool("upcc"), "-MJ", "all.json", *words], cwd=upct.folder)
    with open(upct.path("all.json")) as file:
        entries = json.loads("[" + file.read().rstrip(",\n") + "]")
    assert entries == [
        {"directory": upct.folder, "file": "a.upc", "output": "out.o",
         "arguments": ["upcc", "-DTEXT=\"a b\"", "-c", "a.upc", "-o", "out.o"]},
        {"directory": upct.folder, "file": "a.upc", "arguments": ["upcc", "-O2", "-c", "a.upc"]},
        {"directory": upct.folder, "file": "b.c", "arguments": ["upcc", "-O2", "-c", "b.c"]}]
    refuses(upct, ["-c", "a.upc", "-MJ", "absent/a.json"], "absent/a.json: No such file or directory")


def test_without_clangd(upct):
    result = upct.run([upct.tool("upc-clangd")], CLANGD="absent")
    assert (result.returncode, result.stderr) == (
        1, "upc-clangd: error: cannot run 'absent': No such file or directory; Debian has it in the package clangd\n")


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_what_clangd_says_of_itself(upct, word):
    """That is text, not messages for an editor."""
    assert upct.check_output([upct.tool("upc-clangd"), word]) == upct.check_output(["clangd", word])
