/* What is kept of an event's arguments: which bytes go from which thread to which, a number,
   or the values of a user event. A start's, but for what is known at the end only. */

#include "tools/trace/events.h"
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
static inline uint64_t
move_together (gasp_context_t context, enum trace_payload payload, va_list *args)
{
  int to = upcall_thread_of (va_arg (*args, void *));
  int from = upcall_thread_of (va_arg (*args, void *));
  uint64_t bytes = va_arg (*args, size_t);

  if (payload == TRACE_TO_ROOT)
    return transfer_of (bytes, context->thread, to);
  if (payload == TRACE_FROM_ROOT)
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
    case GASP_UPC_REDUCTION_C:
    case GASP_UPC_REDUCTION_UC:
      return 1;
    case GASP_UPC_REDUCTION_S:
    case GASP_UPC_REDUCTION_US:
      return 2;
    case GASP_UPC_REDUCTION_I:
    case GASP_UPC_REDUCTION_UI:
    case GASP_UPC_REDUCTION_F:
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
reduce (gasp_context_t context, enum trace_payload payload, va_list *args)
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
  if (payload == TRACE_REDUCE)
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
    case UPC_CHAR:
    case UPC_UCHAR:
    case UPC_INT8:
    case UPC_UINT8:
      return 1;
    case UPC_SHORT:
    case UPC_USHORT:
    case UPC_INT16:
    case UPC_UINT16:
      return 2;
    case UPC_INT:
    case UPC_UINT:
    case UPC_INT32:
    case UPC_UINT32:
    case UPC_FLOAT:
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

static inline void
pass (char letter, va_list *args)
{
  if (letter == 'i')
    va_arg (*args, int);
  else
    va_arg (*args, void *);
}

/* Argument INDEX of those that LETTERS describe. */
static inline uint64_t
take_number (const char *letters, unsigned index, va_list *args)
{
  if (index > 0)
    pass (letters[0], args);
  if (index > 1)
    pass (letters[1], args);
  if (index > 2)
    pass (letters[2], args);
  return letters[index] == 'i' ? (uint64_t) va_arg (*args, int) : va_arg (*args, size_t);
}

static inline uint64_t
take_product (va_list *args)
{
  size_t blocks = va_arg (*args, size_t);

  return blocks * va_arg (*args, size_t);
}

/* The transfer is a record's word, and counts at once. */
static inline uint64_t
counted (gasp_context_t context, uint64_t transfer)
{
  count_traffic (context, transfer);
  return transfer;
}

/* What an event's start has to record: PAYLOAD and LETTERS are constants of the catalogue, so
   that one case is left of this for each event. */
static inline __attribute__ ((always_inline)) unsigned
take_payload (gasp_context_t context, enum trace_payload payload, const char *letters,
              va_list *args, uint64_t *word)
{
  /* is_relaxed */
  if ((payload == TRACE_READ || payload == TRACE_WRITE) && letters[0] == 'i')
    va_arg (*args, int);
  switch (payload)
    {
    case TRACE_FIRST:
    case TRACE_MALLOC:
    case TRACE_LOCAL_BLOCK:
      return *word = take_number (letters, 0, args), 1;
    case TRACE_REALLOC:
      return *word = begin_realloc (context, args), 1;
    case TRACE_THIRD:
      return *word = take_number (letters, 2, args), 1;
    case TRACE_ALL_BLOCK:
    case TRACE_GLOBAL_BLOCK:
      return *word = take_product (args), 1;
    case TRACE_FREED:
      return take_freed (letters, args, word);
    case TRACE_LOCKED:
      return *word = upcall_place_of (va_arg (*args, void *)), 1;
    case TRACE_READ:
      return *word = counted (context, read_shared (context, args)), 1;
    case TRACE_WRITE:
      return *word = counted (context, write_shared (context, args)), 1;
    case TRACE_COPY:
      return *word = counted (context, copy_shared (args)), 1;
    case TRACE_SET:
      return *word = counted (context, set_shared (context, args)), 1;
    case TRACE_ATOMIC_UPDATE:
      return *word = counted (context, atomic_update (context, args)), 1;
    case TRACE_FROM_ROOT:
    case TRACE_TO_ROOT:
    case TRACE_FROM_EACH:
      return *word = counted (context, move_together (context, payload, args)), 1;
    case TRACE_REDUCE:
    case TRACE_PREFIX_REDUCE:
      return *word = take_number (letters, 3, args), 1;
    default:
      return 0;
    }
}

static unsigned
take_start (gasp_context_t context, unsigned tag, va_list *args, uint64_t *word)
{
  switch (tag)
    {
#define EVENT(name, number, table, raised, arguments, label, category, role, payload, unit) \
  case number:                                                                              \
    return take_payload (context, TRACE_##payload, arguments, args, word);
#include "runtime/gasp/events.def"
    }
  return 0;
}

/* What is known at the end only. */
static inline __attribute__ ((always_inline)) unsigned
take_result (gasp_context_t context, enum trace_payload payload, va_list *args, uint64_t *word)
{
  switch (payload)
    {
    case TRACE_PERMUTE:
      return *word = counted (context, permute (context, args)), 1;
    case TRACE_REDUCE:
    case TRACE_PREFIX_REDUCE:
      return *word = counted (context, reduce (context, payload, args)), 1;
    case TRACE_MALLOC:
    case TRACE_REALLOC:
    case TRACE_LOCAL_BLOCK:
    case TRACE_ALL_BLOCK:
    case TRACE_GLOBAL_BLOCK:
      return take_allocated (context, payload, args, word);
    default:
      return 0;
    }
}

static unsigned
take_end (gasp_context_t context, unsigned tag, va_list *args, uint64_t *word)
{
  switch (tag)
    {
#define EVENT(name, number, table, raised, arguments, label, category, role, payload, unit) \
  case number:                                                                              \
    return take_result (context, TRACE_##payload, args, word);
#include "runtime/gasp/events.def"
    }
  return 0;
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
  else
    count = take_end (context, tag, &copy, words);
  va_end (copy);
  return count;
}
