/* The comparison of calls if other processes have threads. Process 0 has the records, and each thread asks
   it. Here, too, nobody waits for other threads. */

#include "runtime/io/check.h"

static __attribute__ ((unused)) void compare_alone (const struct upcr_io_call *mine);
#define upcr_io_compare compare_alone
#include "runtime/io/check.c"
#undef upcr_io_compare

#include "runtime/net/net.h"

struct question
{
  char what[WHAT_BYTES];
  long values[UPCR_IO_ARGUMENTS];
  uint32_t file; /* its number; 0: none */
  int thread;
};

struct reply
{
  char what[WHAT_BYTES];
  long value; /* of the argument that differs */
  int difference;
  int thread;
};

_Static_assert(sizeof (struct question) <= UPCR_NET_ARGUMENT_BYTES, "a call has room for it");

void
upcr_io_serve_comparison (struct upcr_net_caller caller, const void *arguments)
{
  const struct question *question = arguments;
  /* The file is only compared. */
  struct upcr_io_call call = { .what = question->what,
                               .file = (const void *) (uintptr_t) question->file };
  struct record first;
  struct reply reply;

  for (int i = 0; i < UPCR_IO_ARGUMENTS; i++)
    call.arguments[i].value = question->values[i];
  reply.difference = compare (&call, question->thread, &first);
  reply.thread = first.thread;
  reply.value = reply.difference >= 0 && reply.difference < UPCR_IO_ARGUMENTS
                    ? first.call.arguments[reply.difference].value
                    : 0;
  memcpy (reply.what, first.what, sizeof reply.what);
  upcr_net_reply (caller, &reply, sizeof reply);
}

void
upcr_io_compare (const struct upcr_io_call *mine)
{
  struct question question = { .thread = MYTHREAD,
                               .file = mine->file ? mine->file->tree.number : 0 };
  struct reply reply;
  struct record first = { 0 };
  upcr_net_open open = 0;

  snprintf (question.what, sizeof question.what, "%s", mine->what);
  for (int i = 0; i < UPCR_IO_ARGUMENTS; i++)
    question.values[i] = mine->arguments[i].value;
  upcr_net_call (0, UPCR_NET_COMPARE, &question, sizeof question, &reply, &open);
  upcr_net_await (&open);
  if (reply.difference == NOTHING)
    return;
  first.thread = reply.thread;
  memcpy (first.what, reply.what, sizeof first.what);
  if (reply.difference >= 0)
    first.call.arguments[reply.difference].value = reply.value;
  refuse (mine, &first, reply.difference);
}
