/* Which process is asked what by the checked heap (runtime/shared/network/checked.c), on the engine in one process. The pieces
   of blocks are this test's: it notes who is asked. */

#define UPCR_NETWORK

/* With AddressSanitizer the library that this is linked with has these, too. */
#define upcr_access_text asked_access_text
#define upcr_freeing_text asked_freeing_text
#define upcr_site_of_caller asked_site_of_caller
#define upcr_site_of_other asked_site_of_other
#define upcr_checked_lock asked_checked_lock
#define upcr_checked_unlock asked_checked_unlock

#include "runtime/host/host.h"

/* Each simulated process has one thread. */
static __thread int own_thread;
#undef MYTHREAD
#define MYTHREAD own_thread

#include "runtime/shared/network/checked.c"
#include "tests/unit/net/processes.h"

/* What was asked of each process, a letter each. */
static char asked[PROCESSES][64];
static int written_of = -1; /* whose piece is written over, of what is freed, … */
static int stale_of = -1;   /* … and of what has left */
static uint64_t listed;     /* blocks in the quarantine of process 0 */
static uint64_t leaving;    /* blocks that leave it with the next that is freed */

int16_t upcr_processes[UPCR_MAX_THREADS];
struct upcr_use upcr_checked_uses[UPCR_USES];
void (*upcr_block_has_left) (uint64_t payload);

static void
note (char what)
{
  char *text = asked[upcr_net_place ().rank];

  text[strlen (text)] = what;
}

uint64_t
upcr_block_take (const struct upcr_block_record *record, size_t alignment, const char *what)
{
  (void) record, (void) alignment, (void) what;
  note ('t');
  return 4096;
}

void
upcr_block_show (struct upcr_block_record record, uint64_t payload, struct upcr_site *site)
{
  (void) record, (void) payload, (void) site;
  note ('s');
}

void
upcr_block_count (const struct upcr_block_record *record, struct upcr_site *site, bool is_freed)
{
  (void) record, (void) site;
  note (is_freed ? 'd' : 'c');
}

struct upcr_freed
upcr_block_free (upcr_pts block, struct upcr_freeing freeing)
{
  (void) freeing;
  note ('f');
  while (upcr_net_place ().rank == 0 && leaving > 0)
    upcr_block_has_left (leaving--);
  return (struct upcr_freed){ .verdict = UPCR_BLOCK_FREED,
                              .payload = upcr_pts_offset (block),
                              .record = { .is_symmetric = upcr_pts_offset (block) < 8192 } };
}

static bool
is_own (uint32_t *thread, int wanted)
{
  *thread = (uint32_t) upcr_net_place ().rank;
  return *thread == (uint32_t) wanted;
}

bool
upcr_block_hide (const struct upcr_block_record *record, uint64_t payload,
                 struct upcr_freeing freeing, uint32_t *thread)
{
  (void) record, (void) payload, (void) freeing;
  note ('h');
  return !is_own (thread, written_of);
}

bool
upcr_block_leave (uint64_t payload, uint32_t *thread)
{
  (void) payload;
  note ('l');
  return !is_own (thread, stale_of);
}

size_t
upcr_quarantined (size_t from, uint64_t *payloads, size_t most)
{
  size_t count = 0;

  note ('q');
  for (uint64_t i = from; i < listed && count < most; i++)
    payloads[count++] = 100 + i;
  return count;
}

bool
upcr_is_whole (uint32_t thread, uint64_t offset, uint64_t bytes)
{
  (void) thread, (void) bytes;
  note ('w');
  return offset == 4096;
}

int
upcr_access_text (uint32_t thread, uint64_t offset, uint64_t bytes, char *text, size_t size)
{
  (void) bytes;
  note ('a');
  return snprintf (text, size, "%u %lu", thread, (unsigned long) offset);
}

void
upcr_overrun_text (uint32_t thread, uint64_t payload, char *text, size_t size)
{
  note ('o');
  snprintf (text, size, "%u %lu", thread, (unsigned long) payload);
}

