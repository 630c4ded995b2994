"""The fixture of the tests of upc-privatize for aarch64: on another processor programs are made for that one,
and run in qemu."""

import os
import shutil

import pytest

TARGET = "aarch64-linux-gnu"
NEEDED = {f"{TARGET}-gcc": f"gcc-{TARGET}", "qemu-aarch64": "qemu-user", "clang": "clang"}

is_host = os.uname().machine == "aarch64"
missing = sorted({package for command, package in NEEDED.items() if not is_host and not shutil.which(command)})
needs_tools = pytest.mark.skipif(bool(missing), reason=f"apt-get install {' '.join(missing)}")


@pytest.fixture
def upct(upct):
    if not is_host:
        upct.use_target(TARGET)
    return upct
