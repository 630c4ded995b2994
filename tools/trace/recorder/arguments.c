/* What is kept of an event's arguments: which bytes go from which thread to which, a number,
   or the values of a user event. A start's, but for what is known at the end only. */

#include "tools/trace/recorder/recorder.h"

#include <upc_types.h>

static uint64_t
transfer_of (uint64_t bytes, int from, int to)
{
  return trace_transfer (bytes, from >= 0 && from < TRACE_MAX_THREADS ? from : TRACE_NOBODY,
                         to >= 0 && to < TRACE_MAX_THREADS ? to : TRACE_NOBODY);
}

/* dst, src, n */
static uint64_t
read_shared (gasp_context_t context, va_list *args)
{
  int from;

  va_arg (*args, void *);
  from = upcall_thread_of (va_arg (*args, void *));
  return transfer_of (va_arg (*args, size_t), from, context->thread);
}

static uint64_t
write_shared (gasp_context_t context, va_list *args)
{
  int to = upcall_thread_of (va_arg (*args, void *));

  va_arg (*args, void *);
  return transfer_of (va_arg (*args, size_t), context->thread, to);
}

static uint64_t
set_shared (gasp_context_t context, va_list *args)
{
  int to = upcall_thread_of (va_arg (*args, void *));

  va_arg (*args, int);
  return transfer_of (va_arg (*args, size_t), context->thread, to);
}

static uint64_t
copy_shared (va_list *args)
{
  int to = upcall_thread_of (va_arg (*args, void *));
  int from = upcall_thread_of (va_arg (*args, void *));

  return transfer_of (va_arg (*args, size_t), from, to);
}

/* Each thread accounts for what it gets, or for what it gives where one gets all. */
static uint64_t
move_together (gasp_context_t context, unsigned tag, va_list *args)
{
  int to = upcall_thread_of (va_arg (*args, void *));
  int from = upcall_thread_of (va_arg (*args, void *));
  uint64_t bytes = va_arg (*args, size_t);

  if (tag == GASP_UPC_ALL_GATHER)
    return transfer_of (bytes, context->thread, to);
  if (tag == GASP_UPC_ALL_BROADCAST || tag == GASP_UPC_ALL_SCATTER)
    return transfer_of (bytes, from, context->thread);
  return trace_transfer (bytes, TRACE_EACH, context->thread);
}

/* At its end, when the permutation is there to be read. */
static uint64_t
permute (gasp_context_t context, va_list *args)
{
  int to;

  va_arg (*args, void *);
  va_arg (*args, void *);
  to = upcall_own_element (va_arg (*args, void *));
  return transfer_of (va_arg (*args, size_t), context->thread, to < upcall_threads () ? to : -1);
}

static size_t
reduced_bytes (int type)
{
  switch (type)
    {
    case GASP_UPC_REDUCTION_C: case GASP_UPC_REDUCTION_UC:
      return 1;
    case GASP_UPC_REDUCTION_S: case GASP_UPC_REDUCTION_US:
      return 2;
    case GASP_UPC_REDUCTION_I: case GASP_UPC_REDUCTION_UI: case GASP_UPC_REDUCTION_F:
      return 4;
    case GASP_UPC_REDUCTION_LD:
      return 16;
    default:
      return 8;
    }
}

/* The blocks of COUNT elements from element PHASE of a block on; of no size: one. */
static size_t
blocks_of (size_t count, size_t block, size_t phase)
{
  if (count == 0 || block == 0)
    return count != 0;
  return (phase % block + count - 1) / block + 1;
}

/* Of a reduction, each thread that has elements gives one result to the destination's thread;
   of a prefix reduction, the end of each block gives one to the next block. */
static uint64_t
reduce (gasp_context_t context, unsigned tag, va_list *args)
{
  int to = upcall_thread_of (va_arg (*args, void *)), threads = upcall_threads ();
  const void *source = va_arg (*args, void *);
  size_t first = (context->thread - upcall_thread_of (source) + threads) % threads;
  size_t count, block, blocks, results;

  va_arg (*args, int);
  count = va_arg (*args, size_t);
  block = va_arg (*args, size_t);
  va_arg (*args, void *);
  va_arg (*args, int);
  blocks = blocks_of (count, block, upcall_phase_of (source));
  if (tag == GASP_UPC_ALL_REDUCE)
    results = first < blocks;
  else
    {
      results = first + 1 < blocks ? (blocks - 2 - first) / threads + 1 : 0;
      to = (context->thread + 1) % threads;
    }
  return transfer_of (results * reduced_bytes (va_arg (*args, int)), context->thread, to);
}

