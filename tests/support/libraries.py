"""Libraries that a test links with: this machine's, or those of a target, which its compiler has or
tools/libraries has unpacked."""

import glob
import os

import pytest

from support.upct import ROOT


def folder(upct):
    """Where the target's are, as this machine's in /usr."""
    return f"{ROOT}/build/packages/{upct.target}/usr" if upct.target else "/usr"


def files(word):
    """What a linker takes for -lNAME and -l:FILE; nothing for other words."""
    if word.startswith("-l:"):
        return [word[3:]]
    return [f"lib{word[2:]}.so", f"lib{word[2:]}.a"] if word.startswith("-l") else []


def place(upct, names):
    """The folder that has one of NAMES: "" is one of the compiler's, None no folder."""
    if any(os.path.isabs(upct.check_output(["gcc", f"-print-file-name={name}"])) for name in names):
        return ""
    installed = f"{folder(upct)}/lib/{upct.target}"
    found = [path for name in names for path in [f"{installed}/{name}", *glob.glob(f"{installed}/*/{name}")] if os.path.exists(path)]
    return os.path.dirname(found[0]) if found else None


def switches(upct, words):
    """For the compiler, and for the linker in front of WORDS, of which each -l has to be there. Here none are needed."""
    if not upct.target:
        return [], []
    places = {word: place(upct, files(word)) for word in words if files(word)}
    missing = [word for word, path in places.items() if path is None]
    if missing:
        pytest.skip(f"no {' '.join(missing)} for it; tools/libraries {upct.target} PACKAGE fetches one")
    top = folder(upct)
    return ([f"-I{top}/include", f"-I{top}/include/{upct.target}"],
            [f"-L{path}" for path in sorted(set(places.values())) if path] + [f"-Wl,-rpath-link,{top}/lib/{upct.target}:{top}/../lib/{upct.target}"])
