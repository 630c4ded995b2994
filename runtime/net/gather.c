/* Gets of many scattered elements of one size. Those of one process are combined, in messages of up to
   UPCR_GATHERED_BYTES. The requests are runs of one or more elements with a constant stride. */

#include "runtime/net/message.h"

#include <string.h>

void
upcr_net_gather_begin (struct upcr_net_gather *gather, size_t bytes, upcr_net_open *open)
{
  gather->bytes = bytes;
  gather->open = open;
  gather->body_bytes = gather->length = 0;
}

void
upcr_net_gather_end (struct upcr_net_gather *gather)
{
  if (gather->length == 0)
    return;
  upcr_open_begin (gather->open);
  upcr_send (gather->process,
             &(struct upcr_head){ .kind = UPCR_GATHER,
                                  .service = gather->bytes,
                                  .bytes = gather->body_bytes,
                                  .length = gather->length,
                                  .to = gather->values,
                                  .open = gather->open },
             gather->body, UPCR_REQUEST);
  gather->body_bytes = gather->length = 0;
}

static bool
has_room (const struct upcr_net_gather *gather)
{
  return gather->body_bytes + sizeof (struct upcr_run) + sizeof (int64_t) <= sizeof gather->body
         && gather->length + gather->bytes <= UPCR_GATHERED_BYTES;
}

static void
begin_run (struct upcr_net_gather *gather, const char *from)
{
  struct upcr_run run = { .from = (uintptr_t) from, .count = 1 };

  gather->run = gather->body_bytes;
  memcpy (gather->body + gather->run, &run, sizeof run);
  gather->body_bytes += sizeof run;
}

/* Whether FROM is one more of the last run. */
static bool
lengthen_run (struct upcr_net_gather *gather, const char *from)
{
  int64_t stride = from - gather->last;
  struct upcr_run run;

  memcpy (&run, gather->body + gather->run, sizeof run);
  if (run.count == UPCR_LONGEST_RUN || (run.count > 1 && stride != gather->stride))
    return false;
  if (run.count == 1)
    {
      gather->stride = stride;
      memcpy (gather->body + gather->body_bytes, &stride, sizeof stride);
      gather->body_bytes += sizeof stride;
    }
  run.count++;
  memcpy (gather->body + gather->run, &run, sizeof run);
  return true;
}

void
upcr_net_gather_add (struct upcr_net_gather *gather, int process, void *to, const void *from)
{
  if (gather->length > 0 && (gather->process != process || !has_room (gather)))
    upcr_net_gather_end (gather);
  if (gather->length == 0)
    {
      gather->process = process;
      gather->values = to;
      begin_run (gather, from);
    }
  else if (!lengthen_run (gather, from))
    begin_run (gather, from);
  gather->last = from;
  gather->length += gather->bytes;
}
