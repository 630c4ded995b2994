/* The interface of an engine: messages between processes. Engines are mpi.c and the files
   beside it, and self.c for tests. Nothing else knows about them.

   A message has a head and a body. Messages that one thread sends to one process arrive in that
   order; those of several threads arrive in any order. Only upcr_engine_end waits for another
   process. */

#ifndef UPCR_NET_ENGINE_H
#define UPCR_NET_ENGINE_H

#include "runtime/net/net.h"

/* The head: what to do, to what, and who is told. Addresses are those of the process that is going to
   use them. */
struct upcr_head
{
  uint16_t kind; /* enum of net.c */
  uint16_t service;
  uint32_t bytes;  /* of the body */
  uint32_t length; /* what a get or a set is of */
  int32_t value;
  void *to;
  const void *from;
  upcr_net_open *open;
};

/* The longest body. */
#define UPCR_BODY_BYTES ((size_t) 64 << 10)

/* Each process is near to itself alone at first. */
void upcr_engine_init (void);
struct upcr_net_place upcr_engine_place (void);

/* Once, by all: processes of one node become near, MOST of them at most. */
void upcr_engine_group (int most);

/* BYTES of each process that is near, in their order. By all of them. */
void upcr_engine_gather (const void *mine, void *all, size_t bytes);

/* They share memory if all of them can; else nobody of them is near after all. Returns which, and the rank of each
   process's first neighbour. By all processes, after upcr_engine_group. */
bool upcr_engine_settle (bool can_share, int *first_near);

/* False: so many messages are on their way that the caller has to poll first. Not so for answers, which
   messages that were delivered ask for: those take memory. */
enum upcr_message_kind
{
  UPCR_REQUEST,
  UPCR_ANSWER
};

bool upcr_engine_send (int process, const struct upcr_head *head, const void *body,
                       enum upcr_message_kind kind);

/* Moves from memory to memory, beside messages: of long bodies, and of what both processes know of. The two name one by
   a tag; of several with one tag between them, those that were begun first belong together. What is done when it has
   come, or may change, is upcr_net_moved, in whatever thread polls. */
#define UPCR_LONGEST_BYTES ((size_t) 1 << 30)

struct upcr_move
{
  int process;
  int tag; /* from 0 up to UPCR_TAGS */
  void *memory;
  size_t bytes;
  bool is_put_here;    /* it is answered */
  bool is_to_be_freed; /* the memory, when it has gone */
  upcr_net_open *open;
};

enum
{
  UPCR_TAGS = 1 << 15
};

void upcr_engine_move_out (const struct upcr_move *move);
void upcr_engine_move_in (const struct upcr_move *move);
void upcr_net_moved (const struct upcr_move *move);

/* Delivers messages that have come, in one thread at a time, by upcr_net_deliver; false if there were
   none, or another thread is at it. True while something long is on its way, which is to be looked after. */
bool upcr_engine_poll (void);
void upcr_net_deliver (int sender, const struct upcr_head *head, const void *body);

/* See upcr_net_barrier_begin. */
void upcr_engine_barrier_begin (struct upcr_net_most mine);
bool upcr_engine_barrier_try (struct upcr_net_most *all);

/* The calling thread is the only one that calls the engine from here on. Waits for the others, if they are there, and
   for all messages that are on their way, and leaves them. False: they are not. STATUS is the process's, should it end meanwhile. */
bool upcr_engine_end (int status);

/* Ends the other processes by force. */
_Noreturn void upcr_engine_abort (int status);

#endif
