"""Settings, fixtures and the last line of the tests; README.md says how to use them."""

import collections
import os
import re
import shutil
import signal
import tempfile
import uuid

import pytest

# Their assertions, too, say what the values were.
pytest.register_assert_rewrite("support", "gasp", "privatize", "threads", "tracer")

import support  # noqa: E402
from support import cmocka, cross, load, scheduling  # noqa: E402


def pytest_addoption(parser):
    group = parser.getgroup("upct")
    group.addoption("--build", default="build", help="the build folder to test")
    group.addoption("--target", default="", help="test programs for this processor, in an emulator")
    group.addoption("--only", default="", help="run what has one of these words in its name: word,word")
    group.addoption("--full", action="store_true", help="every combination, not a sample")
    group.addoption("--sample", type=int, default=1, help="one case of so many, and of so many times those that a marker says")
    group.addoption("--repeat", type=int, default=1, help="run each test so often; name those that differ")
    group.addoption("--load", type=int, default=0, help="busy loops beside the tests")


def is_worker(config):
    """Is this one of xdist's processes, not the one that reports?"""
    return hasattr(config, "workerinput")


def pytest_configure(config):
    support.FULL = config.getoption("full")
    build, target = os.path.join(support.ROOT, config.getoption("build")), config.getoption("target")
    support.PROCESSOR = target.split("-")[0] or support.PROCESSOR
    config.durations = scheduling.Durations(os.path.join(build, "tests", target, "durations.json"))
    if target:
        # What tests start without the fixture finds the target's tools, too.
        os.environ.update(cross.environment(build, target))
    if is_worker(config):
        # Differences are shown whole; only the reporting process's verbosity is the user's.
        config.option.verbose = 2
    # ThreadSanitizer would let every program that ends beside running threads wait for a second.
    os.environ.setdefault("TSAN_OPTIONS", "atexit_sleep_ms=0")
    # Programs under test get signals that nohup, and shells in the background, have ignored.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if is_worker(config) or signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


# What is collected, and in which order.


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".c" and file_path.name.startswith("test_"):
        return cmocka.SourceFile.from_parent(parent, path=file_path)


def pytest_generate_tests(metafunc):
    rounds = metafunc.config.getoption("repeat")
    if rounds > 1:
        metafunc.fixturenames.append("round_number")
        metafunc.parametrize("round_number", range(rounds))


def pytest_make_parametrize_id(config, val, argname):
    """Readable ids: tuples as words; long texts are cut."""
    if argname == "round_number":
        return f"round {val}"
    if isinstance(val, (list, tuple)):
        val = " ".join(map(str, val)) or "none"
    return val[:60] if isinstance(val, str) else None


def case_name(item):
    """FOLDER/MODULE/FUNCTION/PARAMETERS, without "test_": what --only looks for words in."""
    if isinstance(item, cmocka.Program):
        return item.case_name
    folder = os.path.relpath(item.path.parent, os.path.join(support.ROOT, "tests"))
    parameters = getattr(item, "callspec", None)
    values = [str(v) for name, v in parameters.params.items() if name != "round_number"] if parameters else []
    return "/".join([folder, item.path.stem.removeprefix("test_"), item.originalname.removeprefix("test_"), *values])


def skip_by_build(item, sanitizers):
    for name, applies in (("no_sanitizers", bool(sanitizers)), ("no_tsan", "thread" in sanitizers),
                          ("only_asan", "address" not in sanitizers), ("host_only", bool(item.config.getoption("target"))),
                          ("only_x86_64", support.PROCESSOR != "x86_64")):
        mark = item.get_closest_marker(name)
        if mark and applies:
            item.add_marker(pytest.mark.skip(reason=mark.args[0]))


def out_of_sample(items, is_plain, factor):
    """Those that --sample and the marker `sample` leave out: of each N cases one, another one each time."""
    seen = collections.Counter()
    for item in items:
        mark = item.get_closest_marker("sample")
        one_of = factor * (mark.kwargs.get("plain", 1) if is_plain else mark.args[0]) if mark else factor
        if hasattr(item, "callspec"):
            group, place = divmod(seen[item.parent, item.originalname], one_of)
            seen[item.parent, item.originalname] += 1
            if place != group % one_of:
                yield item


