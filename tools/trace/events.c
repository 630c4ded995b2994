#include "tools/trace/events.h"

#define GASP_ALL_EVENTS
#include <gasp.h>

#include <stddef.h>

#define NONE TRACE_NO_PAYLOAD, NULL
#define TRANSFER TRACE_TRANSFER, NULL
#define BYTES TRACE_NUMBER, "bytes"

static const struct trace_event events[] = {
  { GASP_C_FUNC, "function", TRACE_COMPUTE, NONE },
  { GASP_C_MALLOC, "malloc", TRACE_MEMORY, BYTES },
  { GASP_C_REALLOC, "realloc", TRACE_MEMORY, BYTES },
  { GASP_C_FREE, "free", TRACE_MEMORY, NONE },
  { GASP_UPC_COLLECTIVE_EXIT, "exit", TRACE_SYNC, TRACE_NUMBER, "status" },
  { GASP_UPC_NONCOLLECTIVE_EXIT, "upc_global_exit", TRACE_OTHER, TRACE_NUMBER, "status" },
  { GASP_UPC_NOTIFY, "upc_notify", TRACE_SYNC, NONE },
  { GASP_UPC_WAIT, "upc_wait", TRACE_SYNC, NONE },
  { GASP_UPC_BARRIER, "upc_barrier", TRACE_SYNC, NONE },
  { GASP_UPC_FENCE, "upc_fence", TRACE_SYNC, NONE },
  { GASP_UPC_FORALL, "upc_forall", TRACE_COMPUTE, NONE },
  { GASP_UPC_GLOBAL_ALLOC, "upc_global_alloc", TRACE_MEMORY, BYTES },
  { GASP_UPC_ALL_ALLOC, "upc_all_alloc", TRACE_MEMORY, BYTES },
  { GASP_UPC_ALLOC, "upc_alloc", TRACE_MEMORY, BYTES },
  { GASP_UPC_FREE, "upc_free", TRACE_MEMORY, NONE },
  { GASP_UPC_GLOBAL_LOCK_ALLOC, "upc_global_lock_alloc", TRACE_MEMORY, NONE },
  { GASP_UPC_ALL_LOCK_ALLOC, "upc_all_lock_alloc", TRACE_MEMORY, NONE },
  { GASP_UPC_LOCK_FREE, "upc_lock_free", TRACE_MEMORY, NONE },
  { GASP_UPC_LOCK, "upc_lock", TRACE_LOCK, NONE },
  { GASP_UPC_LOCK_ATTEMPT, "upc_lock_attempt", TRACE_LOCK, NONE },
  { GASP_UPC_UNLOCK, "upc_unlock", TRACE_LOCK, NONE },
  { GASP_UPC_MEMCPY, "upc_memcpy", TRACE_ACCESS, TRANSFER },
  { GASP_UPC_MEMGET, "upc_memget", TRACE_ACCESS, TRANSFER },
  { GASP_UPC_MEMPUT, "upc_memput", TRACE_ACCESS, TRANSFER },
  { GASP_UPC_MEMSET, "upc_memset", TRACE_ACCESS, TRANSFER },
  { GASP_UPC_GET, "get", TRACE_ACCESS, TRANSFER },
  { GASP_UPC_PUT, "put", TRACE_ACCESS, TRANSFER },
  { GASP_UPC_NB_GET_INIT, "upc_memget_nb", TRACE_ACCESS, TRANSFER },
  { GASP_UPC_NB_GET_DATA, "nb get data", TRACE_ACCESS, NONE },
  { GASP_UPC_NB_PUT_INIT, "upc_memput_nb", TRACE_ACCESS, TRANSFER },
  { GASP_UPC_NB_PUT_DATA, "nb put data", TRACE_ACCESS, NONE },
  { GASP_UPC_NB_SYNC, "upc_sync", TRACE_SYNC, NONE },
  { GASP_UPC_CACHE_MISS, "cache miss", TRACE_OTHER, BYTES },
  { GASP_UPC_CACHE_HIT, "cache hit", TRACE_OTHER, BYTES },
  { GASP_UPC_CACHE_INVALIDATE, "cache invalidate", TRACE_OTHER, TRACE_NUMBER, "lines" },
  { GASP_UPC_ALL_BROADCAST, "upc_all_broadcast", TRACE_COLLECTIVE, TRANSFER },
  { GASP_UPC_ALL_SCATTER, "upc_all_scatter", TRACE_COLLECTIVE, TRANSFER },
  { GASP_UPC_ALL_GATHER, "upc_all_gather", TRACE_COLLECTIVE, TRANSFER },
  { GASP_UPC_ALL_GATHER_ALL, "upc_all_gather_all", TRACE_COLLECTIVE, TRANSFER },
  { GASP_UPC_ALL_EXCHANGE, "upc_all_exchange", TRACE_COLLECTIVE, TRANSFER },
  { GASP_UPC_ALL_PERMUTE, "upc_all_permute", TRACE_COLLECTIVE, TRANSFER },
  { GASP_UPC_ALL_REDUCE, "upc_all_reduce", TRACE_COLLECTIVE, TRACE_ELEMENTS, "elements" },
  { GASP_UPC_ALL_PREFIX_REDUCE, "upc_all_prefix_reduce", TRACE_COLLECTIVE, TRACE_ELEMENTS,
    "elements" },
  { GASP_UPCT_NB_MEMCPY_INIT, "upc_memcpy_nb", TRACE_ACCESS, TRANSFER },
  { GASP_UPCT_NB_MEMSET_INIT, "upc_memset_nb", TRACE_ACCESS, TRANSFER },
  { GASP_UPCT_ATOMIC, "upc_atomic", TRACE_ACCESS, TRANSFER },
  { GASP_UPCT_ALL_SORT, "upc_all_sort", TRACE_COLLECTIVE, TRACE_NUMBER, "elements" },
};

static const struct trace_event user_event = { 0, "user event", TRACE_USER_EVENT, TRACE_VALUES, NULL };
static const struct trace_event unknown_event = { 0, "event", TRACE_OTHER, NONE };

const struct trace_event *
trace_event_of (unsigned tag)
{
  if (tag >= GASP_UPC_USEREVT_START && tag <= GASP_UPC_USEREVT_END)
    return &user_event;
  for (unsigned i = 0; i < sizeof events / sizeof *events; i++)
    if (events[i].tag == tag)
      return &events[i];
  return &unknown_event;
}

const char *
trace_category_name (enum trace_category category)
{
  static const char *const names[TRACE_CATEGORIES] = {
    "compute", "synchronisation", "locks", "shared access", "collective", "memory", "other", "user events",
  };

  return names[category];
}
