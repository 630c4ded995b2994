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

/* A move out, or in, that waits for its partner, or until its process hears that it is done. */
struct pending
{
  struct pending *next;
  int owner;
  bool is_out, is_done;
  struct upcr_move move;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int size;
static unsigned random_state, delay;
static struct inbox inboxes[UPCR_SELF_PROCESSES];
static struct pending *pendings, **pendings_end;
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

/* Where the first move of PROCESS that is done is, or the end of the list. */
static struct pending **
done_of (int process)
{
  struct pending **at = &pendings;

  while (*at && ((*at)->owner != process || !(*at)->is_done))
    at = &(*at)->next;
  return at;
}

void
upcr_self_begin (int processes, unsigned seed, unsigned polls)
{
  size = processes;
  random_state = seed;
  delay = polls;
  memset (&barrier, 0, sizeof barrier);
  memset (sent, 0, sizeof sent);
  pendings_end = &pendings;
  for (int p = 0; p < size; p++)
    inboxes[p] = (struct inbox){ NULL, &inboxes[p].first };
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
  has_more = inboxes[rank].first || *done_of (rank);
  pthread_mutex_unlock (&lock);
  return has_more;
}

unsigned
upcr_self_end (void)
{
  unsigned count = 0;

  for (int p = 0; p < size; p++)
    for (struct message *m; (m = inboxes[p].first); count++)
      {
        inboxes[p].first = m->next;
        free (m);
      }
  for (struct pending *p; (p = pendings); count++)
    {
      pendings = p->next;
      free (p);
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

static bool
are_partners (const struct pending *a, const struct pending *b)
{
  return a->is_out != b->is_out && !a->is_done && a->owner == b->move.process
         && b->owner == a->move.process && a->move.tag == b->move.tag;
}

/* Those that were begun first belong together. */
static void
meet_partner (struct pending *mine)
{
  struct pending *its = pendings, *out, *in;

  while (its && !are_partners (its, mine))
    its = its->next;
  if (!its)
    return;
  out = mine->is_out ? mine : its;
  in = mine->is_out ? its : mine;
  if (out->move.bytes != in->move.bytes)
    upcr_fatal ("process %d sends %zu bytes, and %d receives %zu", out->owner, out->move.bytes,
                in->owner, in->move.bytes);
  memcpy (in->move.memory, out->move.memory, in->move.bytes);
  mine->is_done = its->is_done = true;
}

static void
begin_move (const struct upcr_move *move, bool is_out)
{
  struct pending *mine = malloc (sizeof *mine);

  if (!mine)
    upcr_fatal ("no memory for a transfer to another process");
  *mine = (struct pending){ .owner = rank, .is_out = is_out, .move = *move };
  pthread_mutex_lock (&lock);
  meet_partner (mine);
  *pendings_end = mine;
  pendings_end = &mine->next;
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
  struct pending **at = done_of (rank), *p = *at;

  if (!p || next_random (delay) != 0)
    return NULL;
  *at = p->next;
  if (!*at)
    pendings_end = at;
  return p;
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
  struct pending *done;

  pthread_mutex_lock (&lock);
  m = take (&inboxes[rank]);
  done = take_done ();
  pthread_mutex_unlock (&lock);
  if (m)
    upcr_net_deliver (m->sender, &m->head, m->body);
  if (done)
    upcr_net_moved (&done->move);
  free (m);
  free (done);
  return m || done;
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
