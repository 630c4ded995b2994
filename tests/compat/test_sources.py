"""What sources of other UPC compilers expect: definitions in headers, where headers are found, what
is there without one."""

import pytest

from support.upcc import needs_libraries

HEADER = """
    #include <upc.h>
    #include <stdio.h>
    shared int x;
    shared [3] double a[3 * THREADS];
    shared long b[THREADS];
    int y;
    double private[10];
    int get (void);
    """
MAIN = """
    #include "all.h"
    int main (void)
    {
      if (MYTHREAD == 0)
        x = 5;
      a[3 * MYTHREAD + 1] = MYTHREAD;
      b[MYTHREAD] = MYTHREAD;
      y = MYTHREAD;
      private[3] = 1;
      upc_barrier;
      if (get () != 5 + 2 * MYTHREAD + (int) private[3] + (THREADS - 1) * 2)
        printf ("%d: %d\\n", MYTHREAD, get ());
      upc_barrier;
      if (MYTHREAD == 0)
        puts ("ok");
      return 0;
    }
    """
OTHER = """
    #include "all.h"
    int get (void)
    {
      return x + y + MYTHREAD + (int) (private[3] + a[3 * (THREADS - 1) + 1] + b[THREADS - 1]);
    }
    """


def sources(upct):
    upct.write("all.h", HEADER)
    return upct.write("main.upc", MAIN), upct.write("other.upc", OTHER)


private = pytest.mark.no_sanitizers("AddressSanitizer does without common symbols")


@private
@pytest.mark.parametrize("flags, compiler", [(["-O2"], "gcc"), (["-O2"], "clang"), (["-fupc-pts=struct"], "gcc"),
                                             (["-fupc-threads-3"], "gcc")])
def test_tentative_definitions_in_headers(upct, flags, compiler):
    program = upct.compile(*flags, *sources(upct), UPCC_CC=compiler)
    upct.check_prints("ok\n", [program], THREADS=3)


@private
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_tentative_definitions_with_address_sanitizer(upct, compiler):
    """They are one if that is said, as its bounds of private variables are worth more."""
    needs_libraries(upct)
    program = upct.compile("-fsanitize=address", "-fcommon", *sources(upct), UPCC_CC=compiler)
    upct.check_prints("ok\n", [program], THREADS=3)


@private
def test_a_value_makes_a_definition_of_a_tentative_one(upct):
    _, other = sources(upct)
    main = upct.write("main.upc", MAIN.replace("int main", "int y = 70;\nshared int x = 80;\nint main"))
    program = upct.compile(main, other)
    upct.check_prints("ok\n", [program], THREADS=3)


@private
@pytest.mark.parametrize("name", ["x", "y"])
def test_no_common_forbids_them(upct, name):
    one = upct.write("one.upc", f"#include <upc.h>\n{'shared ' if name == 'x' else ''}int {name};\n"
                                "int main (void) { return 0; }\n")
    two = upct.write("two.upc", f"#include <upc.h>\n{'shared ' if name == 'x' else ''}int {name};\n")
    upct.compile(one, two)
    result = upct.run([upct.tool("upcc"), "-fno-common", one, two, "-o", upct.path("prog")])
    assert result.returncode == 1
    assert f"multiple definition of `{name}'" in result.stderr


def test_the_folder_of_the_source_comes_before_our_headers(upct):
    upct.check_output(["mkdir", "part", "given"])
    upct.write("part/upc_tick.h", "#define WHOSE \"the source's\"\n")
    upct.write("part/own.h", "#define OWN 1\n")
    source = upct.write("part/main.upc", """
        #include <upc.h>
        #include <stdio.h>
        #include <own.h>
        #include <upc_tick.h>
        int main (void) { puts (WHOSE); return 0; }
        """)
    upct.check_prints("the source's\n", [upct.compile(source)], THREADS=1)
    upct.write("given/upc_tick.h", "#define WHOSE \"the user's\"\n")
    upct.check_prints("the user's\n", [upct.compile("-I", upct.path("given"), source)], THREADS=1)


