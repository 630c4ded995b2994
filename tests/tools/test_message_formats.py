"""-fdiagnostics-format: messages for programs; and the lines of the source under messages of C compilers
that do not show them."""

import json
import os
import subprocess

import pytest

from support.upcc import upcc

pytestmark = pytest.mark.sample(2)

WRONG = """#include <upc.h>

shared int a[10 * THREADS];
int main (void) {
\tsharedd int *p;
\tint é = 3, x = a[0] + é; upc_barrier ();
  upc_all_atomicdomain_alloc (1, 2, 3);
  x = 3
  return 0;
}
"""

# Its mistakes are those that the C compiler finds.
SUSPECT = """#include <upc.h>
#include <stdio.h>
shared int a[10 * THREADS];
int f (int *p) { int y = a[1] + p; return y; }
int main (void) {
  int unused; char *s = "é", *t = 3;
  printf ("%s\\n", a[0]);
  f (s);
  return f (0, 1);
}
"""

PLAIN_C = """#include "missing.h"
"""


def messages(upct, *words, **options):
    """The messages as JSON, the last line on standard error."""
    result = upcc(upct, "-fdiagnostics-format=json", *words, **options)
    return json.loads(result.stderr.splitlines()[-1]), result.returncode


def place(point):
    return point["line"], point["byte-column"], point["display-column"]


def summary(message):
    """What gcc and upcc must agree on: its own messages have several ranges, and labels in them."""
    first = message["locations"][0] if message["locations"] else {}
    return (message["kind"], message["message"], message.get("option"),
            {name: place(first[name]) for name in ("start", "caret", "finish") if name in first})


def flat(found):
    for message in found:
        yield summary(message)
        yield from flat(message["children"] if "children" in message else [])


def test_nothing_to_say_is_an_empty_list(upct):
    upct.write("a.upc", "int main (void) { return 0; }\n")
    assert messages(upct, "-c", "a.upc") == ([], 0)


def test_messages_of_the_translator(upct):
    upct.write("a.upc", WRONG)
    found, status = messages(upct, "-c", "a.upc")
    assert status == 1
    assert list(flat(found)) == [
        ("error", "unknown type name 'sharedd'; did you mean 'shared'?", None,
         {"caret": (5, 2, 9), "finish": (5, 8, 15)}),
        ("error", "'upc_barrier' is a statement, not a function; remove the parentheses behind it", None,
         {"caret": (6, 29, 34), "finish": (6, 39, 44)}),
        ("error", "implicit declaration of function 'upc_all_atomicdomain_alloc'; it is declared in "
         "<upc_atomic.h>", None, {"caret": (7, 3, 3), "finish": (7, 28, 28)}),
        ("error", "expected ';' before 'return'", None, {"caret": (8, 8, 8)})]
    assert [fix["string"] for message in found for fix in message["fixits"]] == [
        "shared", "", "#include <upc_atomic.h>\n", ";"]


@pytest.mark.parametrize("source", [SUSPECT, PLAIN_C])
def test_messages_of_gcc_are_those_that_gcc_writes(upct, source):
    upct.write("a.c", source.replace("shared int a[10 * THREADS]", "int a[10]").replace("#include <upc.h>", ""))
    found, status = messages(upct, "-Wall", "-c", "-x", "c", "a.c", UPCC_CC="gcc")
    expected = subprocess.run(["gcc", "-Wall", "-c", "a.c", "-fdiagnostics-format=json", "-fopenmp-simd"],
                              capture_output=True, text=True, cwd=upct.folder)
    assert list(flat(found)) == list(flat(json.loads(expected.stderr.splitlines()[0])))
    assert status == 1


@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_messages_of_the_compiler_stand_in_the_source(upct, cc):
    upct.write("a.upc", SUSPECT)
    found, status = messages(upct, "-Wall", "-c", "a.upc", UPCC_CC=cc)
    assert status == 1
    assert {m["locations"][0]["caret"]["file"] for m in found} == {"a.upc"}
    assert {m["locations"][0]["caret"]["line"] for m in found} == {4, 6, 7, 8, 9}
    assert [m["option"] for m in found if m["locations"][0]["caret"]["line"] == 4] == ["-Wint-conversion"]


