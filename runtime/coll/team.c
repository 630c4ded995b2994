/* Teams and their mailboxes. */

#include "runtime/coll/team.h"

#include "runtime/coll/algorithms.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <pthread.h>
#include <stdlib.h>

_Atomic (upcr_team *) upcr_team_all_made;

/* Made so far. */
static _Atomic uint64_t teams;

/* Those that there are. */
static upcr_team *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
enter_list (upcr_team *team)
{
  pthread_mutex_lock (&lock);
  team->next = first;
  team->link = &first;
  if (first)
    first->link = &team->next;
  first = team;
  pthread_mutex_unlock (&lock);
}

static void
leave_list (upcr_team *team)
{
  pthread_mutex_lock (&lock);
  *team->link = team->next;
  if (team->next)
    team->next->link = team->link;
  pthread_mutex_unlock (&lock);
}

/* Zeros at a cache line, of which pages appear when touched: most of a mailbox never is.
   *MEMORY is what is to be freed. */
static void *
zeroed (size_t bytes, void **memory)
{
  *memory = calloc (1, bytes + 63);
  if (!*memory)
    upcr_fatal ("no memory for a team of threads");
  return (void *) (((uintptr_t) *memory + 63) & -64ul);
}

void
upcr_team_delete (upcr_team *team)
{
  leave_list (team);
  for (uint32_t m = 0; m < team->size; m++)
    for (int i = 0; i < UPCR_SLOTS; i++)
      free (team->members[m].spill[i]);
  free (team->memory_of_members);
  free (team->threads);
  free (team->ranks);
  free (team->memory);
}

upcr_team *
upcr_team_new (uint32_t size)
{
  void *memory;
  upcr_team *team = zeroed (sizeof *team, &memory);

  team->memory = memory;
  team->size = size;
  team->forced = upcr_forced_algorithm ();
  team->has_detour = upcr_checks_calls () || team->forced >= 0;
  team->id = atomic_fetch_add_explicit (&teams, 1, memory_order_relaxed);
  team->members = zeroed (size * sizeof *team->members, &team->memory_of_members);
  for (uint32_t m = 0; m < size; m++)
    team->members[m].all_left = 1;
  team->barrier.size = size;
  enter_list (team);
  return team;
}

void
upcr_teams_end (void)
{
  atomic_store_explicit (&upcr_team_all_made, NULL, memory_order_relaxed);
  while (first)
    upcr_team_delete (first);
}

/* Several threads may come first; one's work stays. */
__attribute__ ((cold)) upcr_team *
upcr_team_make_all (void)
{
  upcr_team *mine = upcr_team_new (THREADS), *there = NULL;

  mine->is_all = true;
  if (atomic_compare_exchange_strong_explicit (&upcr_team_all_made, &there, mine,
                                               memory_order_acq_rel, memory_order_acquire))
    return mine;
  upcr_team_delete (mine);
  return there;
}

upcr_team *
upcr_team_of (gasnet_team_handle_t team, const char *what)
{
  if (team == GASNET_TEAM_ALL)
    return upcr_team_all ();
  if (team == GASNET_TEAM_NONE || team->ranks[MYTHREAD] < 0)
    upcr_fatal ("%s: this thread is not in the team", what);
  return team;
}

void
upcr_mailbox_await_free (upcr_team *team, struct upcr_member *member, uint32_t number)
{
  uint32_t least = member->sequence;

  for (uint32_t m = 0; m < team->size; m++)
    {
      _Atomic uint32_t *left = &team->members[m].left;
      uint32_t seen;

      if (&team->members[m] == member)
        continue;
      while (seen = atomic_load_explicit (left, memory_order_acquire),
             (int32_t) (seen - number) < 0)
        upcr_park_while (left, seen);
      if ((int32_t) (seen - least) < 0)
        least = seen;
    }
  member->all_left = least + 1;
}

/* Others may read what was there until they left that operation; they have. */
void *
upcr_mailbox_spill (upcr_team *team, uint32_t rank, uint32_t number, size_t bytes)
{
  struct upcr_member *member = &team->members[rank];
  uint32_t i = number % UPCR_SLOTS;

  if (member->spill_bytes[i] < bytes)
    {
      free (member->spill[i]);
      member->spill[i] = malloc (bytes);
      if (!member->spill[i])
        upcr_fatal ("no memory for an element of %zu bytes", bytes);
      member->spill_bytes[i] = bytes;
    }
  return member->spill[i];
}

/* With a pause between the looks, as in barriers. */
static bool
is_number_soon (_Atomic uint32_t *word, uint32_t number)
{
  for (int looks = 0; looks < UPCR_QUICK_LOOKS && !upcr_is_oversubscribed (); looks++)
    {
      if (atomic_load_explicit (word, memory_order_acquire) == number)
        return true;
      upcr_pause ();
    }
  return false;
}

void
upcr_await_number_slowly (_Atomic uint32_t *word, uint32_t number, const char *what)
{
  uint32_t seen;

  if (is_number_soon (word, number))
    return;
  upcr_set_wait_reason (what, NULL);
  while (seen = atomic_load_explicit (word, memory_order_acquire), seen != number)
    upcr_park_while (word, seen);
}

void
upcr_team_barrier (upcr_team *team, const char *what)
{
  uint32_t epoch = upcr_central_epoch (&team->barrier);

  if (upcr_central_arrive (&team->barrier))
    upcr_central_open (&team->barrier);
  else
    upcr_central_await (&team->barrier, epoch, what);
}
