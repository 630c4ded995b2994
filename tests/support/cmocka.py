"""tests/unit/ROOM/test_*.c: each is built into a program, or into two, one for each
representation of a pointer-to-shared. A program is one item, since its tests may share
what a setup made; each test in it is reported, and counted, on its own."""

import glob
import os
import re
import subprocess

import pytest

from support import NO_DEADLOCKS, cross
from support.upct import ROOT

RESULT = re.compile(r"^\[ *(OK|FAILED|SKIPPED) *\] (\S+)$", re.M)
# Rooms of the tools, which run here in any case.
TOOLS = ("privatize/", "upc2c/", "common/")
OUTCOMES = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}


class ProgramFailed(Exception):
    """Its text is all that the program said."""


class SourceFile(pytest.File):
    def collect(self):
        name = os.path.relpath(self.path, os.path.join(ROOT, "tests", "unit"))[:-len(".c")]
        target = "" if name.startswith(TOOLS) else self.config.getoption("target")
        path = os.path.join(ROOT, self.config.getoption("build"), "tests", target, name)
        rounds = self.config.getoption("repeat")
        for program in [path] + [path + "_struct"] * os.path.exists(path + "_struct"):
            for number in range(rounds):
                name = os.path.basename(program) + (f"[round {number}]" if rounds > 1 else "")
                yield Program.from_parent(self, name=name, program=program)


class Program(pytest.Item):
    # It is a set of tests.
    expected_seconds = 5

    def __init__(self, *, program, **options):
        super().__init__(**options)
        self.program = program
        self.results = []
        self.target = self.config.getoption("target")
        if self.test_name.startswith(TOOLS):
            self.add_marker(pytest.mark.no_tsan("the tools have one thread"))
            self.add_marker(pytest.mark.host_only("the tools are programs of the host"))
        else:
            self.add_marker(pytest.mark.tsan)
        if self.test_name == "sync/test_deadlock":
            self.add_marker(pytest.mark.host_only(NO_DEADLOCKS))
        processor = self.target.split("-")[0] or os.uname().machine
        if self.test_name.startswith("arch/") and not self.test_name.startswith(f"arch/test_{processor}_"):
            self.add_marker(pytest.mark.skip(reason="it is about another processor"))
        if self.target and not glob.glob(f"{ROOT}/build/packages/{self.target}/usr/lib/*/libcmocka.so"):
            self.add_marker(pytest.mark.skip(reason=f"no cmocka for {self.target}: tools/libraries {self.target} fetches it"))

    @property
    def test_name(self):
        return "/".join(self.program.split("/")[-2:])

    @property
    def case_name(self):
        return f"unit/{self.test_name}"

    def runtest(self):
        if not os.path.exists(self.program):
            self.fail("it is not built: run scons test")
        command = cross.emulated([self.program], self.target) if self.target else [self.program]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, errors="replace")
        try:
            stdout, stderr = process.communicate()
        except BaseException:
            # The time limit of tests, or an interrupt.
            process.kill()
            stdout, stderr = process.communicate()
            self.fail(f"killed\n{stdout}{stderr}")
        # A test that fails is listed again at the end of its group.
        output = stdout + stderr
        self.results = [[name, OUTCOMES[outcome]] for outcome, name in dict.fromkeys(RESULT.findall(output))]
        if process.returncode != 0 or not self.results:
            self.fail(f"status {process.returncode}\n{output}")

    def fail(self, text):
        raise ProgramFailed(f"{self.case_name}: {text}")

    def results_when(self, has_failed):
        """Of its tests. A program that failed is one test more, where none of them did."""
        is_known = any(outcome == "failed" for _, outcome in self.results)
        return self.results + [[os.path.basename(self.program), "failed"]] * (has_failed and not is_known)

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, ProgramFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, 0, self.case_name


def reports_of_tests(report):
    """The reports of the single tests in the REPORT of a program."""
    reports, shown = [], False
    for name, outcome in dict(report.user_properties).get("cmocka", []):
        text = None
        if outcome == "failed":
            text = "see the first failure of this program" if shown else report.longrepr
            shown = True
        elif outcome == "skipped":
            text = (str(report.location[0]), 0, "Skipped: by the program itself")
        reports.append(pytest.TestReport(f"{report.nodeid}::{name}", report.location, {}, outcome, text, "call",
                                         duration=0))
    return reports
