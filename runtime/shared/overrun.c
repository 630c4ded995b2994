/* Reports what the program has written past the ends of blocks and of static objects with red zones, and in
   blocks after it freed them: when a block is freed, when it leaves the quarantine, and at the end of a run. */

#include "runtime/host/host.h"
#include "runtime/shared/objects.h"
#include "runtime/shared/poison.h"
#include "runtime/shared/red_zone.h"
#include "runtime/shared/zone.h"

#include <stdio.h>
#include <string.h>

enum
{
  MOST_LINES = 10
};

/* `4 bytes past the end of …`: BYTES from OFFSET on, of what is nobody's; IS_ALL: and maybe more. */
static void
write_piece (uint32_t thread, uint64_t offset, uint64_t bytes, bool is_all, char *text, size_t size)
{
  int n = is_all ? snprintf (text, size, "at least ") : 0;

  upcr_access_text (thread, offset, bytes, text + n, size - n);
}

static bool
is_overrun (const struct upcr_block_record *record)
{
  return upcr_written_behind (record) > 0 || upcr_written_before (record) > 0;
}

bool
upcr_is_overrun (uint32_t thread, uint64_t payload)
{
  return is_overrun (upcr_record_of (thread, payload));
}

bool
upcr_is_written (uint32_t thread, uint64_t payload)
{
  const struct upcr_block_record *record = upcr_record_of (thread, payload);
  uint64_t offset;

  return is_overrun (record) || upcr_written_freed (record, &offset) > 0;
}

/* `4 bytes at byte 8 of a block …`: of a piece that is freed. */
static void
write_freed (uint32_t thread, uint64_t payload, char *text, size_t size)
{
  uint64_t offset = 0, bytes = upcr_written_freed (upcr_record_of (thread, payload), &offset);
  int n = snprintf (text, size, "%lu byte%s at ", (unsigned long) bytes, bytes == 1 ? "" : "s");

  upcr_access_text (thread, payload + offset, 0, text + n, size - n);
}

/* Of the N bytes up to the last that is written behind a piece. What begins in the second half of a red zone that is the next
   block's, too, is before that one. */
static void
write_behind (const struct upcr_block_record *record, uint64_t n, char *text, size_t size)
{
  uint64_t behind = record->payload + record->bytes;
  uint64_t end = record->payload + upcr_end_behind (record), first;
  const char *from = upcr_segment_address (record->thread, behind);

  first = behind + (upcr_first_written (from, from + n) - from);
  if (end - first <= UPCR_BEHIND_BYTES / 2 && upcr_is_start (record->thread, end))
    write_piece (record->thread, first, end - first, false, text, size);
  else
    write_piece (record->thread, behind, n, behind + n == end, text, size);
}

void
upcr_overrun_text (uint32_t thread, uint64_t payload, char *text, size_t size)
{
  const struct upcr_block_record *record = upcr_record_of (thread, payload);
  uint64_t n;

  if ((n = upcr_written_behind (record)) > 0)
    write_behind (record, n, text, size);
  else if ((n = upcr_written_before (record)) > 0)
    write_piece (thread, payload - n, n, n == upcr_before_bytes (record), text, size);
  else
    write_freed (thread, payload, text, size);
}

/* ---- At the end of a run ---- */

/* Blocks that one line of the program allocates often look the same. */
static void
tell (const char *what, int *lines)
{
  static char told[MOST_LINES][UPCR_TEXT_BYTES];
  char line[UPCR_TEXT_BYTES + 64];

  for (int i = 0; i < *lines; i++)
    if (strcmp (told[i], what) == 0)
      return;
  if (*lines == MOST_LINES)
    return;
  snprintf (told[(*lines)++], UPCR_TEXT_BYTES, "%s", what);
  snprintf (line, sizeof line, "the program has written %s", what);
  upcr_print_message ("error", line);
}

typedef uint64_t __attribute__ ((may_alias)) word;

/* Where the next unit from AT on begins that may be a block's. */
static uint64_t
skip_nobody (uint32_t thread, uint64_t at, uint64_t end)
{
  const uint64_t step = sizeof (word) * UPCR_SHADOW_UNIT;

  while (at % step == 0 && at + step <= end
         && *(const word *) upcr_shadow_address (thread, at) == 0)
    at += step;
  return at;
}

/* The block that begins at PAYLOAD, unless it is freed and not to be looked at. Returns where it ends, in use, or the next
   unit. */
static uint64_t
look_at_block (uint32_t thread, uint64_t payload, bool has_freed, int *lines)
{
  bool is_freed = upcr_shadow_at (thread, payload) == __upc_shadow_freed;
  char text[UPCR_TEXT_BYTES];

  if ((has_freed || !is_freed) && upcr_is_written (thread, payload))
    {
      upcr_overrun_text (thread, payload, text, sizeof text);
      tell (text, lines);
    }
  return payload
         + (is_freed ? UPCR_SHADOW_UNIT : upcr_end_behind (upcr_record_of (thread, payload)));
}

/* Those that begin in THREAD's partition from FROM on and before END, in use; and if HAS_FREED, those in the quarantine. */
static void
look_at_blocks (uint32_t thread, uint64_t from, uint64_t end, bool has_freed, int *lines)
{
  while (from < end)
    if (upcr_is_start (thread, from))
      from = look_at_block (thread, from, has_freed, lines);
    else if (upcr_shadow_at (thread, from) == __upc_shadow_nobody)
      from = skip_nobody (thread, from + UPCR_SHADOW_UNIT, end);
    else
      from += UPCR_SHADOW_UNIT;
}

/* Freed symmetric blocks, which process 0 has in its quarantine. */
static void
look_at_symmetric (int *lines)
{
#ifdef UPCR_NETWORK
  enum
  {
    MOST = 64
  };
  uint64_t payloads[MOST];
  size_t done = 0, count = UPCR_FIRST_THREAD > 0 ? MOST : 0;

  for (; count == MOST; done += count)
    {
      count = upcr_quarantined_anywhere (done, payloads, MOST);
      for (size_t i = 0; i < count; i++)
        for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
          look_at_block (t, payloads[i], true, lines);
    }
#else
  (void) lines;
#endif
}

static void
look_at_object (const upcr_object *object, uint32_t thread, int *lines)
{
  struct upcr_range zone = upcr_red_zone_of (object, thread);
  uint64_t n = upcr_written (upcr_segment_address (thread, zone.from),
                             upcr_segment_address (thread, zone.to));
  char text[UPCR_TEXT_BYTES];

  if (n == 0 || !upcr_object_is_first (object))
    return;
  write_piece (thread, zone.from, n, zone.from + n == zone.to, text, sizeof text);
  tell (text, lines);
}

bool
upcr_report_overruns (void)
{
  uint64_t low, high;
  int lines = 0;

  /* valgrind has told of each access. */
  if (!upcr_is_checked || upcr_is_under_memcheck ())
    return false;
  upcr_see_poison ();
  look_at_symmetric (&lines);
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    {
      upcr_zone_marks (t, &low, &high);
      for (const upcr_object *o = __start_upc_objects; o < __stop_upc_objects; o++)
        look_at_object (o, t, &lines);
      /* Other processes know of freed symmetric blocks what process 0 tells them. */
      look_at_blocks (t, upcr_zone.start, low, UPCR_FIRST_THREAD == 0, &lines);
      look_at_blocks (t, high, upcr_zone.top, true, &lines);
    }
  upcr_stop_seeing_poison ();
  return lines > 0;
}
