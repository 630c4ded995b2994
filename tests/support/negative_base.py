"""Private data below a program has a negative base. Processors without FSGSBASE know none, and programs say so."""

import contextlib
import platform

import pytest


def is_possible():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return platform.machine() != "x86_64" or " fsgsbase " in file.read()


@contextlib.contextmanager
def negative_base(is_needed=True):
    """The block's program needs such a base: it works, or says why not."""
    if not is_needed or is_possible():
        yield
        return
    with pytest.raises(AssertionError, match="cannot set the base of private data of thread"):
        yield
