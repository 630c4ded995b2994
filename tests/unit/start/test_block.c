/* Private blocks. The table of private sections is written by hand, and the private data is
   accessed by addresses: the base of the segment is for compiled code. */

#include "runtime/host/host.h"
#include "runtime/start/start.h"
#include "tests/unit/child.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

struct section
{
  void *start;
  uint64_t bytes;
  uint32_t is_zero, alignment;
};

#define PRIVATE(name) __attribute__ ((used, section (name)))
#define TABLE(variable, is_zero, alignment)                        \
  static const struct section variable##_section                   \
      __attribute__ ((used, aligned (8), section ("upc_private"))) \
      = { &variable, sizeof variable, is_zero, alignment };

enum
{
  ALIGNMENT = 16384,
  LARGE_INTS = 1 << 18,
  ZERO_BYTES = 32 << 20
};

static struct
{
  int number;
  int *pointer;
  char text[8];
} small PRIVATE ("test_small") = { 5, &small.number, "abcdefg" };

/* A pointer in a packed struct. */
static struct
{
  char c;
  char *pointer;
} __attribute__ ((packed)) odd PRIVATE ("test_odd") = { 'c', small.text + 3 };

static int large[LARGE_INTS] PRIVATE ("test_large") = { 1, [LARGE_INTS - 1] = 2 };
static _Alignas(ALIGNMENT) int aligned[4] PRIVATE ("test_aligned") = { 7 };
static char zero[ZERO_BYTES] __attribute__ ((used));
static int empty PRIVATE ("test_empty") = 1;

TABLE (small, 0, 8)
TABLE (odd, 0, 1)
TABLE (large, 0, 32)
TABLE (aligned, 0, ALIGNMENT)
TABLE (zero, 1, 32)

/* Sections of no bytes are in the table, too. */
static const struct section empty_section
    __attribute__ ((used, aligned (8), section ("upc_private")))
    = { &empty, 0, 0, 1 };

__asm__(".pushsection upc_fixups,\"a\",%progbits\n"
        ".long small + 8 - .\n"
        ".long odd + 1 - .\n"
        ".popsection");

/* The word of a thread-local variable, which the label finds where the linker has put its first value. */
extern __thread int *held __attribute__ ((tls_model ("local-exec"), visibility ("hidden")));

#if UPCR_TLS_FIXUPS_OF_IMAGE
#define PLACE_OF_HELD ".Lheld - ."
#else
#define PLACE_OF_HELD "held@tpoff"
#endif

__asm__(".pushsection .tdata,\"awT\",%progbits\n"
        ".balign 8\n"
        ".globl held\n"
        ".type held, %object\n"
        ".size held, 8\n"
        "held:\n"
        ".Lheld:\n"
        ".quad small\n"
        ".popsection\n"
        ".pushsection upc_tls_fixups,\"a\",%progbits\n"
        ".long " PLACE_OF_HELD "\n"
        ".popsection");

/* The calling thread's copy of what is at ORIGINAL, of which the compiler is to know nothing:
   UndefinedBehaviorSanitizer would say that it is outside of it. */
static void *
copy_of (void *original)
{
  char *copy = (char *) original;

  __asm__("" : "+r"(copy));
  return copy + upcr_private_delta;
}

#define MY(variable) ((__typeof__ (&(variable))) copy_of (&(variable)))

