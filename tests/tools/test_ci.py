"""What users' CI jobs are given (tools/ci): templates, whose steps are run here, and an action."""

import os
import re

import pytest
import yaml

from support import ROOT
from tools.test_scripts import copy_of_the_project

CI = f"{ROOT}/tools/ci"
SUMMARY = f"{CI}/setup/upc-junit-summary"
pytestmark = [pytest.mark.host_only("CI jobs of users run on the host"),
              pytest.mark.no_sanitizers("the programs have the sanitizers that they ask for")]

LISTS = """cmake_minimum_required (VERSION 3.18)
project (hello C)
find_package (UPC REQUIRED)
enable_testing ()
add_executable (hello hello.upc part.c)
upc_add_test (NAME hello COMMAND hello)
set_tests_properties (hello PROPERTIES PASS_REGULAR_EXPRESSION "^$ENV{THREADS} threads: ")
"""


def parsed(name):
    with open(f"{CI}/{name}") as file:
        return yaml.safe_load(file)


def project(upct):
    for name in "hello.upc", "part.c", "part.h":
        upct.write(name, upct.read_fixture(f"bazel/{name}"))
    upct.write("CMakeLists.txt", LISTS)


def run_steps(upct, steps, **environment):
    """As a runner does: a shell for each, which ends at the first command that fails."""
    for step in steps:
        upct.check_output(["bash", "-eo", "pipefail", "-c", step], PATH=f"{upct.bin}:{CI}/setup:{os.environ['PATH']}",
                          GITHUB_STEP_SUMMARY=upct.path("summary"), **environment)


def rows_of_github():
    return parsed("github.yml")["jobs"]["test"]["strategy"]["matrix"]["include"]


def rows_of_gitlab():
    return [(threads, flags) for row in parsed("gitlab.yml")["test"]["parallel"]["matrix"]
            for threads in row["THREADS"] for flags in row["FLAGS"]]


def skip_without_libraries(upct, flags):
    if "-fsanitize=address" in flags and not os.path.exists(upct.library("address/libupc.a")):
        pytest.skip("no libraries for -fsanitize=address; 'scons all' makes them")


@pytest.mark.parametrize("row", rows_of_github(), ids=lambda row: f"{row['threads']} {row['flags']}")
def test_steps_of_the_workflow(upct, row):
    skip_without_libraries(upct, row["flags"])
    project(upct)
    job = parsed("github.yml")["jobs"]["test"]
    assert re.fullmatch(r"\S+/upct/tools/ci/setup@\S+", job["steps"][1]["uses"])

    def filled(text):
        return re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda match: str(row[match[1]]), str(text))

    environment = {name: filled(value) for name, value in job["env"].items()}
    run_steps(upct, [filled(step["run"]) for step in job["steps"] if "run" in step], **environment)
    with open(upct.path("summary")) as summary:
        assert re.match(r"1 passed, 0 failed\n\n\| test .*\n.*\n\| hello \| passed \| \d", summary.read())


@pytest.mark.parametrize("threads, flags", rows_of_gitlab())
def test_script_of_gitlab(upct, threads, flags):
    skip_without_libraries(upct, flags)
    project(upct)
    job = parsed("gitlab.yml")["test"]
    run_steps(upct, job["script"], THREADS=threads, FLAGS=flags, UPC_CHECK=job["variables"]["UPC_CHECK"])
    assert 'name="hello"' in open(upct.path(job["artifacts"]["reports"]["junit"])).read()


def test_a_job_installs_upct_once(upct):
    """What the action and the script for GitLab call."""
    copy_of_the_project(upct)
    assert upct.check_output(["tools/ci/setup/install", "prefix", "default"], CC=None).count("\nupcc (UPCT) 0.1\n") == 1
    assert os.access(upct.path("prefix/bin/upcrun"), os.X_OK)
    # From the cache nothing is built.
    assert upct.check_output(["tools/ci/setup/install", "prefix"], UPCT_HAS_CACHE="true").startswith("upcc (UPCT) 0.1\n")
    result = upct.run(["tools/ci/setup/install"])
    assert (result.returncode, result.stderr) == (1, "usage: tools/ci/setup/install PREFIX [TARGET]\n")


def test_the_action_calls_what_is_there(upct):
    """Its steps, with the runner's words filled in, and with an installation from the cache."""
    steps = parsed("setup/action.yml")["runs"]["steps"]
    project(upct)
    os.makedirs(upct.path("home/.upct/bin"))
    os.symlink(upct.tool("upcc"), upct.path("home/.upct/bin/upcc"))
    words = {"inputs.prefix": parsed("setup/action.yml")["inputs"]["prefix"]["default"], "github.action_path": f"{CI}/setup",
             "github.action_ref": "v1", "steps.names.outputs.prefix": upct.path("home/.upct")}
    for step in steps[0], steps[2]:
        command = re.sub(r"\$\{\{ (\S+) \}\}", lambda match: words[match[1]], step["run"])
        run_steps(upct, [command], HOME=upct.path("home"), GITHUB_OUTPUT=upct.path("output"), GITHUB_PATH=upct.path("path"),
                  UPCT_HAS_CACHE="true")
    outputs = dict(line.split("=") for line in open(upct.path("output")).read().splitlines())
    assert outputs["prefix"] == words["steps.names.outputs.prefix"] and re.fullmatch(r"upct-\w+-[0-9a-f]{16}-v1", outputs["key"])
    assert open(upct.path("path")).read() == f"{outputs['prefix']}/bin\n{CI}/setup\n"


JUNIT = """<?xml version="1.0"?>
<testsuite><testcase name="a" time="1.5"><system-out>fine</system-out></testcase>
<testcase name="b" time="0.25"><failure message="no"/><system-out>one
two</system-out></testcase><testcase name="c"><skipped/></testcase></testsuite>
"""


def test_results_are_a_table(upct):
    upct.write("junit.xml", JUNIT)
    result = upct.run([SUMMARY, "junit.xml"])
    assert (result.returncode, result.stdout) == (1, """1 passed, 1 failed, 1 skipped

| test | result | seconds |
|---|---|---|
| b | failed | 0.25 |
| a | passed | 1.50 |
| c | skipped | 0.00 |

**b**

````
one
two
````
""")


@pytest.mark.parametrize("text, error", [(None, "[Errno 2] No such file or directory: 'junit.xml'"),
                                         ("<a>", "no element found: line 1, column 3")])
def test_results_that_cannot_be_read(upct, text, error):
    if text:
        upct.write("junit.xml", text)
    result = upct.run([SUMMARY, "junit.xml"])
    assert (result.returncode, result.stdout, result.stderr) == (1, "", f"upc-junit-summary: error: junit.xml: {error}\n")


def test_no_results_are_a_failure(upct):
    upct.write("junit.xml", "<testsuite/>")
    assert upct.run([SUMMARY, "junit.xml"]).returncode == 1
