/* Pointers-to-shared: the one header that knows their representation.

   Packed, 64 bits:   offset 34 | thread 10 | phase 20, offset in the high bits.
   Struct, 16 bytes:  vaddr 64, thread 32, phase 32 (UPCR_PTS_STRUCT). Its vaddr is
                      the offset plus the address of __upc_shared_start.

   A null pointer has all bits zero in both. Values are passed as the compilers
   pass them: the packed form like a uint64_t, the struct form in two registers. */

#ifndef UPCR_PTS_H
#define UPCR_PTS_H

#include <upct/segment.h>

#include <stdbool.h>
#include <stdint.h>

#define UPCR_OFFSET_BITS __UPC_OFFSET_BITS
#define UPCR_THREAD_BITS __UPC_THREAD_BITS
#define UPCR_PHASE_BITS __UPC_PHASE_BITS

extern char __upc_shared_start[] __attribute__ ((weak));
extern char __upc_shared_end[] __attribute__ ((weak));

#ifdef UPCR_PTS_STRUCT

typedef struct
{
  uint64_t vaddr;
  uint32_t thread;
  uint32_t phase;
} upcr_pts;

static inline upcr_pts
upcr_pts_make (uint32_t thread, uint64_t offset, uint32_t phase)
{
  return (upcr_pts){ offset + (uintptr_t) __upc_shared_start, thread, phase };
}

static inline uint64_t
upcr_pts_offset (upcr_pts p)
{
  return p.vaddr - (uintptr_t) __upc_shared_start;
}

static inline uint32_t
upcr_pts_thread (upcr_pts p)
{
  return p.thread;
}

static inline uint32_t
upcr_pts_phase (upcr_pts p)
{
  return p.phase;
}

static inline uint64_t
upcr_pts_addrfield (upcr_pts p)
{
  return p.vaddr;
}

static inline upcr_pts
upcr_pts_resetphase (upcr_pts p)
{
  p.phase = 0;
  return p;
}

static inline bool
upcr_pts_is_null (upcr_pts p)
{
  return p.vaddr == 0 && p.thread == 0;
}

static inline upcr_pts
upcr_pts_null (void)
{
  return (upcr_pts){ 0, 0, 0 };
}

#else

typedef struct
{
  uint64_t bits;
} upcr_pts;

static inline upcr_pts
upcr_pts_make (uint32_t thread, uint64_t offset, uint32_t phase)
{
  return (upcr_pts){ offset << (UPCR_THREAD_BITS + UPCR_PHASE_BITS)
                     | (uint64_t) thread << UPCR_PHASE_BITS | phase };
}

static inline uint64_t
upcr_pts_offset (upcr_pts p)
{
  return p.bits >> (UPCR_THREAD_BITS + UPCR_PHASE_BITS);
}

static inline uint32_t
upcr_pts_thread (upcr_pts p)
{
  return p.bits >> UPCR_PHASE_BITS & ((1u << UPCR_THREAD_BITS) - 1);
}

static inline uint32_t
upcr_pts_phase (upcr_pts p)
{
  return p.bits & ((1u << UPCR_PHASE_BITS) - 1);
}

static inline uint64_t
upcr_pts_addrfield (upcr_pts p)
{
  return upcr_pts_offset (p);
}

static inline upcr_pts
upcr_pts_resetphase (upcr_pts p)
{
  p.bits &= ~(((uint64_t) 1 << UPCR_PHASE_BITS) - 1);
  return p;
}

/* Two pointers are equal when thread and offset are, whatever the phase (UPC 1.3,
   6.4.2): a null pointer may carry one too. */
static inline bool
upcr_pts_is_null (upcr_pts p)
{
  return p.bits >> UPCR_PHASE_BITS == 0;
}

static inline upcr_pts
upcr_pts_null (void)
{
  return (upcr_pts){ 0 };
}

#endif

/* Whether two pointers are to one object, whatever their phases (UPC 1.3, 6.4.2). */
static inline bool
upcr_pts_equal (upcr_pts a, upcr_pts b)
{
  return upcr_pts_thread (a) == upcr_pts_thread (b)
         && upcr_pts_addrfield (a) == upcr_pts_addrfield (b);
}

#endif
