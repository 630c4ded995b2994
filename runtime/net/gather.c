/* Gets of many scattered elements of one size. Those of one process are combined: the requests are runs of one or more
   elements with a constant stride, and sections (net.h). An answer is as long as UPCR_MOST_GATHERED says. */

#include "runtime/net/message.h"

#include <string.h>

void
upcr_net_gather_begin (struct upcr_net_gather *gather, size_t bytes, upcr_net_open *open)
{
  gather->bytes = bytes;
  gather->open = open;
  gather->is_bad = NULL;
  gather->body_bytes = gather->length = 0;
}

static void
end_run (struct upcr_net_gather *gather)
{
  struct upcr_run run = { .from = (uintptr_t) gather->first, .count = gather->count };

  memcpy (gather->body + gather->body_bytes, &run, sizeof run);
  gather->body_bytes += sizeof run;
  if (gather->count == 1)
    return;
  memcpy (gather->body + gather->body_bytes, &gather->stride, sizeof gather->stride);
  gather->body_bytes += sizeof gather->stride;
}

static size_t
most_bytes (const struct upcr_net_gather *gather)
{
  return gather->is_bad ? UPCR_GATHERED_BYTES : UPCR_MOST_GATHERED;
}

void
upcr_net_gather_end (struct upcr_net_gather *gather)
{
  struct upcr_head head = { .kind = UPCR_GATHER,
                            .service = gather->bytes,
                            .length = gather->length,
                            .to = gather->values,
                            .from = gather->is_bad,
                            .open = gather->open };

  if (gather->length == 0)
    return;
  if (gather->count > 0)
    end_run (gather);
  head.bytes = gather->body_bytes;
  if (gather->length >= UPCR_LONG_BYTES)
    head.value = upcr_move_in (gather->process, gather->values, gather->length, gather->open);
  else
    upcr_open_begin (gather->open);
  upcr_send (gather->process, &head, gather->body, UPCR_REQUEST);
  gather->body_bytes = gather->length = 0;
}

/* For one element more, or one section. */
static bool
has_room (const struct upcr_net_gather *gather)
{
  size_t run_bytes = sizeof (struct upcr_run) + sizeof gather->stride;

  return gather->body_bytes + run_bytes + sizeof (struct upcr_run) + sizeof (struct upcr_rows)
             <= sizeof gather->body
         && gather->length + gather->bytes <= most_bytes (gather);
}

/* Whether FROM is one more of the last run. */
static bool
lengthen_run (struct upcr_net_gather *gather, const char *from)
{
  int64_t stride = from - gather->last;

  if (gather->count == UPCR_LONGEST_RUN || (gather->count > 1 && stride != gather->stride))
    return false;
  gather->stride = stride;
  gather->count++;
  return true;
}

/* The message at hand, or the next one, is to PROCESS, and its next values go to TO. */
static void
begin_message (struct upcr_net_gather *gather, int process, void *to)
{
  if (gather->length > 0 && (gather->process != process || !has_room (gather)))
    upcr_net_gather_end (gather);
  if (gather->length > 0)
    return;
  gather->process = process;
  gather->values = to;
  gather->count = 0;
}

static void
begin_run (struct upcr_net_gather *gather, const char *from)
{
  if (gather->count > 0)
    end_run (gather);
  gather->first = from;
  gather->count = 0;
}

void
upcr_net_gather_add (struct upcr_net_gather *gather, int process, void *to, const void *from)
{
  begin_message (gather, process, to);
  if (gather->count == 0 || !lengthen_run (gather, from))
    {
      begin_run (gather, from);
      gather->count = 1;
    }
  gather->last = from;
  gather->length += gather->bytes;
}

/* So many elements that the message has room for. */
static void
add_elements (struct upcr_net_gather *gather, const char *from, int64_t stride, size_t count)
{
  begin_run (gather, from);
  gather->count = (unsigned) count;
  gather->stride = stride;
  gather->last = from + stride * (int64_t) (count - 1);
  gather->length += count * gather->bytes;
}

static void
add_rows (struct upcr_net_gather *gather, const struct upcr_net_section *section)
{
  struct upcr_run run = { .from = (uintptr_t) section->from };
  struct upcr_rows rows = { section->stride, section->distance, section->count, section->rows };

  if (gather->count > 0)
    end_run (gather);
  gather->count = 0;
  memcpy (gather->body + gather->body_bytes, &run, sizeof run);
  memcpy (gather->body + gather->body_bytes + sizeof run, &rows, sizeof rows);
  gather->body_bytes += sizeof run + sizeof rows;
  gather->length += section->rows * section->count * gather->bytes;
}

static size_t
least (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* One row, which need not end in the message that it begins in. */
static void
add_row (struct upcr_net_gather *gather, int process, char *to, const struct upcr_net_section *row)
{
  for (size_t done = 0, count; done < row->count; done += count)
    {
      begin_message (gather, process, to + done * gather->bytes);
      count = least (row->count - done, (most_bytes (gather) - gather->length) / gather->bytes);
      count = least (count, UPCR_LONGEST_RUN);
      add_elements (gather, row->from + row->stride * (int64_t) done, row->stride, count);
    }
}

void
upcr_net_gather_add_section (struct upcr_net_gather *gather, int process, void *to,
                             const struct upcr_net_section *section)
{
  struct upcr_net_section left = *section;
  size_t row_bytes = left.count * gather->bytes;
  char *values = to;

  for (size_t rows; left.rows > 0 && left.count > 0; left.rows -= rows)
    {
      struct upcr_net_section part = left;

      begin_message (gather, process, values);
      part.rows = least (left.rows, (most_bytes (gather) - gather->length) / row_bytes);
      rows = part.rows > 1 ? part.rows : 1;
      if (part.rows > 1)
        add_rows (gather, &part);
      else
        add_row (gather, process, values, &part);
      left.from += left.distance * (int64_t) rows;
      values += rows * row_bytes;
    }
}
