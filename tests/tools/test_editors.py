"""What shells and editors know of UPC: completion of switches, colours, messages, places of definitions."""

import json
import os
import re
import subprocess

import pytest

from support import ROOT

EDITORS = os.path.join(ROOT, "tools", "editors")

pytestmark = [
    pytest.mark.no_sanitizers("they are files, the same in each build"),
    pytest.mark.host_only("they are for the tools that run here"),
]

SOURCE = """#include <upc.h>
shared [4] int blocked[THREADS * 4];
strict shared double flag;
shared [] char *where;
relaxed shared [2] struct point { int x, y; } points[THREADS];
typedef shared [2] int pair_t;
void work (shared [8] int *p)
{
  upc_forall (int i = 0; i < 8; i++; &p[i])
    p[i] = MYTHREAD + upc_blocksizeof (pair_t);
  upc_barrier;
}
"""


def keywords():
    """The words that UPC has and C has not, as the compiler knows them."""
    with open(os.path.join(ROOT, "tools", "upc2c", "lex", "keywords.def")) as table:
        return re.findall(r'^UPC_KEYWORD \(\w+, "(\w+)"', table.read(), flags=re.M)


@pytest.mark.parametrize("name", ["vim/syntax/upc.vim", "upc-mode.el", "vscode/syntaxes/upc.tmLanguage.json"])
def test_each_word_of_the_language(name):
    with open(os.path.join(EDITORS, name)) as file:
        text = file.read()
    assert [word for word in keywords() if not re.search(rf"\b(?:b?){word}\b", text)] == []


BASH = r"""
. "$1/share/bash-completion/completions/$2"
COMP_LINE=$3 COMP_POINT=${#3}
words=($3)
# As readline splits words: "=" is one of its own.
last=${3##*[[:blank:]=]}
previous=${words[-2]}
[[ $3 == *" " ]] && previous=${words[-1]}
function compopt { :; }
$(complete -p "$2" | sed 's/.*-F \([^ ]*\).*/\1/') "$2" "$last" "$previous"
printf '%s\n' "${COMPREPLY[@]}"
"""

FISH = """
source "$argv[1]/share/fish/vendor_completions.d/$argv[2].fish"
complete -C "$argv[3]" | string replace -r '\t.*' ''
"""

# A shell of its own, whose line editor gets the line and TAB, and says what it would offer.
ZSH = r"""
zmodload zsh/zpty
cat > start <<END
PROMPT=
fpath=($1/share/zsh/site-functions \$fpath)
autoload -U compinit
compinit -u -D
compadd () {
  local -a offered
  [[ "\$*" == *-(O|A|D)\ * ]] || { builtin compadd -A offered "\$@"; print -l -- \$offered >>offered; }
  builtin compadd "\$@"
}
finish () { print done >>offered; print finished; }
zle -N finish
bindkey '^X' finish
print re''ady
END
zpty shell zsh -f -i
zpty -w shell ". ./start"
zpty -r shell text "*ready*"
zpty -w -n shell "$3"$'\t\x18'
zpty -r shell text "*finished*"
zpty -d shell
cat offered
rm offered
"""


def completed(upct, shell, tool, line):
    """What SHELL offers for a line that ends at the cursor."""
    script = upct.write(f"ask.{shell}", {"bash": BASH, "fish": FISH, "zsh": ZSH}[shell])
    command = {"bash": ["bash", "--norc", "--noprofile"], "fish": ["fish", "--no-config"], "zsh": ["zsh", "-f"]}[shell]
    result = subprocess.run([*command, script, upct.build, tool, line], cwd=upct.folder, text=True, capture_output=True,
                            stdin=subprocess.DEVNULL, timeout=60, env={**os.environ, "HOME": upct.folder, "TERM": "dumb"})
    assert result.stderr == ""
    return re.findall(r"[^\s]+", result.stdout)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_switches_are_completed(upct, shell):
    assert {"-fupc-check", "-fupc-report", "-fbupc"} <= {word.rstrip("=") for word in completed(upct, shell, "upcc", "upcc -f")}
    assert "-o" not in completed(upct, shell, "upcc", "upcc -fupc-r")
    assert "-fupc-report" in "".join(completed(upct, shell, "upcc", "upcc -fupc-r"))
    assert {"--map", "--report"} <= set(completed(upct, shell, "upc-privatize", "upc-privatize --"))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_values_are_completed(upct, shell):
    assert {"none", "core"} <= set(completed(upct, shell, "upcrun", "upcrun -bind "))
    offered = completed(upct, shell, "upcc", "upcc -fupc-pts=")
    assert {"packed", "struct"} <= {word.rpartition("=")[2] for word in offered}


