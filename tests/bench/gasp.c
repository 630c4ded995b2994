/* Instrumented code: the entry points with a place and what upcc puts around constructs,
   beside the same without. Built twice, without a tool and with one that counts. */

#include "tests/bench/bench.h"

#include <gasp_upc.h>
#include <upct/gasp.h>

#ifdef WITH_TOOL
#define NAME(name) "gasp/count-" name
/* What a tool of 50 ns an event leaves to us. */
#define AT_MOST(none, count) "<= ref + " #count
#else
#define NAME(name) "gasp/none-" name
/* 2 ns an event. */
#define AT_MOST(none, count) "<= ref + " #none
#endif

#define AT "gasp.upc", 1

uint32_t __getsi2 (upcr_pts p);
uint32_t __getgsi3 (upcr_pts p, const char *file, int line);
void __putsi2 (upcr_pts p, uint32_t value);
void __putgsi4 (upcr_pts p, uint32_t value, const char *file, int line);
void upc_memget (void *dst, upcr_pts src, size_t n);
void upc_memgetg (void *dst, upcr_pts src, size_t n, const char *file, int line);
upcr_pts upc_all_lock_alloc (void);
void upc_lock (upcr_pts lock);
void upc_unlock (upcr_pts lock);
void upc_lockg (upcr_pts lock, const char *file, int line);
void upc_unlockg (upcr_pts lock, const char *file, int line);
void __upc_barrierg (int id, const char *file, int line);
void pupc_event_atomicg (unsigned event, const char *file, int line, ...);

static upcr_pts block, lock;
static char bytes[8];

#define LOOP(name, statement)                                                   \
  static void name (long rounds)                                                \
  {                                                                             \
    upcr_pts p = block, l = lock;                                               \
    for (long i = 0; i < rounds; i++)                                           \
      statement;                                                                \
    (void) p, (void) l;                                                         \
  }

static const struct upct_site site = { "gasp.upc", 1, 1 };

/* As compiled: an access that the program's own code does, and a function. */
#define AROUND(event, statement, ...)                                           \
  do                                                                            \
    {                                                                           \
      if (__builtin_expect (upct_gasp_tool, 0))                                 \
        upct_gasp_event (&site, event, GASP_START, ##__VA_ARGS__);              \
      statement;                                                                \
      if (__builtin_expect (upct_gasp_tool, 0))                                 \
        upct_gasp_event (&site, event, GASP_END, ##__VA_ARGS__);                \
    }                                                                           \
  while (0)

static __attribute__ ((noinline)) void
function (long i)
{
  bench_use (i);
}

static __attribute__ ((noinline)) void
instrumented_function (long i)
{
  struct upct_gasp_frame frame;

  if (__builtin_expect (upct_gasp_tool, 0))
    upct_gasp_enter (&frame, &site, "void instrumented_function (long)");
  bench_use (i);
  if (__builtin_expect (upct_gasp_tool, 0))
    upct_gasp_leave (&frame, &site);
}

LOOP (get, bench_use (__getsi2 (p)))
LOOP (get_g, bench_use (__getgsi3 (p, AT)))
LOOP (put, __putsi2 (p, i))
LOOP (put_g, __putgsi4 (p, i, AT))
LOOP (memget, upc_memget (bytes, p, 8))
LOOP (memget_g, upc_memgetg (bytes, p, 8, AT))
LOOP (lock_unlock, (upc_lock (l), upc_unlock (l)))
LOOP (lock_unlock_g, (upc_lockg (l, AT), upc_unlockg (l, AT)))
LOOP (barrier, __upc_barrier (INT_MIN))
LOOP (barrier_g, __upc_barrierg (INT_MIN, AT))
LOOP (load, bench_use (*(volatile uint32_t *) bytes))
LOOP (load_around, AROUND (GASP_UPC_GET, bench_use (*(volatile uint32_t *) bytes), 1, bytes, &p, 4ul))
LOOP (call, function (i))
LOOP (call_around, instrumented_function (i))
LOOP (nothing, bench_use (i))
LOOP (user_event, (bench_use (i), pupc_event_atomicg (1000, AT, 5)))

static const struct bench benches[] = {
  BENCH (NAME ("get-4"), get_g, "plain form", get, AT_MOST (4, 40)),
  BENCH (NAME ("put-4"), put_g, "plain form", put, AT_MOST (4, 40)),
  BENCH (NAME ("memget-8"), memget_g, "plain form", memget, AT_MOST (4, 40)),
  BENCH (NAME ("lock-unlock"), lock_unlock_g, "plain form", lock_unlock, AT_MOST (8, 80)),
  BENCH (NAME ("barrier"), barrier_g, "plain form", barrier, AT_MOST (4, 40)),
  BENCH (NAME ("inline-get"), load_around, "load", load, AT_MOST (4, 40)),
  BENCH (NAME ("function"), call_around, "plain function", call, AT_MOST (4, 40)),
  BENCH (NAME ("user-event"), user_event, "nothing", nothing, AT_MOST (2, 20)),
};

int
upc_main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  block = upc_all_alloc (1, 64);
  lock = upc_all_lock_alloc ();
  for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
    bench_compare (&benches[i]);
  return 0;
}
