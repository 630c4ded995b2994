/* What goes from memory to memory: long bodies of puts, gets and gathers, and what both processes know of. */

#include "runtime/net/finish.h"
#include "runtime/net/message.h"

#include <stdlib.h>

/* What a process puts and what the other one gets go the same way, by tags that each of them chooses: those of gets
   are odd. A thread that puts or gets waits for that, so that there are never too many. The last tag is that of what
   nobody asks for. */
#define TAG_UNASKED (UPCR_TAGS - 1)

static int
next_tag (bool is_get)
{
  static _Atomic uint32_t tags;

  return atomic_fetch_add_explicit (&tags, 1, memory_order_relaxed) % (UPCR_TAGS / 2 - 1) * 2
         + is_get;
}

void
upcr_net_moved (const struct upcr_move *move)
{
  if (move->is_to_be_freed)
    free (move->memory);
  if (move->is_put_here)
    upcr_acknowledge (move->process, move->open);
  else if (move->open)
    upcr_open_complete (move->open);
}

static void
move (const struct upcr_move *move, void (*function) (const struct upcr_move *))
{
  upcr_gate_enter ();
  function (move);
  upcr_gate_leave ();
}

/* What this thread stores there later comes later, so it waits. It also waits for the other process to be ready
   if MPI would send it all at once, and have to keep it, in memory of its own. */
void
upcr_move_put (int process, char *to, const char *from, size_t bytes)
{
  enum
  {
    MOST_AT_ONCE = 256 << 10 /* that any MPI sends before it is received */
  };
  bool is_early = bytes > MOST_AT_ONCE;
  upcr_net_open is_ready = !is_early, is_there = 1, is_sent = 1;
  struct upcr_move out = { .process = process,
                           .tag = next_tag (false),
                           .memory = (void *) from,
                           .bytes = bytes,
                           .open = &is_sent };

  upcr_send (process,
             &(struct upcr_head){ .kind = UPCR_TAKE,
                                  .length = bytes,
                                  .value = out.tag,
                                  .to = to,
                                  .from = is_early ? NULL : &is_ready,
                                  .open = &is_there },
             NULL, UPCR_REQUEST);
  upcr_net_await (&is_ready);
  move (&out, upcr_engine_move_out);
  upcr_net_await (&is_sent);
  upcr_net_await (&is_there);
}

int
upcr_move_in (int process, void *to, size_t bytes, upcr_net_open *open)
{
  struct upcr_move in
      = { .process = process, .tag = next_tag (true), .memory = to, .bytes = bytes, .open = open };

  upcr_open_begin (open);
  move (&in, upcr_engine_move_in);
  return in.tag;
}

void
upcr_move_get (int process, char *to, const char *from, size_t bytes, upcr_net_open *open)
{
  int tag = upcr_move_in (process, to, bytes, open);

  upcr_send (process,
             &(struct upcr_head){ .kind = UPCR_GIVE, .length = bytes, .value = tag, .from = from },
             NULL, UPCR_REQUEST);
}

static void
move_unasked (struct upcr_move part, size_t bytes, void (*function) (const struct upcr_move *))
{
  part.tag = TAG_UNASKED;
  for (size_t done = 0; done < bytes; done += part.bytes)
    {
      part.bytes = bytes - done < UPCR_LONGEST_BYTES ? bytes - done : UPCR_LONGEST_BYTES;
      upcr_open_begin (part.open);
      move (&part, function);
      part.memory = (char *) part.memory + part.bytes;
    }
}

void
upcr_net_send (int process, const void *from, size_t bytes, upcr_net_open *open)
{
  move_unasked ((struct upcr_move){ .process = process, .memory = (void *) from, .open = open },
                bytes, upcr_engine_move_out);
}

void
upcr_net_receive (int process, void *to, size_t bytes, upcr_net_open *open)
{
  move_unasked ((struct upcr_move){ .process = process, .memory = to, .open = open }, bytes,
                upcr_engine_move_in);
}
