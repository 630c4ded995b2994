/* The engine for MPI. Messages are MPI messages between any two threads, so MPI_THREAD_MULTIPLE is
   required. This file, mpi_move.c and mpi_end.c are compiled once for each installed MPI, as their objects are not compatible. No
   other files include mpi.h.

   Receives are posted in advance, in a ring. MPI matches messages with them in the order in which they
   were posted, so messages of one thread are delivered in order when the ring is read in order. Sends are
   copied to slots, which are free again when MPI has sent them.

   Ranks are those of `world`, in which the processes of a node are consecutive: a launcher may have
   distributed them to the nodes in turn.

   field              written and read
   ring               under `receiving`
   slots, extras      under `sending`
   sent_count         under `sending`; read by who ends, when nobody else is in the engine
   come_count         under `receiving`; likewise
   what is met for    under `meeting` */

#include "runtime/net/engine.h"
#include "runtime/net/mpi.h"

#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef OMPI_MAJOR_VERSION
#define MPI "openmpi"
#else
#define MPI "mpich"
#endif

/* For upcrun, which looks for the launcher. */
static const char note[] __attribute__ ((section ("upc_pgm_info"), used))
= "$GCCUPCConfig: (upcc) engine=" MPI "$";

enum
{
  TAG = 1,
  RING = 32,
  SLOTS = 64,
  MOST_AT_ONCE = 64 /* messages that one poll delivers */
};

struct message
{
  struct upcr_head head;
  char body[UPCR_BODY_BYTES];
};

/* A send beyond the slots. */
struct extra
{
  struct extra *next;
  MPI_Request request;
  struct message message;
};

static struct upcr_net_place place;
static MPI_Comm world, node, near, messages, meetings;

static pthread_mutex_t receiving = PTHREAD_MUTEX_INITIALIZER;
static struct message *ring;
static MPI_Request ring_requests[RING];
static unsigned next;

static pthread_mutex_t sending = PTHREAD_MUTEX_INITIALIZER;
static struct message *slots;
static MPI_Request slot_requests[SLOTS];
static int free_slots[SLOTS], free_count;
static struct extra *extras;
static int64_t sent_count, come_count;

static pthread_mutex_t meeting = PTHREAD_MUTEX_INITIALIZER;
static MPI_Request meeting_request = MPI_REQUEST_NULL;
static struct upcr_net_most mine_of_all, most_of_all;

static void *
map_memory (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (memory == MAP_FAILED)
    upcr_usage_error ("no memory for messages: %s", strerror (errno));
  return memory;
}

static void
post (unsigned i)
{
  MPI_Irecv (&ring[i], sizeof ring[i], MPI_BYTE, MPI_ANY_SOURCE, TAG, messages, &ring_requests[i]);
}

/* One line, of one process; the others just end. */
static _Noreturn void
refuse_level (int rank)
{
  if (rank == 0)
    upcr_print_message ("error", "this MPI has no MPI_THREAD_MULTIPLE, which a UPC program needs");
  MPI_Finalize ();
  _exit (2);
}

/* Ranks that follow each other on each node, whose first one gives them their place among the nodes. */
static void
number_by_nodes (void)
{
  MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank (MPI_COMM_WORLD, &place.rank);
  MPI_Bcast (&place.rank, 1, MPI_INT, 0, node);
  MPI_Comm_split (MPI_COMM_WORLD, 0, place.rank, &world);
  MPI_Comm_rank (world, &place.rank);
  MPI_Comm_size (world, &place.size);
  place.first_near = place.rank;
  place.near = 1;
}

/* MPI_Init of MPICH takes stdout's buffer away, and lines of several processes would be torn. */
static void
buffer_lines (void)
{
  static char buffer[BUFSIZ];

  setvbuf (stdout, buffer, _IOLBF, sizeof buffer);
}

struct upcr_net_place
upcr_engine_place (void)
{
  return place;
}

