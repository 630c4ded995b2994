"""Makes the completion of a tool's switches for a shell, from what the tool's --help prints.

    python3 tools/editors/completion.py bash|zsh|fish TOOL [OTHER-NAME]... >upcc.fish
"""

import dataclasses
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from manual import printed, switches  # noqa: E402

# What stands for a value in --help, where it may be a part of the switch's word.
VALUE = r"FILE|DIRECTORY|NAME|WORDS?|N|SIZE|COMMAND|LEVEL|SYMBOL|VALUE"
FILES = ("FILE", "DIRECTORY", "NAME", "OUT.o", "FOLDER/")
LANGUAGES = ["upc", "c", "c++", "assembler", "assembler-with-cpp", "none"]


@dataclasses.dataclass
class Switch:
    word: str               # without its value
    text: str
    value: str = ""         # as --help names it: FILE
    joined: bool = False    # the value is in the same word
    choices: tuple = ()     # all values that there are


def value_of(word):
    """(switch, value) where a value is a part of WORD, as in -fupc-threads-N, else (WORD, "")."""
    match = re.fullmatch(r"(--?[^=\[]*?)(\[?=?)(" + VALUE + r")\b.*|(-[^=]+=)(\w[^=]*\|.*)|(-\w+)\[(\w+)\]", word)
    if not match or match[1] in ("-", "--"):
        return word, ""
    if match[4]:
        return match[4], match[5]
    return (match[6], match[7]) if match[6] else (match[1] + match[2].strip("["), match[3])


def parse(row):
    spelling, text = row
    first, _, separate = spelling.partition(" ")
    word, value = (first, separate) if separate else value_of(first)
    choices = tuple(choice for choice in value.split("|") if choice != "...") if "|" in value else ()
    return Switch(word, text, value, bool(value) and not separate, tuple(LANGUAGES) if value == "LANGUAGE" else choices)


def switches_of(tool):
    """Those that somebody types: --manual is for building UPCT."""
    rows = [parse(row) for row in switches(printed(tool, "--help")) if row[0].startswith("-")]
    return [switch for switch in rows if not switch.word.startswith("--manual")]


def words(switch):
    """What can be typed, to the value where that can be anything."""
    return [switch.word + choice for choice in switch.choices] if switch.joined and switch.choices else [switch.word]


BASH = """\
# bash completion for {name}
_upct_{function} ()
{{
  # Words of the line end at blanks here, and not at "=" as those of bash.
  local typed=${{COMP_LINE:0:COMP_POINT}} word kept
  word=${{typed##*[[:blank:]]}}
  kept=${{word%"$2"}}
  COMPREPLY=()
{values}  [[ $word == -* ]] || return
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W {all} -- "$word"))
  COMPREPLY=("${{COMPREPLY[@]#"$kept"}}")
  [[ ${{#COMPREPLY[@]}} -ne 1 || $COMPREPLY != *[=-] ]] || compopt -o nospace
}}
complete -o default -o bashdefault -F _upct_{function} {names}
"""


def bash(name, names, rows):
    def quoted(found):
        return "$'" + "\\n".join(word.replace("\\", "\\\\").replace("'", "\\'") for word in found) + "'"
    cases = [f"    {row.word}) COMPREPLY=($(compgen -W '{' '.join(row.choices)}' -- \"$2\")); return ;;"
              for row in rows if row.choices and not row.joined]
    cases += [f"    {row.word}) return ;;" for row in rows
              if row.value and not row.joined and not row.choices and row.value not in FILES]
    values = "".join(f"{line}\n" for line in ["  case $3 in", *cases, "  esac"]) if cases else ""
    return BASH.format(name=name, function=name.replace("-", "_"), names=" ".join(names), values=values,
                       all=quoted(sorted({word for row in rows for word in words(row)})))


def zsh(name, names, rows):
    def escape(text):
        return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")

    def action(row):
        if row.choices:
            return f":value:({' '.join(row.choices)})"
        return f":{row.value.lower()}:" + {"FILE": "_files", "NAME": "_files", "DIRECTORY": "_directories"}.get(row.value, "")
    specs = []
    for row in rows:
        # A "-" after the switch: its value is in the same word; "=" of the word has a meaning for zsh.
        word = row.word + ("-" if row.joined else "")
        specs.append(f"  '*{escape(word)}[{escape(row.text)}]{action(row) if row.value else ''}'")
    return f"#compdef {' '.join(names)}\n_arguments \\\n" + " \\\n".join([*specs, "  '*:file:_files'"]) + "\n"


def fish(name, names, rows):
    lines = []
    for row in rows:
        text = row.text.replace("\\", "\\\\").replace("'", "\\'")
        for word in words(row):
            # As arguments, for fish has its own mind of what a single dash begins.
            offered = re.sub(r"([()])", r"\\\\\1", word)
            lines.append(f"-n 'string match -q -- \"-*\" (commandline -ct)' -a '{offered}' -d '{text}'")
        if row.choices and not row.joined:
            lines.append(f"-n 'string match -q -- {row.word} (commandline -opc)[-1]' -xa '{' '.join(row.choices)}'")
    return "".join(f"complete -c {command} {line}\n" for command in names for line in lines)


def main(shell, tool, *others):
    name = os.path.basename(tool)
    rows = switches_of(tool)
    sys.stdout.write({"bash": bash, "zsh": zsh, "fish": fish}[shell](name, [name, *others], rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
