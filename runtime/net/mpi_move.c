/* Moves of MPI's engine: what goes from memory to memory, and is on its way. */

#include "runtime/net/engine.h"
#include "runtime/net/mpi.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static MPI_Comm moved;

/* Under `moving`. */
static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;
static struct moving
{
  struct moving *next;
  MPI_Request request;
  int error; /* what it has ended with */
  struct upcr_move move;
} * moves;
static _Atomic int move_count; /* relaxed: how many there are */

/* Whether the calling thread looks at moves. */
static __thread bool is_looking;

/* An error of a move, which may be too long, is returned: this is called under MPI's lock, where the run cannot end as it
   does otherwise. Others are what they are with MPI_ERRORS_ARE_FATAL. */
static void
handle_error (MPI_Comm *of, int *code, ...)
{
  char text[MPI_MAX_ERROR_STRING];
  int length;

  (void) of;
  if (is_looking)
    return;
  MPI_Error_string (*code, text, &length);
  upcr_print_message ("error", text);
  upcr_engine_abort (1);
}

/* MPICH 4 asks the world's handler where a request is tested, whatever it belongs to, and so for those that only look.
   The program may set another one: then errors are what that makes of them. */
void
upcr_mpi_prepare_moves (MPI_Comm world)
{
  MPI_Errhandler handler;

  MPI_Comm_dup (world, &moved);
  MPI_Comm_create_errhandler (handle_error, &handler);
  MPI_Comm_set_errhandler (moved, handler);
#ifdef MPICH_VERSION
  MPI_Comm_set_errhandler (MPI_COMM_WORLD, handler);
#endif
  MPI_Errhandler_free (&handler);
}

static void
add_move (const struct upcr_move *move, MPI_Request request)
{
  struct moving *m = malloc (sizeof *m);

  if (!m)
    upcr_fatal ("no memory for a message to another process");
  pthread_mutex_lock (&moving);
  *m = (struct moving){ .next = moves, .request = request, .move = *move };
  moves = m;
  atomic_fetch_add_explicit (&move_count, 1, memory_order_relaxed);
  pthread_mutex_unlock (&moving);
}

void
upcr_engine_move_out (const struct upcr_move *m)
{
  MPI_Request request;

  MPI_Isend (m->memory, m->bytes, MPI_BYTE, m->process, m->tag, moved, &request);
  add_move (m, request);
}

void
upcr_engine_move_in (const struct upcr_move *m)
{
  MPI_Request request;

  MPI_Irecv (m->memory, m->bytes, MPI_BYTE, m->process, m->tag, moved, &request);
  add_move (m, request);
}

/* Takes what is complete from the list. */
static struct moving *
take_complete (void)
{
  struct moving *complete = NULL;

  if (pthread_mutex_trylock (&moving) != 0)
    return NULL;
  is_looking = true;
  for (struct moving **at = &moves, *m; (m = *at);)
    {
      int is_done;

      m->error = MPI_Test (&m->request, &is_done, MPI_STATUS_IGNORE);
      if (is_done || m->error)
        {
          *at = m->next;
          m->next = complete;
          complete = m;
        }
      else
        at = &m->next;
    }
  is_looking = false;
  pthread_mutex_unlock (&moving);
  return complete;
}

/* Not under a lock: the end of the run sends messages. */
static void
require_whole (const struct moving *m)
{
  char text[MPI_MAX_ERROR_STRING];
  int class, length;

  if (m->error == MPI_SUCCESS)
    return;
  MPI_Error_class (m->error, &class);
  if (class == MPI_ERR_TRUNCATE)
    upcr_fatal ("a block from another process is longer than the place for it: do the arguments of "
                "a collective function differ? UPC_CHECK=1 tells");
  MPI_Error_string (m->error, text, &length);
  upcr_fatal ("%s", text);
}

void
upcr_mpi_finish_moves (void)
{
  for (struct moving *m = take_complete (), *behind; m; m = behind)
    {
      behind = m->next;
      atomic_fetch_sub_explicit (&move_count, 1, memory_order_relaxed);
      require_whole (m);
      upcr_net_moved (&m->move);
      free (m);
    }
}

bool
upcr_mpi_is_moving (void)
{
  return atomic_load_explicit (&move_count, memory_order_relaxed) > 0;
}

void
upcr_mpi_drop_moves (void)
{
  for (struct moving *m = moves; m; m = m->next)
    upcr_mpi_drop (&m->request);
}
