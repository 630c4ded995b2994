/* Gets of many scattered elements of one size. Those of one process are combined, in messages of up to
   UPCR_GATHERED_BYTES. The requests are runs of one or more elements with a constant stride. */

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

void
upcr_net_gather_end (struct upcr_net_gather *gather)
{
  if (gather->length == 0)
    return;
  end_run (gather);
  upcr_open_begin (gather->open);
  upcr_send (gather->process,
             &(struct upcr_head){ .kind = UPCR_GATHER,
                                  .service = gather->bytes,
                                  .bytes = gather->body_bytes,
                                  .length = gather->length,
                                  .to = gather->values,
                                  .from = gather->is_bad,
                                  .open = gather->open },
             gather->body, UPCR_REQUEST);
  gather->body_bytes = gather->length = 0;
}

/* For one element more, in a run of its own. */
static bool
has_room (const struct upcr_net_gather *gather)
{
  return gather->body_bytes + 2 * (sizeof (struct upcr_run) + sizeof gather->stride)
             <= sizeof gather->body
         && gather->length + gather->bytes <= UPCR_GATHERED_BYTES;
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

void
upcr_net_gather_add_run (struct upcr_net_gather *gather, int process, void *to, const void *from,
                         int64_t stride, size_t count)
{
  const char *at = from;
  char *values = to;

  while (count > 0)
    {
      size_t most;

      begin_message (gather, process, values);
      begin_run (gather, at);
      most = (UPCR_GATHERED_BYTES - gather->length) / gather->bytes;
      gather->count = (unsigned) (count < most ? count : most);
      gather->stride = stride;
      gather->last = at + stride * (gather->count - 1);
      gather->length += gather->count * gather->bytes;
      at += stride * gather->count;
      values += gather->count * gather->bytes;
      count -= gather->count;
    }
}
