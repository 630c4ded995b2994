/* Section upc_pgm_info: strings `$GCCUPCConfig: (FILE) WORD WORD…$`, with zero
   bytes between them. */

#include "runtime/host/host.h"
#include "runtime/start/start.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "$GCCUPCConfig: ("
#define STATIC "staticthreads="

extern const char __start_upc_pgm_info[] __attribute__ ((weak));
extern const char __stop_upc_pgm_info[] __attribute__ ((weak));

struct record
{
  const char *file;
  int file_length;
  int threads;
};

/* Reads the record in the string S; false when it is none or has no count. */
static int
read_static_record (const char *s, struct record *record)
{
  const char *close, *count;

  if (strncmp (s, PREFIX, strlen (PREFIX)) != 0)
    return 0;
  record->file = s + strlen (PREFIX);
  close = strchr (record->file, ')');
  if (!close)
    return 0;
  record->file_length = close - record->file;
  count = strstr (close, STATIC);
  if (!count)
    return 0;
  record->threads = atoi (count + strlen (STATIC));
  return 1;
}

int
upcr_static_threads_of (const char *info, size_t bytes)
{
  const char *end = info + bytes;
  struct record first = { 0 }, record;

  while (info < end)
    {
      size_t length = strnlen (info, end - info);
      if (info + length < end && read_static_record (info, &record))
        {
          if (record.threads < 1 || record.threads > UPCR_MAX_THREADS)
            upcr_usage_error ("%.*s was compiled for %d threads; expected 1 to 1024",
                              record.file_length, record.file, record.threads);
          if (first.file && first.threads != record.threads)
            upcr_usage_error ("%.*s was compiled for %d threads, but %.*s for %d",
                              first.file_length, first.file, first.threads, record.file_length,
                              record.file, record.threads);
          first = record;
        }
      info += length + 1;
    }
  return first.threads;
}

int
upcr_static_threads (void)
{
  return upcr_static_threads_of (__start_upc_pgm_info, __stop_upc_pgm_info - __start_upc_pgm_info);
}
