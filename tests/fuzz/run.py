"""Runs AFL++ on upc2c for some minutes; `scons fuzz minutes=N` calls it.

    run.py PROGRAM FOLDER MINUTES

PROGRAM is upc2c built by afl-clang-fast with sanitizers. FOLDER keeps what was learnt,
and the next run goes on from there. The status is 1 when anything crashed or hung; what
did belongs into tests/fuzz/findings, made small, with the change that mends it."""

import glob
import os
import subprocess
import sys


def main():
    program, folder, minutes = os.path.abspath(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    found = f"{folder}/out/default"
    environment = dict(
        os.environ, AFL_SKIP_CPUFREQ="1", AFL_NO_UI="1", AFL_AUTORESUME="1", AFL_NO_AFFINITY="1", AFL_FAST_CAL="1",
        AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1",
        ASAN_OPTIONS="abort_on_error=1:symbolize=0:detect_leaks=0",
        UBSAN_OPTIONS="halt_on_error=1:abort_on_error=1:symbolize=0")
    subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "corpus.py"), folder], check=True)
    before = set(glob.glob(f"{found}/*/id*"))
    status = subprocess.run(
        ["afl-fuzz", "-V", str(int(minutes * 60)), "-i", f"{folder}/seeds", "-o", f"{folder}/out",
         "-x", f"{folder}/words.dict", "-m", "none", "-t", "5000", "--", program, "@@", "-o", f"{folder}/out.c"],
        env=environment, stdout=subprocess.DEVNULL).returncode
    bad = [path for path in sorted(set(glob.glob(f"{found}/*/id*")) - before) if "/crashes" in path or "/hangs" in path]
    if status:
        sys.exit(f"afl-fuzz failed with status {status}; without AFL_NO_UI and in a terminal it says why")
    print("\n".join(bad) if bad else "no crash, no hang")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
