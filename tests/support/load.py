"""Busy loops beside the tests, which take CPUs away at any moment."""

import os
import subprocess
import sys

LOOP = """
import os
while os.getppid() == {parent}:
    for _ in range(10**6):
        pass
"""


class Load:
    """COUNT processes that do nothing, as fast as they can, until stop. They end by
    themselves when this process is killed."""

    def __init__(self, count):
        code = LOOP.format(parent=os.getpid())
        self.processes = [subprocess.Popen([sys.executable, "-S", "-c", code], stdin=subprocess.DEVNULL)
                          for _ in range(count)]

    def stop(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
        self.processes = []
