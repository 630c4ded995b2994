/* Pointers-to-shared as values: the manipulation functions of UPC 1.3, 7.2.3, the
   casts to private pointers, and the page cache of inlined access code. */

#include "runtime/abi/location.h"
#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#define FUNCTION(type, name, with, parameters, arguments, value)  \
  type name parameters;                                           \
  type name parameters                                            \
  {                                                               \
    return value;                                                 \
  }                                                               \
  type with (UPCR_EXPAND parameters, const char *file, int line); \
  type with (UPCR_EXPAND parameters, const char *file, int line)  \
  {                                                               \
    type result;                                                  \
    UPCR_AT (file, line, result = name arguments);                \
    return result;                                                \
  }
#define UPCR_EXPAND(...) __VA_ARGS__

static inline void *
private_address (upcr_pts p)
{
  return upcr_pts_is_null (p) ? NULL : upcr_pts_address (p);
}

FUNCTION (void *, __getaddr, __getaddrg, (upcr_pts p), (p), private_address (p))
FUNCTION (void *, __cvtaddr, __cvtaddrg, (upcr_pts p), (p), private_address (p))
FUNCTION (size_t, upc_threadof, upc_threadofg, (upcr_pts p), (p), upcr_pts_thread (p))
FUNCTION (size_t, upc_phaseof, upc_phaseofg, (upcr_pts p), (p),
          upcr_pts_is_null (p) ? 0 : upcr_pts_phase (p))
FUNCTION (size_t, upc_addrfield, upc_addrfieldg, (upcr_pts p), (p), upcr_pts_addrfield (p))
FUNCTION (upcr_pts, upc_resetphase, upc_resetphaseg, (upcr_pts p), (p), upcr_pts_resetphase (p))

/* The bytes of an object of TOTAL bytes, dealt out in blocks of BLOCK bytes, that
   have affinity to THREAD. BLOCK 0: the layout is indefinite, thread 0 has all. */
static size_t
affinity_size (size_t total, size_t block, size_t thread)
{
  size_t blocks, last;

  if (block == 0)
    return thread == 0 ? total : 0;
  blocks = total / block;
  last = blocks % THREADS;
  return blocks / THREADS * block + (thread < last ? block : thread == last ? total % block : 0);
}

FUNCTION (size_t, upc_affinitysize, upc_affinitysizeg, (size_t total, size_t block, size_t thread),
          (total, block, thread), affinity_size (total, block, thread))

/* The cache that inlined code of GNU and Clang UPC looks into: the two pages of 32
   MiB that the thread used last. All ones is no page (runtime/host/private.c). */
enum
{
  PAGE_BITS = 25
};

typedef void *address;
UPCR_PRIVATE unsigned long __upc_page1_ref;
UPCR_PRIVATE unsigned long __upc_page2_ref;
UPCR_PRIVATE address __upc_page1_base;
UPCR_PRIVATE address __upc_page2_base;

void *__upc_vm_map_addr (upcr_pts p);

/* The inlined code reads a tag, then its base. Where threads of one UPC thread do that at once,
   nothing changes any more. */
UPCR_USES_PRIVATE void *
__upc_vm_map_addr (upcr_pts p)
{
  uint64_t offset = upcr_pts_offset (p);
  uint64_t in_page = offset & ((1ul << PAGE_BITS) - 1);
  uint32_t thread = upcr_pts_thread (p);
  unsigned long tag = offset >> PAGE_BITS << UPCR_THREAD_BITS | thread;

  if (upcr_has_threads)
    return upcr_segment_address (thread, offset);
  if (tag != __upc_page1_ref)
    {
      __upc_page2_ref = __upc_page1_ref;
      __upc_page2_base = __upc_page1_base;
      __upc_page1_ref = tag;
      __upc_page1_base = upcr_segment_address (thread, offset - in_page);
    }
  return (char *) __upc_page1_base + in_page;
}
