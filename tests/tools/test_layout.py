"""upc-layout: what it draws is what programs find."""

import os
import re
import xml.dom.minidom

import pytest

DECLARATIONS = [
    "shared int a[12 * THREADS]",
    "shared [3] char a[20 * THREADS]",
    "shared [4] struct { char c; double d; } a[7]",
    "shared [*] long a[50]",
    "shared [] int a[17]",
    "shared [1000] int a[3 * THREADS]",
    "shared int a",
    "shared [2] int a[4][6]",
    "shared [5] short a[THREADS][3][4]",
]

pytestmark = [
    pytest.mark.sample(3),
    pytest.mark.host_only("it is a tool that runs here"),
]


def layout(upct, *words, status=0):
    result = upct.run([upct.tool("upc-layout"), *words], cwd=upct.folder)
    assert result.returncode == status, result.stderr
    return result.stdout if status == 0 else result.stderr


def owners(upct, declaration, threads):
    """The thread of each element, as a program finds them."""
    dimensions = declaration.partition(" a")[2].count("[")
    first = "a" + "[0]" * (dimensions - 1) if dimensions else "&a"
    upct.write("a.upc", f"""#include <upc.h>
#include <stdio.h>
{declaration};
int
main (void)
{{
  if (MYTHREAD == 0)
    for (size_t i = 0; i < sizeof a / upc_elemsizeof (a); i++)
      printf ("%zu ", upc_threadof ({first} + i));
  return 0;
}}
""")
    program = upct.compile(f"-fupc-threads-{threads}", "a.upc", cwd=upct.folder)
    return [int(word) for word in upct.check_output([program]).split()]


def drawn(text):
    """The same from lines of threads, or of rows."""
    if "  row " in text:
        return [int(word) for line in text.splitlines()[1:] for word in line.partition("|")[2].split()]
    found = {int(element): int(thread) for thread, elements in re.findall(r"^  thread +(\d+)(.*)$", text, flags=re.M)
             for element in elements.replace("|", " ").split()}
    assert sorted(found) == list(range(len(found)))
    return [found[element] for element in range(len(found))]


@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_text(upct, declaration):
    wanted = owners(upct, declaration, 3)
    assert drawn(layout(upct, "-n", "3", declaration)) == wanted


@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_picture(upct, declaration):
    """A square for each element, that says its thread; colors are the threads'."""
    layout(upct, "-n", "3", declaration, "-o", "a.svg")
    picture = xml.dom.minidom.parse(upct.path("a.svg"))
    titles = [title.firstChild.data for title in picture.getElementsByTagName("title")]
    found = [re.fullmatch(r"element (\d+): thread (\d+), phase \d+", title).groups() for title in titles]
    assert [int(element) for element, _ in found] == list(range(len(found)))
    assert [int(thread) for _, thread in found] == drawn(layout(upct, "-n", "3", declaration))
    colors = {thread: square.getElementsByTagName("rect")[0].getAttribute("fill")
              for (_, thread), square in zip(found, picture.getElementsByTagName("g"))}
    assert len(set(colors.values())) == len(colors)


def test_large_objects(upct):
    """Lines end where a reader's do; pictures are refused."""
    out = layout(upct, "shared [7] int a[1000000]", "shared int b[300][3000]", "-n", "200")
    assert max(len(line) for line in out.splitlines() if line[0] == " ") <= 100
    assert out.count(" ...\n") == 2 * 64 + 2
    assert layout(upct, "shared int a[5000]", "-o", "a.svg", status=1) == (
        "upc-layout: error: 'shared int a[5000]': too large to draw: 5000 elements, at most 4096\n")
    assert not os.path.exists(upct.path("a.svg"))


@pytest.mark.parametrize("words, status, message", [
    ([], 2, "upc-layout: error: no declaration; try --help\n"),
    (["-n", "0", "shared int a"], 2, "upc-layout: error: -n 0: expected a number from 1 to 65536\n"),
    (["-n"], 2, "upc-layout: error: -n without a value\n"),
    (["-q"], 2, "upc-layout: error: unknown switch '-q'; try --help\n"),
    (["int a[4]"], 1, "upc-layout: error: 'int a[4]': not a shared object\n"),
    (["shared int *p"], 1, "upc-layout: error: 'shared int *p': not a shared object\n"),
    (["extern shared int a[]"], 1, "upc-layout: error: 'shared int a[]': its size is not known\n"),
    (["typedef int t"], 1, "upc-layout: error: no object is declared\n"),
    (["shared int a", "-o", "absent/a"], 1, "upc-layout: error: cannot write 'absent/a': No such file or directory\n"),
])
def test_wrong_calls(upct, words, status, message):
    assert layout(upct, *words, status=status) == message


def test_wrong_declarations_are_the_compilers_errors(upct):
    assert layout(upct, "shared [x] int a[3]", status=1).splitlines()[0] == "declaration:1:9: error: 'x' undeclared"
