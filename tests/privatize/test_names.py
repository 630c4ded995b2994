"""A program may call its own things as it likes: by the names that the runtime and what it stands
on refer to, too. Each program here defines all of those, in one way."""

import os
import re

import pytest

from privatize.test_sets import link_apart

# Reserved to the implementation (C11, 7.1.3).
RESERVED = re.compile("_[_A-Z]")
# What libupc.a takes from the program or from the compiler; a keyword of C.
NOT_THE_PROGRAM_S = {"main", "upc_main", "asm"}
# Functions of these names replace libc's, the runtime's too.
ALLOCATORS = ("malloc", "calloc", "realloc", "free", "aligned_alloc")

# What the runtime does: all of it, and the program itself calls nothing of libc.
WORK = """
#include <upc.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_io.h>
extern int check_names (int);
static shared int in[THREADS], out[THREADS], crash_here;
static shared [] int *blocks[2];
static upc_lock_t *lock;
static shared int sum;

static int
all_threads_work (void)
{
  int want = THREADS * (THREADS + 1) / 2, back = 0;
  shared int *both = upc_all_alloc (THREADS, 1000);
  upc_file_t *file;

  if (!(lock = upc_all_lock_alloc ()))
    return 2;
  for (int i = 0; i < 100; i++)
    {
      blocks[0] = upc_alloc (64 << i % 12);
      upc_lock (lock);
      sum += 1;
      upc_unlock (lock);
      upc_free (blocks[0]);
    }
  in[MYTHREAD] = MYTHREAD + 1;
  upc_barrier 7;
  upc_all_reduceI (out, in, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
  if ((!MYTHREAD && out[0] != want) || sum != 100 * THREADS)
    return 3;
  both[MYTHREAD] = MYTHREAD;
  upc_barrier;
  upc_memget (&back, &both[(MYTHREAD + 1) % THREADS], sizeof back);
  if (back != (MYTHREAD + 1) % THREADS)
    return 4;
  file = upc_all_fopen ("written", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
  if (!file || upc_all_fseek (file, MYTHREAD * sizeof back, UPC_SEEK_SET) < 0
      || upc_all_fwrite_local (file, &back, sizeof back, 1, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC) != sizeof back
      || upc_all_fclose (file) != 0)
    return 5;
  upc_barrier;
  if (MYTHREAD == THREADS - 1)
    upc_free (both);
  upc_all_lock_free (lock);
  return 0;
}

int
main (int argc, char **argv)
{
  int status = check_names (MYTHREAD + 1);

  if (!status)
    status = all_threads_work ();
  if (!status)
    status = check_names (-MYTHREAD - 1);
  if (argc > 1 && MYTHREAD == 1)
    *(volatile int *) 8 = 0;
  upc_barrier;
  if (!status && !MYTHREAD)
    upc_global_exit (99);
  upc_barrier;
  return status;
}
"""


def names_of(upct, *words):
    listing = upct.check_output(["nm", "-P", *words])
    return {line.split()[0].split("@")[0] for line in listing.splitlines() if " " in line}


def imported_names(upct):
    """What is undefined in libupc.a, by any of the ways in which it may be."""
    library = upct.library("libupc.a")
    names = names_of(upct, "-u", library) - names_of(upct, "--defined-only", library)
    return sorted(name for name in names
                  if not RESERVED.match(name) and not name.startswith(("upc", "gasp_")) and name not in NOT_THE_PROGRAM_S)


def each(names, declaration, check):
    """C that declares each name, and checks each in turn."""
    head = "".join(declaration.format(name=name) + "\n" for name in names)
    body = "".join("  " + check.format(name=name) + "\n" for name in names)
    return f"{head}int check_names (int n)\n{{\n{body}  return 0;\n}}\n"


# Each is wrong for what the runtime means: a call of it traps.
C_FORMS = {
    "variables": ("int {name} = 5;", "if ({name} != 5 + (n < 0 ? -n : 0)) return 1; {name} += n;"),
    "zeros": ("long {name}[3];", "if ({name}[2] != (n < 0 ? -n : 0)) return 1; {name}[2] += n;"),
    "process": ('__attribute__ ((section ("upc_process"))) int {name} = 5;', "if ({name} != 5) return 1;"),
    "constants": ("const int {name} = 5;", "if (*(const volatile int *) &{name} != 5) return 1;"),
    "thread-local": ("_Thread_local int {name} = 5;", "if ({name} != 5) return 1;"),
    "functions": ("__attribute__ ((noinline)) int {name} (long n) {{ if (n != 77) __builtin_trap (); return 5; }}",
                  "if ({name} (77) != 5) return 1;"),
    "weak functions": ("__attribute__ ((weak)) int {name} (long n) {{ if (n != 77) __builtin_trap (); return 5; }}",
                       "if ({name} (77) != 5) return 1;"),
}