VIM = """
edit t.upc
let out = [&filetype]
for word in ['shared', 'upc_forall', 'THREADS', 'upc_barrier', 'upc_blocksizeof']
  call cursor (1, 1)
  call search ('\\<' . word . '\\>')
  call add (out, word . ' ' . synIDattr (synIDtrans (synID (line ('.'), col ('.'), 1)), 'name'))
endfor
" With nobody to press a key, no message may wait for one.
silent make!
for entry in getqflist ()
  call add (out, bufname (entry.bufnr) . ':' . entry.lnum . ':' . entry.col . ':' . entry.type . ':' . entry.text)
endfor
call writefile (out, 'out.txt')
quitall!
"""


@pytest.mark.parametrize("vimrc", [None, "syntax on\nfiletype plugin on\n"], ids=["defaults", "vimrc"])
def test_vim(upct, vimrc):
    """Colours, and the messages of :make as places to go to, by the link that docs/editors.md makes."""
    upct.write("t.upc", SOURCE + "int wrong (void) { return absent; }\n")
    script = upct.write("ask.vim", VIM)
    os.makedirs(upct.path(".vim/pack/upc/start"))
    os.symlink(f"{EDITORS}/vim", upct.path(".vim/pack/upc/start/upc"))
    if vimrc:
        upct.write(".vimrc", vimrc)
    upct.run(["vim", "--not-a-term", "-S", script], HOME=upct.folder, TERM="xterm", PATH=f"{upct.bin}:{os.environ['PATH']}")
    with open(upct.path("out.txt")) as out:
        assert out.read().splitlines() == [
            "upc", "shared Type", "upc_forall Statement", "THREADS Constant", "upc_barrier Statement",
            "upc_blocksizeof Statement", "t.upc:13:27:E:'absent' undeclared"]


EMACS = """
(load (concat (getenv "EDITORS") "/upc-mode") nil t)
(find-file "t.upc")
(font-lock-ensure)
(dolist (word '("shared" "upc_forall" "THREADS" "upc_barrier"))
  (goto-char (point-min))
  (re-search-forward (concat "\\\\_<" word "\\\\_>"))
  (princ (format "%s %s\\n" word (get-text-property (match-beginning 0) 'face))))
(princ (format "%s: %s\\n" major-mode compile-command))
"""


def test_emacs(upct):
    upct.write("t.upc", SOURCE)
    out = upct.check_output(["emacs", "-batch", "-Q", "-l", upct.write("ask.el", EMACS)], EDITORS=EDITORS, cwd=upct.folder)
    assert out == ("shared (font-lock-keyword-face font-lock-type-face)\nupc_forall (font-lock-keyword-face)\n"
                   "THREADS (font-lock-constant-face)\nupc_barrier (font-lock-keyword-face)\nupc-mode: upcc -g t.upc -o t\n")


def test_ctags(upct):
    """Every definition once, with the layout in front of it, too."""
    upct.write("t.upc", SOURCE)
    out = upct.check_output(["ctags", f"--options={EDITORS}/upc.ctags", "-f", "-", "t.upc"], cwd=upct.folder)
    tags = [(line.split("\t")[0], line.split("\t")[3]) for line in out.splitlines()]
    assert sorted(tags) == [("blocked", "v"), ("flag", "v"), ("pair_t", "t"), ("point", "s"), ("points", "v"), ("where", "v"),
                            ("work", "f"), ("x", "m"), ("y", "m")]


def test_messages_in_visual_studio_code(upct):
    """Its pattern finds the place and the text of each message; every file is what the extension says."""
    with open(os.path.join(EDITORS, "vscode", "package.json")) as file:
        given = json.load(file)["contributes"]
    pattern, = given["problemPatterns"]
    found = []
    for line in ("int wrong (void) { return absent; }\n", "int *odd = 3;\n"):
        upct.write("t.upc", SOURCE + line)
        result = upct.run([upct.tool("upcc"), "-c", "t.upc"], cwd=upct.folder)
        matches = [re.match(pattern["regexp"], line) for line in result.stderr.splitlines()]
        found += [[match[pattern[part]] for part in ("file", "line", "column", "severity")] for match in matches if match]
    assert found == [["t.upc", "13", "27", "error"], ["t.upc", "13", "12", "warning"]]
    for path in (given["languages"][0]["configuration"], given["grammars"][0]["path"], "example/.vscode/tasks.json",
                 "example/.vscode/launch.json"):
        with open(os.path.join(EDITORS, "vscode", path)) as file:
            assert json.load(file)
