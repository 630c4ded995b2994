"""Each use of an atomic operation or a fence is explored, or there is a reason why not."""

import pytest

from structure import atomics

pytestmark = pytest.mark.no_sanitizers("the sources are the same in each build")


def named():
    """(file, object) of each row, and where it stands."""
    for table in (atomics.EXPLORED, atomics.NOT_EXPLORED):
        for title, rows in table.items():
            for name, objects in rows.items():
                yield from ((name, one, title) for one in objects)


def test_each_use_has_its_row():
    used = {(name, one) for name, objects in atomics.uses().items() for one in objects}
    rows = [(name, one) for name, one, _ in named()]
    assert sorted(used - set(rows)) == [], "neither explored nor in the list of atomics.py"
    assert sorted(set(rows) - used) == [], "rows of what is not there any more"
    assert len(rows) == len(set(rows)), "two rows for one use"


SOURCES = [
    ("atomic_store_explicit (&ready, 1, memory_order_release);", {"ready"}),
    ("x = atomic_load (&thread->words[at (i, 2)].ready);", {"ready"}),
    ("__atomic_fetch_add (counter_of (0), 1, __ATOMIC_RELAXED);", {"counter_of"}),
    ("__sync_synchronize ();", {""}),
    ("atomic_fetch_or_explicit ((_Atomic bits *) target, 1, ORDER);", {"target"}),
    ("atomic_thread_fence (memory_order_seq_cst); upcr_strict_fence ();", {"atomic_thread_fence", "upcr_strict_fence"}),
    ("static _Atomic uint32_t arrived, left = 0;", {"arrived", "left"}),
    ("  _Alignas(64) _Atomic (struct node *) next;", {"next"}),
    ("static atomic_flag busy = ATOMIC_FLAG_INIT;", {"busy"}),
    ("extern _Atomic uint64_t marks[MOST + 1];", {"marks"}),
    ("/* atomic_store (&x, 1); */ upc_atomic_relaxed (domain);", set()),
]


@pytest.mark.parametrize("source, wanted", SOURCES, ids=[row[0] for row in SOURCES])
def test_uses_are_found(source, wanted):
    assert atomics.objects(source) == wanted
