"""Files that are not what the recorder wrote: an error or a report, and never a crash."""

import os
import random

import pytest

from support import FULL
from tracer.common import read
from tracer.test_reports import two_threads
from tracer.traces import (END, FENCE, FUNCTION, GET, PAUSE, SITE, START, TIME, USER, USER_EVENT, Thread, string_value, transfer,
                           write)


def refused(upct, thread, why, name="thread-0.bin"):
    folder = write(upct.path("a.trace"), [thread])
    result = upct.run([upct.tool("upc-trace"), folder])
    assert (result.returncode, result.stderr) == (1, f"{folder}/{name}: error: {why}\n")
    assert sorted(os.listdir(folder)) == ["run", "thread-0.bin"]


def thread_with(*words, **fields):
    thread = Thread(0, 1, begin=0)
    thread.fields.update(fields)
    thread.site(FUNCTION, 1, "f")
    thread.words += words
    return thread


RECORDS = {
    "chunk 0, word 5: an event at an unknown site": [START << 60 | 2 << 32],
    "chunk 0, word 5: a record longer than its chunk": [START << 60 | 9 << 52 | 1 << 32],
    "chunk 0, word 5: a pause that is not one word": [PAUSE << 60],
    "chunk 0, word 5: not a record": [0],
    "chunk 0, word 6: not a record": [START << 60 | 1 << 32, 10 << 60],
    "chunk 0, word 5: a truncated site": [SITE << 60 | 1 << 52 | 2 << 32, 5],
    "chunk 0, word 5: a string longer than its record": [SITE << 60 | 2 << 52 | 2 << 32, 5, 7 << 32],
    "chunk 0, word 5: an event's name without its number": [USER << 60],
    "chunk 0, word 5: a time that is not one word": [TIME << 60],
}


@pytest.mark.parametrize("why", sorted(RECORDS))
def test_wrong_records_are_told(upct, why):
    refused(upct, thread_with(*RECORDS[why]), why)


def test_wrong_headers_are_told(upct):
    refused(upct, thread_with(version=1), "format version 1; this upc-trace reads version 3")
    refused(upct, thread_with(threads=5000), "damaged header: thread 0 of 5000")
    refused(upct, thread_with(threads=0), "damaged header: thread 0 of 0")
    refused(upct, thread_with(rate=0), "damaged header")
    refused(upct, thread_with(state=9), "damaged header")
    refused(upct, thread_with(host="h" * 65), "damaged header")
    refused(upct, thread_with(command=["c" * 1024]), "damaged header")


def test_files_of_other_runs_are_told(upct):
    threads = two_threads()
    threads[1].fields["run"] = 8
    folder = write(upct.path("a.trace"), threads)
    result = upct.run([upct.tool("upc-trace"), folder])
    assert (result.returncode, result.stderr) == (1, f"{folder}/thread-1.bin: error: belongs to another run\n")


def test_short_files_are_told(upct):
    folder = write(upct.path("a.trace"), [thread_with()])
    path = f"{folder}/thread-0.bin"
    for size in (4000, 69631):
        os.truncate(path, size)
        result = upct.run([upct.tool("upc-trace"), folder])
        assert (result.returncode, result.stderr) == (1, f"{path}: error: too short: {size} bytes\n")
        os.remove(path)
        write(folder, [thread_with()])
    os.truncate(path, 0)
    result = upct.run([upct.tool("upc-trace"), folder])
    assert (result.returncode, result.stderr) == (1, f"{path}: warning: empty: the thread had not started\n{folder}: error: no file of a thread in it\n")


def test_what_is_no_file_is_told(upct):
    folder = write(upct.path("a.trace"), [thread_with()])
    path = f"{folder}/thread-0.bin"
    os.remove(path)
    os.mkfifo(path)
    result = upct.run([upct.tool("upc-trace"), folder])
    assert (result.returncode, result.stderr) == (1, f"{path}: error: not a file\n")
    result = upct.run([upct.tool("upc-trace"), upct.write("plain", "")])
    assert (result.returncode, result.stderr) == (1, f"{upct.path('plain')}: error: not a directory\n")
    os.remove(f"{folder}/run")
    os.mkdir(f"{folder}/run")
    result = upct.run([upct.tool("upc-trace"), folder])
    assert (result.returncode, result.stderr) == (1, f"{folder}/run: error: not a file\n")


