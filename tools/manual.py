"""Makes a manual page of docs/man/NAME.SECTION.in: the title, the text, and in place of

    @options TOOL@    the switches of TOOL
    @variables@       the variables of a run

as the tools in BIN print them from their tables.

    python3 tools/manual.py BIN docs/man/upcc.1.in >upcc.1
"""

import os
import re
import subprocess
import sys


def printed(path, switch):
    return subprocess.run([path, switch], capture_output=True, text=True, check=True).stdout


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return re.sub(r"^([.'])", r"\\&\1", text)


def split_row(line, column):
    """(switch, text) of a line of --help whose texts begin at COLUMN."""
    match = re.match(r"  (-\S*(?: \S+)*?)  +(\S.*)", line)
    if match:
        return match.groups()
    if line[column - 1:column] == " ":
        return line[2:column].strip(), line[column:]
    return line.strip(), ""


def switches(help_text):
    """(switch, text) for each row of --help."""
    lines = help_text.splitlines()
    column = max((m.end(1) for m in (re.match(r"(  -\S.*?  +)\S", line) for line in lines) if m), default=0)
    rows = []
    for line in lines:
        if line.startswith("  -"):
            rows.append(split_row(line, column))
        elif rows and re.match(r" {8,}\S", line):
            switch, text = rows[-1]
            rows[-1] = switch, f"{text} {line.strip()}".strip()
        elif not line.strip():
            continue
        elif rows:
            break
    return rows


def sentence(text):
    """With a capital letter, where TEXT begins with an ordinary word."""
    return (text[0].upper() + text[1:] if re.match(r"[a-z]+[ ,;]", text) else text) + "."


def options(tool):
    help_text = printed(tool, "--help")
    if "--manual=" in help_text:
        return printed(tool, "--manual=switches")
    return "".join(f".TP\n.B {escape(switch)}\n{escape(sentence(text))}\n"
                   for switch, text in switches(help_text))


def page(bin_folder, source):
    name, section, _ = os.path.basename(source).split(".")
    version = printed(os.path.join(bin_folder, "upcc"), "--version").split()[-1]

    def part(match):
        words = match[1].split()
        if words == ["variables"]:
            return printed(os.path.join(bin_folder, "upcrun"), "--manual=variables")
        return options(os.path.join(bin_folder, words[1]))

    with open(source) as text:
        body = re.sub(r"^@(.*)@\n", part, text.read(), flags=re.M)
    return f'.TH {name.upper()} {section} "" "UPCT {version}" "UPCT"\n' + body


if __name__ == "__main__":
    sys.stdout.write(page(sys.argv[1], sys.argv[2]))
