"""No file of a build depends on the folder that it was made in."""

import os

import pytest

from support import FULL, ROOT
from tools.test_scripts import copy_of_the_project

pytestmark = pytest.mark.host_only("builds are the host's")

# What is built in a few seconds: a tool, objects, scripts, an archive with objects that tools have changed.
SAMPLE = ["bin/upcrun", "lib/upct/upc-threads.o", "lib/upct/upc-crtbegin.o", "lib/upct/upc-plugin.o",
          "lib/upct/libupc-jemalloc.a"]


def contents(build):
    """Each file that is installed, and what it has in it."""
    for folder in "bin", "lib", "share":
        for path, _, names in os.walk(os.path.join(build, folder)):
            for name in names:
                file = os.path.join(path, name)
                with open(file, "rb") as opened:
                    yield os.path.relpath(file, build), opened.read()


def test_no_file_names_the_folder(upct):
    assert [name for name, content in contents(upct.build) if ROOT.encode() in content] == []


@pytest.mark.no_sanitizers("it is the plain build that is built once more")
def test_another_folder_makes_the_same(upct):
    copy_of_the_project(upct, with_build=False)
    upct.check_output(["scons", "-s", "-j2", *([] if FULL else [f"build/{name}" for name in SAMPLE])])
    made, here = dict(contents(upct.path("build"))), dict(contents(upct.build))
    assert set(SAMPLE) <= made.keys()
    assert [name for name in made if made[name] != here[name]] == []
