/* With UPC_CHECK=1: is a permutation valid?

   Its entries must not be read before the data that they belong to may be. So each entry is
   noted when its block is moved, by the member that moves it, in a record of the call. The last
   entry removes the record. */

#include "runtime/coll/context.h"

#include <pthread.h>
#include <stdlib.h>

struct upcr_targets
{
  uint64_t number; /* of the call (check.c) */
  uint32_t noted;
  struct upcr_targets *next;
  uint32_t entry_of[]; /* 1 + the entry that names this member; 0: none yet */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Where in the list of TEAM the record of call NUMBER is; made where it is not there. */
static struct upcr_targets **
record_of (upcr_team *team, uint64_t number, const char *what)
{
  struct upcr_targets **link = &team->targets, *record;

  while (*link && (*link)->number != number)
    link = &(*link)->next;
  if (*link)
    return link;
  record = calloc (1, sizeof *record + team->size * sizeof *record->entry_of);
  if (!record)
    upcr_fatal ("%s: no memory to check it", what);
  record->number = number;
  *link = record;
  return link;
}

/* The entry that named TO before; ENTRY where there is none. */
static uint32_t
note (const struct upcr_context *ctx, uint32_t entry, uint32_t to)
{
  struct upcr_targets **link = record_of (ctx->team, ctx->checked, ctx->call->what);
  struct upcr_targets *record = *link;
  uint32_t before = record->entry_of[to] ? record->entry_of[to] - 1 : entry;

  record->entry_of[to] = entry + 1;
  if (++record->noted == ctx->size)
    {
      *link = record->next;
      free (record);
    }
  return before;
}

void
upcr_check_target (const struct upcr_context *ctx, uint32_t entry, uint32_t to)
{
  uint32_t before;

  pthread_mutex_lock (&lock);
  before = note (ctx, entry, to);
  pthread_mutex_unlock (&lock);
  if (before != entry)
    upcr_fatal ("%s: perm[%u] and perm[%u] are both %u", ctx->call->what,
                before < entry ? before : entry, before < entry ? entry : before, to);
}