def apply(text, fixes):
    """TEXT with what the messages propose, the last one first."""
    lines = text.encode().splitlines(keepends=True)
    for fix in sorted(fixes, key=lambda fix: (fix["start"]["line"], fix["start"]["byte-column"]), reverse=True):
        start, following = fix["start"], fix["next"]
        assert start["line"] == following["line"]
        line = lines[start["line"] - 1]
        lines[start["line"] - 1] = (line[:start["byte-column"] - 1] + fix["string"].encode()
                                    + line[following["byte-column"] - 1:])
    return b"".join(lines).decode()


def test_what_is_proposed_can_be_compiled(upct):
    # With as many arguments as the function has, which no message can know.
    source = WRONG.replace("(1, 2, 3)", "(UPC_INT, UPC_ADD, 0)")
    upct.write("a.upc", source)
    found, _ = messages(upct, "-c", "a.upc")
    upct.write("b.upc", apply(source, [fix for message in found for fix in message["fixits"]]))
    assert messages(upct, "-c", "b.upc") == ([], 0)


def test_fixes_are_printed_for_editors(upct):
    upct.write("a.upc", WRONG)
    result = upcc(upct, "-fdiagnostics-parseable-fixits", "-c", "a.upc")
    assert [line for line in result.stderr.splitlines() if line.startswith("fix-it:")] == [
        'fix-it:"a.upc":{5:2-5:9}:"shared"', 'fix-it:"a.upc":{6:41-6:43}:""',
        'fix-it:"a.upc":{2:1-2:1}:"#include <upc_atomic.h>\\n"', 'fix-it:"a.upc":{8:8-8:8}:";"']


def test_fixes_stand_under_the_source(upct):
    upct.write("a.upc", WRONG)
    assert upcc(upct, "-c", "a.upc").stderr == """\
a.upc:5:2: error: unknown type name 'sharedd'; did you mean 'shared'?
    5 | \tsharedd int *p;
      | \t^~~~~~~
      | \tshared
a.upc:6:29: error: 'upc_barrier' is a statement, not a function; remove the parentheses behind it
    6 | \tint é = 3, x = a[0] + é; upc_barrier ();
      | \t                         ^~~~~~~~~~~
      | \t                                     --
a.upc:7:3: error: implicit declaration of function 'upc_all_atomicdomain_alloc'; it is declared in <upc_atomic.h>
    7 |   upc_all_atomicdomain_alloc (1, 2, 3);
      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~
  +++ |+#include <upc_atomic.h>
a.upc:8:8: error: expected ';' before 'return'
    8 |   x = 3
      |        ^
      |        ;
"""


def test_what_a_macro_made_is_not_mended(upct):
    upct.write("a.upc", "#include <upc.h>\n#define WAIT upc_barrier ()\nint main (void) { WAIT; return 0; }\n")
    found, _ = messages(upct, "-c", "a.upc")
    assert [message.get("fixits") for message in found] == [None]


def log(text):
    """The one run of a SARIF log."""
    found = json.loads(text)
    assert found["version"] == "2.1.0" and len(found["runs"]) == 1
    return found["runs"][0]


def test_sarif(upct):
    upct.write("a b.upc", SUSPECT)
    result = upcc(upct, "-fdiagnostics-format=sarif-stderr", "-Wall", "-c", "a b.upc", UPCC_CC="gcc")
    run = log(result.stderr)
    assert result.returncode == 1
    assert run["tool"]["driver"]["name"] == "upcc"
    assert run["invocations"] == [{"executionSuccessful": False}]
    assert run["originalUriBaseIds"]["PWD"]["uri"] == f"file://{os.path.realpath(upct.folder)}/"
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {
        result["ruleId"] for result in run["results"] if "ruleId" in result}
    (wrong,) = [result for result in run["results"] if result["level"] == "error"]
    assert wrong["message"]["text"] == "too many arguments to function ‘f’"
    (note,) = wrong["relatedLocations"]
    assert note["message"]["text"] == "declared here"
    assert note["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 5, "endColumn": 6}
    (where,) = wrong["locations"]
    assert where["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b.upc", "uriBaseId": "PWD"},
        "region": {"startLine": 9, "startColumn": 10, "endColumn": 11}}


