"""README.md, CONTRIBUTING.md and docs/: their commands, as a reader pastes them, links, tables
and manual pages.

The blocks of a document that begin with ```sh run one after the other in one folder, with
build/bin in the PATH. A block of ```output after one of them is what it prints, in any order
of lines; a line of … stands for more.

    ```sh                            runs
    ```sh needs=perf                 runs where perf is installed
    ```sh sanitize=address,undefined runs in the tests of that build
"""

import glob
import os
import re
import shutil

import pytest

from support import ROOT

pytestmark = pytest.mark.host_only("the documents are the same")

DOCUMENTS = sorted(os.path.relpath(path, ROOT) for path in glob.glob(f"{ROOT}/*.md") + glob.glob(f"{ROOT}/docs/**/*.md", recursive=True))
PAGES = sorted(os.path.basename(path)[:-len(".in")] for path in glob.glob(f"{ROOT}/docs/man/*.in"))

# Commands that work on the whole tree, and who runs them.
ELSEWHERE = {
    "tools/quickstart": "tests/tools/test_scripts.py: test_quickstart_then_install",
    "scons install PREFIX=$HOME/upct": "tests/tools/test_scripts.py: test_quickstart_then_install",
    "export PATH=$HOME/upct/bin:$PATH": "tests/tools/test_scripts.py: test_quickstart_then_install",
    "tools/check": "whoever runs this test",
}


def read(document):
    with open(f"{ROOT}/{document}") as text:
        return text.read()


def blocks(document):
    """(language, attributes, text) for each fenced block."""
    for first, text in re.findall(r"^```([^\n]+)\n(.*?)^```$", read(document), flags=re.M | re.S):
        language, *attributes = first.split()
        yield language, dict(attribute.split("=") for attribute in attributes), text


def documents_with(attribute):
    return [(document, attributes[attribute]) for document in DOCUMENTS
            for _, attributes, _ in blocks(document) if attribute in attributes]


def paste(upct, document, runs):
    """Runs the blocks whose attributes RUNS is true of, and compares what they print."""
    script, wanted = ["exec 2>&1"], {}
    for number, (language, attributes, text) in enumerate(blocks(document)):
        if language == "sh" and runs(attributes):
            wanted[number] = None
            script += [f"echo @@{number}", *(line for line in text.splitlines() if line not in ELSEWHERE)]
        elif language == "output" and number - 1 in wanted:
            wanted[number - 1] = text
    for name, target in ("build", upct.build), (os.path.basename(upct.build), upct.build), ("include", f"{ROOT}/include"):
        if not os.path.exists(upct.path(name)):
            os.symlink(target, upct.path(name))
    if document.startswith("docs/examples/"):
        shutil.copytree(f"{ROOT}/docs/examples", upct.folder, dirs_exist_ok=True)
    printed = upct.check_output(["bash", "-ec", "\n".join(script) + "\n"], HOME=upct.folder,
                                PATH=f"{upct.build}/bin:{os.environ['PATH']}")
    # Sources and traces are named with their folders.
    printed = re.sub(r"\S+/(\w+\.upc:\d|\w+\.trace/)", r"\1", printed)
    printed = dict(re.findall(r"^@@(\d+)\n(.*?)(?=^@@\d+\n|\Z)", printed, flags=re.M | re.S))
    for number, text in wanted.items():
        if text is not None:
            compare(printed[str(number)], text)


def compare(printed, wanted):
    printed, wanted = ([line.strip() for line in text.splitlines()] for text in (printed, wanted))
    if "…" in wanted:
        printed = [line for line in printed if line in wanted] + ["…"]
    assert sorted(printed) == sorted(wanted)


@pytest.mark.no_sanitizers("the commands are for the plain build")
@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_do_what_is_said(upct, document):
    paste(upct, document, lambda attributes: not attributes)


@pytest.mark.no_sanitizers("the commands are for the plain build")
@pytest.mark.parametrize("document, tool", documents_with("needs"))
def test_commands_that_need_a_tool(upct, document, tool):
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    paste(upct, document, lambda attributes: attributes in ({}, {"needs": tool}))


@pytest.mark.parametrize("document, sanitizers", documents_with("sanitize"))
def test_commands_with_sanitizers(upct, document, sanitizers):
    if sanitizers.split(",") != upct.sanitizers:
        pytest.skip(f"the commands are for the build with sanitize={sanitizers}")
    paste(upct, document, lambda attributes: attributes == {"sanitize": sanitizers})


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document):
    folder = os.path.dirname(f"{ROOT}/{document}")
    for target in re.findall(r"\]\(([^)#]+)", read(document)):
        assert target.startswith("https://") or os.path.exists(os.path.join(folder, target))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_files_that_are_named_exist(document):
    for path in re.findall(r"`((?:include|runtime|privatize|tools|tests|docs)/[a-zA-Z0-9_./-]+)`", read(document)):
        assert "NAME" in path or "ROOM" in path or os.path.exists(f"{ROOT}/{path}")


def test_picture_of_the_rooms_is_up_to_date(upct):
    made = upct.check_output(["python3", f"{ROOT}/tests/structure/picture.py"])
    assert made == read("docs/rooms.svg"), "python3 tests/structure/picture.py >docs/rooms.svg"


def test_table_of_variables_is_up_to_date(upct):
    table = upct.check_output([upct.tool("upcrun"), "--manual=variables.md"])
    assert table in read("docs/running.md"), "upcrun --manual=variables.md prints another table than docs/running.md has"


@pytest.mark.parametrize("page", PAGES)
def test_manual_pages_are_well_formed(upct, page):
    result = upct.run(["groff", "-man", "-ww", "-Tutf8", f"{upct.build}/share/man/man{page[-1]}/{page}"])
    assert (result.returncode, result.stderr) == (0, "")
    text = re.sub(".\b|\x1b\\[[0-9;]*m", "", result.stdout)
    for heading in ("NAME", "DESCRIPTION", "EXIT STATUS", "SEE ALSO"):
        assert f"\n{heading}\n" in text
    for name, section in re.findall(r"(upc[a-z0-9-]*)\(([17])\)", text[text.index("\nSEE ALSO"):text.rindex("\n\n")]):
        assert f"{name}.{section}" in PAGES


@pytest.mark.parametrize("tool", [page[:-len(".1")] for page in PAGES if "@options" in read(f"docs/man/{page}.in")])
def test_manual_pages_have_all_switches(upct, tool):
    with open(f"{upct.build}/share/man/man1/{tool}.1") as page:
        text = page.read().replace("\\-", "-").replace("\\fR", "").replace("\\fI", "").replace("\\fB", "")
    switches = re.findall(r"^  (-[^\s=\[]+)", upct.check_output([upct.tool(tool), "--help"]), flags=re.M)
    assert len(switches) >= 2
    for switch in switches:
        assert re.search(rf"{re.escape(switch)}\b" if switch[-1].isalnum() else re.escape(switch), text), switch