void
upcr_freeing_text (const void *address, char *text, size_t bytes)
{
  (void) address;
  note ('x');
  snprintf (text, bytes, "freed");
}

bool
upcr_is_shared_memory (const volatile void *address, size_t bytes)
{
  (void) address, (void) bytes;
  return true;
}

struct upcr_site *
upcr_site_of_caller (const char *what)
{
  (void) what;
  return NULL;
}

struct upcr_site *
upcr_site_of_other (struct upcr_site site, ptrdiff_t distance)
{
  (void) site, (void) distance;
  return NULL;
}

void
upcr_checked_lock (void)
{
}

void
upcr_checked_unlock (void)
{
}

/* ---- What process 1 asks: WANTED has a word for each process. ---- */

static void (*question) (void);

static void
ask_as_1 (int rank)
{
  own_thread = rank;
  if (rank == 1)
    question ();
}

static void
require_asked (void (*function) (void), const char *wanted)
{
  char text[sizeof asked + 2 * PROCESSES] = "";

  memset (asked, 0, sizeof asked);
  question = function;
  run (ask_as_1, PROCESSES, 1);
  for (int p = 0; p < PROCESSES; p++)
    sprintf (text + strlen (text), "%s%s", p ? " " : "", asked[p][0] ? asked[p] : "-");
  assert_string_equal (text, wanted);
}

static void
allocate_symmetric (void)
{
  upcr_checked_symmetric_alloc (100, "upc_all_alloc");
}

static void
allocate_local (void)
{
  upcr_checked_local_alloc (100, 16, "upc_alloc");
}

static void
blocks_are_shown_to_who_has_pieces (void **state)
{
  (void) state;
  require_asked (allocate_symmetric, "tcs s s s s");
  require_asked (allocate_local, "c ts - - -");
}

static struct upcr_freed freed;

static void
free_symmetric (void)
{
  freed = free_anywhere (upcr_pts_make (0, 4096, 0), (struct upcr_freeing){ 0 });
}

static void
free_local (void)
{
  freed = free_anywhere (upcr_pts_make (3, 1 << 20, 0), (struct upcr_freeing){ 0 });
}

static void
free_nowhere (void)
{
  freed = free_anywhere (upcr_pts_make (PROCESSES, 4096, 0), (struct upcr_freeing){ 0 });
}

static void
blocks_are_freed_by_who_has_them (void **state)
{
  (void) state;
  require_asked (free_symmetric, "f h h h h");
  assert_int_equal (freed.verdict, UPCR_BLOCK_FREED);
  require_asked (free_local, "- - - f -");
  assert_int_equal (freed.verdict, UPCR_BLOCK_FREED);
  require_asked (free_nowhere, "- - - - -");
  assert_int_equal (freed.verdict, UPCR_BLOCK_NONE);
}

/* Those of process 0, which are at most so many in an answer; others come with the next one. Processes begin anew without
   what they have been told. */
static void
others_are_told_what_has_left (void **state)
{
  (void) state;
  upcr_block_has_left = note_left;
  leaving = MOST_LEFT + 2;
  require_asked (free_symmetric,
                 "f hllllllllllllllll hllllllllllllllll hllllllllllllllll hllllllllllllllll");
  require_asked (free_symmetric, "f hll hll hll hll");
  leaving = 1;
  require_asked (free_local, "- - - f -");
  require_asked (free_symmetric, "f hl hl hl hl");
  leaving = 100 * MOST_LEFT;
  require_asked (free_symmetric,
                 "f hllllllllllllllll hllllllllllllllll hllllllllllllllll hllllllllllllllll");
  assert_int_equal (left_count, 63 * MOST_LEFT);
  left_count = 0;
}

