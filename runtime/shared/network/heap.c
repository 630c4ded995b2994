/* The shared heap if other processes have a part of it. It does what heap.c does, for the local
   blocks of the process's own threads and, in process 0, for the symmetric blocks of all
   processes. Other processes ask process 0.

   Freed memory of symmetric blocks is returned to the system in process 0; in the other processes
   it is left as it is. */

#include "runtime/shared/shared.h"

static upcr_pts alloc_here (size_t blocks, size_t block_bytes);
static upcr_pts alloc_for_here (size_t blocks, size_t block_bytes, const char *what);
static void free_here (upcr_pts block, const char *what);
static void free_library_here (upcr_pts object, const char *what);
#define upcr_symmetric_alloc alloc_here
#define upcr_symmetric_alloc_for alloc_for_here
#define upcr_heap_free free_here
#define upcr_library_free free_library_here
#include "runtime/shared/heap.c"
#undef upcr_symmetric_alloc
#undef upcr_symmetric_alloc_for
#undef upcr_heap_free
#undef upcr_library_free

#include "runtime/net/net.h"

struct allocation
{
  size_t blocks, block_bytes;
};

upcr_pts
upcr_symmetric_alloc (size_t blocks, size_t block_bytes)
{
  struct allocation asked = { blocks, block_bytes };
  upcr_net_open open = 0;
  upcr_pts block;

  if (upcr_is_checked || upcr_net_place ().rank == 0)
    return alloc_here (blocks, block_bytes);
  upcr_net_call (0, UPCR_NET_ALLOC, &asked, sizeof asked, &block, &open);
  upcr_net_await (&open);
  return block;
}

upcr_pts
upcr_symmetric_alloc_for (size_t blocks, size_t block_bytes, const char *what)
{
  if (upcr_is_checked)
    return alloc_for_here (blocks, block_bytes, what);
  return upcr_symmetric_alloc (blocks, block_bytes);
}

static void
allocate_for (struct upcr_net_caller caller, const void *arguments)
{
  const struct allocation *asked = arguments;
  upcr_pts block = alloc_here (asked->blocks, asked->block_bytes);

  upcr_net_reply (caller, &block, sizeof block);
}

struct freeing
{
  upcr_pts block;
  bool is_library; /* a lock or its like */
};

/* The shadow byte says what is wrong, to the thread that did it. */
static void
free_for (struct upcr_net_caller caller, const void *arguments)
{
  const struct freeing *asked = arguments;
  unsigned shadow = shadow_of (asked->block);

  if (asked->is_library && shadow == UPCR_OF_LIBRARY)
    shadow = UPCR_LOCAL;
  if (shadow >= UPCR_LOCAL)
    (asked->is_library ? free_library_here : free_here) (asked->block, "upc_free");
  upcr_net_reply (caller, &shadow, sizeof shadow);
}

/* Whether the calling process frees BLOCK itself. */
static bool
is_freed_here (upcr_pts block)
{
  uint32_t thread = upcr_pts_thread (block);

  return upcr_is_checked || upcr_pts_is_null (block) || thread >= (uint32_t) THREADS
         || upcr_is_own_thread (thread);
}

static void
free_there (struct freeing freeing, const char *what)
{
  int process = upcr_process_of ((int) upcr_pts_thread (freeing.block));
  upcr_net_open open = 0;
  unsigned shadow;

  upcr_net_call (process, UPCR_NET_FREE, &freeing, sizeof freeing, &shadow, &open);
  upcr_net_await (&open);
  if (shadow < UPCR_LOCAL)
    refuse_block (freeing.block, shadow, what);
}

void
upcr_heap_free (upcr_pts block, const char *what)
{
  /* Whoever gets the memory next is not to find them there. */
  upcr_flush ();
  if (is_freed_here (block))
    free_here (block, what);
  else
    free_there ((struct freeing){ block, false }, what);
}

void
upcr_library_free (upcr_pts object, const char *what)
{
  upcr_flush ();
  if (is_freed_here (object))
    free_library_here (object, what);
  else
    free_there ((struct freeing){ object, true }, what);
}

void
upcr_serve_heap (void)
{
  upcr_net_serve (UPCR_NET_ALLOC, allocate_for);
  upcr_net_serve (UPCR_NET_FREE, free_for);
  upcr_serve_checked ();
  upcr_serve_uses ();
  upcr_serve_report ();
}