def test_types_of_libraries_that_are_announced(upct):
    source = upct.write("types.upc", """
        #if __UPC_ATOMIC__ && __UPC_NB__ && __UPC_TICK__ && __UPC_COLLECTIVE__ && __UPC_CASTABLE__ && __UPC_IO__
        extern upc_atomicdomain_t *domain;
        struct held { upc_handle_t handle; upc_tick_t start; upc_flag_t flags; upc_op_t op; upc_type_t type; };
        int use (upc_thread_info_t *, upc_file_t *, upc_atomichint_t, struct held *);
        #endif
        #include <upc.h>
        #include <upc_atomic.h>
        #include <upc_castable.h>
        #include <upc_collective.h>
        #include <upc_io.h>
        #include <upc_nb.h>
        #include <upc_tick.h>
        #include <stdio.h>
        upc_atomicdomain_t *domain;
        int use (upc_thread_info_t *info, upc_file_t *file, upc_atomichint_t hint, struct held *held)
        {
          return info->guaranteedCastable + (file != NULL) + hint + (held->handle == UPC_COMPLETE_HANDLE);
        }
        int main (void)
        {
          upc_thread_info_t info = upc_thread_info (0);
          struct held held = { upc_memset_nb (NULL, 0, 0), upc_ticks_now (), 0, UPC_ADD, UPC_INT };
          printf ("%d\\n", use (&info, NULL, UPC_ATOMIC_HINT_DEFAULT, &held));
          return 0;
        }
        """)
    upct.check_prints("16\n", [upct.compile("-Wall", "-Werror", source)], THREADS=1)


def test_headers_that_the_libraries_include(upct):
    for name in ("upc.h", "upc_relaxed.h", "upc_collective.h", "upc_io.h"):
        source = upct.write("a.upc", f"#include <{name}>\n"
                                     "int main (void) { void *p = malloc (sizeof (ptrdiff_t)); free (p); return !p; }\n")
        upct.check_prints("", [upct.compile("-Wall", "-Werror", source)], THREADS=1)


def test_types_of_berkeley_upc_s_io(upct):
    source = upct.write("a.upc", "#include <upc.h>\n#include <upc_io.h>\n#if !__UPC_IO_TYPEDEFS__\n#error no types\n#endif\nshared int x;\n"
                                 "int main (void) { bupc_sharedptr_t p = &x; return upc_threadof (p); }\n")
    upct.check_prints("", [upct.compile("-Wall", "-Werror", source)], THREADS=1)


def test_macros_of_berkeley_upc(upct):
    source = upct.write("a.upc", """
        #include <upc.h>
        #include <stdio.h>
        #ifdef __BERKELEY_UPC__
        #if __UPC_IO__ == 2 && __UPC_NB__ == 1 && __BERKELEY_UPC_RUNTIME__ && __BERKELEY_UPC_PTHREADS__ && __BERKELEY_UPC_SMP_CONDUIT__
        const char *whose = __BERKELEY_UPC__ >= 2 && __BERKELEY_UPC_MINOR__ >= 0 ? "Berkeley's" : "?";
        #endif
        #else
        const char *whose = "none";
        #endif
        int main (void) { puts (whose); return 0; }
        """)
    upct.check_prints("none\n", [upct.compile(source)], THREADS=1)
    upct.check_prints("Berkeley's\n", [upct.compile("-fbupc", source)], THREADS=1)
    plain = upct.write("plain.upc", "#pragma upc c_code\nint shared = 2, relaxed = 3, THREADS = 4;\n"
                                    "int main (void) { return shared + relaxed + THREADS != 9; }\n")
    upct.check_prints("", [upct.compile("-fbupc", plain)], **{"UPC_THREADS": 1})


def test_types_that_are_asserted(upct):
    text = """#include <upc.h>
        shared [4] int a[4 * THREADS];
        int x;
        int main (void)
        {
          shared [4] int *p = a;
          bupc_assert_type (x + 1, int);
          bupc_assert_type (p, shared [4] int *);
          bupc_assert_type (*p, shared [4] int);
          bupc_assert_type (x++, double);
          bupc_assert_type (p, shared int *);
          return x + (p != a);
        }
        """
    result = upct.run([upct.tool("upcc"), "-Wall", "-c", upct.write("a.upc", text)])
    assert [line.split("a.upc:")[1] for line in result.stderr.splitlines() if "warning:" in line] == [
        "10:29: warning: bupc_assert_type: the expression has type 'int', not 'double'",
        "11:29: warning: bupc_assert_type: the expression has type 'shared [4] int *', not 'shared int *'"]
    upct.check_prints("", [upct.compile("-w", upct.write("a.upc", text))], THREADS=1)


def test_casts_to_types_that_are_shared_by_their_name(upct):
    source = upct.write("a.upc", """
        #include <upc.h>
        #include <stdio.h>
        typedef shared int element;
        typedef shared [] int *local;
        typedef element *pointer;
        shared int a[4 * THREADS];
        int main (void)
        {
          shared void *p = &a[THREADS];
          a[MYTHREAD + THREADS] = 3 + MYTHREAD;
          upc_barrier;
          if (MYTHREAD == 0)
            printf ("%d %d %d %d\\n", *(element *) p, *(pointer) p, *(local) p, (int) (element) 7);
          return 0;
        }
        """)
    upct.check_prints("3 3 3 7\n", [upct.compile(source)], THREADS=2)


