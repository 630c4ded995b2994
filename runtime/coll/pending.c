/* The table in which descriptors of operations are found: one hash table for all teams, without
   locks. A descriptor that all members have left is removed, and freed when no thread can be
   looking at it any more. Threads register with liburcu at their first look.

   ThreadSanitizer does not see into liburcu: `ready` and `refs` tell it what the table and the
   grace period guarantee. The table keeps its size, for two reasons. To resize it liburcu uses
   its own threads, for which that could not be expressed. And it would take many more operations
   than are ever in flight to make chains slow. */

#include "runtime/coll/pending.h"

#include "runtime/host/host.h"
#include "runtime/start/start.h"

#include <stdlib.h>
#include <string.h>

enum
{
  BUCKETS = 4096
};

static _Atomic (struct cds_lfht *) table;

static __attribute__ ((noinline, cold)) struct cds_lfht *
make_table (void)
{
  struct cds_lfht *there = NULL;
  struct cds_lfht *mine = cds_lfht_new_flavor (BUCKETS, BUCKETS, BUCKETS, 0, &urcu_bp_flavor, NULL);

  if (!mine)
    upcr_fatal ("no memory for the table of collective operations");
  if (atomic_compare_exchange_strong_explicit (&table, &there, mine, memory_order_acq_rel,
                                               memory_order_acquire))
    return mine;
  cds_lfht_destroy (mine, NULL);
  return there;
}

static struct cds_lfht *
the_table (void)
{
  struct cds_lfht *there = atomic_load_explicit (&table, memory_order_acquire);

  return there ? there : make_table ();
}

struct key
{
  uint64_t team_id;
  uint32_t number;
};

static unsigned long
hash (struct key key)
{
  uint64_t mixed = (key.team_id << 32 ^ key.number) * 0x9E3779B97F4A7C15u;

  return mixed ^ mixed >> 32;
}

static int
matches (struct cds_lfht_node *node, const void *wanted)
{
  const struct upcr_pending *pending = caa_container_of (node, struct upcr_pending, node);
  const struct key *key = wanted;

  return atomic_load_explicit (&pending->ready, memory_order_acquire)
         && pending->team_id == key->team_id && pending->number == key->number;
}

static size_t
aligned (size_t bytes)
{
  return (bytes + 15) & -16ul;
}

/* Behind the portions are the addresses, and for computations a partial result of each
   portion, and for scans what comes before it. */
static struct upcr_pending *
new_pending (upcr_team *team, uint32_t number, const struct upcr_coll *call)
{
  size_t portions = aligned (sizeof (struct upcr_pending)
                             + team->size * sizeof (struct upcr_portion));
  size_t fixed = aligned (portions + team->size * sizeof (struct upcr_addresses));
  size_t partial = upcr_kind_has (call->kind, COMPUTES) ? aligned (call->op->bytes) : 0;
  size_t results = team->size * partial * (call->kind == UPCR_SCAN ? 2 : 1);
  struct upcr_pending *pending = malloc (fixed + results);

  if (!pending)
    upcr_fatal ("%s: no memory", call->what);
  memset (pending, 0, fixed);
  pending->team_id = team->id;
  pending->number = number;
  pending->addresses = (struct upcr_addresses *) ((char *) pending + portions);
  pending->partials = (char *) pending + fixed;
  pending->partial_bytes = partial;
  atomic_init (&pending->refs, team->size);
  cds_lfht_node_init (&pending->node);
  atomic_store_explicit (&pending->ready, 1, memory_order_release);
  return pending;
}

struct upcr_pending *
upcr_pending_find (upcr_team *team, uint32_t number, const struct upcr_coll *call)
{
  struct cds_lfht *in = the_table ();
  struct key key = { team->id, number };
  struct cds_lfht_node *node;
  struct cds_lfht_iter iter;
  struct upcr_pending *mine;

  urcu_bp_read_lock ();
  cds_lfht_lookup (in, hash (key), matches, &key, &iter);
  node = cds_lfht_iter_get_node (&iter);
  if (!node)
    {
      mine = new_pending (team, number, call);
      node = cds_lfht_add_unique (in, hash (key), matches, &key, &mine->node);
      if (node != &mine->node)
        free (mine);
    }
  urcu_bp_read_unlock ();
  return caa_container_of (node, struct upcr_pending, node);
}

static void
reclaim (struct rcu_head *head)
{
  struct upcr_pending *pending = caa_container_of (head, struct upcr_pending, rcu);

  (void) atomic_load_explicit (&pending->refs, memory_order_acquire);
  free (pending);
}

/* liburcu makes a thread that reclaims, at its first call. */
static void
note_helper (void)
{
  static atomic_flag is_noted = ATOMIC_FLAG_INIT;

  if (!atomic_flag_test_and_set_explicit (&is_noted, memory_order_relaxed))
    upcr_helper_threads++;
}

void
upcr_pending_put (struct upcr_pending *pending)
{
  if (atomic_fetch_sub_explicit (&pending->refs, 1, memory_order_acq_rel) != 1)
    return;
  urcu_bp_read_lock ();
  cds_lfht_del (the_table (), &pending->node);
  urcu_bp_read_unlock ();
  urcu_bp_call_rcu (&pending->rcu, reclaim);
  note_helper ();
}
