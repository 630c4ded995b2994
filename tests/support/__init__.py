"""What test modules share: where things are, and the type of the fixture `upct`."""

import os

from support.upct import ROOT, CommandFailed, Upct

# For the marker host_only. /proc/self/stat of qemu says 0 threads.
NO_DEADLOCKS = "in an emulator no deadlock is told from other waits"

# All combinations instead of a sample of them: `scons test full=1` sets it before modules are collected.
FULL = False
# What the programs are for, with `scons test target=…` another one than this.
PROCESSOR = os.uname().machine

__all__ = ["FULL", "NO_DEADLOCKS", "PROCESSOR", "ROOT", "CommandFailed", "Upct"]
