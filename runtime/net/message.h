/* Shared by the files of this room: the kinds of messages (net.c has the table), and sending them. */

#ifndef UPCR_NET_MESSAGE_H
#define UPCR_NET_MESSAGE_H

#include "runtime/net/engine.h"

enum upcr_kind
{
  UPCR_PUT,
  UPCR_BITS,
  UPCR_SET,
  UPCR_JOINED,
  UPCR_GET,
  UPCR_GATHER,
  UPCR_TAKE,
  UPCR_GIVE,
  UPCR_GOT,
  UPCR_ACK,
  UPCR_CALL,
  UPCR_END
};

/* One operation more is not complete, and one less. */
static inline void
upcr_open_begin (upcr_net_open *open)
{
  atomic_fetch_add_explicit (open, 1, memory_order_relaxed);
}

static inline void
upcr_open_complete (upcr_net_open *open)
{
  atomic_fetch_sub_explicit (open, 1, memory_order_release);
}

/* Makes progress while the engine takes no more. */
void upcr_send (int process, const struct upcr_head *head, const void *body,
                enum upcr_message_kind kind);

void upcr_call_service (enum upcr_net_service service, struct upcr_net_caller caller,
                        const void *arguments);

/* The body of UPCR_JOINED: records, each followed by its bytes, and then by as many as make them whole words. */
struct upcr_record
{
  uint64_t to : 48; /* the address; of a call the service */
  uint64_t bytes : 15;
  uint64_t is_call : 1;
};

/* The body of UPCR_GATHER: runs of elements. Behind each of more than one element is how far it is from one to the
   next, an int64_t; behind one of no elements a whole section. */
struct upcr_run
{
  uint64_t from : 48;
  uint64_t count : 16;
};

struct upcr_rows
{
  int64_t stride, distance;
  uint64_t count, rows;
};

enum
{
  UPCR_LONGEST_RUN = (1 << 16) - 1,
  UPCR_LONG_BYTES = 32 << 10 /* bodies that are as long go from memory to memory */
};

/* Begins to receive what PROCESS is going to move here. Returns the tag. */
int upcr_move_in (int process, void *to, size_t bytes, upcr_net_open *open);
/* Long ones. */
void upcr_move_put (int process, char *to, const char *from, size_t bytes);
void upcr_move_get (int process, char *to, const char *from, size_t bytes, upcr_net_open *open);

/* The answers. */
void upcr_acknowledge (int process, upcr_net_open *open);
void upcr_answer_gather (int process, const struct upcr_head *head, const void *body);

#endif
