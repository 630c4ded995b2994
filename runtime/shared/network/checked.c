/* The checked heap of several processes. Each process has the records of the blocks in its own partitions, and writes
   their shadow. So it answers what others ask about these: may bytes be accessed, and what is there? Processes that
   share memory read each other's shadow. Records refer to sites of the process that has them; a message has the site
   itself, and where the sender's code is, so that the receiver finds its own.

   Process 0 has the memory of symmetric blocks, and counts what is in use for all processes. Who allocates or frees a
   symmetric block tells all processes, and waits for them. Who frees a block also tells them which symmetric ones have
   left process 0's quarantine: they look at their pieces then, as process 0 has looked at its own. What is still there at
   the end of a run they ask for. */

#include "runtime/shared/checked.h"

#include "runtime/diag/diag.h"
#include "runtime/net/net.h"
#include "runtime/shared/piece.h"
#include "runtime/shared/red_zone.h"
#include "runtime/shared/zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t take (const struct upcr_block_record *record, size_t alignment, const char *what);
static void show (struct upcr_block_record record, uint64_t payload, struct upcr_site *site);
static void count (const struct upcr_block_record *record, struct upcr_site *site, bool is_freed);
static struct upcr_freed free_anywhere (upcr_pts block, struct upcr_freeing freeing);
#define upcr_block_take take
#define upcr_block_show show
#define upcr_block_count count
#define upcr_block_free free_anywhere
#include "runtime/shared/checked.c"
#undef upcr_block_take
#undef upcr_block_show
#undef upcr_block_count
#undef upcr_block_free

enum question
{
  TAKE,
  SHOW,
  COUNT,
  FREE,
  HIDE,
  LEAVE,
  IS_WHOLE,
  QUARANTINED, /* the answer is a list, and of what follows a text */
  TEXT,
  OVERRUN_TEXT,
  FREEING_TEXT
};

struct request
{
  enum question question;
  uint32_t thread;
  uint64_t offset, bytes; /* of the payload, or of what is asked about */
  upcr_pts block;
  struct upcr_freeing freeing;
  bool is_freed;
  struct upcr_block_record record;
  const char *code; /* where the sender has a certain function */
  bool has_site;
  struct upcr_site site;
};

enum
{
  MOST_LEFT = 16, /* blocks that an answer tells of */
  MOST_LISTED = 64
};

struct list
{
  uint64_t count, payloads[MOST_LISTED];
};

struct answer
{
  uint64_t value;
  struct upcr_freed freed;
  const char *code;
  struct upcr_site allocated; /* if the record of what is freed has a site */
  int left_count;
  uint64_t left[MOST_LEFT];
};

union reply
{
  struct answer answer;
  struct list list;
  char text[UPCR_TEXT_BYTES];
};

_Static_assert(sizeof (struct request) <= UPCR_NET_ARGUMENT_BYTES, "it is an argument");
_Static_assert(sizeof (union reply) <= UPCR_NET_ARGUMENT_BYTES, "it is a result");

static const char *
own_code (void)
{
  return (const char *) (uintptr_t) own_code;
}

static struct upcr_site *
site_of (const struct upcr_site *site, const char *code)
{
  struct upcr_site *own;

  upcr_checked_lock ();
  own = upcr_site_of_other (*site, own_code () - code);
  upcr_checked_unlock ();
  return own;
}

/* ---- What others ask of this process. MYTHREAD is whoever makes progress. ---- */

/* Symmetric blocks that have left the quarantine, which no process has been told of. Under the lock of the heap. If there are
   more, others do not look at their pieces. */
static uint64_t left[64 * MOST_LEFT];
static int left_count;

static void
note_left (uint64_t payload)
{
  if (left_count < (int) (sizeof left / sizeof *left))
    left[left_count++] = payload;
}

static void
take_left (struct answer *answer)
{
  upcr_checked_lock ();
  while (left_count > 0 && answer->left_count < MOST_LEFT)
    answer->left[answer->left_count++] = left[--left_count];
  upcr_checked_unlock ();
}

static struct answer
free_here (struct request *request)
{
  struct answer answer = { .code = own_code () };

  answer.freed = upcr_block_free (request->block, request->freeing);
  take_left (&answer);
  if (answer.freed.verdict == UPCR_BLOCK_FREED && answer.freed.record.allocated)
    answer.allocated = *answer.freed.record.allocated;
  return answer;
}

static struct answer
hide_here (const struct request *request)
{
  struct answer answer = { .freed = { .verdict = UPCR_BLOCK_FREED, .payload = request->offset } };

  if (!upcr_block_hide (&request->record, request->offset, request->freeing, &answer.freed.thread))
    answer.freed.verdict = UPCR_BLOCK_OVERRUN;
  return answer;
}

