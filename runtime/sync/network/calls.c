/* The comparison of calls if other processes have threads. Process 0 has the records, and each thread asks it. Here, too, nobody
   waits for other threads. */

#include "runtime/sync/primitives/calls.h"

static int compare_here (enum upcr_calls kind, const struct upcr_call_note *mine,
                         struct upcr_call_note *first);
#define upcr_compare_calls compare_here
#include "runtime/sync/primitives/calls.c"
#undef upcr_compare_calls

#include "runtime/net/net.h"

struct question
{
  enum upcr_calls kind;
  struct upcr_call_note mine;
};

struct reply
{
  int difference;
  struct upcr_call_note first;
};

_Static_assert(sizeof (struct question) <= UPCR_NET_ARGUMENT_BYTES, "a call has room for it");

static void
serve (struct upcr_net_caller caller, const void *arguments)
{
  struct question question;
  struct reply reply;

  memcpy (&question, arguments, sizeof question);
  reply.difference = compare_here (question.kind, &question.mine, &reply.first);
  upcr_net_reply (caller, &reply, sizeof reply);
}

void
upcr_serve_calls (void)
{
  upcr_net_serve (UPCR_NET_CALLS, serve);
}

int
upcr_compare_calls (enum upcr_calls kind, const struct upcr_call_note *mine,
                    struct upcr_call_note *first)
{
  struct question question = { kind, *mine };
  struct reply reply;
  upcr_net_open open = 0;

  upcr_net_call (0, UPCR_NET_CALLS, &question, sizeof question, &reply, &open);
  upcr_net_await (&open);
  *first = reply.first;
  return reply.difference;
}
