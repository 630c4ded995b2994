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


def test_memory_of_ended_threads_is_freed(upct):
    """What libc's functions keep for a thread goes when it ends: 20 000 threads with
    their buffers would otherwise be 100 MiB. Sanitizers find it in a few."""
    compiled = upct.path("lookups.o")
    source = upct.write("lookups.c", """
        #include <mntent.h>
        #include <pthread.h>
        #include <pwd.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/resource.h>
        static long kilobytes (void)
        {
          struct rusage usage;
          getrusage (RUSAGE_SELF, &usage);
          return usage.ru_maxrss;
        }
        static void *look (void *unused)
        {
          FILE *file = fopen ("/proc/mounts", "r");
          if (file)
            {
              getmntent (file);
              fclose (file);
            }
          return getpwuid (0) ? NULL : unused;
        }
        int main (int argc, char **argv)
        {
          long before = 0;
          for (int i = 0; i < atoi (argv[argc - 1]); i++)
            {
              pthread_t thread;
              if (i == 50)
                before = kilobytes ();
              if (pthread_create (&thread, NULL, look, NULL))
                return 3;
              pthread_join (thread, NULL);
            }
          printf ("%s\\n", kilobytes () - before < 20000 ? "freed" : "kept");
          return 0;
        }
        """)
    upct.check_output(["gcc", "-O1", "-c", source, "-o", compiled])
    assert upct.check_output([upct.link(compiled), "-n", "1", 100 if upct.sanitizers else 20000]) == "freed\n"


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
