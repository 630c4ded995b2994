"""The explorer of C11 executions (explore/): what it takes for C11, by litmus shapes; and the runtime's
protocols in it. Each of their orders is needed: where one is made weaker, an error is found."""

import os

import pytest

from support import FULL, ROOT

pytestmark = [pytest.mark.no_sanitizers("the explorer takes their place"), pytest.mark.host_only("the protocols are the same")]

FOLDER = os.path.join(ROOT, "tests", "proof", "explore")
SWITCHES = ["-std=gnu11", "-D_GNU_SOURCE", "-O1", "-ffunction-sections", "-Wl,--gc-sections", "-Wall", "-Wextra", "-Werror", f"-I{FOLDER}/include",
            f"-I{ROOT}", f"-I{ROOT}/include"]
EXPLORER = [f"{FOLDER}/{name}.c" for name in ("explore", "memory", "plain", "search", "threads")]


def explorer(upct, name):
    """The program that explores the cases of NAME.c. The compiler marks accesses to plain data; it does not
    say so to the runtime, which would then have other fences."""
    def make(program):
        upct.check_output(["gcc", *SWITCHES, "-fsanitize=thread", "-U__SANITIZE_THREAD__", "-c",
                           f"{FOLDER}/{name}.c", "-o", program + ".o"])
        upct.check_output(["gcc", *SWITCHES, *EXPLORER, program + ".o", "-o", program])
    return upct.build_once(f"explore/{name}", make)


def explore(upct, name, *words):
    """Explores; returns what it says last, and all lines."""
    lines = upct.run([explorer(upct, name), *words]).stdout.splitlines()
    return lines[-1], lines


ALL = {"0 0", "0 1", "1 0", "1 1"}
RACE = "race: reads 4 bytes at"
IRIW = {f"{a}{b} {c}{d}" for a in "01" for b in "01" for c in "01" for d in "01"}
COHERENT = {"0 0", "0 1", "0 2", "1 1", "1 2", "2 2"}

LITMUS = {
    # store buffering: both loads may read 0 but with seq_cst on both sides, or fences
    "sb_relaxed": ALL, "sb_acq_rel": ALL, "sb_store_alone": ALL, "sb_fence_acq_rel": ALL, "sb_exchange": ALL,
    "sb_seq_cst": ALL - {"0 0"}, "sb_fence": ALL - {"0 0"},
    # message passing: the flag without the message but with release and acquire
    "mp_relaxed": ALL, "mp_release": ALL, "mp_acquire": ALL, "mp_one_fence": ALL,
    "mp_both": ALL - {"1 0"}, "mp_fences": ALL - {"1 0"},
    "plain_both": {"0 0", "1 0"}, "plain_release": RACE, "plain_acquire": RACE, "plain_fences": "race:",
    "sequence_rmw": {"0 0", "1 0"}, "sequence_store": RACE,
    # load buffering: C11 allows 1 1, too; see explore/memory.h
    "lb": ALL - {"1 1"},
    # independent reads: two threads see two stores in different orders, but with seq_cst
    "iriw_acquire": IRIW, "iriw_seq_cst": IRIW - {"10 10"}, "iriw_fence": IRIW - {"10 10"},
    # two writes: the first stores of both may be the last in modification order
    "two_writes_relaxed": {"1 1", "1 2", "2 1", "2 2"}, "two_writes_release": {"1 1", "1 2", "2 1", "2 2"},
    "two_writes_seq_cst": {"1 2", "2 1", "2 2"}, "two_writes_fence": {"1 2", "2 1", "2 2"},
    "corr": COHERENT, "add": {"0 1", "1 0"}, "compare": ALL,
    "wait_for_store": {"1 0"}, "wait_for_ever": "no end after",
    "sleep_with_fences": set(), "sleep_without_fences": "deadlock: all threads sleep",
}


@pytest.mark.parametrize("shape", LITMUS)
def test_litmus(upct, shape):
    last, lines = explore(upct, "litmus", shape, "preemptions=9")
    if isinstance(LITMUS[shape], str):
        assert LITMUS[shape] in last
    else:
        assert last.startswith("all after ")
        assert {line[8:] for line in lines if line.startswith("outcome ")} == LITMUS[shape]


def test_litmus_at_random(upct):
    """The same outcomes, and the same again by the same seed."""
    for shape in ("sb_relaxed", "sb_fence", "iriw_fence"):
        last, lines = explore(upct, "litmus", shape, "random=1", "most=5000")
        assert last == "stopped after 5000 executions"
        assert {line[8:] for line in lines if line.startswith("outcome ")} == LITMUS[shape]
        assert explore(upct, "litmus", shape, "random=1", "most=5000")[1] == lines


def test_trace(upct):
    """A failure shows each step: who, where, what, in which order."""
    last, lines = explore(upct, "litmus", "plain_release")
    assert "litmus.c:" in lines[0] and lines[0].endswith(": plain_release: store &y = 0x1, release")
    assert lines[1].endswith(": plain_release: load &y = 0x1, relaxed") and "thread 1" in lines[1]


