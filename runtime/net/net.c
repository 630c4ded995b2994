/* Operations as messages: what is asked of a process, and what it answers. They are the same for every
   engine.

   message   its process                                     answer
   PUT       stores the body at `to`                         ACK
   BITS      the first half of the body, where the           ACK
             second one has bits
   SET       stores `value` `length` times                   ACK
   JOINED    stores and calls as the records of the body     ACK
             say
   GET       sends `length` bytes from `from`                GOT, to be stored at `to`
   GATHER    sends what the runs of the body say,            GOT, likewise; of a 1 at `from`, if that is not
             `length` bytes in all                           NULL and one of them may not be accessed
   TAKE      moves `length` bytes to `to`, under the tag     ACK of `from`, when it is ready, and
             `value`                                         of `open`, when they are there
   GIVE      moves `length` bytes from `from`, likewise      none: the asker sees them come
   CALL      calls `service` with the body                   GOT, when that replies
   END       ends with status `value`

   ACK and GOT count `open` down. It is decremented with release order after the bytes are there, and
   read with acquire order by who waits. */

#include "runtime/net/net.h"

#include "runtime/net/engine.h"
#include "runtime/net/finish.h"
#include "runtime/net/leaks.h"
#include "runtime/net/message.h"
#include "runtime/net/target.h"
#include "runtime/start/start.h"

#include <string.h>

static upcr_net_function *services[UPCR_NET_SERVICES];

/* A tell is counted before it goes, and when all that it does is done: with release order, for who counts (acquire). */
static _Atomic uint64_t tells_begun, tells_done;

/* The status that another process ends with, plus 1; 0: none does. */
_Atomic int upcr_net_ending;

void
upcr_net_init (void)
{
  upcr_leaks_ignore ();
  upcr_engine_init ();
  upcr_leaks_heed ();
  upcr_block_disown ();
  upcr_net_hook_end ();
}

struct upcr_net_place
upcr_net_place (void)
{
  return upcr_engine_place ();
}

struct upcr_net_range
upcr_net_range (int threads, int size, int rank)
{
  int each = threads / size, more = threads % size;

  return (struct upcr_net_range){ rank * each + (rank < more ? rank : more), each + (rank < more) };
}

struct upcr_net_range
upcr_net_near_range (int threads)
{
  struct upcr_net_place place = upcr_engine_place ();
  struct upcr_net_range first = upcr_net_range (threads, place.size, place.first_near);
  struct upcr_net_range last = upcr_net_range (threads, place.size,
                                               place.first_near + place.near - 1);

  return (struct upcr_net_range){ first.first, last.first + last.count - first.first };
}

int
upcr_net_process_of (int threads, int size, int thread)
{
  int each = threads / size, more = threads % size, larger = more * (each + 1);

  return thread < larger ? thread / (each + 1) : more + (thread - larger) / each;
}

void
upcr_send (int process, const struct upcr_head *head, const void *body, enum upcr_message_kind kind)
{
  unsigned looks = 0;

  for (;;)
    {
      bool is_sent;

      upcr_gate_enter ();
      is_sent = upcr_engine_send (process, head, body, kind);
      upcr_gate_leave ();
      if (is_sent)
        return;
      upcr_net_relax (&looks);
    }
}

static size_t
part_of (size_t left, size_t most)
{
  return left < most ? left : most;
}

void
upcr_acknowledge (int process, upcr_net_open *open)
{
  upcr_send (process, &(struct upcr_head){ .kind = UPCR_ACK, .open = open }, NULL, UPCR_ANSWER);
}

void
upcr_net_put (int process, void *to, const void *from, size_t bytes, upcr_net_open *open)
{
  for (size_t done = 0, part; done < bytes; done += part)
    {
      if (bytes - done >= UPCR_LONG_BYTES)
        {
          part = part_of (bytes - done, UPCR_LONGEST_BYTES);
          upcr_move_put (process, (char *) to + done, (const char *) from + done, part);
          continue;
        }
      part = part_of (bytes - done, UPCR_BODY_BYTES);
      upcr_open_begin (open);
      upcr_send (process,
                 &(struct upcr_head){
                     .kind = UPCR_PUT, .bytes = part, .to = (char *) to + done, .open = open },
                 (const char *) from + done, UPCR_REQUEST);
    }
}

