/* UPC-IO beside plain pread and pwrite of the same bytes by the same threads, each its half. The
   file is in the page cache. */

#include <upc.h>
#include <upc_io.h>

#include "tests/bench/bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { BYTES = 8 << 20, LARGE = 64 << 10, SMALL = 8, ROUNDS = 1 };

shared [LARGE] char large[BYTES * THREADS];
shared [SMALL] char small[BYTES * THREADS];

static upc_file_t *file;
static int descriptor;
static char *plain;

#define SHARED_LOOP(name, call, array, block)                                   \
  static void name (long rounds)                                                \
  {                                                                             \
    while (rounds--)                                                            \
      {                                                                         \
        upc_all_fseek (file, 0, UPC_SEEK_SET);                                  \
        upc_all_##call##_shared (file, array, block, 1, BYTES,                  \
                                 UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);             \
      }                                                                         \
  }

#define PLAIN_LOOP(name, call)                                                  \
  static void name (long rounds)                                                \
  {                                                                             \
    long half = BYTES / THREADS;                                                \
                                                                                \
    while (rounds--)                                                            \
      {                                                                         \
        upc_barrier;                                                            \
        if (call (descriptor, plain, half, half * MYTHREAD) != half)            \
          abort ();                                                             \
        upc_barrier;                                                            \
      }                                                                         \
  }

SHARED_LOOP (write_large, fwrite, large, LARGE)
SHARED_LOOP (write_small, fwrite, small, SMALL)
SHARED_LOOP (read_large, fread, large, LARGE)
SHARED_LOOP (read_small, fread, small, SMALL)
PLAIN_LOOP (write_plain, pwrite)
PLAIN_LOOP (read_plain, pread)

static const struct bench benches[] = {
  BENCH ("io/write-blocks", write_large, "pwrite", write_plain, ">= 0.8 ref", .bytes = BYTES,
         .rounds = ROUNDS),
  BENCH ("io/read-blocks", read_large, "pread", read_plain, ">= 0.8 ref", .bytes = BYTES,
         .rounds = ROUNDS),
  BENCH ("io/write-blocks-of-8", write_small, "pwrite", write_plain, "", .bytes = BYTES,
         .rounds = ROUNDS),
  BENCH ("io/read-blocks-of-8", read_small, "pread", read_plain, "", .bytes = BYTES,
         .rounds = ROUNDS),
};

/* The name that thread 0 has made. */
static shared [] char name[32];

int
main (int argc, char **argv)
{
  char own[32] = "/tmp/upct-bench-XXXXXX";

  bench_arguments (argc, argv);
  if (MYTHREAD == 0)
    {
      close (mkstemp (own));
      upc_memput (name, own, sizeof own);
    }
  upc_barrier;
  upc_memget (own, name, sizeof own);
  descriptor = open (own, O_RDWR);
  plain = malloc (BYTES);
  file = upc_all_fopen (own, UPC_RDWR | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
  if (!file || descriptor < 0 || !plain)
    abort ();
  write_large (1);
  for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
    bench_compare (&benches[i]);
  return upc_all_fclose (file);
}
