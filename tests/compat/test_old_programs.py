"""Programs as users of Berkeley, GNU and Cray UPC wrote them, each built and run by its own driver's words. They
check themselves, or print what the same work has in one thread."""

import shlex

import pytest

pytestmark = pytest.mark.sample(4)

# Name; words of upcc; words of upcrun, and the program's; what is printed.
PROGRAMS = [
    ("nbody.upc", "-O2 -network=smp -pthreads=4 -T=3", "-n 3", "5", "energy 0.975543 ok\n"),
    ("life.upc", "-T 4 -opt -w", "-np 4", "", ".X.\n..X\nXXX\n5\n"),
    ("knapsack.upc", "-O -Wc,-std=gnu99", "-n 4 -q", "", "ok\n"),
    ("gauss.upc", "-g -fthreads-3", "-n 3 -bind-threads", "", "ok\n"),
    ("matmul.upc", "-fupc-threads-4 -w", "", "", "done 24 36\n"),
    ("mandel.upc", "-gupc -inst -T3", "-n p3", "", "32 rows, sum 47729\n"),
    ("hash.upc", "-h upc -X 3", "", "", "50 keys, all counted\n"),
    ("sobel.upc", "-O3 -norc -THREADS=5", "-n 5 -polite-sync", "", "108651 110768\n"),
    ("pipeline.upc", "-bupc -network=udp", "-localhost -n 3", "", "1225\n"),
    ("heat.upc", "-T4 -nosize-warn -shared-heap=64MB", "-n 4 -shared-heap=32M", "", "49 iterations\n"),
    ("uts.upc", "-O2 -lines -nolink-cache -uses-threads", "-n 4", "-c 8 -v", "3981 nodes, all\n"),
    ("halo.upc", "-O2 -opt-enable=msg-vect", "-c 4 -n 3", "", "0: 0 bad\n1: 0 bad\n2: 0 bad\n"),
    ("values.upc", "-pthreads", "-p 2 -n 4", "", "10 6\n"),
    ("gups.upc", "-h upc -X4", "", "", "0 errors, 100 tickets, 7\n"),
    ("samplesort.upc", "-fupc-pthreads-model-tls -fupc-threads=4", "", "", "sorted 300\n"),
    ("lu.upc", "-fast-symptr", "-n 3", "", "ok\n"),
    ("aliases.upc", "-compress=3", "-n 3", "", "8120 1 5 6 t 0\n"),
    ("philosophers.upc", "-nolines", "-n 4 -noabort", "", "20\n"),
    ("pi.c", "-dwarf-2-upc", "-n 3 -nofreeze", "50000", "ok\n"),
    ("async.upc", "-network smp -nopthreads", "-n 4", "", "1042\n"),
    ("io.upc", "-D_GNU_SOURCE", "-n 3", "", "0 40\n"),
    ("fft.upc", "-T4 -network=smp -pthreads=2", "-localhost -p 2 -n 4", "", "dc 2040.0\nok\n"),
    ("cg.upc", "-O2 -shared-heap 16 -heap-offset=1", "-qn 3 -shared-heap=8MB", "", "zeta 48.835009 converged\n"),
    ("tree.upc", "-fupc-threads-3 -O1 -fno-upc-inline-lib", "", "", "200 bodies, mass 1.000\n"),
    ("bfs.upc", "-T=3 -g -tv", "-backtrace -np 3", "", "4 levels, 256 reached\n"),
    ("ep.upc", "-h upc -X 3 -Wc,-fno-strict-aliasing", "", "", "counts 12799, sums 125.543393 133.362547\n"),
    ("keys.upc", "-T 4 -opt -inst-local", "-c 2 -N 2 -n 4", "", "ok\n"),
    ("queens.upc", "-w -nolines -link-cache", "--n 3 -nofreeze", "5", "92 solutions\n"),
    ("ring.upc", "-fthreads-4 -allow-deprecated", "-encode-args -n 4", "", "4950\n"),
    ("bank.upc", "-fupc-threads=3 -Wl,'-z now'", "-noabort -polite-sync", "", "16000 cents, 400 moves\n"),
    ("sieve.c", "-O -DLIMIT=3000", "-conf=none -norc -n 3", "", "430 primes\n"),
    ("records.upc", "-w -O3 -fupc-pts=struct", "-n 3", "-v -n 4 -v", "6 fast\n"),
]


@pytest.mark.parametrize("name, words, launch, arguments, wanted", PROGRAMS, ids=[p[0].split(".")[0] for p in PROGRAMS])
def test_program(upct, name, words, launch, arguments, wanted):
    program = upct.compile(*shlex.split(words), upct.fixture(f"compat/old/{name}"), "-lm")
    got = upct.check_output([upct.tool("upcrun"), *launch.split(), *upct.started([program, *arguments.split()])])
    assert "".join(sorted(got.splitlines(True))) == wanted if name == "halo.upc" else got == wanted
