"""The recorder is a part of the program, and yet no name of the program means something in it."""

import os

NAMES = """
#include <upc.h>
shared int open[THREADS], write[THREADS], pwrite[THREADS], mmap[THREADS], openat[THREADS], close[THREADS],
  ftruncate[THREADS], flock[THREADS], trace_run[THREADS], libc[THREADS];
int getpid = 3, mkdir, fcntl, posix_spawnp, strerror;
int open_file (int n) { return n + 1; }
int add_site (int n) { return n + 2; }
int clock_gettime (int n) { return n + 3; }
int main (void)
{
  open[MYTHREAD] = write[MYTHREAD] = mmap[MYTHREAD] = openat[MYTHREAD] = MYTHREAD;
  close[MYTHREAD] = ftruncate[MYTHREAD] = flock[MYTHREAD] = trace_run[MYTHREAD] = libc[MYTHREAD] = 1;
  pwrite[MYTHREAD] = getpid++ + mkdir + fcntl + posix_spawnp + strerror;
  upc_barrier;
  return pwrite[THREADS - 1] != 3 || open_file (5) != 6 || add_site (5) != 7 || clock_gettime (5) != 8;
}
"""


def test_a_traced_program_has_names_of_the_recorder(upct):
    program = upct.path("named")
    upct.check_output([upct.tool("upcc"), "--trace", upct.write("named.upc", NAMES), "-o", program])
    result = upct.run([program], UPC_THREADS=2, cwd=upct.folder)
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr.startswith("named: trace: 2 threads, ")
    assert os.path.getsize(upct.path("named.trace/report.html")) > 1000
