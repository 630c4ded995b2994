"""The uses of atomic operations and fences: what each is explored by, or why it is not.

A use is a file and an object: the last name of what an operation works on, the name of a fence, or
a variable that is declared atomic."""

import glob
import os
import re

from support import ROOT

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
CALL = re.compile(r"\b(\w*(?<![a-z]_)(?:atomic_|__sync_|cmm_)\w+)\s*\(")
FENCE = re.compile(r"\b(upcr_(?:strict_|hardware_)?fence(?:_after_rmw)?)\s*\(")
DECLARATION = re.compile(r"^\s*(?:(?:static|extern|const|char|struct|\w+ \*|_Alignas ?\(\w+\)) ?)*"
                         r"(?:_Atomic|atomic_(?:bool|int|uint|flag))\b([^;{\n]*);", re.M)


def first_argument(text, begin):
    depth = 0
    for end in range(begin, len(text)):
        depth += (text[end] in "([") - (text[end] in ")]")
        if depth < 0 or (depth == 0 and text[end] == ","):
            return text[begin:end]
    return ""


def last_name(expression):
    """Of what ends in a name, but for its indexes and arguments."""
    while re.search(r"\[[^\[\]]*\]|\([^()]*\)", expression):
        expression = re.sub(r"\[[^\[\]]*\]|\([^()]*\)", "", expression)
    return (re.findall(r"\w+", expression) or [expression.strip()])[-1]


def declared(rest):
    """The names in what follows _Atomic: of several variables with first values, too."""
    rest = re.sub(r"=[^,;]*", "", rest)
    while re.search(r"\[[^\[\]]*\]", rest):
        rest = re.sub(r"\[[^\[\]]*\]", "", rest)
    return [re.findall(r"\w+", part)[-1] for part in rest.split(",") if "(" not in part or ") " in part]


def operated(text):
    """What there are operations on, and fences."""
    text = COMMENT.sub(" ", text)
    found = {match[1] for match in FENCE.finditer(text)}
    for match in CALL.finditer(text):
        if match[1] != "atomic_init":
            found.add(match[1] if "_fence" in match[1] else last_name(first_argument(text, match.end())))
    return found


def objects(text):
    """All, with what is only declared."""
    return operated(text).union(*(declared(match[1]) for match in DECLARATION.finditer(COMMENT.sub(" ", text))))


def uses(of=objects):
    """Those of all files, as {file: objects}."""
    found = {}
    for path in [path for folder in ("runtime", "include") for path in glob.glob(f"{ROOT}/{folder}/**/*.[ch]", recursive=True)]:
        with open(path) as source:
            if names := of(source.read()):
                found[os.path.relpath(path, ROOT)] = names
    return found


def rows(table):
    """As {file: objects}, of a TABLE that has a line for each file."""
    return {name: set(names.split()) for name, names in (line.strip().split(": ") for line in table.strip().splitlines())}


# Explored by the cases of tests/proof/explore/NAME.c; tests/proof/test_explore.py looks whether they come
# by all of it.
EXPLORED = {
    "barrier": rows("""
        runtime/sync/policy/park.c: count last near upcr_fence_after_rmw upcr_hardware_fence word
        runtime/sync/policy/park.h: count
        runtime/sync/policy/spin.c: word
        runtime/sync/primitives/barrier.c: upcr_hardware_fence upcr_tree_word
        runtime/sync/primitives/barrier_id.c: broken consensus
        runtime/sync/primitives/tree.c: arrived epoch upcr_hardware_fence word
        runtime/sync/primitives/tree.h: arrived epoch mine upcr_fence_after_rmw word
        """),
    "lock": rows("""
        runtime/sync/primitives/lock.c: acquisitions head hints is_head next tail upcr_fence_after_rmw word
        runtime/sync/primitives/lock.h: acquisitions head tail upcr_fence_after_rmw word
        """),
    "mailbox": rows("""
        runtime/coll/central_barrier.h: arrived epoch upcr_fence_after_rmw
        runtime/coll/context.c: done sequence
        runtime/coll/slot.h: done sequence
        runtime/coll/team.c: left word
        runtime/coll/team.h: left sequence upcr_hardware_fence word
        runtime/sync/mechanism/fence.h: atomic_thread_fence upcr_hardware_fence
        """),
    "pending": rows("""
        runtime/coll/pending.h: arrived complete cursor done event pass portions_done
        runtime/coll/progress.c: arrived complete cursor done event pass portions_done
        """),
    "semaphore": rows("""
        runtime/bupc/semaphore.c: kind producer upcr_fence upcr_fence_after_rmw value
        """),
    "exclusive": rows("""
        runtime/sync/mechanism/exclusive.c: ended owner what
        runtime/sync/mechanism/exclusive.h: ended owner what
        """),
    "io": rows("""
        runtime/io/file.h: reached reached_by_all
        runtime/io/stage.c: all mine reached upcr_hardware_fence
        """),
    "sort": rows("""
        runtime/coll/sort.c: left place records
        """),
    "split": rows("""
        runtime/coll/split.c: leaving
        runtime/coll/team.h: leaving
        """),
    "exit": rows("""
        runtime/gasp/exit.c: all_arrived arrived
        runtime/start/threads.c: ender unended
        """),
    "access": rows("""
        runtime/abi/access.h: upcr_fence_after_rmw upcr_pts_address upcr_strict_fence
        """),
    "heap": rows("""
        runtime/shared/heap.c: upcr_shadow_of
        runtime/shared/zone.c: mark
        runtime/shared/zone.h: high low
        """),
}