SHARED = ("shared int {name}[THREADS];", "if ({name}[MYTHREAD] != (n < 0 ? -n : 0)) return 1; {name}[MYTHREAD] += n;")


def form_names(upct, form):
    names = imported_names(upct)
    assert {"read", "mmap", "sysconf", "strlen", "malloc", "pthread_create"} - {"sysconf"} <= set(names)
    assert len(names) > 150
    # Those of libraries below: jemalloc's, liburcu's, libhwloc's.
    names += ["THREADS", "MYTHREAD", "sysconf", "sbrk", "poll", "mremap", "urcu_bp_gp", "cds_lfht_add", "je_malloc_init",
              "fopen", "openat", "uname"]
    return sorted({name for name in names if "functions" not in form or name not in ALLOCATORS})


def work_object(upct):
    upct.write("work.upc", WORK)
    upct.check_output([upct.tool("upcc"), "-O1", "-g", "-c", upct.path("work.upc"), "-o", upct.path("work.o")])
    return upct.path("work.o")


def c_object(upct, form, flags=()):
    source = upct.write("names.c", each(form_names(upct, form), *C_FORMS[form]))
    upct.check_output(["gcc", "-O1", "-w", "-fno-builtin", *flags, "-c", source, "-o", upct.path("names.o")])
    return upct.path("names.o")


def run_works(upct, program):
    for bind in ("none", "core"):
        if os.path.exists(upct.path("written")):
            os.unlink(upct.path("written"))
        result = upct.run([program], UPC_THREADS=3, UPC_BIND=bind, cwd=upct.folder)
        assert (result.returncode, result.stdout, result.stderr) == (99, "", "")
        with open(upct.path("written"), "rb") as file:
            assert file.read() == b"".join(n.to_bytes(4, "little") for n in (1, 2, 0))


def crash_is_reported(upct, program):
    if upct.sanitizers:  # they report it themselves
        return
    result = upct.run([program, "crash"], UPC_THREADS=3)
    assert result.returncode == -11
    assert "thread 1: Segmentation fault: address 0x8, through a null pointer\n" in result.stderr
    assert re.search(r"#0 +main at .*work\.upc:\d+\n", result.stderr)


@pytest.mark.parametrize("form", C_FORMS)
def test_names_of_c(upct, form):
    program = upct.link(work_object(upct), c_object(upct, form))
    run_works(upct, program)
    crash_is_reported(upct, program)


@pytest.mark.parametrize("flags", [["-pie"], ["-static"]])
@pytest.mark.no_sanitizers("the names are those of the plain runtime")
@pytest.mark.parametrize("form", ["variables", "functions"])
def test_names_in_other_kinds_of_programs(upct, form, flags):
    upct.write("work.upc", WORK)
    upct.check_output([upct.tool("upcc"), "-O1", "-g", "-fPIE", "-c", upct.path("work.upc"), "-o", upct.path("work.o")])
    program = upct.link(upct.path("work.o"), c_object(upct, form, ["-fPIE"]), flags=flags)
    run_works(upct, program)


@pytest.mark.parametrize("pts", ["packed", "struct"])
def test_names_of_shared_arrays(upct, pts):
    upct.write("names.upc", each(sorted(set(form_names(upct, "shared")) - {"THREADS", "MYTHREAD"}), *SHARED))
    for name in ("names", "work"):
        if name == "work":
            upct.write("work.upc", WORK)
        upct.check_output([upct.tool("upcc"), "-w", "-g", f"-fupc-pts={pts}", "-c", upct.path(name + ".upc"), "-o",
                           upct.path(name + ".o")])
    program = upct.link(upct.path("work.o"), upct.path("names.o"))
    run_works(upct, program)
    crash_is_reported(upct, program)