void
upcr_engine_init (void)
{
  int level;

  MPI_Init_thread (NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  buffer_lines ();
  number_by_nodes ();
  if (level < MPI_THREAD_MULTIPLE)
    refuse_level (place.rank);
  MPI_Comm_dup (world, &messages);
  MPI_Comm_dup (world, &meetings);
  upcr_mpi_prepare_moves (world);
  upcr_mpi_prepare_end (world);
  ring = map_memory (RING * sizeof *ring);
  slots = map_memory (SLOTS * sizeof *slots);
  for (unsigned i = 0; i < SLOTS; i++)
    {
      slot_requests[i] = MPI_REQUEST_NULL;
      free_slots[free_count++] = i;
    }
  for (unsigned i = 0; i < RING; i++)
    ring_requests[i] = MPI_REQUEST_NULL;
  for (unsigned i = 0; i < RING && place.size > 1; i++)
    post (i);
}

void
upcr_engine_group (int most)
{
  int rank;

  MPI_Comm_rank (node, &rank);
  MPI_Comm_split (node, rank / most, rank, &near);
  MPI_Comm_size (near, &place.near);
  place.first_near = place.rank - rank % most;
}

void
upcr_engine_gather (const void *mine, void *all, size_t bytes)
{
  MPI_Allgather (mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, near);
}

bool
upcr_engine_settle (bool can_share, int *first_near)
{
  int can = can_share, do_share;

  MPI_Allreduce (&can, &do_share, 1, MPI_INT, MPI_MIN, near);
  if (!do_share)
    {
      place.first_near = place.rank;
      place.near = 1;
    }
  MPI_Allgather (&place.first_near, 1, MPI_INT, first_near, 1, MPI_INT, world);
  return do_share;
}

static int
fill (struct message *message, const struct upcr_head *head, const void *body)
{
  message->head = *head;
  if (head->bytes)
    memcpy (message->body, body, head->bytes);
  return sizeof *head + head->bytes;
}

/* The functions below are called under `sending`. */

static int
find_slot (void)
{
  static MPI_Status statuses[SLOTS];

  if (free_count == 0)
    MPI_Testsome (SLOTS, slot_requests, &free_count, free_slots, statuses);
  if (free_count == MPI_UNDEFINED)
    free_count = 0;
  return free_count > 0 ? free_slots[--free_count] : -1;
}

static void
free_extras (void)
{
  for (struct extra **at = &extras, *extra; (extra = *at);)
    {
      int is_done;

      MPI_Test (&extra->request, &is_done, MPI_STATUS_IGNORE);
      if (is_done)
        {
          *at = extra->next;
          free (extra);
        }
      else
        at = &extra->next;
    }
}

static void
send_extra (int process, const struct upcr_head *head, const void *body)
{
  struct extra *extra = malloc (offsetof (struct extra, message.body) + head->bytes);

  if (!extra)
    upcr_fatal ("no memory for a message to another process");
  MPI_Isend (&extra->message, fill (&extra->message, head, body), MPI_BYTE, process, TAG, messages,
             &extra->request);
  extra->next = extras;
  extras = extra;
}

static bool
send_now (int process, const struct upcr_head *head, const void *body, enum upcr_message_kind kind)
{
  int i = find_slot ();

  if (i >= 0)
    MPI_Isend (&slots[i], fill (&slots[i], head, body), MPI_BYTE, process, TAG, messages,
               &slot_requests[i]);
  else if (kind == UPCR_ANSWER)
    send_extra (process, head, body);
  else
    return false;
  sent_count++;
  return true;
}

bool
upcr_engine_send (int process, const struct upcr_head *head, const void *body,
                  enum upcr_message_kind kind)
{
  bool is_sent;

  pthread_mutex_lock (&sending);
  if (extras)
    free_extras ();
  is_sent = send_now (process, head, body, kind);
  pthread_mutex_unlock (&sending);
  return is_sent;
}

/* The oldest message, if it has come. Under `receiving`. */
static bool
receive (void)
{
  unsigned i = next;
  MPI_Status status;
  int has_come;

  MPI_Test (&ring_requests[i], &has_come, &status);
  if (!has_come)
    return false;
  upcr_net_deliver (status.MPI_SOURCE, &ring[i].head, ring[i].body);
  come_count++;
  post (i);
  next = (i + 1) % RING;
  return true;
}

bool
upcr_engine_poll (void)
{
  /* What is on its way needs MPI again and again, in both processes. */
  bool is_moving = upcr_mpi_is_moving ();
  int count = 0;

  if (is_moving)
    upcr_mpi_finish_moves ();
  if (pthread_mutex_trylock (&receiving) != 0)
    return is_moving;
  while (count < MOST_AT_ONCE && ring_requests[next] != MPI_REQUEST_NULL && receive ())
    count++;
  pthread_mutex_unlock (&receiving);
  return count > 0 || is_moving;
}

void
upcr_engine_barrier_begin (struct upcr_net_most mine)
{
  pthread_mutex_lock (&meeting);
  mine_of_all = mine;
  MPI_Iallreduce (mine_of_all.value, most_of_all.value, 2, MPI_INT64_T, MPI_MAX, meetings,
                  &meeting_request);
  pthread_mutex_unlock (&meeting);
}

bool
upcr_engine_barrier_try (struct upcr_net_most *all)
{
  int is_over;

  pthread_mutex_lock (&meeting);
  MPI_Test (&meeting_request, &is_over, MPI_STATUS_IGNORE);
  if (is_over)
    *all = most_of_all;
  pthread_mutex_unlock (&meeting);
  return is_over;
}

static void
cancel_receives (void)
{
  for (unsigned i = 0; i < RING; i++)
    if (ring_requests[i] != MPI_REQUEST_NULL)
      {
        MPI_Cancel (&ring_requests[i]);
        MPI_Wait (&ring_requests[i], MPI_STATUS_IGNORE);
      }
}

void
upcr_mpi_drop (MPI_Request *request)
{
  int is_done;

  MPI_Test (request, &is_done, MPI_STATUS_IGNORE);
  if (!is_done)
    MPI_Request_free (request);
}

/* What was not sent when all came to the end is of no use to anybody. */
static void
drop_sends (void)
{
  for (unsigned i = 0; i < SLOTS; i++)
    if (slot_requests[i] != MPI_REQUEST_NULL)
      upcr_mpi_drop (&slot_requests[i]);
  for (struct extra *extra = extras; extra; extra = extra->next)
    upcr_mpi_drop (&extra->request);
}

void
upcr_mpi_drop_all (void)
{
  cancel_receives ();
  drop_sends ();
  upcr_mpi_drop_moves ();
}

struct upcr_mpi_counts
upcr_mpi_count_messages (void)
{
  return (struct upcr_mpi_counts){ sent_count, come_count };
}