def test_control_characters_are_not_shown(upct):
    thread = Thread(0, 1, begin=0, program="a\x1b[31m\n")
    thread.user(USER_EVENT, "two\nlines\x1b[2J", "")
    thread.both(thread.site(USER_EVENT, 3, file="odd\tname.upc"), 10, 20)
    folder = write(upct.path("a.trace"), [thread])
    result = upct.run([upct.tool("upc-trace"), folder])
    assert (result.returncode, result.stderr.split(":")[0], result.stderr.count("\n")) == (0, "a [31m ", 1)
    profile = read(folder, "profile.txt")
    assert "odd name.upc:3  two lines [2J\n" in profile and "\x1b" not in profile


def test_places_without_events_are_read(upct):
    """Killed between the place and the event."""
    thread = Thread(0, 1, begin=0)
    for line in range(1, 200):
        thread.site(FENCE, line)
    folder = write(upct.path("a.trace"), [thread])
    result = upct.run([upct.tool("upc-trace"), folder])
    assert result.returncode == 0, result.stderr
    assert "1 threads, 0 events" in result.stderr


def test_links_out_of_the_folder_are_not_followed(upct):
    folder = write(upct.path("a.trace"), [thread_with()])
    os.mkdir(upct.path("precious"))
    upct.write("precious/data", "mine")
    os.symlink(upct.path("precious"), f"{folder}/otf2")
    upct.check_output([upct.tool("upc-trace"), folder])
    assert os.listdir(upct.path("precious")) == ["data"]
    assert not os.path.islink(f"{folder}/otf2") and os.path.exists(f"{folder}/otf2/trace.otf2"), "otf2"


def long_thread():
    """Three chunks and some."""
    thread = Thread(0, 1, begin=0)
    thread.user(USER_EVENT, "step", "%d of %s")
    fence, get, step = thread.site(FENCE, 1), thread.site(GET, 2), thread.site(USER_EVENT, 3)
    for i in range(3000):
        thread.both(fence, 100 * i, 100 * i + 10)
        thread.both(get, 100 * i + 20, 100 * i + 30, transfer(8, 0, 0))
        thread.both(step, 100 * i + 40, 100 * i + 50, i, *string_value("ten"))
    return thread


def test_a_file_that_ends_early_is_read_up_to_there(upct):
    folder = write(upct.path("a.trace"), [long_thread()])
    path = f"{folder}/thread-0.bin"
    whole = os.path.getsize(path)
    assert whole == 4096 + 4 * 65536
    os.truncate(path, whole - 70000)
    result = upct.run([upct.tool("upc-trace"), folder])
    assert result.returncode == 0
    assert f"{path}: warning: ends after chunk 1 of 3; reading up to there\n" in result.stderr


def test_a_chunk_that_was_just_written_counts_once(upct):
    """Killed between the write and the new number."""
    thread = long_thread()
    folder = write(upct.path("a.trace"), [thread])
    words, ticks = thread.chunks[-1]
    with open(f"{folder}/thread-0.bin", "r+b") as f:
        f.seek(4096)
        f.write(thread.chunk(2, words, ticks))
    result = upct.run([upct.tool("upc-trace"), folder])
    assert result.returncode == 0, result.stderr
    events = sum(1 for chunk, _ in thread.chunks for kind in kinds(chunk) if kind in (START, END))
    assert f" {events} events:" in result.stderr, (events, result.stderr)


def kinds(words):
    at = 0
    while at < len(words):
        yield words[at] >> 60
        at += 1 + (words[at] >> 52 & 0xff)


@pytest.mark.parametrize("seed", range(2))
def test_random_damage_is_survived(upct, seed):
    """Flipped bits, words of any kind, cuts: an exit status of 0 or 1, and lines of text."""
    chance = random.Random(seed)
    threads = [long_thread(), Thread(0, 1)]
    for _ in range(400 if FULL else 12 if upct.sanitizers else 40):
        folder = write(upct.path("a.trace"), [chance.choice(threads)])
        path = f"{folder}/thread-0.bin"
        with open(path, "r+b") as f:
            size = os.path.getsize(path)
            for _ in range(chance.choice([1, 1, 5, 50])):
                f.seek(chance.choice([chance.randrange(128), 4096 + chance.randrange(64), chance.randrange(size - 8)]))
                f.write(chance.randbytes(chance.choice([1, 4, 8])))
            if chance.random() < 0.2:
                f.truncate(chance.randrange(size))
        result = upct.run([upct.tool("upc-trace"), folder])
        assert result.returncode in (0, 1), f"status {result.returncode}: {result.stderr}"
        lines = result.stderr.splitlines()
        assert lines and (": error: " in lines[-1]) == (result.returncode == 1), result.stderr
        assert not [name for name in os.listdir(folder) if name.startswith("new")], "half-written reports"