#define REQUIRE(condition)                                        \
  do                                                              \
    if (!(condition))                                             \
      upcr_fatal ("line %d: not true: %s", __LINE__, #condition); \
  while (0)

/* Everything is as the linker made it, and the thread's own. */
static void
look (int index)
{
  REQUIRE (MYTHREAD == index && upcr_tls_MYTHREAD == index);
  REQUIRE ((upcr_private_delta == 0) == (index == 0));
  REQUIRE (MY (small)->number == 5 && strcmp (MY (small)->text, "abcdefg") == 0);
  REQUIRE (MY (small)->pointer == &MY (small)->number);
  REQUIRE (MY (odd)->pointer == MY (small)->text + 3 && MY (odd)->c == 'c');
  REQUIRE (held == &MY (small)->number);
  REQUIRE ((*MY (large))[0] == 1 && (*MY (large))[LARGE_INTS - 1] == 2);
  REQUIRE ((*MY (large))[LARGE_INTS / 2] == 0);
  REQUIRE ((uintptr_t) MY (aligned) % ALIGNMENT == 0 && (*MY (aligned))[0] == 7);
  REQUIRE ((*MY (zero))[0] == 0 && (*MY (zero))[ZERO_BYTES - 1] == 0);
}

static void
spoil (void)
{
  MY (small)->number = 6;
  MY (small)->text[3] = 'x';
  (*MY (large))[0] = (*MY (large))[LARGE_INTS / 2] = MYTHREAD;
  (*MY (aligned))[0] = (*MY (zero))[0] = (*MY (zero))[ZERO_BYTES - 1] = 1;
}

static void *
look_in_helper (void *argument)
{
  const struct upcr_owner *owner = argument;

  /* Of what its creator has, the processor's base is inherited. */
#ifdef __x86_64__
  REQUIRE (MYTHREAD == owner->index && MY (small)->number == 6);
#endif
  upcr_block_begin_posix_thread (*owner);
  REQUIRE (MYTHREAD == owner->index && MY (small)->number == 6);
  REQUIRE (upcr_tls_MYTHREAD == MYTHREAD && held == &MY (small)->number);
  return NULL;
}

static void *
run_thread (void *index)
{
  pthread_t helper;
  struct upcr_owner owner;

  upcr_block_begin ((int) (intptr_t) index);
  look ((int) (intptr_t) index);
  spoil ();
  owner = upcr_block_owner ();
  REQUIRE (pthread_create (&helper, NULL, look_in_helper, &owner) == 0);
  pthread_join (helper, NULL);
  return NULL;
}

/* One after the other, what one has spoiled the next must not see. */
static void
run_threads (const void *threads)
{
  upcr_blocks_map (*(const int *) threads);
  upcr_block_begin (0);
  look (0);
  spoil ();
  for (intptr_t t = 1; t < *(const int *) threads; t++)
    {
      pthread_t thread;

      REQUIRE (pthread_create (&thread, NULL, run_thread, (void *) t) == 0);
      pthread_join (thread, NULL);
    }
}

static void
test_each_thread_has_initial_values_of_its_own (void **state)
{
  (void) state;
  for (int threads = 1; threads <= 5; threads += 2)
    expect_child (run_threads, &threads, 0, "");
}

/* Where the program's file or the page map cannot be opened, all is copied: the loader needs one
   number, and there are no more. */
static void
run_without_files (const void *unused)
{
  const struct rlimit most = { 4, 4 };

  (void) unused;
  setrlimit (RLIMIT_NOFILE, &most);
  execl ("/proc/self/exe", "prog", "run", NULL);
}

static void
test_without_files_all_is_copied (void **state)
{
  (void) state;
#if defined UPCR_TSAN || defined UPCR_ASAN
  skip (); /* Their own libraries open files. */
#endif
  expect_child (run_without_files, NULL, 0, "");
}

/* The files are closed when the program runs: its numbers are what they are in a process. */
static void
open_first (const void *unused)
{
  int before, after;

  (void) unused;
  before = dup (0);
  close (before);
  upcr_blocks_map (2);
  after = dup (0);
  REQUIRE (after <= before);
}

static void
test_no_file_stays_open (void **state)
{
  (void) state;
  expect_child (open_first, NULL, 0, "");
}

extern const struct section __start_upc_private[], __stop_upc_private[];

enum
{
  PAGE_BYTES = UPCR_PAGE_BYTES,
  CAUGHT = 77
};

static void
end_at_signal (int signal)
{
  (void) signal;
  _exit (CAUGHT);
}

/* The first byte before, or the last one behind, the pages of thread 2's block. */
static void *
touch_guard (void *is_behind)
{
  uintptr_t low = UINTPTR_MAX, high = 0;
  volatile char *guard;

  for (const struct section *s = __start_upc_private; s < __stop_upc_private; s++)
    if (s->bytes)
      {
        low = low < (uintptr_t) s->start ? low : (uintptr_t) s->start;
        high = high > (uintptr_t) s->start + s->bytes ? high : (uintptr_t) s->start + s->bytes;
      }
  low &= -PAGE_BYTES;
  high = (high + PAGE_BYTES - 1) & -PAGE_BYTES;
  upcr_block_begin (2);
  guard = (char *) (is_behind ? high : low - 1) + upcr_private_delta;
  guard[is_behind ? -1 : 1] = 1;
  signal (SIGSEGV, end_at_signal);
  *guard = 1;
  return NULL;
}

static void
run_into_guard (const void *is_behind)
{
  pthread_t thread;

  upcr_blocks_map (4);
  pthread_create (&thread, NULL, touch_guard, (void *) is_behind);
  pthread_join (thread, NULL);
}

static void
test_both_ends_are_guarded (void **state)
{
  (void) state;
  expect_child (run_into_guard, NULL, CAUGHT, "");
  expect_child (run_into_guard, "", CAUGHT, "");
}

static void
map_without_memory (const void *unused)
{
  unsigned long pages = 0;
  struct rlimit limit;
  FILE *size = fopen ("/proc/self/statm", "r");

  (void) unused;
  REQUIRE (size && fscanf (size, "%lu", &pages) == 1);
  fclose (size);
  limit.rlim_cur = limit.rlim_max = pages * sysconf (_SC_PAGESIZE) + (256ul << 20);
  setrlimit (RLIMIT_AS, &limit);
  upcr_blocks_map (1000);
}

static void
test_too_little_memory_is_one_line (void **state)
{
  struct child child;

  (void) state;
  if (!takes_limits (RLIMIT_AS))
    skip ();
  child = run_child (map_without_memory, NULL);
  assert_ptr_equal (strstr (child.text, "upc: error: thread 0: cannot start 1000 threads, with "),
                    child.text);
  assert_non_null (strstr (child.text, " KiB of private data each: Cannot allocate memory\n"));
  assert_int_equal (strchr (child.text, '\n')[1], 0);
  assert_int_equal (child.status, 1);
}

/* Ranges that are visited are the sections, without what is between them. */
static void
add_bytes (void *start, size_t bytes, void *sum)
{
  size_t *found = sum;

  if ((char *) start <= (char *) MY (zero)
      && (char *) start + bytes >= (char *) MY (zero) + ZERO_BYTES)
    found[0]++;
  if ((char *) start <= (char *) MY (small) && (char *) start + bytes > (char *) MY (small))
    found[1]++;
}

static void *
visit_in_thread (void *unused)
{
  size_t found[2] = { 0, 0 };

  upcr_block_begin (1);
  upcr_each_private_range (add_bytes, found);
  REQUIRE (found[0] == 1 && found[1] == 1);
  return unused;
}

static void
visit (const void *unused)
{
  pthread_t thread;
  size_t found[2] = { 0, 0 };

  (void) unused;
  upcr_blocks_map (2);
  upcr_block_begin (0);
  upcr_each_private_range (add_bytes, found);
  REQUIRE (found[0] == 0 && found[1] == 0);
  pthread_create (&thread, NULL, visit_in_thread, NULL);
  pthread_join (thread, NULL);
}

static void
test_ranges_of_a_block_are_visited (void **state)
{
  (void) state;
  expect_child (visit, NULL, 0, "");
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_each_thread_has_initial_values_of_its_own),
    cmocka_unit_test (test_without_files_all_is_copied),
    cmocka_unit_test (test_no_file_stays_open),
    cmocka_unit_test (test_both_ends_are_guarded),
    cmocka_unit_test (test_too_little_memory_is_one_line),
    cmocka_unit_test (test_ranges_of_a_block_are_visited),
  };

  (void) argv;
  if (argc > 1)
    {
      run_threads (&(const int){ 3 });
      return 0;
    }
  return cmocka_run_group_tests (tests, NULL, NULL);
}