# Why the rest is not.
NOT_EXPLORED = {
    "what a program's own operations are made of: no protocol": rows("""
        include/intrinsics.h: __p
        include/upct/access.h: __atomic_thread_fence __upc_fence_word
        include/upct/atomic.h: __at
        include/upct/atomic_object.h: __at
        include/upct/bupc_atomic.h: __at __p
        include/upct/race.h: ... __VA_ARGS__ __atomic_thread_fence
        runtime/abi/block.h: upcr_strict_fence
        runtime/abi/sync.c: upcr_fence
        runtime/abi/sync_g.c: upcr_fence
        runtime/atomic/operations.c: target upcr_fence_after_rmw upcr_strict_fence
        runtime/sync/primitives/fence.h: upcr_fence upcr_strict_fence
        """),
    "what fences are made of; the explorer has its own in place of it": rows("""
        runtime/arch/aarch64/arch.h: upcr_fence_after_rmw
        runtime/arch/x86_64/arch.h: atomic_signal_fence upcr_fence_after_rmw
        runtime/sync/mechanism/debug.c: upcr_fence_word
        runtime/sync/mechanism/fence.h: own_word upcr_fence_after_rmw upcr_fence_word upcr_strict_fence
        """),
    "a hint: what is old costs time, but nothing else": rows("""
        include/upct/access.h: __upc_oversubscribed
        runtime/sync/mechanism/placement.c: cpu fair_share load tid
        runtime/sync/policy/preemption.c: avoid_until_ns avoidance_ns read_at_ns
        runtime/sync/policy/wait_policy.c: __upc_oversubscribed next_count_ns upcr_current_wait_policy
        runtime/sync/policy/wait_policy.h: __upc_oversubscribed upcr_current_wait_policy
        """),
    "a flag that one thread takes by a read-modify-write; the others do not wait for it": rows("""
        runtime/coll/pending.c: is_noted
        runtime/diag/symbolize.c: busy
        runtime/host/exit.c: ending
        runtime/sync/mechanism/placement.c: moving
        runtime/sync/policy/preemption.c: reading
        runtime/sync/policy/wait_policy.c: counting
        """),
    "of one UPC thread, but for reports, or of one thread and its signal handler": rows("""
        runtime/gasp/pupc.c: last_on
        runtime/host/host.h: atomic_signal_fence
        runtime/race/sample.c: __mask __seed
        runtime/sync/policy/progress.c: function
        runtime/sync/policy/progress.h: function
        runtime/sync/primitives/barrier.c: epoch notified
        runtime/sync/primitives/barrier.h: epoch notified
        """),
    "a number that is one's own by a read-modify-write; it orders nothing": rows("""
        runtime/coll/team.c: teams
        runtime/gasp/pupc.c: next_event
        """),
    "the deadlock detector and reports: what is old is in doubt, and they look again later": rows("""
        runtime/diag/sample.c: busy ended state tids
        runtime/start/start.h: upcr_any_has_threads upcr_helper_threads upcr_left_threads
        runtime/start/threads.c: upcr_helper_threads upcr_left_threads
        runtime/start/block.c: upcr_any_has_threads
        runtime/sync/diagnosis/deadlock.c: sleeps
        runtime/sync/diagnosis/describe.c: epoch lock what
        runtime/sync/diagnosis/polling.c: attempts lock sleeps
        runtime/sync/diagnosis/proof.c: sleeps
        runtime/sync/diagnosis/watch.c: is_asked reporting_until_ns what
        runtime/sync/network/survey.c: late opens sleeps upcr_any_has_threads upcr_survey_is_wanted
        runtime/sync/network/survey.h: upcr_survey_is_wanted
        runtime/sync/network/watch.c: is_asked upcr_survey_is_wanted
        runtime/sync/mechanism/sleep.c: seen sleeps word
        runtime/sync/primitives/lock_look.c: word
        runtime/sync/mechanism/sleep.h: attempts lock seen sleeps what word
        """),
    "ordered by a lock, a join or a once of POSIX threads; read without where an old value does no harm": rows("""
        runtime/host/ticks.c: is_calibrated source
        runtime/io/operation.c: is_done
        runtime/io/operation.h: is_done
        runtime/libc/thread.c: created
        runtime/race/clock.c: acquired arrived clock clocks version
        """),
    "ordered by what the program does to hand a block on: the heap stores nothing else": rows("""
        runtime/shared/checked.h: upcr_shadow_of
        runtime/shared/plain.c: high low upcr_shadow_of
        """),
    "tells ThreadSanitizer what liburcu orders": rows("""
        runtime/coll/pending.c: ready refs
        runtime/coll/pending.h: ready
        """),
    "one message: a release store or addition, an acquire load": rows("""
        include/upct/clean.h: __upc_poisonings
        include/upct/tabled.h: __upc_block_tables
        runtime/abi/block_table.c: slot
        runtime/coll/handle.c: event
        runtime/coll/pending.c: table
        runtime/coll/pending.h: refs
        runtime/coll/progress.c: refs
        runtime/coll/team.c: upcr_team_all_made
        runtime/coll/team.h: upcr_team_all_made
        runtime/libc/thread.c: living
        runtime/shared/poison.c: __upc_poisonings
        runtime/shared/record.c: leaf_of
        runtime/shared/poison.h: __upc_poisonings
        runtime/sync/network/near.c: word
        runtime/sync/network/post.c: number word
        """),
    "a lock of one word: an acquire exchange, a release store": rows("""
        runtime/atomic/operations.c: lock word
        runtime/link/upc-library.c: phase state
        runtime/race/shadow.c: busy granule
        runtime/net/join.c: state
        """),
    "between processes: a message is one release addition and its answer one acquire load; what orders memory is in the owner": rows("""
        runtime/net/net.c: tells_begun tells_done upcr_net_ending
        runtime/net/message.h: open
        runtime/net/target.c: words
        runtime/net/move.c: tags
        runtime/net/section.c: atomic_thread_fence element
        runtime/net/mpi_move.c: move_count
        runtime/net/wait.c: open upcr_helper_threads
        runtime/coll/network/blocks.c: open
        runtime/net/finish.h: upcr_net_ending
        runtime/shared/network/remote.c: upcr_own_stores
        runtime/sync/network/barrier.c: notified
        runtime/io/network/stage.c: all mine reached upcr_strict_fence
        runtime/abi/network/access.h: atomic_thread_fence upcr_strict_fence
        runtime/abi/network/remote.c: upcr_strict_fence
        runtime/atomic/network/at.c: upcr_strict_fence
        runtime/bupc/network/semaphore.c: atomic_thread_fence kind producer upcr_strict_fence value
        runtime/atomic/network/operate.c: atomic_thread_fence upcr_strict_fence
        """),
    "between processes that share memory: a central barrier, whose last thread ends it by one release store": rows("""
        runtime/sync/network/barrier.c: arrived beyond epoch ids most upcr_fence_after_rmw upcr_hardware_fence value
        runtime/sync/network/near.h: arrived beyond given most
        """),
    "between processes that share memory: a lock of one word, BUSY by an acquire exchange, the next word by a release store": rows("""
        runtime/sync/network/lock.c: atomic_thread_fence upcr_fence_after_rmw upcr_strict_fence word
        """),
    "between processes that share memory: a word that one thread at a time writes with release order; who sleeps and who wakes each write a word, then read the other's, and no sleep is longer than a second": rows("""
        runtime/sync/network/near.c: sleepers value
        runtime/sync/network/near.h: sleepers value
        runtime/sync/network/letter.c: value
        """),
    "once, at the end of a process: each side writes its word, then reads the other's": rows("""
        runtime/net/finish.c: inside is_closed
        """),
}