def test_sarif_has_fixes_and_columns_in_characters(upct):
    upct.write("a.upc", WRONG)
    run = log(upcc(upct, "-fdiagnostics-format=sarif-stderr", "-c", "a.upc").stderr)
    where = run["results"][1]["locations"][0]["physicalLocation"]["region"]
    assert where == {"startLine": 6, "startColumn": 27, "endColumn": 38}
    (fix,) = run["results"][0]["fixes"]
    assert fix["artifactChanges"][0]["replacements"] == [{
        "deletedRegion": {"startLine": 5, "startColumn": 2, "endLine": 5, "endColumn": 9},
        "insertedContent": {"text": "shared"}}]


@pytest.mark.parametrize("format, name", [("json-file", "a.upc.gcc.json"), ("sarif-file", "a.upc.sarif")])
def test_messages_in_a_file(upct, format, name):
    upct.write("a.upc", WRONG)
    result = upcc(upct, f"-fdiagnostics-format={format}", "-c", "a.upc")
    assert (result.returncode, result.stderr) == (1, "")
    with open(os.path.join(upct.folder, name), encoding="utf-8") as file:
        assert "did you mean 'shared'?" in file.read()


def test_all_sources_and_the_driver_are_in_one_list(upct):
    upct.write("a.upc", SUSPECT.replace("f (0, 1)", "0"))
    upct.write("b.upc", "static int g (void) { return 0; }\n")
    found, status = messages(upct, "-Wall", "a.upc", "b.upc", "-lnowhere")
    assert status == 1
    assert [m["message"] for m in found if not m["locations"]][-1] == "ld returned 1 exit status"
    options = [(m["locations"][0]["caret"]["file"], m["option"]) for m in found if "option" in m]
    assert ("a.upc", "-Wunused-variable") in options and ("b.upc", "-Wunused-function") in options


def test_what_is_no_message_stays_text(upct):
    upct.write("a.upc", "int f (void);\nint main (void) { return f (); }\n")
    result = upcc(upct, "-fdiagnostics-format=json", "a.upc", "-o", "a.out")
    lines = result.stderr.splitlines()
    assert any("undefined reference to `f'" in line for line in lines[:-1])
    assert [m["message"] for m in json.loads(lines[-1])] == ["ld returned 1 exit status"]
    assert result.returncode == 1


@pytest.mark.parametrize("words, message", [
    (["-fdiagnostics-format=yaml"], "invalid value 'yaml' for -fdiagnostics-format=; expected text, json, "
     "json-stderr, json-file, sarif-stderr or sarif-file")])
def test_unknown_formats_are_refused(upct, words, message):
    upct.write("a.upc", WRONG)
    result = upcc(upct, *words, "-c", "a.upc")
    assert (result.returncode, result.stderr) == (2, f"upcc: error: {message}\n")


def test_a_file_that_cannot_be_written(upct):
    upct.write("a.upc", WRONG)
    os.mkdir(os.path.join(upct.folder, "a.upc.sarif"))
    result = upcc(upct, "-fdiagnostics-format=sarif-file", "-c", "a.upc")
    assert (result.returncode, result.stderr) == (1, "upcc: error: cannot write a.upc.sarif: Is a directory\n")


def test_clang_s_messages_show_the_source(upct):
    upct.write("a.upc", "#include <upc.h>\nshared int a[THREADS];\n"
               "int f (int i) { return a[i] + i; }\nint main (void) { return f (a[0], a[1]); }\n")
    assert upcc(upct, "-c", "a.upc", UPCC_CC="clang").stderr == """\
a.upc:4:35: error: too many arguments to function call, expected single argument 'i', have 2 arguments
    4 | int main (void) { return f (a[0], a[1]); }
      |                                   ^
a.upc:3:5: note: 'f' declared here
    3 | int f (int i) { return a[i] + i; }
      |     ^
"""
    result = upcc(upct, "-fno-caret-diagnostics", "-c", "a.upc", UPCC_CC="clang")
    assert [line for line in result.stderr.splitlines() if "|" in line] == []
