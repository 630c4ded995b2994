/* The memory that malloc needs before its first call. Where jemalloc finds none for its own
   records, at its start or when a thread begins, it follows a null pointer. Such a run ends
   before that with one line. */

#include "runtime/host/host.h"
#include "runtime/start/start.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* What jemalloc's records were measured to need, rounded up: for the process, and for each
   of the first threads, until they have an arena each. */
#define PROCESS_BYTES (12ul << 20)
#define THREAD_BYTES (4ul << 20)
enum
{
  THREADS_WITH_ARENAS = 32
};

static void
require (size_t bytes, const char *what)
{
  void *probe = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (probe == MAP_FAILED)
    upcr_usage_error ("not enough memory to start %s, which needs %zu MiB more: %s", what,
                      bytes >> 20, strerror (errno));
  munmap (probe, bytes);
}

void
upcr_require_memory (void)
{
  require (PROCESS_BYTES, "the program");
}

void
upcr_require_memory_for_threads (void)
{
  require (THREAD_BYTES * (THREADS < THREADS_WITH_ARENAS ? THREADS : THREADS_WITH_ARENAS),
           "its threads");
}
