/* The engine within one process, for tests. Its processes are threads, which count what they send.
   Messages from one process to another arrive in order; those from several arrive late, and in any
   order. It is the example of an engine (engine.h).

   Everything but `rank` is read and written under `lock`. */

#include "runtime/net/self.h"

#include "runtime/net/engine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct message
{
  struct message *next;
  int sender;
  struct upcr_head head;
  char body[];
};

/* Messages to one process, those of all senders in the order in which they were sent. */
struct inbox
{
  struct message *first, **end;
};

/* A move out, or in. */
struct pending
{
  struct pending *next;
  int owner;
  bool is_out;
  struct upcr_move move;
};

struct pendings
{
  struct pending *first, **end;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int size;
static unsigned random_state, delay;
static struct inbox inboxes[UPCR_SELF_PROCESSES];
/* Of each process: those that wait for their partners, and those that are done, until the process hears of it. */
static struct pendings waiting[UPCR_SELF_PROCESSES], done[UPCR_SELF_PROCESSES];
static struct upcr_self_count sent[UPCR_SELF_PROCESSES];

static struct
{
  int arrived;
  unsigned phase;
  struct upcr_net_most most, last;
} barrier;

static __thread int rank;
static __thread unsigned phase; /* of the barrier that this process has begun */

static unsigned
next_random (unsigned limit)
{
  random_state = random_state * 1103515245 + 12345;
  return (random_state >> 16) % limit;
}

static void
append (struct pendings *list, struct pending *p)
{
  p->next = NULL;
  *list->end = p;
  list->end = &p->next;
}

static struct pending *
take_out (struct pendings *list, struct pending **at)
{
  struct pending *p = *at;

  *at = p->next;
  if (!*at)
    list->end = at;
  return p;
}

static unsigned
free_all (struct pendings *list)
{
  unsigned count = 0;

  for (; list->first; count++)
    free (take_out (list, &list->first));
  return count;
}

void
upcr_self_begin (int processes, unsigned seed, unsigned polls)
{
  size = processes;
  random_state = seed;
  delay = polls;
  memset (&barrier, 0, sizeof barrier);
  memset (sent, 0, sizeof sent);
  for (int p = 0; p < size; p++)
    {
      inboxes[p] = (struct inbox){ NULL, &inboxes[p].first };
      waiting[p] = (struct pendings){ NULL, &waiting[p].first };
      done[p] = (struct pendings){ NULL, &done[p].first };
    }
}

void
upcr_self_enter (int process)
{
  rank = process;
  phase = 0;
}

struct upcr_self_count
upcr_self_sent (int process)
{
  struct upcr_self_count count;

  pthread_mutex_lock (&lock);
  count = sent[process];
  pthread_mutex_unlock (&lock);
  return count;
}

bool
upcr_self_has_more (void)
{
  bool has_more;

  pthread_mutex_lock (&lock);
  has_more = inboxes[rank].first || done[rank].first;
  pthread_mutex_unlock (&lock);
  return has_more;
}

unsigned
upcr_self_end (void)
{
  unsigned count = 0;

  for (int p = 0; p < size; p++)
    {
      for (struct message *m; (m = inboxes[p].first); count++)
        {
          inboxes[p].first = m->next;
          free (m);
        }
      count += free_all (&waiting[p]) + free_all (&done[p]);
    }
  return count;
}

void
upcr_engine_init (void)
{
}

struct upcr_net_place
upcr_engine_place (void)
{
  return (struct upcr_net_place){ rank, size, rank, 1 };
}

/* Its processes share no memory that they know of. */
void
upcr_engine_group (int most)
{
  (void) most;
}

void
upcr_engine_gather (const void *mine, void *all, size_t bytes)
{
  memcpy (all, mine, bytes);
}

bool
upcr_engine_settle (bool can_share, int *first_near)
{
  for (int p = 0; p < size; p++)
    first_near[p] = p;
  return can_share;
}

bool
upcr_engine_send (int process, const struct upcr_head *head, const void *body,
                  enum upcr_message_kind kind)
{
  struct message *m = malloc (sizeof *m + head->bytes);

