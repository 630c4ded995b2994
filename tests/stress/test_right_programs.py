"""Random programs without errors, 500 of them, under each of the tools that find wrong ones: none reports anything."""

import os

import pytest

from generators import accesses, indirect, loops, scattered

pytestmark = [pytest.mark.stress, pytest.mark.no_sanitizers("other libraries than the build's are needed"),
              pytest.mark.host_only("there are no sanitizers' libraries for other processors")]

TOOLS = {"bounds": ["-O2 -fupc-check", "-O0 -fupc-check -fupc-pts=struct"],
         "race": ["-O2 -fupc-check=race", "-O1 -fupc-check=bounds,race"],
         "address": ["-O1 -fsanitize=address", "-O2 -fsanitize=address,undefined"],
         "thread": ["-O1 -fsanitize=thread", "-O2 -fsanitize=thread -fupc-pts=struct"]}


# ThreadSanitizer takes minutes for the longest ones.
CASES = [(tool, seed) for seed in range(125) for tool in TOOLS if tool != "thread" or seed % 5 == 0]


@pytest.mark.parametrize("tool, seed", CASES)
def test_nothing_is_reported(upct, tool, seed):
    if tool in ("address", "thread") and not os.path.exists(upct.library(f"{tool}/libupc.a")):
        pytest.skip(f"no libraries for -fsanitize={tool}; 'scons all' makes them")
    for generator in accesses, indirect, loops, scattered:
        upct.write("right.upc", generator.program(9000 + seed))
        program = upct.compile("-w", "-g", *TOOLS[tool][seed % 2].split(), "right.upc")
        for threads in 2, 3 + seed % 3:
            upct.check_prints("ok\n", [program], THREADS=threads, UPC_CHECK=1)