@pytest.mark.only_x86_64("the listing is for x86-64")
def test_shared_names_of_other_compilers(upct):
    """As GNU UPC and Clang UPC lay them out; who takes one for libc's calls an offset."""
    names = form_names(upct, "shared")
    upct.write("names.s", '\t.section upc_shared,"aw",@nobits\n'
               + "".join(f"\t.globl {name}\n\t.type {name},@object\n\t.size {name},4\n{name}:\t.zero 4\n"
                         for name in names)
               + '\t.text\n\t.globl check_names\n\t.type check_names,@function\ncheck_names:\n\txorl %eax,%eax\n\tret\n'
               '\t.section .note.GNU-stack,"",@progbits\n')
    run_works(upct, upct.link(work_object(upct), upct.path("names.s")))


@pytest.mark.no_sanitizers("a program linked by hand has no sanitizer's runtime")
@pytest.mark.parametrize("form", ["variables", "functions", "process"])
def test_names_in_objects_that_are_rewritten_apart(upct, form):
    objects = [work_object(upct), c_object(upct, form, ["-fno-pie"])]
    run_works(upct, link_apart(upct, objects))


def test_threads_of_a_c_file(upct):
    """UPC's own THREADS and MYTHREAD are no names of C."""
    upct.write("own.c", "int THREADS = 77, MYTHREAD = 5; int own (void) { return THREADS++ * 100 + MYTHREAD; }\n")
    upct.write("main.upc", """
        #include <upc.h>
        #include <stdio.h>
        int own (void);
        shared int a[THREADS];
        int main (void)
        {
          a[MYTHREAD] = own ();
          upc_barrier;
          if (MYTHREAD == 0)
            printf ("%d %d of %d\\n", a[THREADS - 1], MYTHREAD, THREADS);
          return 0;
        }
        """)
    program = upct.path("prog")
    upct.check_output([upct.tool("upcc"), upct.path("main.upc"), "-x", "c", upct.path("own.c"), "-o", program])
    assert upct.check_output([program], UPC_THREADS=3) == "7705 0 of 3\n"


REPLACEMENT = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#define PROCESS __attribute__ ((section ("upc_process")))
PROCESS static _Alignas (64) char heap[8 << 20];
PROCESS static _Atomic size_t used;
PROCESS _Atomic size_t given, taken;
void *aligned_alloc (size_t alignment, size_t bytes)
{
  size_t at = used += (bytes + 127) & -64ul;
  given++;
  (void) alignment;
  *(size_t *) (heap + at - ((bytes + 127) & -64ul)) = bytes;
  return heap + at - ((bytes + 63) & -64ul);
}
void *malloc (size_t bytes) { return aligned_alloc (64, bytes); }
void *calloc (size_t count, size_t bytes) { return malloc (count * bytes); }
int is_mine (void *p);
int is_mine (void *p) { return (char *) p >= heap && (char *) p < heap + sizeof heap; }
void free (void *p) { if (p && !is_mine (p)) __builtin_trap (); taken += p != 0; }
void *realloc (void *p, size_t bytes)
{
  void *new = malloc (bytes);
  size_t old = p ? *(size_t *) ((char *) p - 64) : 0;
  if (p)
    memcpy (new, p, old < bytes ? old : bytes);
  free (p);
  return new;
}
// ----
#include <stdlib.h>
extern _Atomic size_t given, taken;
extern int is_mine (void *p);
int check_names (int n);
int check_names (int n)
{
  char *copy = strdup ("abc"), *line = malloc (16);
  size_t before = given;
  if (!is_mine (copy) || strcmp (copy, "abc") != 0 || !is_mine (line))
    return 1;
  free (copy), free (line);
  return (n < 0 && (given < before || taken < 4)) || given < 2;
}
"""


@pytest.mark.no_sanitizers("the allocator of a sanitizer cannot be replaced")
@pytest.mark.parametrize("how", ["-no-pie", "-static", "apart"])
def test_a_program_may_replace_malloc(upct, how):
    """For libc and the runtime, too, as in C: whoever allocates, the program frees."""
    allocator, user = REPLACEMENT.split("// ----")
    upct.write("own.c", allocator)
    upct.write("user.c", allocator.partition("#define")[0] + user)
    for name in ("own", "user"):
        upct.check_output(["gcc", "-O1", "-fno-builtin", "-Wall", "-Wextra", "-Werror", "-c", upct.path(name + ".c"),
                           "-o", upct.path(name + ".o")])
    objects = [work_object(upct), upct.path("own.o"), upct.path("user.o")]
    run_works(upct, link_apart(upct, objects, ["-no-pie"]) if how == "apart"
              else upct.link(*objects, flags=[how]))