static size_t
type_bytes (int type)
{
  switch (type)
    {
    case UPC_CHAR: case UPC_UCHAR: case UPC_INT8: case UPC_UINT8:
      return 1;
    case UPC_SHORT: case UPC_USHORT: case UPC_INT16: case UPC_UINT16:
      return 2;
    case UPC_INT: case UPC_UINT: case UPC_INT32: case UPC_UINT32: case UPC_FLOAT:
      return 4;
    default:
      return 8;
    }
}

static uint64_t
atomic_update (gasp_context_t context, va_list *args)
{
  int to;

  va_arg (*args, int);
  va_arg (*args, void *);
  to = upcall_thread_of (va_arg (*args, void *));
  va_arg (*args, int);
  return transfer_of (type_bytes (va_arg (*args, int)), context->thread, to);
}

static unsigned
take_number (unsigned tag, va_list *args, uint64_t *word)
{
  switch (tag)
    {
    case GASP_C_MALLOC: case GASP_UPC_ALLOC:
      *word = va_arg (*args, size_t);
      return 1;
    case GASP_C_REALLOC:
      va_arg (*args, void *);
      *word = va_arg (*args, size_t);
      return 1;
    case GASP_UPC_GLOBAL_ALLOC: case GASP_UPC_ALL_ALLOC:
      {
        size_t blocks = va_arg (*args, size_t);

        *word = blocks * va_arg (*args, size_t);
        return 1;
      }
    case GASP_UPC_COLLECTIVE_EXIT: case GASP_UPC_NONCOLLECTIVE_EXIT:
      *word = va_arg (*args, int);
      return 1;
    case GASP_UPC_ALL_REDUCE: case GASP_UPC_ALL_PREFIX_REDUCE:
      va_arg (*args, void *);
      va_arg (*args, void *);
      va_arg (*args, int);
      *word = va_arg (*args, size_t);
      return 1;
    case GASP_UPCT_ALL_SORT:
      va_arg (*args, void *);
      va_arg (*args, size_t);
      *word = va_arg (*args, size_t);
      return 1;
    }
  return 0;
}

/* Most frequent first. */
static unsigned
take_start (gasp_context_t context, unsigned tag, va_list *args, uint64_t *word)
{
  switch (tag)
    {
    case GASP_UPC_GET: case GASP_UPC_NB_GET_INIT:
      va_arg (*args, int);
      /* fall through */
    case GASP_UPC_MEMGET:
      *word = read_shared (context, args);
      return 1;
    case GASP_UPC_PUT: case GASP_UPC_NB_PUT_INIT:
      va_arg (*args, int);
      /* fall through */
    case GASP_UPC_MEMPUT:
      *word = write_shared (context, args);
      return 1;
    case GASP_UPC_MEMCPY: case GASP_UPCT_NB_MEMCPY_INIT:
      *word = copy_shared (args);
      return 1;
    case GASP_UPC_MEMSET: case GASP_UPCT_NB_MEMSET_INIT:
      *word = set_shared (context, args);
      return 1;
    case GASP_UPCT_ATOMIC:
      *word = atomic_update (context, args);
      return 1;
    case GASP_UPC_ALL_BROADCAST: case GASP_UPC_ALL_SCATTER: case GASP_UPC_ALL_GATHER:
    case GASP_UPC_ALL_GATHER_ALL: case GASP_UPC_ALL_EXCHANGE:
      *word = move_together (context, tag, args);
      return 1;
    }
  return take_number (tag, args, word);
}

unsigned
take_arguments (gasp_context_t context, unsigned tag, gasp_evttype_t type, va_list args,
                uint64_t *words)
{
  va_list copy;
  unsigned count = 0;

  /* As a parameter a va_list may be a pointer, which has another address than it. */
  va_copy (copy, args);
  if (tag >= GASP_UPC_USEREVT_START)
    {
      define_user_event (context, tag);
      count = take_values (tag, copy, words);
    }
  else if (type != GASP_END)
    count = take_start (context, tag, &copy, words);
  else if (tag == GASP_UPC_ALL_PERMUTE)
    {
      *words = permute (context, &copy);
      count = 1;
    }
  else if (tag == GASP_UPC_ALL_REDUCE || tag == GASP_UPC_ALL_PREFIX_REDUCE)
    {
      *words = reduce (context, tag, &copy);
      count = 1;
    }
  va_end (copy);
  return count;
}