static void
what_is_written_is_told (void **state)
{
  (void) state;
  written_of = 2;
  require_asked (free_symmetric, "f h h h h");
  assert_int_equal (freed.verdict, UPCR_BLOCK_OVERRUN);
  assert_int_equal (freed.thread, 2);
  written_of = 0;
  require_asked (free_symmetric, "f h h h h");
  assert_int_equal (freed.verdict, UPCR_BLOCK_FREED);
  written_of = -1;
  stale_of = 3;
  upcr_block_has_left = note_left;
  leaving = 1;
  require_asked (free_symmetric, "f hl hl hl hl");
  assert_int_equal (freed.verdict, UPCR_BLOCK_OVERRUN);
  assert_int_equal (freed.thread, 3);
  stale_of = -1;
}

static size_t list_count;
static uint64_t payloads[MOST_LISTED];

static void
list_rest (void)
{
  list_count = upcr_quarantined_anywhere (60, payloads, MOST_LISTED);
}

static void
list_few (void)
{
  list_count = upcr_quarantined_anywhere (0, payloads, 2);
}

static void
process_0_has_the_quarantine (void **state)
{
  (void) state;
  listed = 70;
  require_asked (list_rest, "q - - - -");
  assert_int_equal (list_count, 10);
  assert_int_equal (payloads[0], 160);
  require_asked (list_few, "q - - - -");
  assert_int_equal (list_count, 2);
  assert_int_equal (payloads[1], 101);
}

static bool is_whole[4];

static void
look_up (void)
{
  is_whole[0] = upcr_is_whole_anywhere (3, 4096, 8);
  is_whole[1] = upcr_is_whole_anywhere (4, 5000, 8);
  is_whole[2] = upcr_is_whole_anywhere (1, 4096, 8);
  is_whole[3] = upcr_is_far_and_whole (upcr_segment_address (1, 4096), 8);
}

/* The near thread is 1. */
static void
who_has_it_looks_up (void **state)
{
  static const bool wanted[] = { true, false, true, false };

  (void) state;
  require_asked (look_up, "- w - w w");
  assert_memory_equal (is_whole, wanted, sizeof wanted);
}

static char text[UPCR_TEXT_BYTES];

static void
tell_access (void)
{
  upcr_text_anywhere (3, 4096, 1, text, sizeof text);
}

static void
tell_overrun (void)
{
  upcr_overrun_text_anywhere (4, 77, text, sizeof text);
}

static void
tell_freeing (void)
{
  upcr_freeing_text_anywhere (upcr_segment_address (2, 4096), text, sizeof text);
}

static void
tell_nobody (void)
{
  upcr_text_anywhere (PROCESSES, 4096, 1, text, sizeof text);
}

static void
who_has_it_tells (void **state)
{
  (void) state;
  upcr_zone.start = 0;
  upcr_zone.top = 1 << 20;
  upcr_is_checked = true;
  require_asked (tell_access, "- - - a -");
  assert_string_equal (text, "3 4096");
  upcr_is_checked = false;
  require_asked (tell_access, "a - - - -");
  upcr_zone.top = 0;
  require_asked (tell_access, "- - - a -");
  require_asked (tell_nobody, "- a - - -");
  require_asked (tell_overrun, "- - - - o");
  assert_string_equal (text, "4 77");
  require_asked (tell_freeing, "- - x - -");
  assert_string_equal (text, "freed");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (blocks_are_shown_to_who_has_pieces),
    cmocka_unit_test (blocks_are_freed_by_who_has_them),
    cmocka_unit_test (others_are_told_what_has_left),
    cmocka_unit_test (what_is_written_is_told),
    cmocka_unit_test (process_0_has_the_quarantine),
    cmocka_unit_test (who_has_it_looks_up),
    cmocka_unit_test (who_has_it_tells),
  };

  upcr_set_threads (PROCESSES);
  for (int t = 0; t < PROCESSES; t++)
    upcr_processes[t] = (int16_t) t;
  __upc_near_start = (unsigned long) upcr_segment_address (1, 0);
  __upc_near_bytes = UPCR_STRIDE;
  upcr_serve_checked ();
  return cmocka_run_group_tests (tests, NULL, NULL);
}