def pytest_collection_modifyitems(config, items):
    words = config.getoption("only").split(",")
    build = os.path.basename(config.getoption("build"))
    sanitizers = [s for s in support.upct.SANITIZERS if s in build]
    is_sampled = words == [""] and not support.FULL
    is_plain = not sanitizers and not config.getoption("target")
    left_out = set(out_of_sample(items, is_plain, config.getoption("sample"))) if is_sampled else set()
    chosen, others = [], []
    for item in items:
        is_chosen = item not in left_out and any(word in case_name(item) for word in words)
        (chosen if is_chosen else others).append(item)
        skip_by_build(item, sanitizers)
    if others:
        config.hook.pytest_deselected(items=others)
    items[:] = sorted(chosen, key=lambda item: -config.durations.expected(item))


def pytest_xdist_make_scheduler(config, log):
    return scheduling.OneByOne(config, log)


# Fixtures.


@pytest.fixture
def tmp_path():
    """A folder with a short path, which others than its owner may be let into, and which goes away."""
    folder = tempfile.mkdtemp(prefix="upct-test-")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def run_id(request):
    """The same in all processes of one run of the tests."""
    return request.config.workerinput["testrunuid"] if is_worker(request.config) else uuid.uuid4().hex


@pytest.fixture
def upct(request, tmp_path, run_id):
    tested = support.Upct(request.config.getoption("build"), tmp_path, run_id, request.config.getoption("target"))
    request.node.upct = tested
    return tested


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if call.when == "call":
        report.user_properties.append(("case", case_name(item)))
        if isinstance(item, cmocka.Program):
            report.user_properties.append(("cmocka", item.results_when(report.failed)))
        elif report.failed and hasattr(item, "upct"):
            report.sections.append(("the last commands", "\n".join(item.upct.transcript)))


# What is reported.


def is_program(report):
    return report.when == "call" and any(name == "cmocka" for name, _ in report.user_properties)


def pytest_report_teststatus(report, config):
    if is_program(report) and not report.skipped:
        return "", "", ""


class Reporter:
    """In the reporting process: counts the tests of programs, names what is skipped and what
    is not the same in each round."""

    def __init__(self, config):
        self.config = config
        self.load = load.Load(config.getoption("load"))
        self.outcomes = collections.defaultdict(collections.Counter)
        self.skips = collections.Counter()

    def pytest_runtest_logreport(self, report):
        if is_program(report):
            for single in cmocka.reports_of_tests(report):
                self.config.hook.pytest_runtest_logreport(report=single)
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[re.sub(r"-?round \d+", "", report.nodeid).replace("[]", "")][report.outcome] += 1
        if report.when == "call":
            self.config.durations.seconds[report.nodeid] = round(report.duration, 2)
        if report.skipped and isinstance(report.longrepr, tuple):
            # Whole folders are left out with a target.
            function = re.sub(r"::.*" if self.config.getoption("target") else r"\[.*", "", report.nodeid)
            self.skips[function, report.longrepr[2].removeprefix("Skipped: ")] += 1

    def pytest_terminal_summary(self, terminalreporter):
        for (function, reason), count in sorted(self.skips.items()):
            terminalreporter.write_line(f"SKIPPED {function} ({count}): {reason}")
        for name, outcomes in sorted(self.outcomes.items()):
            if self.config.getoption("repeat") > 1 and outcomes["failed"]:
                terminalreporter.write_line(f"FAILED {outcomes['failed']} of {outcomes.total()}: {name}")

    def pytest_sessionfinish(self):
        self.load.stop()
        if self.config.getoption("repeat") == 1:
            self.config.durations.save()

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config):
        stats = config.pluginmanager.get_plugin("terminalreporter").stats
        passed, failed, skipped = (len(stats.get(key, [])) for key in ("passed", "failed", "skipped"))
        failed += len(stats.get("error", []))
        print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""), flush=True)


def pytest_sessionstart(session):
    if not is_worker(session.config):
        session.config.pluginmanager.register(Reporter(session.config))