void
upcr_net_put_bits (int process, void *to, const void *from, const void *mask, size_t bytes,
                   upcr_net_open *open)
{
  enum
  {
    MOST = 64
  };
  char both[2 * MOST];

  for (size_t done = 0, part; done < bytes; done += part)
    {
      part = part_of (bytes - done, MOST);
      memcpy (both, (const char *) from + done, part);
      memcpy (both + part, (const char *) mask + done, part);
      upcr_open_begin (open);
      upcr_send (process,
                 &(struct upcr_head){
                     .kind = UPCR_BITS, .bytes = 2 * part, .to = (char *) to + done, .open = open },
                 both, UPCR_REQUEST);
    }
}

void
upcr_net_set (int process, void *to, int byte, size_t bytes, upcr_net_open *open)
{
  for (size_t done = 0, part; done < bytes; done += part)
    {
      part = part_of (bytes - done, UINT32_MAX);
      upcr_open_begin (open);
      upcr_send (process,
                 &(struct upcr_head){ .kind = UPCR_SET,
                                      .length = part,
                                      .value = byte,
                                      .to = (char *) to + done,
                                      .open = open },
                 NULL, UPCR_REQUEST);
    }
}

void
upcr_net_get (int process, void *to, const void *from, size_t bytes, upcr_net_open *open)
{
  for (size_t done = 0, part; done < bytes; done += part)
    {
      if (bytes - done >= UPCR_LONG_BYTES)
        {
          part = part_of (bytes - done, UPCR_LONGEST_BYTES);
          upcr_move_get (process, (char *) to + done, (const char *) from + done, part, open);
          continue;
        }
      part = part_of (bytes - done, UPCR_BODY_BYTES);
      upcr_open_begin (open);
      upcr_send (process,
                 &(struct upcr_head){ .kind = UPCR_GET,
                                      .length = part,
                                      .to = (char *) to + done,
                                      .from = (const char *) from + done,
                                      .open = open },
                 NULL, UPCR_REQUEST);
    }
}

void
upcr_net_serve (enum upcr_net_service service, upcr_net_function *function)
{
  services[service] = function;
}

void
upcr_call_service (enum upcr_net_service service, struct upcr_net_caller caller,
                   const void *arguments)
{
  services[service](caller, arguments);
}

void
upcr_net_call (int process, enum upcr_net_service service, const void *arguments, size_t bytes,
               void *result, upcr_net_open *open)
{
  upcr_open_begin (open);
  if (process == upcr_engine_place ().rank)
    upcr_call_service (service, (struct upcr_net_caller){ process, result, open }, arguments);
  else
    upcr_send (
        process,
        &(struct upcr_head){
            .kind = UPCR_CALL, .service = service, .bytes = bytes, .to = result, .open = open },
        arguments, UPCR_REQUEST);
}

struct upcr_net_tells
upcr_net_count_tells (void)
{
  return (struct upcr_net_tells){ atomic_load_explicit (&tells_begun, memory_order_acquire),
                                  atomic_load_explicit (&tells_done, memory_order_acquire) };
}

void
upcr_net_tell (int process, enum upcr_net_service service, const void *arguments, size_t bytes)
{
  atomic_fetch_add_explicit (&tells_begun, 1, memory_order_release);
  upcr_send (process, &(struct upcr_head){ .kind = UPCR_CALL, .service = service, .bytes = bytes },
             arguments, UPCR_ANSWER);
}