static struct answer
leave_here (const struct request *request)
{
  struct answer answer = { .freed = { .verdict = UPCR_BLOCK_FREED, .payload = request->offset } };

  if (!upcr_block_leave (request->offset, &answer.freed.thread))
    answer.freed.verdict = UPCR_BLOCK_OVERRUN;
  return answer;
}

/* SITE is this process's. */
static struct answer
answer_here (struct request *request, struct upcr_site *site)
{
  struct answer answer = { 0 };

  request->freeing.site = site;
  switch (request->question)
    {
    case TAKE:
      answer.value = upcr_block_take (&request->record, request->bytes, "upc_alloc");
      break;
    case SHOW:
      upcr_block_show (request->record, request->offset, site);
      break;
    case COUNT:
      upcr_block_count (&request->record, site, request->is_freed);
      break;
    case FREE:
      return free_here (request);
    case HIDE:
      return hide_here (request);
    case LEAVE:
      return leave_here (request);
    default:
      answer.value = upcr_is_whole (request->thread, request->offset, request->bytes);
    }
  return answer;
}

static void
serve (struct upcr_net_caller caller, const void *arguments)
{
  struct request request;
  union reply reply = { 0 };

  memcpy (&request, arguments, sizeof request);
  if (request.question >= TEXT)
    upcr_await_symbolizer ();
  if (request.question == QUARANTINED)
    reply.list.count = upcr_quarantined (request.offset, reply.list.payloads, MOST_LISTED);
  else if (request.question == TEXT)
    upcr_access_text (request.thread, request.offset, request.bytes, reply.text, sizeof reply.text);
  else if (request.question == OVERRUN_TEXT)
    upcr_overrun_text (request.thread, request.offset, reply.text, sizeof reply.text);
  else if (request.question == FREEING_TEXT)
    upcr_freeing_text (upcr_segment_address (request.thread, request.offset), reply.text,
                       sizeof reply.text);
  else
    reply.answer = answer_here (&request,
                                request.has_site ? site_of (&request.site, request.code) : NULL);
  upcr_net_reply (caller, &reply,
                  request.question < QUARANTINED ? sizeof reply.answer : sizeof reply);
}

bool
upcr_is_near_and_whole (const void *address, size_t bytes)
{
  uint64_t distance = (const char *) address - upcr_segment_address (0, 0);

  return upcr_is_near (address) && upcr_is_shared_memory (address, bytes)
         && upcr_is_whole (distance / UPCR_STRIDE, distance % UPCR_STRIDE, bytes);
}

void
upcr_serve_checked (void)
{
  upcr_net_serve (UPCR_NET_CHECKED, serve);
  upcr_net_hook_look_up (upcr_is_near_and_whole);
  if (upcr_net_place ().rank == 0)
    upcr_block_has_left = note_left;
}

/* ---- What this process asks of others ---- */

static void
add_site (struct request *request, const struct upcr_site *site)
{
  request->code = own_code ();
  request->has_site = site;
  if (site)
    request->site = *site;
}

static union reply
ask (int process, const struct request *request)
{
  union reply reply;
  upcr_net_open open = 0;

  upcr_net_call (process, UPCR_NET_CHECKED, request, sizeof *request, &reply, &open);
  upcr_net_await (&open);
  return reply;
}

/* The process that has the memory of RECORD's block. */
static int
process_of (const struct upcr_block_record *record)
{
  return record->is_symmetric ? 0 : upcr_process_of (record->thread);
}

static uint64_t
take (const struct upcr_block_record *record, size_t alignment, const char *what)
{
  (void) what;
  return ask (process_of (record),
              &(struct request){ .question = TAKE, .record = *record, .bytes = alignment })
      .answer.value;
}

/* Asks all processes but BUT. If RESULT is not NULL, it becomes a verdict that is not UPCR_BLOCK_FREED. */
static void
ask_all (const struct request *request, int but, struct upcr_freed *result)
{
  int size = upcr_net_place ().size;
  union reply *replies = malloc (size * sizeof *replies);
  upcr_net_open open = 0;

  if (!replies)
    upcr_fatal ("no memory for the answers of %d processes", size);
  for (int p = 0; p < size; p++)
    if (p != but)
      upcr_net_call (p, UPCR_NET_CHECKED, request, sizeof *request, &replies[p], &open);
  upcr_net_await (&open);
  for (int p = size; result && p-- > 0;)
    if (p != but && replies[p].answer.freed.verdict != UPCR_BLOCK_FREED)
      *result = replies[p].answer.freed;
  free (replies);
}

