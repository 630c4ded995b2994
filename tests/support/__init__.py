"""What test modules share: where things are, and the type of the fixture `upct`."""

from support.upct import ROOT, CommandFailed, Upct

# All combinations instead of a sample of them: `scons test full=1` sets it before modules are collected.
FULL = False

__all__ = ["FULL", "ROOT", "CommandFailed", "Upct"]
