"""Programs whose main is C's or C++'s (bupc_extern.h)."""

import pytest

from support.upcc import upcc

MAIN = """
    #include <bupc_extern.h>
    #include <stdio.h>
    #include <string.h>
    #ifdef __cplusplus
    extern "C"
    #endif
    int sum (int value);
    static int calls;
    static int
    work (int argc, char **argv)
    {
      int me = bupc_extern_mythread (), threads = bupc_extern_threads ();
      char *own = (char *) bupc_extern_alloc (8), *all = (char *) bupc_extern_all_alloc (threads + 1, 8);
      strcpy (own, argv[argc - 1]);
      *all = 1;
      bupc_extern_barrier (1);
      calls += sum (argc + *all) + (bupc_extern_getenv ("HERE") != NULL);
      bupc_extern_notify (2);
      bupc_extern_wait (2);
      printf ("%d of %d: %d %s\\n", me, threads, calls, own);
      if (argc > 2)
        bupc_extern_free (own, threads);
      bupc_extern_free (own, me);
      if (me == 0)
        bupc_extern_free (all, 0);
      bupc_extern_free (NULL, 0);
      if (me == 1)
        bupc_exit (5);
      return 0;
    }
    int
    main (int argc, char **argv)
    {
      bupc_init (&argc, &argv);
      bupc_init_reentrant (&argc, &argv, work);
    }
    """
SUM = """
    #include <upc.h>
    static shared int part[THREADS];
    int sum (int value);
    int
    sum (int value)
    {
      int all = 0;
      part[MYTHREAD] = value;
      upc_barrier;
      for (int i = 0; i < THREADS; i++)
        all += part[i];
      return all;
    }
    """


@pytest.mark.parametrize("name", ["main.c", "main.cc"])
def test_main_may_be_of_c_and_of_cxx(upct, name):
    upct.write(name, MAIN)
    upct.write("sum.upc", SUM)
    upct.compile("-extern-main", name, "sum.upc")
    result = upct.run([upct.path("prog"), "text"], THREADS=3, HERE="x", UPC_CHECK="leaks")
    assert (sorted(result.stdout.splitlines()), result.stderr, result.returncode) == (
        [f"{i} of 3: 10 text" for i in range(3)], "", 5)
    result = upct.run([upct.path("prog"), "more", "text"], THREADS=1)
    assert (result.stderr, result.returncode) == (
        "prog: error: thread 0: bupc_extern_free: invalid thread 1; THREADS is 1\n", 1)
