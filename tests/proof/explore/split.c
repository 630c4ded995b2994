/* Explores the end of a team: its last member to leave frees it. */

#include "runtime.h"

#define upcr_team_delete delete_team
#include "runtime/coll/team.c"
#undef upcr_team_delete
void upcr_team_delete (upcr_team *t);
#include "runtime/coll/split.c"
#include "runtime/sync/mechanism/exclusive.c"

#include <string.h>

enum
{
  MEMBERS = 3
};

bool upcr_has_threads, upcr_is_checked;
static upcr_team team;
static int ranks[MEMBERS] = { 0, 1, 2 }, deleted;
static uint32_t sent[MEMBERS];

void
explore_setup (void)
{
  leave_out_diagnosis ();
}

/* Of teams that are made, which none is here. */
int
upcr_forced_algorithm (void)
{
  return -1;
}

/* What comes too late races with this. */
void
upcr_team_delete (upcr_team *t)
{
  explore_write (t, sizeof *t);
  for (int m = 0; m < THREADS; m++)
    EXPLORE_REQUIRE (sent[m] == 1);
  deleted++;
}

static void
begin (int threads)
{
  THREADS = threads;
  upcr_has_threads = false;
  memset (sent, 0, sizeof sent);
  deleted = 0;
  team = (upcr_team){ .size = threads, .ranks = ranks };
  team.barrier.size = threads;
}

static void
free_team (void)
{
  sent[MYTHREAD] = 1;
  gasnet_coll_team_free (&team);
}

static void
end (void)
{
  EXPLORE_REQUIRE (deleted == 1);
}

#define CASE(function, threads)                           \
  {                                                       \
#function "_" #threads, threads, begin, function, end \
  }
const struct explore_case explore_cases[] = {
  CASE (free_team, 2),
  CASE (free_team, 3),
  { 0 },
};