def test_orders_can_be_weakened(upct):
    last, lines = explore(upct, "litmus", "mp_both")
    sites = [line.split() for line in lines if line.startswith("site ")]
    release = next(site[1] for site in sites if site[2] == "release")
    _, lines = explore(upct, "litmus", "mp_both", f"weaken={release}=relaxed")
    assert "outcome 1 0" in lines


def test_all_litmus_shapes_are_tested():
    with open(f"{FOLDER}/litmus.c") as source:
        cases = [line.split("(")[1].split(",")[0] for line in source if line.startswith("  CASE (")]
    assert sorted(cases) == sorted(LITMUS)


# The cases of each program, and how many preemptions there are in all executions at most. The quick ones
# come first.
PROTOCOLS = {
    "barrier": [
        ("park_one_word_2", 4), ("park_in_queue_2", 4), ("release_groups_2", 4), ("combine_levels_2", 4), ("poll_2", 4),
        ("strict_notify_2", 4), ("strict_wait_2", 4), ("barrier_2", 3), ("notify_and_wait_2", 3),
        ("collective_barrier_2", 3), ("barrier_ids_2", 3), ("broadcast_2", 2), ("poll_3", 3), ("park_one_word_3", 3),
        ("release_groups_3", 2), ("strict_notify_3", 2), ("strict_wait_3", 2), ("combine_levels_3", 2),
        ("collective_barrier_3", 1), ("notify_and_wait_3", 1), ("barrier_ids_3", 1), ("barrier_3", 2)],
    "lock": [
        ("once_2", 4), ("handoff_2", 4), ("naps_2", 4), ("strict_acquire_2", 4), ("strict_release_2", 4),
        ("destroy_2", 4), ("attempt_2", 4), ("twice_2", 3), ("handoff_twice_2", 2), ("naps_twice_2", 2), ("attempt_3", 2),
        ("destroy_3", 2), ("once_3", 2), ("handoff_3", 2)],
    "mailbox": [
        ("broadcast_2", 4), ("gather_2", 4), ("gather_all_2", 3), ("strict_broadcast_2", 3), ("strict_gather_2", 3),
        ("strict_barrier_2", 3), ("team_barrier_2", 3), ("direct_2", 2), ("gather_3", 2), ("broadcasts_2", 1),
        ("broadcasts_nosync_2", 1), ("gather_all_3", 1), ("broadcast_3", 1), ("team_barrier_3", 1), ("direct_3", 1)],
    "pending": [("mysync_2", 2), ("allsync_2", 2)],
    "semaphore": [("message_2", 4), ("boolean_2", 4), ("attempt_2", 4), ("twice_2", 4), ("freed_2", 4), ("strict_post_2", 4),
                  ("strict_try_2", 4), ("strict_take_2", 4), ("message_3", 3)],
    "exclusive": [("enter_2", 4), ("nest_2", 4), ("stop_2", 4), ("enter_twice_2", 3), ("enter_3", 2)],
    "split": [("free_team_2", 4), ("free_team_3", 3)],
    "exit": [("await_all_2", 4), ("await_all_3", 4), ("meet_2", 4), ("claim_2", 4), ("meet_3", 2)],
    "sort": [("sort_once_2", 3), ("sort_thrice_2", 1)],
    "io": [("all_wait_2", 4), ("one_waits_2", 4), ("in_turn_2", 4), ("strict_2", 4), ("all_wait_twice_2", 3), ("all_wait_3", 2),
           ("one_waits_3", 2), ("in_turn_3", 1), ("all_wait_twice_3", 1)],
    "access": [("load_behind_store_2", 4), ("store_before_load_2", 4), ("both_strict_2", 4), ("store_before_store_2", 4),
               ("store_behind_store_2", 4), ("order_4", 4)],
    "heap": [("local_2", 4), ("symmetric_2", 4), ("along_2", 4), ("apart_2", 4), ("twice_2", 4), ("along_3", 3), ("apart_3", 1)],
}
# Where depth first does not come to an end in time.
AT_RANDOM = [("barrier", "barrier_3"), ("barrier", "barrier_4"), ("barrier", "notify_and_wait_3"), ("barrier", "barrier_ids_3"),
             ("barrier", "broadcast_3"), ("lock", "once_4"), ("lock", "twice_3"), ("lock", "handoff_3"),
             ("mailbox", "direct_3"), ("mailbox", "broadcasts_nosync_3"), ("mailbox", "team_barrier_3"), ("pending", "mysync_3"),
             ("pending", "allsync_3"), ("sort", "sort_once_3"), ("sort", "sort_thrice_2"), ("heap", "apart_3")]


@pytest.mark.parametrize("name, case, preemptions", [(name, *row) for name, rows in PROTOCOLS.items() for row in rows])
def test_holds(upct, name, case, preemptions):
    last, _ = explore(upct, name, case, f"preemptions={preemptions + FULL}")
    assert last.startswith("all after ")