  (void) kind;
  if (!m)
    upcr_fatal ("no memory for a message to another process");
  *m = (struct message){ .sender = rank, .head = *head };
  if (head->bytes)
    memcpy (m->body, body, head->bytes);
  pthread_mutex_lock (&lock);
  sent[rank].messages++;
  sent[rank].bytes += head->bytes;
  *inboxes[process].end = m;
  inboxes[process].end = &m->next;
  pthread_mutex_unlock (&lock);
  return true;
}

/* The partner of MINE, which waits no longer, or NULL. Those that were begun first belong together. */
static struct pending *
take_partner (const struct pending *mine)
{
  struct pendings *list = &waiting[mine->move.process];

  for (struct pending **at = &list->first, *its; (its = *at); at = &its->next)
    if (its->is_out != mine->is_out && its->move.process == mine->owner
        && its->move.tag == mine->move.tag)
      return take_out (list, at);
  return NULL;
}

static void
join (struct pending *mine, struct pending *its)
{
  struct pending *out = mine->is_out ? mine : its, *in = mine->is_out ? its : mine;

  if (out->move.bytes != in->move.bytes)
    upcr_fatal ("process %d sends %zu bytes, and %d receives %zu", out->owner, out->move.bytes,
                in->owner, in->move.bytes);
  memcpy (in->move.memory, out->move.memory, in->move.bytes);
  append (&done[mine->owner], mine);
  append (&done[its->owner], its);
}

static void
begin_move (const struct upcr_move *move, bool is_out)
{
  struct pending *mine = malloc (sizeof *mine), *its;

  if (!mine)
    upcr_fatal ("no memory for a transfer to another process");
  *mine = (struct pending){ .owner = rank, .is_out = is_out, .move = *move };
  pthread_mutex_lock (&lock);
  its = take_partner (mine);
  if (its)
    join (mine, its);
  else
    append (&waiting[rank], mine);
  if (is_out)
    {
      sent[rank].messages++;
      sent[rank].bytes += move->bytes;
    }
  pthread_mutex_unlock (&lock);
}

void
upcr_engine_move_out (const struct upcr_move *move)
{
  begin_move (move, true);
}

void
upcr_engine_move_in (const struct upcr_move *move)
{
  begin_move (move, false);
}

static struct pending *
take_done (void)
{
  struct pendings *list = &done[rank];

  return list->first && next_random (delay) == 0 ? take_out (list, &list->first) : NULL;
}

/* The first message of a sender that chance chooses: that of the first one in the inbox, mostly. */
static struct message *
take (struct inbox *inbox)
{
  struct message **at = &inbox->first, *m;
  int first = inbox->first ? inbox->first->sender : 0;

  if (!inbox->first || next_random (delay) != 0)
    return NULL;
  if (next_random (2))
    while (*at && (*at)->sender == first)
      at = &(*at)->next;
  if (!*at)
    at = &inbox->first;
  m = *at;
  *at = m->next;
  if (!*at)
    inbox->end = at;
  return m;
}

bool
upcr_engine_poll (void)
{
  struct message *m;
  struct pending *moved;

  pthread_mutex_lock (&lock);
  m = take (&inboxes[rank]);
  moved = take_done ();
  pthread_mutex_unlock (&lock);
  if (m)
    upcr_net_deliver (m->sender, &m->head, m->body);
  if (moved)
    upcr_net_moved (&moved->move);
  free (m);
  free (moved);
  return m || moved;
}

void
upcr_engine_barrier_begin (struct upcr_net_most mine)
{
  pthread_mutex_lock (&lock);
  phase++;
  for (int i = 0; i < 2; i++)
    if (barrier.arrived == 0 || mine.value[i] > barrier.most.value[i])
      barrier.most.value[i] = mine.value[i];
  if (++barrier.arrived == size)
    {
      barrier.last = barrier.most;
      barrier.arrived = 0;
      barrier.phase++;
    }
  pthread_mutex_unlock (&lock);
}

/* Nobody begins the next one before all are through with this one's result: only who has seen it does. */
bool
upcr_engine_barrier_try (struct upcr_net_most *all)
{
  bool is_over;

  pthread_mutex_lock (&lock);
  is_over = barrier.phase >= phase;
  if (is_over)
    *all = barrier.last;
  pthread_mutex_unlock (&lock);
  return is_over;
}

bool
upcr_engine_end (int status)
{
  (void) status;
  return true;
}

void
upcr_engine_abort (int status)
{
  _exit (status);
}
