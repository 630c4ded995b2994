/* Splitting teams. Each member learns the color and key of all members, and so finds its own
   team. The first member of a team creates it, and the others get it from that member. */

#include "runtime/coll/context.h"

#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <stdlib.h>

struct choice
{
  int color, key;
  uint32_t rank; /* in the team that is split */
  upcr_team *made;
};

static void
gather_choices (gasnet_team_handle_t team, const char *what, struct choice *mine,
                struct choice *all)
{
  upcr_coll_run (&(struct upcr_coll){ .what = what,
                                      .kind = UPCR_GATHER_ALL,
                                      .team = team,
                                      .dst = all,
                                      .src = mine,
                                      .bytes = sizeof *mine,
                                      .flags = GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC
                                               | GASNET_COLL_LOCAL });
}

static int
compare (const void *a, const void *b)
{
  const struct choice *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Puts those of COLOR in front, in the order of the new team. */
static uint32_t
select_color (struct choice *choices, uint32_t count, int color)
{
  uint32_t selected = 0;

  for (uint32_t i = 0; i < count; i++)
    if (choices[i].color == color)
      choices[selected++] = choices[i];
  qsort (choices, selected, sizeof *choices, compare);
  return selected;
}

static upcr_team *
make (const upcr_team *parent, const struct choice *members, uint32_t size)
{
  upcr_team *team = upcr_team_new (size);

  team->threads = malloc (size * sizeof *team->threads);
  team->ranks = malloc (THREADS * sizeof *team->ranks);
  if (!team->threads || !team->ranks)
    upcr_fatal ("no memory for a team of threads");
  for (int t = 0; t < THREADS; t++)
    team->ranks[t] = -1;
  for (uint32_t i = 0; i < size; i++)
    {
      team->threads[i] = upcr_team_thread (parent, members[i].rank);
      team->ranks[team->threads[i]] = i;
    }
  return team;
}

gasnet_team_handle_t
gasnet_coll_team_split (gasnet_team_handle_t team, int color, int key)
{
  const char *what = "gasnet_coll_team_split";
  UPCR_EXCLUSIVE (what);
  upcr_team *parent = upcr_team_of (team, what);
  uint32_t rank = upcr_team_rank (parent, MYTHREAD), size;
  struct choice mine = { color, key, rank, NULL };
  struct choice *all = malloc (2 * parent->size * sizeof *all), *members = all + parent->size;

  if (!all)
    upcr_fatal ("%s: no memory", what);
  gather_choices (team, what, &mine, members);
  size = select_color (members, parent->size, color);
  if (color >= 0 && members[0].rank == rank)
    mine.made = make (parent, members, size);
  gather_choices (team, what, &mine, all);
  mine.made = color < 0 ? GASNET_TEAM_NONE : all[members[0].rank].made;
  free (all);
  return mine.made;
}

void
gasnet_coll_team_free (gasnet_team_handle_t team)
{
  UPCR_EXCLUSIVE ("gasnet_coll_team_free");
  upcr_team *t;
  uint32_t size;

  if (team == GASNET_TEAM_ALL)
    upcr_fatal ("gasnet_coll_team_free: GASNET_TEAM_ALL stays");
  t = upcr_team_of (team, "gasnet_coll_team_free");
  size = t->size;
  /* The last member may still be looking at the barrier when the first is through, so
     the first to come is not the one that frees: the last one to leave is. */
  upcr_team_barrier (t, "gasnet_coll_team_free");
  if (atomic_fetch_add_explicit (&t->leaving, 1, memory_order_acq_rel) + 1 == size)
    upcr_team_delete (t);
}

gasnet_image_t
gasnet_coll_team_size (gasnet_team_handle_t team)
{
  return upcr_team_of (team, "gasnet_coll_team_size")->size;
}

gasnet_image_t
gasnet_coll_team_rank (gasnet_team_handle_t team)
{
  return upcr_team_rank (upcr_team_of (team, "gasnet_coll_team_rank"), MYTHREAD);
}

gasnet_image_t
gasnet_coll_team_image (gasnet_team_handle_t team, gasnet_image_t image)
{
  const upcr_team *t = upcr_team_of (team, "gasnet_coll_team_image");

  if (image >= t->size)
    upcr_fatal ("gasnet_coll_team_image: image %u of %u", image, t->size);
  return upcr_team_thread (t, image);
}
