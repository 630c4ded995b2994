/* Accesses to shared memory of any process.

   opens[t]   the stores of UPC thread t that are not there yet: counted up by its POSIX threads, down by
              who delivers what other processes answer */

#include "runtime/shared/shared.h"

#include "runtime/net/net.h"
#include "runtime/shared/zone.h"

static struct
{
  _Alignas(64) upcr_net_open stores;
} opens[UPCR_MAX_THREADS];

int16_t upcr_processes[UPCR_MAX_THREADS];

void
upcr_know_processes (void)
{
  for (int t = 0; t < THREADS; t++)
    upcr_processes[t] = upcr_net_process_of (THREADS, upcr_net_place ().size, t);
}

upcr_net_open *
upcr_own_stores (void)
{
  return &opens[MYTHREAD].stores;
}

static _Noreturn void
refuse (uintptr_t thread, uintptr_t offset)
{
  if (thread >= (uintptr_t) THREADS)
    upcr_fatal ("access by a pointer-to-shared with affinity to thread %lu of %d",
                (unsigned long) thread, THREADS);
  if (offset < UPCR_NULL_BYTES)
    upcr_fatal ("access by a null pointer-to-shared");
  upcr_fatal ("access to offset 0x%lx of thread %lu's shared data, where there is none",
              (unsigned long) offset, (unsigned long) thread);
}

bool
upcr_is_shared_memory (const volatile void *address, size_t bytes)
{
  uintptr_t distance = (uintptr_t) address - UPCR_SEGMENT_BASE;
  uintptr_t thread = distance / UPCR_STRIDE, offset = distance % UPCR_STRIDE;

  return thread < (uintptr_t) THREADS && offset >= UPCR_NULL_BYTES
         && offset + bytes <= upcr_zone.top;
}

int
upcr_process_at (const volatile void *address, size_t bytes)
{
  uintptr_t distance = (uintptr_t) address - UPCR_SEGMENT_BASE;

  if (!upcr_is_shared_memory (address, bytes))
    refuse (distance / UPCR_STRIDE, distance % UPCR_STRIDE);
  return upcr_process_of ((int) (distance / UPCR_STRIDE));
}

void
upcr_load_begin (void *value, const void *shared, size_t bytes, upcr_net_open *open)
{
  if (upcr_is_near (shared) || bytes == 0)
    {
      memcpy (value, shared, bytes);
      return;
    }
  upcr_net_push (MYTHREAD);
  upcr_net_get (upcr_process_at (shared, bytes), value, shared, bytes, open);
}

void
upcr_load (void *value, const void *shared, size_t bytes)
{
  upcr_net_open open = 0;

  upcr_load_begin (value, shared, bytes, &open);
  upcr_net_await (&open);
}

void
upcr_store (void *shared, const void *value, size_t bytes)
{
  int process;

  if (upcr_is_near (shared) || bytes == 0)
    {
      memcpy (shared, value, bytes);
      return;
    }
  process = upcr_process_at (shared, bytes);
  if (bytes <= UPCR_NET_LONGEST_JOINED)
    {
      upcr_net_join_put (MYTHREAD, process, shared, value, bytes, upcr_own_stores ());
      return;
    }
  upcr_net_push (MYTHREAD);
  upcr_net_put (process, shared, value, bytes, upcr_own_stores ());
}

/* What other members of the record are is not sent: they may be others' to write. */
void
upcr_store_bits (void *shared, const void *value, const void *mask, size_t bytes)
{
  const char *bits = mask;
  size_t first = 0;

  while (first < bytes && !bits[first])
    first++;
  while (bytes > first && !bits[bytes - 1])
    bytes--;
  if (first == bytes)
    return;
  shared = (char *) shared + first;
  value = (const char *) value + first;
  bytes -= first;
  if (upcr_is_near (shared))
    upcr_net_store_own_bits (shared, value, (const unsigned char *) bits + first, bytes);
  else
    {
      upcr_net_push (MYTHREAD);
      upcr_net_put_bits (upcr_process_at (shared, bytes), shared, value, bits + first, bytes,
                         upcr_own_stores ());
    }
}

void
upcr_fill (void *shared, int byte, size_t bytes)
{
  if (upcr_is_near (shared) || bytes == 0)
    memset (shared, byte, bytes);
  else
    {
      upcr_net_push (MYTHREAD);
      upcr_net_set (upcr_process_at (shared, bytes), shared, byte, bytes, upcr_own_stores ());
    }
}

/* Between two other processes it goes by way of this one. */
void
upcr_transfer (void *to, const void *from, size_t bytes)
{
  char tile[32 << 10];

  if (upcr_is_near (to) && upcr_is_near (from))
    memmove (to, from, bytes);
  else if (upcr_is_near (to))
    upcr_load (to, from, bytes);
  else if (upcr_is_near (from))
    upcr_store (to, from, bytes);
  else
    for (size_t done = 0, part; done < bytes; done += part)
      {
        part = bytes - done < sizeof tile ? bytes - done : sizeof tile;
        upcr_load (tile, (const char *) from + done, part);
        upcr_store ((char *) to + done, tile, part);
      }
}

void
upcr_flush (void)
{
  if (atomic_load_explicit (upcr_own_stores (), memory_order_acquire) == 0)
    return;
  upcr_net_push (MYTHREAD);
  upcr_net_await (upcr_own_stores ());
}

void
upcr_flush_all (void)
{
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    {
      upcr_net_push (t);
      upcr_net_await (&opens[t].stores);
    }
}

uint64_t
upcr_heap_end (void)
{
  return upcr_zone.top;
}

/* The end of the page that is nobody's between static data and the heap (zone.h). */
char *
upcr_mailbox (int thread)
{
  return upcr_segment_address (thread, upcr_zone.start - UPCR_MAILBOX_BYTES);
}
