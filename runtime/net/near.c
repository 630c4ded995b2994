/* The memory that processes of one node share. Each process creates a file in memory, which the others
   open by its number in /proc. So no name can remain after a crash, no limit of /dev/shm applies, and the
   system need not be told when the run ends. If a process may not open another's file, as in separate
   containers, no process of the node shares. The first page of each file has a number, by which the
   process that opened it knows that it is the right one.

   files[p - first_near]   the descriptors; written at the start, until upcr_net_close_files */

#include "runtime/net/engine.h"
#include "runtime/net/net.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

/* What a process tells its neighbours of itself. */
struct card
{
  int pid;
  int file;
  uint64_t token;
  int cpus;
  cpu_set_t mask;
};

static int *files;

/* The first process of each node; of all, from upcr_net_share on. */
static int *firsts;
static int node_count;

/* A file of zeros with TOKEN at its start; -1: the system has none. */
static int
make_file (size_t bytes, uint64_t token)
{
  int file = memfd_create ("upc", MFD_CLOEXEC);
  void (*handler) (int);
  bool is_whole;

  if (file < 0)
    return -1;
  /* What a limit of the size of files sends. */
  handler = signal (SIGXFSZ, SIG_IGN);
  is_whole = ftruncate (file, bytes) == 0 && pwrite (file, &token, sizeof token, 0) == sizeof token;
  signal (SIGXFSZ, handler);
  if (is_whole)
    return file;
  close (file);
  return -1;
}

static struct card
make_card (size_t bytes, int cpus)
{
  struct card card = { .pid = getpid (), .cpus = cpus };

  if (getrandom (&card.token, sizeof card.token, 0) != sizeof card.token)
    card.token = (uint64_t) card.pid << 32 | (uintptr_t) &card >> 4;
  sched_getaffinity (0, sizeof card.mask, &card.mask);
  card.file = make_file (bytes, card.token);
  return card;
}

static int
open_file (const struct card *card)
{
  uint64_t token;
  char path[64];
  int file;

  if (card->file < 0)
    return -1;
  snprintf (path, sizeof path, "/proc/%d/fd/%d", card->pid, card->file);
  file = open (path, O_RDWR | O_CLOEXEC);
  if (file < 0)
    return -1;
  if (pread (file, &token, sizeof token, 0) == sizeof token && token == card->token)
    return file;
  close (file);
  return -1;
}

static bool
open_files (const struct card *cards, int count, int own)
{
  bool are_all_there = true;

  for (int i = 0; i < count; i++)
    {
      files[i] = i == own ? cards[i].file : open_file (&cards[i]);
      are_all_there &= files[i] >= 0;
    }
  return are_all_there;
}

static void
close_files (int count)
{
  for (int i = 0; i < count; i++)
    if (files[i] >= 0)
      close (files[i]);
  free (files);
  files = NULL;
}

/* Those that any of them may run on. Where a quota leaves fewer than a process's mask has, it is one for all
   in that mask. */
static int
count_cpus (const struct card *cards, int count)
{
  cpu_set_t all;
  int quota = INT32_MAX, cpus;

  CPU_ZERO (&all);
  for (int i = 0; i < count; i++)
    {
      CPU_OR (&all, &all, &cards[i].mask);
      if (cards[i].cpus < CPU_COUNT (&cards[i].mask) && cards[i].cpus < quota)
        quota = cards[i].cpus;
    }
  cpus = CPU_COUNT (&all);
  return cpus < quota ? cpus : quota;
}

/* From the first neighbour of each process. */
static void
number_nodes (void)
{
  for (int p = 0; p < upcr_engine_place ().size; p++)
    if (firsts[p] == p)
      firsts[node_count++] = p;
}

int
upcr_net_node_count (void)
{
  return node_count;
}

int
upcr_net_first_of_node (int node)
{
  return firsts[node];
}

int
upcr_net_node_of (int process)
{
  int from = 0, to = node_count;

  while (to - from > 1)
    if (firsts[(from + to) / 2] <= process)
      from = (from + to) / 2;
    else
      to = (from + to) / 2;
  return from;
}

void
upcr_net_share (int most, size_t bytes, int cpus)
{
  struct card card, *cards;
  struct upcr_net_place place;
  int cpus_of_all;

  upcr_engine_group (most);
  place = upcr_engine_place ();
  card = make_card (place.near > 1 ? bytes : 0, cpus);
  cards = calloc (place.near, sizeof *cards);
  files = calloc (place.near, sizeof *files);
  firsts = calloc (place.size, sizeof *firsts);
  if (!cards || !files || !firsts)
    upcr_usage_error ("no memory for a table of %d processes", place.near);
  upcr_engine_gather (&card, cards, sizeof card);
  cpus_of_all = count_cpus (cards, place.near);
  if (!upcr_engine_settle (open_files (cards, place.near, place.rank - place.first_near), firsts))
    close_files (place.near);
  number_nodes ();
  upcr_net_is_oversubscribed = upcr_net_near_range (THREADS).count > cpus_of_all
                               || UPCR_OWN_THREADS > cpus;
  free (cards);
}

void *
upcr_net_map (int process, void *address, size_t offset, size_t bytes)
{
  int flags = MAP_SHARED | MAP_NORESERVE | (address ? MAP_FIXED : 0);

  return mmap (address, bytes, PROT_READ | PROT_WRITE, flags,
               files[process - upcr_engine_place ().first_near], offset);
}

void
upcr_net_close_files (void)
{
  if (files)
    close_files (upcr_engine_place ().near);
}
