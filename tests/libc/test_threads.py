"""Threads that the program makes itself."""

import pytest

pytestmark = pytest.mark.tsan


@pytest.mark.parametrize("cc, level, count", [
    (cc, level, count) for cc in ("gcc", "clang") for level in ("-O0", "-O2") for count in (1, 8)])
def test_threads_belong_to_their_makers(upct, cc, level, count):
    compiled = upct.path("threads.o")
    upct.check_output([cc, level, "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-c", upct.fixture("libc/threads.c"),
                       "-o", compiled])
    program = upct.link(compiled)
    result = upct.run([program, "-n", count])
    assert (result.stdout, result.stderr, result.returncode) == ("done\n", "", 0)


@pytest.mark.host_only("qemu keeps what it has translated for each thread")
def test_memory_of_ended_threads_is_freed(upct):
    """What the runtime keeps for a POSIX thread goes when it ends: its caches of the shared
    heap, which jemalloc has numbers for 4,000 of. Sanitizers find it in a few."""
    program = upct.compile("-O1", upct.write("heap.upc", """
        #include <upc.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/resource.h>
        static shared void *block;
        static void *allocate (void *unused)
        {
          shared void *more = upc_alloc (1000);
          upc_free (block);
          block = upc_alloc (40);
          upc_free (more);
          return unused;
        }
        static void *just_free (void *unused)
        {
          upc_free (block);
          block = NULL;
          return unused;
        }
        int main (int argc, char **argv)
        {
          struct rusage early, late;
          for (int i = 0; i < atoi (argv[1]); i++)
            {
              pthread_t thread;
              if (i == 50)
                getrusage (RUSAGE_SELF, &early);
              if (pthread_create (&thread, NULL, i % 2 ? just_free : allocate, NULL))
                return 3;
              pthread_join (thread, NULL);
            }
          getrusage (RUSAGE_SELF, &late);
          puts (late.ru_maxrss - early.ru_maxrss < 20000 ? "freed" : "kept");
          return 0;
        }
        """))
    assert upct.check_output([program, "-n", "2", "--", 100 if upct.sanitizers else 9000]) == "freed\n" * 2


EXITS = """
    #include <upc.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <unistd.h>
    static upc_lock_t *lock;
    static pthread_t first;
    static void say (void)
    {
      printf ("%d %d\\n", MYTHREAD, pthread_equal (first, pthread_self ()) != 0);
      fflush (stdout);
    }
    static void *exit_7 (void *unused)
    {
      exit (7 + MYTHREAD);
    }
    static void *go_on (void *unused)
    {
      upc_lock (lock);
      upc_unlock (lock);
      upc_barrier 5;
      return unused;
    }
    static void *take (void *unused)
    {
      upc_lock (lock);
      return unused;
    }
    int main (int argc, char **argv)
    {
      char mode = argv[1][0];
      int who = atoi (argv[1] + 1);
      pthread_t thread;
      first = pthread_self ();
      lock = upc_all_lock_alloc ();
      if (mode == 'b')
        {
          pthread_create (&thread, NULL, go_on, NULL);
          pthread_join (thread, NULL);
          upc_barrier 6;
          return 0;
        }
      atexit (say);
      if (mode == 't' && MYTHREAD == 0)
        upc_lock (lock);
      upc_barrier;
      if (MYTHREAD != who)
        {
          if (mode == 't')
            pause ();
          return 0;
        }
      pthread_create (&thread, NULL, mode == 't' ? take : exit_7, NULL);
      usleep (300000);
      /* After the exit it stops here for ever; beside upc_lock it is an error. */
      upc_barrier;
      puts ("beyond");
      return 1;
    }
    """


@pytest.mark.parametrize("who", (0, 1, 2))
def test_exit_in_any_thread_ends_its_upc_thread(upct, who):
    program = upct.compile("-O1", upct.write("exits.upc", EXITS))
    result = upct.run([program, "-n", "3", "--", f"e{who}"])
    assert sorted(result.stdout.splitlines()) == sorted(f"{t} {int(t != who)}" for t in range(3))
    assert (result.stderr, result.returncode) == ("", 7 + who)


def test_threads_take_turns_at_barriers_and_locks(upct):
    program = upct.compile("-O1", upct.write("exits.upc", EXITS))
    result = upct.run([program, "-n", "3", "--", "b"])
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)


def test_two_at_once_are_an_error(upct):
    program = upct.compile("-O1", upct.write("exits.upc", EXITS))
    result = upct.run([program, "-n", "3", "--", "t1"])
    assert result.stderr.endswith(
        "error: thread 1: upc_barrier called while another thread of this UPC thread is in upc_lock\n")
    assert (result.stderr.count("\n"), result.returncode) == (1, 1)


SEGMENTS = """
    #define _GNU_SOURCE
    #include <link.h>
    #include <stdio.h>
    static int small = 1;
    static char large[ROOM];
    extern int dl_iterate_phdr (int (*) (struct dl_phdr_info *, size_t, void *), void *) __attribute__ ((weak));
    static int look (struct dl_phdr_info *info, size_t size, void *wanted)
    {
      (void) size;
      for (int i = 0; i < info->dlpi_phnum; i++)
        {
          const ElfW (Phdr) *p = &info->dlpi_phdr[i];
          if (p->p_type == PT_LOAD && (p->p_flags & PF_W)
              && (ElfW (Addr)) wanted - info->dlpi_addr - p->p_vaddr < p->p_memsz)
            return 7;
        }
      return 0;
    }
    int main (void)
    {
      printf ("%d %d %d\\n", dl_iterate_phdr (look, &small), dl_iterate_phdr (look, &large[sizeof large - 1]),
              dl_iterate_phdr (look, NULL));
      return 0;
    }
    """


@pytest.mark.parametrize("room, threads", [(room, threads) for room in (100, 1 << 20) for threads in (1, 3)])
def test_collectors_find_private_data(upct, room, threads):
    """In a writable segment, where garbage collectors look for pointers."""
    source = upct.write("segments.c", SEGMENTS)
    compiled = upct.path("segments.o")
    upct.check_output(["gcc", "-Wall", "-Wextra", "-Werror", f"-DROOM={room}", "-c", source, "-o", compiled])
    assert upct.check_output([upct.link(compiled), "-n", threads]) == "7 7 0\n" * threads