@pytest.mark.parametrize("name, case", AT_RANDOM)
def test_holds_at_random(upct, name, case):
    most = 500000 if FULL else 5000
    last, _ = explore(upct, name, case, "random=1", f"most={most}", "preemptions=99")
    assert last == f"stopped after {most} executions"


# One notch weaker.
WEAKER = {
    "load": {"seq_cst": ["acquire"], "acquire": ["relaxed"]},
    "store": {"seq_cst": ["release"], "release": ["relaxed"]},
    "rmw": {"seq_cst": ["acq_rel"], "acq_rel": ["acquire", "release"], "acquire": ["relaxed"], "release": ["relaxed"]},
}
# Files of which a program shows that their orders are needed; the others are another one's. The heap has none, but
# relies on the program's, on the lock of the zones, and on jemalloc's.
FILES = {"barrier": "runtime/sync/", "lock": "runtime/sync/primitives/lock", "mailbox": "runtime/coll/",
         "pending": "runtime/coll/progress.c", "semaphore": "runtime/bupc/semaphore.c",
         "exclusive": "runtime/sync/mechanism/exclusive", "split": "runtime/coll/split.c", "exit": ("runtime/start/threads.c", "runtime/gasp/exit.c"), "sort": "runtime/coll/sort.c",
         "io": "runtime/io/stage.c", "heap": "tests/proof/explore/heap.c",
         "access": "tests/proof/explore/access.c"}

# Orders that the cases do not need, and why they stay.
TSAN = "ThreadSanitizer does not see fences"
ONE_FENCE = "the only fence behind a read-modify-write is a full one, which on x86 is nothing"
COMPUTES = "only computations look at what it publishes, and they are not here"
NOT_NEEDED = {
    "barrier": {},
    "lock": {
        "queue_up: upcr_fence_after_rmw , acq_rel": ONE_FENCE,
        "upcr_lock_destroy: upcr_fence_after_rmw , acq_rel": ONE_FENCE,
        "upcr_lock_take: compare &lock->word, relaxed": TSAN,
    },
    "mailbox": {
        "upcr_central_arrive: fetch_add &barrier->arrived, release": TSAN,
        "upcr_slot_publish_quietly: store &slot->sequence, relaxed":
            "no one looks at such a slot here; elsewhere the addresses in it may be read behind it",
    },
    "pending": {
        "upcr_pending_arrive: fetch_add &pending->arrived, release": "have_all_arrived acquires, too",
        "upcr_pending_advance: load &ctx->pending->complete, relaxed": "upcr_pending_leave acquires, too",
        "upcr_pending_advance: load &ctx->pending->pass, relaxed": COMPUTES,
    },
    "semaphore": {"subtract: fetch_sub &semaphore->value, relaxed": TSAN},
    "exclusive": {},
    "exit": {},
    "io": {},
    "heap": {},
    "access": {
        "load: load p, acquire": "behind the fence an acquire load would do: LDAPR of ARM, whose gain was never measured",
        "store: store p, release": "on x86 the store is the fence behind it",
    },
    "sort": {},
    "split": {},
}


def sites(upct, name):
    """Of each place with an order: the order, what is there, the cases that come by."""
    found = {}
    for case, _ in PROTOCOLS[name]:
        for line in explore(upct, name, case, "preemptions=1", "most=3000")[1]:
            if line.startswith("site ") and any(file in line for file in ([FILES[name]] if isinstance(FILES[name], str) else FILES[name])):
                _, site, order, text = line.split(" ", 3)
                found.setdefault((site, order, text), []).append(case)
    return found


def kind(text):
    operation = text.split(": ", 1)[1].split()[0]
    return {"load": "load", "failed": "load", "store": "store"}.get(operation, "rmw")


def finds_at_random(upct, name, weak):
    """In what is too large to be searched."""
    return any(not explore(upct, name, case, "random=1", "most=20000", "preemptions=99", f"weaken={weak}")[0].startswith("stopped")
               for large, case in AT_RANDOM if large == name)


def finds_error(upct, name, case, weak):
    """Few preemptions come to an end where more take too long."""
    return any(not explore(upct, name, case, f"preemptions={n}", "most=8000", f"weaken={weak}")[0].startswith(("all", "stopped"))
               for n in (1, 2))


@pytest.mark.parametrize("name", PROTOCOLS)
def test_each_order_is_needed(upct, name):
    needless = set()
    found = sites(upct, name)
    for (site, order, text), cases in found.items():
        for weaker in WEAKER[kind(text)].get(order, []):
            weak = f"{site}={weaker}"
            if not any(finds_error(upct, name, case, weak) for case in cases) and not finds_at_random(upct, name, weak):
                needless.add(f"{text}, {weaker}")
    assert found
    assert needless == NOT_NEEDED[name].keys()
