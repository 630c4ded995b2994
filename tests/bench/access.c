/* Single accesses through the entry points, and the page cache that compilers
   inline, beside a plain load or store of private memory. */

#include "tests/bench/bench.h"

#include <stdlib.h>

enum { ELEMENTS = 1024 };

uint32_t __getsi2 (upcr_pts p);
uint32_t __getssi2 (upcr_pts p);
uint64_t __getdi2 (upcr_pts p);
void __putsi2 (upcr_pts p, uint32_t value);
void __putssi2 (upcr_pts p, uint32_t value);
void __putdi2 (upcr_pts p, uint64_t value);
void *__upc_vm_map_addr (upcr_pts p);
UPCR_PRIVATE unsigned long __upc_page1_ref, __upc_page2_ref;
typedef char *address;
UPCR_PRIVATE address __upc_page1_base, __upc_page2_base;

/* ELEMENTS words of 8 bytes: thread 0's own, thread 1's, and private ones. The
   private ones are volatile, so that the plain loop stays a loop of single loads. */
static upcr_pts own, other;
static volatile uint32_t *plain4;
static volatile uint64_t *plain8;

/* What compiled code does for p + i. */
static inline upcr_pts
element (upcr_pts p, uint64_t i, size_t bytes)
{
  return upcr_pts_make (upcr_pts_thread (p), upcr_pts_offset (p) + i % ELEMENTS * bytes, 0);
}

#define GET_LOOP(name, type, expression)        \
  static void name (long rounds)                \
  {                                             \
    type sum = 0;                               \
    upcr_pts p = own, q = other;                \
    for (long i = 0; i < rounds; i++)           \
      sum += expression;                        \
    (void) p, (void) q;                         \
    bench_use (sum);                            \
  }

#define PUT_LOOP(name, statement)               \
  static void name (long rounds)                \
  {                                             \
    upcr_pts p = own, q = other;                \
    for (long i = 0; i < rounds; i++)           \
      statement;                                \
    (void) p, (void) q;                         \
  }

/* The sequence of abi: two pages of 32 MiB, then the call. */
static inline uint32_t
inlined_get (upcr_pts p)
{
  uint64_t offset = upcr_pts_offset (p);
  uint64_t in_page = offset & 0x1ffffff;
  unsigned long tag = offset >> 25 << 10 | upcr_pts_thread (p);

  if (tag == __upc_page1_ref)
    return *(uint32_t *) (__upc_page1_base + in_page);
  if (tag == __upc_page2_ref)
    return *(uint32_t *) (__upc_page2_base + in_page);
  return *(uint32_t *) __upc_vm_map_addr (p);
}

GET_LOOP (load_4, uint32_t, plain4[i % ELEMENTS])
GET_LOOP (load_8, uint64_t, plain8[i % ELEMENTS])
GET_LOOP (get_4_own, uint32_t, __getsi2 (element (p, i, 4)))
GET_LOOP (get_4_other, uint32_t, __getsi2 (element (q, i, 4)))
GET_LOOP (get_4_strict, uint32_t, __getssi2 (element (p, i, 4)))
GET_LOOP (get_8_own, uint64_t, __getdi2 (element (p, i, 8)))
GET_LOOP (get_8_other, uint64_t, __getdi2 (element (q, i, 8)))
GET_LOOP (get_4_inlined, uint32_t, inlined_get (element (p, i, 4)))
PUT_LOOP (store_4, plain4[i % ELEMENTS] = i)
PUT_LOOP (store_8, plain8[i % ELEMENTS] = i)
PUT_LOOP (store_4_strict, (plain4[i % ELEMENTS] = i, __atomic_thread_fence (__ATOMIC_SEQ_CST)))
PUT_LOOP (put_4_own, __putsi2 (element (p, i, 4), i))
PUT_LOOP (put_4_other, __putsi2 (element (q, i, 4), i))
PUT_LOOP (put_4_strict, __putssi2 (element (p, i, 4), i))
PUT_LOOP (put_8_own, __putdi2 (element (p, i, 8), i))

/* Each access waits for the one before: the latency, not how many overlap. */
static void
chase_plain (long rounds)
{
  uint32_t at = 0;

  while (rounds--)
    at = plain4[at % ELEMENTS];
  bench_use (at);
}

static void
chase_shared (long rounds)
{
  uint32_t at = 0;
  upcr_pts p = own;

  while (rounds--)
    at = __getsi2 (element (p, at, 4));
  bench_use (at);
}

static void
make_chain (void)
{
  for (uint32_t i = 0; i < ELEMENTS; i++)
    {
      plain4[i] = (i + 7) % ELEMENTS;
      __putsi2 (element (own, i, 4), (i + 7) % ELEMENTS);
    }
}

static const struct bench benches[] = {
  BENCH ("access/get-4-own", get_4_own, "load", load_4, "<= ref + 2"),
  BENCH ("access/get-4-other", get_4_other, "load", load_4, "<= ref + 2"),
  BENCH ("access/get-8-own", get_8_own, "load", load_8, "<= ref + 2"),
  BENCH ("access/get-8-other", get_8_other, "load", load_8, "<= ref + 2"),
  BENCH ("access/put-4-own", put_4_own, "store", store_4, "<= ref + 2"),
  BENCH ("access/put-4-other", put_4_other, "store", store_4, "<= ref + 2"),
  BENCH ("access/put-8-own", put_8_own, "store", store_8, "<= ref + 2"),
  BENCH ("access/get-4-inlined", get_4_inlined, "load", load_4, "<= ref + 2"),
  BENCH ("access/get-4-strict", get_4_strict, "load", load_4, ""),
  BENCH ("access/put-4-strict", put_4_strict, "store + fence", store_4_strict, ""),
};

static const struct bench chase
  = BENCH ("access/get-4-chained", chase_shared, "chained load", chase_plain, "<= ref + 2");

int
upc_main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  upcr_pts block = upc_all_alloc (THREADS, ELEMENTS * 8);
  if (MYTHREAD == 0)
    {
      own = block;
      other = upcr_pts_make (THREADS - 1, upcr_pts_offset (block), 0);
      plain8 = calloc (ELEMENTS, 8);
      plain4 = (volatile uint32_t *) plain8;
      for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        bench_compare (&benches[i]);
      make_chain ();
      bench_compare (&chase);
    }
  __upc_barrier (INT_MIN);
  return 0;
}