FREES = """
    #include <upc.h>
    #include <stdio.h>
    #include "kind.h"
    shared int calls;
    KIND void upc_all_free (shared void *block) { upc_barrier; if (MYTHREAD == 0) { calls++; upc_free (block); } }
    KIND void upc_all_lock_free (upc_lock_t *lock) { upc_barrier; if (MYTHREAD == 0) { calls++; upc_lock_free (lock); } }
    int main (void)
    {
      upc_all_free (upc_all_alloc (THREADS, sizeof (int)));
      upc_all_lock_free (upc_all_lock_alloc ());
      upc_barrier;
      if (MYTHREAD == 0)
        printf ("%d\\n", calls);
      return 0;
    }
"""


@pytest.mark.parametrize("kind", ["", "static"])
@pytest.mark.parametrize("flags", [[], ["--profile"], ["-fupc-pts=struct"]])
def test_frees_of_programs_of_upc_1_2(upct, kind, flags):
    """UPC 1.3 added two functions that many programs had of their own."""
    upct.write("kind.h", f"#define KIND {kind}\n")
    upct.check_prints("2\n", [upct.compile(*flags, upct.write("a.upc", FREES))], THREADS=3)


def test_switches_of_cray(upct):
    source = upct.write("a.upc", "#include <upc.h>\n#include <stdio.h>\nint n[THREADS];\n"
                                 "int main (void) { if (!MYTHREAD) printf (\"%d\\n\", THREADS); return 0; }\n")
    upct.check_prints("3\n", [upct.compile("-h", "upc", "-X", "3", source)])
    upct.check_prints("2\n", [upct.compile("-X2", source)])
    result = upct.run([upct.tool("upcc"), "-h", "fast", source])
    assert (result.stderr, result.returncode) == ("upcc: error: invalid value in '-hfast'; expected upc\n", 2)


INLINE = """
    #include <upc.h>
    #include <stdio.h>
    #include "inline.h"
    shared int v[4 * THREADS];
    int other (void);
    static int before (void) { return declared_first (3); }
    int main (void)
    {
      int (*function) (int) = taken;

      if (before () != 4 || other () != 4 || function (2) != 6 || twice (2) != 4 || with_list (5, 2) != 3)
        printf ("%d: wrong\\n", MYTHREAD);
      if (!upc_phaseof (moved (v)) && MYTHREAD == 0)
        puts ("ok");
      leave ();
    }
    """
INLINE_HEADER = """
    inline int declared_first (int x);
    inline int declared_first (int x) { return x + 1; }
    inline int taken (int x) { return x * 3; }
    inline int twice (int x) { return x * 2; }
    __inline__ int with_list (a, b) int a, b; { return a - b; }
    inline shared int *moved (shared int *p) { return p + 1; }
    __attribute__ ((__cold__)) inline void leave (void) { upc_barrier; upc_global_exit (0); }
    """
INLINE_OTHER = """
    #include <upc.h>
    #include "inline.h"
    extern inline int taken (int);
    extern int twice (int);
    int other (void) { return declared_first (3); }
    """


def inline_sources(upct):
    upct.write("inline.h", INLINE_HEADER)
    return upct.write("main.upc", INLINE), upct.write("other.upc", INLINE_OTHER)


@pytest.mark.parametrize("flags, compiler", [(["-O0"], "gcc"), (["-O0", "-std=c99"], "clang"), (["-O2", "-Wall", "-Werror"], "gcc")])
def test_inline_functions_that_no_file_defines(upct, flags, compiler):
    """C asks for a definition of each in some file; its address and what is extern come from there."""
    program = upct.compile(*flags, *inline_sources(upct), UPCC_CC=compiler)
    upct.check_prints("ok\n", [program], THREADS=2)


def test_inline_functions_of_gnu89(upct):
    """There inline without extern is a definition for all files."""
    upct.write("uses.upc", "extern int twice (int);\nint main (void) { return twice (2) != 4; }\n")
    upct.write("has.upc", "inline int twice (int x) { return x * 2; }\n")
    for flag in "-std=gnu89", "-fgnu89-inline":
        program = upct.compile("-O0", flag, upct.path("uses.upc"), upct.path("has.upc"))
        upct.check_output([program], THREADS=1)