void
upcr_net_reply (struct upcr_net_caller caller, const void *result, size_t bytes)
{
  /* Nobody waits for what was joined. */
  if (!caller.open)
    return;
  if (caller.process != upcr_engine_place ().rank)
    {
      upcr_send (caller.process,
                 &(struct upcr_head){
                     .kind = UPCR_GOT, .bytes = bytes, .to = caller.result, .open = caller.open },
                 result, UPCR_ANSWER);
      return;
    }
  memcpy (caller.result, result, bytes);
  upcr_open_complete (caller.open);
}

static void
send_back (int process, const struct upcr_head *head)
{
  struct upcr_head answer
      = { .kind = UPCR_GOT, .bytes = head->length, .to = head->to, .open = head->open };
  uint64_t word;

  if (head->length > sizeof word)
    {
      upcr_send (process, &answer, head->from, UPCR_ANSWER);
      return;
    }
  upcr_target_load (&word, head->from, head->length);
  upcr_send (process, &answer, &word, UPCR_ANSWER);
}

void
upcr_net_deliver (int sender, const struct upcr_head *head, const void *body)
{
  switch ((enum upcr_kind) head->kind)
    {
    case UPCR_PUT:
      upcr_target_store (head->to, body, head->bytes);
      upcr_acknowledge (sender, head->open);
      break;
    case UPCR_BITS:
      upcr_net_store_own_bits (head->to, body, (const unsigned char *) body + head->bytes / 2,
                               head->bytes / 2);
      upcr_acknowledge (sender, head->open);
      break;
    case UPCR_SET:
      memset (head->to, head->value, head->length);
      upcr_acknowledge (sender, head->open);
      break;
    case UPCR_JOINED:
      upcr_target_unjoin (sender, body, head->bytes);
      upcr_acknowledge (sender, head->open);
      break;
    case UPCR_GET:
      send_back (sender, head);
      break;
    case UPCR_GATHER:
      upcr_answer_gather (sender, head, body);
      break;
    case UPCR_TAKE:
      upcr_engine_move_in (&(struct upcr_move){ .process = sender,
                                                .tag = head->value,
                                                .memory = head->to,
                                                .bytes = head->length,
                                                .is_put_here = true,
                                                .open = head->open });
      if (head->from)
        upcr_acknowledge (sender, (upcr_net_open *) head->from);
      break;
    case UPCR_GIVE:
      upcr_engine_move_out (&(struct upcr_move){ .process = sender,
                                                 .tag = head->value,
                                                 .memory = (void *) head->from,
                                                 .bytes = head->length });
      break;
    case UPCR_GOT:
      memcpy (head->to, body, head->bytes);
      upcr_open_complete (head->open);
      break;
    case UPCR_ACK:
      upcr_open_complete (head->open);
      break;
    case UPCR_CALL:
      upcr_call_service (head->service, (struct upcr_net_caller){ sender, head->to, head->open },
                         body);
      if (!head->open)
        atomic_fetch_add_explicit (&tells_done, 1, memory_order_release);
      break;
    case UPCR_END:
      atomic_store (&upcr_net_ending, head->value + 1);
      break;
    }
}

void
upcr_net_send_end (int status)
{
  struct upcr_net_place place = upcr_net_place ();

  for (int p = 0; p < place.size; p++)
    if (p != place.rank)
      upcr_send (p, &(struct upcr_head){ .kind = UPCR_END, .value = status }, NULL, UPCR_ANSWER);
}

static void (*progress_hook) (void);

void
upcr_net_hook_progress (void (*function) (void))
{
  progress_hook = function;
}

bool
upcr_net_progress (void)
{
  bool did_something;

  upcr_gate_enter ();
  did_something = upcr_engine_poll ();
  if (progress_hook)
    progress_hook ();
  upcr_gate_leave ();
  return did_something;
}

void
upcr_net_barrier_begin (struct upcr_net_most mine)
{
  upcr_gate_enter ();
  upcr_engine_barrier_begin (mine);
  upcr_gate_leave ();
}

bool
upcr_net_barrier_try (struct upcr_net_most *all)
{
  bool is_over;

  upcr_gate_enter ();
  is_over = upcr_engine_barrier_try (all);
  upcr_gate_leave ();
  return is_over;
}
