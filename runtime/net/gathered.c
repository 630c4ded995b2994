/* Gathers (gather.c) at the process that has the elements. */

#include "runtime/net/message.h"

#include <stdlib.h>
#include <string.h>

/* What is at AT of the body. Returns what is behind it. */
static const char *
read_section (const char *at, struct upcr_net_section *section)
{
  struct upcr_run run;
  struct upcr_rows rows = { .rows = 1 };

  memcpy (&run, at, sizeof run);
  at += sizeof run;
  if (run.count == 0)
    {
      memcpy (&rows, at, sizeof rows);
      at += sizeof rows;
    }
  else
    rows.count = run.count;
  if (run.count > 1)
    {
      memcpy (&rows.stride, at, sizeof rows.stride);
      at += sizeof rows.stride;
    }
  *section = (struct upcr_net_section){ (const char *) (uintptr_t) run.from, rows.stride,
                                        rows.distance, rows.count, rows.rows };
  return at;
}

static bool (*look_up) (const void *address, size_t bytes);

void
upcr_net_hook_look_up (bool (*function) (const void *address, size_t bytes))
{
  look_up = function;
}

static bool
may_access (const struct upcr_net_section *section, size_t element)
{
  for (size_t row = 0; row < section->rows; row++)
    for (size_t i = 0; i < section->count; i++)
      if (!look_up (section->from + (int64_t) row * section->distance
                        + (int64_t) i * section->stride,
                    element))
        return false;
  return true;
}

static bool
may_gather (const struct upcr_head *head, const char *body)
{
  struct upcr_net_section section;

  for (const char *at = body; at < body + head->bytes;)
    {
      at = read_section (at, &section);
      if (!may_access (&section, head->service))
        return false;
    }
  return true;
}

static void
gather (char *values, const struct upcr_head *head, const char *body)
{
  size_t element = head->service;
  struct upcr_net_section section;

  for (const char *at = body; at < body + head->bytes;)
    {
      size_t row_bytes;

      at = read_section (at, &section);
      row_bytes = section.count * element;
      upcr_net_copy_section (values, (int64_t) element, (int64_t) row_bytes, &section, element);
      values += section.rows * row_bytes;
    }
}

static void
move_gathered (int process, const struct upcr_head *head, const void *body)
{
  char *values = malloc (head->length);

  if (!values)
    upcr_fatal ("no memory for a message to another process");
  gather (values, head, body);
  upcr_engine_move_out (&(struct upcr_move){ .process = process,
                                             .tag = head->value,
                                             .memory = values,
                                             .bytes = head->length,
                                             .is_to_be_freed = true });
}

static void
send_gathered (int process, const struct upcr_head *head, const void *body)
{
  char values[UPCR_LONG_BYTES];

  gather (values, head, body);
  upcr_send (process,
             &(struct upcr_head){
                 .kind = UPCR_GOT, .bytes = head->length, .to = head->to, .open = head->open },
             values, UPCR_ANSWER);
}

static void
refuse (int process, const struct upcr_head *head)
{
  upcr_send (process,
             &(struct upcr_head){
                 .kind = UPCR_GOT, .bytes = 1, .to = (char *) head->from, .open = head->open },
             &(char){ 1 }, UPCR_ANSWER);
}

void
upcr_answer_gather (int process, const struct upcr_head *head, const void *body)
{
  if (head->from && !may_gather (head, body))
    refuse (process, head);
  else if (head->length >= UPCR_LONG_BYTES)
    move_gathered (process, head, body);
  else
    send_gathered (process, head, body);
}