static void
show (struct upcr_block_record record, uint64_t payload, struct upcr_site *site)
{
  struct request request = { .question = SHOW, .record = record, .offset = payload };

  add_site (&request, site);
  if (record.is_symmetric)
    ask_all (&request, -1, NULL);
  else
    upcr_block_show (record, payload, site);
}

static void
count (const struct upcr_block_record *record, struct upcr_site *site, bool is_freed)
{
  struct request request = { .question = COUNT, .record = *record, .is_freed = is_freed };

  add_site (&request, site);
  ask (0, &request);
}

/* Tells others of what ANSWER says has left. */
static void
tell_left (struct answer *answer)
{
  for (int i = 0; i < answer->left_count; i++)
    ask_all (&(struct request){ .question = LEAVE, .offset = answer->left[i] }, 0, &answer->freed);
}

static struct upcr_freed
free_anywhere (upcr_pts block, struct upcr_freeing freeing)
{
  uint32_t thread = upcr_pts_thread (block);
  struct request request
      = { .question = FREE, .block = block, .offset = upcr_pts_offset (block), .freeing = freeing };
  struct upcr_block_record *record;
  struct answer answer;

  if (thread >= (uint32_t) THREADS)
    return (struct upcr_freed){ .verdict = UPCR_BLOCK_NONE };
  add_site (&request, freeing.site);
  answer = ask (upcr_process_of (thread), &request).answer;
  if (answer.freed.verdict != UPCR_BLOCK_FREED)
    return answer.freed;
  record = &answer.freed.record;
  record->allocated = record->allocated ? site_of (&answer.allocated, answer.code) : NULL;
  request.question = HIDE;
  request.record = *record;
  if (record->is_symmetric)
    ask_all (&request, 0, &answer.freed);
  tell_left (&answer);
  return answer.freed;
}

size_t
upcr_quarantined_anywhere (size_t from, uint64_t *payloads, size_t most)
{
  struct list list = ask (0, &(struct request){ .question = QUARANTINED, .offset = from }).list;
  size_t count = list.count < most ? list.count : most;

  memcpy (payloads, list.payloads, count * sizeof *payloads);
  return count;
}

bool
upcr_is_whole_anywhere (uint32_t thread, uint64_t offset, uint64_t bytes)
{
  struct request request
      = { .question = IS_WHOLE, .thread = thread, .offset = offset, .bytes = bytes };

  if (thread >= (uint32_t) THREADS || upcr_is_near (upcr_segment_address (thread, 0)))
    return upcr_is_whole (thread, offset, bytes);
  return ask (upcr_process_of (thread), &request).answer.value;
}

bool
upcr_is_far_and_whole (const void *address, uint64_t bytes)
{
  uint64_t distance = (const char *) address - upcr_segment_address (0, 0);

  return upcr_is_far (address)
         && upcr_is_whole_anywhere (distance / UPCR_STRIDE, distance % UPCR_STRIDE, bytes);
}

static void
ask_for_text (int process, const struct request *request, char *text, size_t size)
{
  union reply reply = ask (process, request);

  snprintf (text, size, "%s", reply.text);
}

/* Process 0 knows the symmetric blocks of a plain heap. */
void
upcr_text_anywhere (uint32_t thread, uint64_t offset, uint64_t bytes, char *text, size_t size)
{
  struct request request = { .question = TEXT, .thread = thread, .offset = offset, .bytes = bytes };

  if (thread >= (uint32_t) THREADS)
    upcr_access_text (thread, offset, bytes, text, size);
  else if (upcr_is_checked || offset >= upcr_symmetric_end ())
    ask_for_text (upcr_process_of (thread), &request, text, size);
  else
    ask_for_text (0, &request, text, size);
}

void
upcr_overrun_text_anywhere (uint32_t thread, uint64_t payload, char *text, size_t size)
{
  struct request request = { .question = OVERRUN_TEXT, .thread = thread, .offset = payload };

  ask_for_text (upcr_process_of (thread), &request, text, size);
}

void
upcr_freeing_text_anywhere (const void *address, char *text, size_t bytes)
{
  uint64_t distance = (const char *) address - upcr_segment_address (0, 0);
  struct request request = { .question = FREEING_TEXT,
                             .thread = distance / UPCR_STRIDE,
                             .offset = distance % UPCR_STRIDE };

  if (distance / UPCR_STRIDE >= (uint64_t) THREADS)
    *text = 0;
  else
    ask_for_text (upcr_process_of (request.thread), &request, text, bytes);
}
