/* Teams and their boards. */

#include "runtime/coll/team.h"

#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <stdlib.h>

_Atomic (upcr_team *) upcr_team_all_made;

/* Made so far. */
static _Atomic uint64_t teams;

/* Zeros at a cache line, of which pages appear when touched: most of a board never is.
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
  for (uint32_t m = 0; m < team->size; m++)
    for (int i = 0; i < UPCR_RING; i++)
      free (team->members[m].rooms[i]);
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
  team->id = atomic_fetch_add_explicit (&teams, 1, memory_order_relaxed);
  team->members = zeroed (size * sizeof *team->members, &team->memory_of_members);
  for (uint32_t m = 0; m < size; m++)
    team->members[m].room = 1;
  team->assembly.size = size;
  return team;
}

/* Several threads may come first; one's work stays. */
__attribute__ ((cold)) upcr_team *
upcr_team_make_all (void)
{
  upcr_team *mine = upcr_team_new (THREADS), *there = NULL;

  mine->is_all = true;
  if (atomic_compare_exchange_strong_explicit (&upcr_team_all_made, &there, mine, memory_order_acq_rel,
                                               memory_order_acquire))
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
upcr_board_make_room (upcr_team *team, struct upcr_member *member, uint32_t number)
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
  member->room = least + 1;
}

/* Others may read what was there until they left that operation; they have. */
void *
upcr_board_room (upcr_team *team, uint32_t rank, uint32_t number, size_t bytes)
{
  struct upcr_member *member = &team->members[rank];
  uint32_t i = number % UPCR_RING;

  if (member->room_bytes[i] < bytes)
    {
      free (member->rooms[i]);
      member->rooms[i] = malloc (bytes);
      if (!member->rooms[i])
        upcr_fatal ("no memory for an element of %zu bytes", bytes);
      member->room_bytes[i] = bytes;
    }
  return member->rooms[i];
}
