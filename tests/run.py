"""Runs every test of a build: the cmocka programs in BUILD/tests, then the cases
of tests/*/test_*.py. Failures are printed whole; the last line is
"N passed, N failed", and the exit status says whether all passed."""

import argparse
import concurrent.futures
import glob
import importlib.util
import os
import re
import subprocess
import sys

# The harness reads it when it is imported.
if "--stress" in sys.argv:
    os.environ["UPCT_TEST_STRESS"] = "1"
import harness


def unit_programs(build):
    found = glob.glob(os.path.join(harness.ROOT, build, "tests", "**", "test_*"), recursive=True)
    return sorted(p for p in found if os.access(p, os.X_OK) and os.path.isfile(p))


def run_unit(program):
    """Runs a cmocka program; returns (passed, failed, text)."""
    name = "/".join(program.split("/")[-2:])
    try:
        result = subprocess.run([program], capture_output=True, text=True, errors="replace", timeout=300,
                                stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 0, 1, f"unit/{name}: did not end in 300 s"
    output = result.stdout + result.stderr
    passed = sum(int(n) for n in re.findall(r"\[  PASSED  \] (\d+) test", output))
    failed = sum(int(n) for n in re.findall(r"\[  FAILED  \].*?: (\d+) test", output))
    if result.returncode != 0 and failed == 0:
        failed = 1
    if passed + failed == 0:
        failed = 1
    return passed, failed, f"unit/{name}: status {result.returncode}\n{output}" if failed else ""


def load_cases():
    for path in sorted(glob.glob(os.path.join(harness.ROOT, "tests", "*", "test_*.py"))):
        name = "/".join(path.split("/")[-2:])[: -len(".py")].replace("test_", "")
        spec = importlib.util.spec_from_file_location(name, path)
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", default="", help="run what has one of these words in its name: word,word")
    parser.add_argument("--full", default="0")
    parser.add_argument("--stress", action="store_true", help="run the cases of stress, and no others")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    os.environ["UPCT_TEST_FULL"] = options.full
    words = options.only.split(",")

    def chosen(name):
        return any(word in name for word in words)

    load_cases()
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        units = [pool.submit(run_unit, p) for p in unit_programs(options.build)
                 if not options.stress and chosen("unit/" + "/".join(p.split("/")[-2:]))]
        cases = [pool.submit(harness.run_case, options.build, *c) for c in harness.CASES if chosen(c[0])]
        for future in units:
            ok, bad, text = future.result()
            passed, failed = passed + ok, failed + bad
            if text:
                print("FAILED " + text, flush=True)
        for future in cases:
            text = future.result()
            passed, failed = passed + (text is None), failed + (text is not None)
            if text:
                print("FAILED " + text, flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
