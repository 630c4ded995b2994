#!/usr/bin/env python3
"""upc-clangd [SWITCHES OF CLANGD]: the language server clangd, for UPC.

Stands between an editor and clangd. clangd sees UPC files, and the headers that they include, as C of the same
lines and columns (plain.py), so that its answers fit what the editor shows; other files and messages pass as they
are. CLANGD in the environment names another clangd."""

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from urllib.parse import quote, unquote, urlparse

SHARE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "share", "upct", "clangd")
sys.path.insert(0, SHARE)
from plain import plain  # noqa: E402

# Edits of these are computed from text in which words of UPC are blanks.
WRITERS = ("documentFormattingProvider", "documentRangeFormattingProvider", "documentOnTypeFormattingProvider")
FULL = 1  # TextDocumentSyncKind
# Switches that clangd answers with text, not as a language server.
ANSWERED = re.compile(r"--?(?:help|help-hidden|help-list|help-list-hidden|version)")
FLAGS = ["-xc", "-isystem", SHARE, "-include", os.path.join(SHARE, "prelude.h"), "-Wno-unused-value"]


def read_message(stream):
    """None at the end of the stream."""
    length = 0
    for line in iter(stream.readline, b""):
        name, _, value = line.decode().partition(":")
        if name.strip().lower() == "content-length":
            length = int(value)
        if not line.strip():
            return json.loads(stream.read(length))
    return None


def write_message(stream, message):
    body = json.dumps(message).encode()
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()


def path_of(uri):
    return unquote(urlparse(uri).path)


def is_upc(path, text):
    """A header is UPC's if it speaks of it."""
    return path.endswith((".upc", ".uph")) or path.endswith(".h") and bool(re.search(r"\b(?:shared|upc_\w+|__UPC__)\b", text))


def read_text(path):
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except OSError:
        return None


def databases(path):
    """The entries of each compile_commands.json where clangd looks for one."""
    folder = os.path.dirname(path)
    while folder != os.path.dirname(folder):
        folder, inner = os.path.dirname(folder), folder
        for candidate in (inner, os.path.join(inner, "build")):
            text = read_text(os.path.join(candidate, "compile_commands.json"))
            try:
                yield json.loads(text or "")
            except ValueError:
                pass  # there is none, or it is being written


def command_for(path, upc):
    """(folder, words) with upcc's switches, but those that only it knows. None for C without a database: clangd
    knows better. It would guess the command of a file that is in none from a UPC file's."""
    found = list(databases(path))
    if not found and not upc:
        return None
    entry = next((entry for entries in found for entry in entries if os.path.join(entry["directory"], entry["file"]) == path),
                 {"directory": os.path.dirname(path), "arguments": ["upcc", path]})
    kept = ["clang", *(FLAGS if upc else [])]
    for word in (entry.get("arguments") or shlex.split(entry["command"]))[1:]:
        threads = re.fullmatch(r"-fupc-threads[-=](\d+)", word)
        if threads and upc:
            kept += [f"-DTHREADS={threads[1]}", "-D__UPC_STATIC_THREADS__"]
        elif not re.match(r"-fupc|-fbupc|--profile|--trace|-pthreads|-shared-heap|-network", word):
            kept.append(word)
    return entry["directory"], kept


class Server:
    """What passes on the way to clangd, and back."""

    def __init__(self, to_clangd, to_editor):
        self.to_clangd = to_clangd
        self.to_editor = to_editor
        self.initialize = None    # the id of the request
        self.versions = {}        # of each document that clangd has
        self.shown = set()        # those that the editor has, too
        self.lock = threading.Lock()

    def tell(self, method, params):
        write_message(self.to_clangd, {"jsonrpc": "2.0", "method": method, "params": params})

    def tell_command(self, path, upc):
        folder, words = command_for(path, upc) or (None, None)
        if words:
            self.tell("workspace/didChangeConfiguration", {"settings": {"compilationDatabaseChanges": {
                path: {"workingDirectory": folder, "compilationCommand": words}}}})
        return words

    def open(self, uri, text):
        """Gives clangd a UPC file, or the new text of one, and how it is compiled."""
        version = self.versions.get(uri, 0) + 1
        self.versions[uri] = version
        if version > 1:
            self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                                 "contentChanges": [{"text": plain(text)}]})
            return
        path = path_of(uri)
        words = self.tell_command(path, True)
        self.open_headers(path, text, [word[2:] for word in words if word.startswith("-I")])
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "c", "version": 1, "text": plain(text)}})

    def open_headers(self, path, text, folders):
        """The program's own headers that are UPC, which clangd would read as they are."""
        for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', text, flags=re.M):
            for folder in [os.path.dirname(path), *folders]:
                header = os.path.normpath(os.path.join(os.path.dirname(path), folder, name))
                found = read_text(header)
                if found is None:
                    continue
                uri = "file://" + quote(header)
                if is_upc(header, found) and uri not in self.versions:
                    self.open(uri, found)
                break

    def from_editor(self, message):
        method, params = message.get("method"), message.get("params") or {}
        document = params.get("textDocument") or {}
        uri = document.get("uri", "")
        if method == "initialize":
            self.initialize = message["id"]
        elif method == "textDocument/didOpen":
            self.shown.add(uri)
            if uri in self.versions or document.get("languageId") == "upc" or is_upc(path_of(uri), document["text"]):
                return self.open(uri, document["text"])
            self.tell_command(path_of(uri), False)
        elif method == "textDocument/didChange" and uri in self.versions:
            return self.open(uri, params["contentChanges"][-1]["text"])
        elif method == "textDocument/didClose":
            self.shown.discard(uri)
            if uri in self.versions and path_of(uri).endswith(".h"):
                return None  # others may include it
            self.versions.pop(uri, None)
        write_message(self.to_clangd, message)

    def from_clangd(self, message):
        if self.initialize is not None and message.get("id") == self.initialize and "result" in message:
            self.initialize = None
            capabilities = message["result"]["capabilities"]
            capabilities["textDocumentSync"] = {"openClose": True, "change": FULL, "save": True}
            for name in WRITERS:
                capabilities.pop(name, None)
        uri = (message.get("params") or {}).get("uri") if message.get("method") == "textDocument/publishDiagnostics" else None
        if uri is None or uri not in self.versions or uri in self.shown:
            write_message(self.to_editor, message)

    def pass_on(self, stream, act):
        while True:
            message = read_message(stream)
            if message is None:
                return
            with self.lock:
                act(message)


def main():
    command = os.environ.get("CLANGD") or "clangd"
    try:
        if any(ANSWERED.fullmatch(word) for word in sys.argv[1:]):
            os.execvp(command, [command, *sys.argv[1:]])
        clangd = subprocess.Popen([command, "--use-dirty-headers", *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        sys.exit(f"upc-clangd: error: cannot run '{command}': {error.strerror}; Debian has it in the package clangd")
    server = Server(clangd.stdin, sys.stdout.buffer)

    def to_clangd():
        server.pass_on(sys.stdin.buffer, server.from_editor)
        clangd.stdin.close()

    threading.Thread(target=to_clangd, daemon=True).start()
    server.pass_on(clangd.stdout, server.from_clangd)
    sys.exit(clangd.wait())


if __name__ == "__main__":
    main()
