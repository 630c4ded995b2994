/* Names shared data in ThreadSanitizer's reports. */

#include "runtime/host/host.h"
#include "runtime/shared/objects.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifdef UPCR_TSAN

/* ThreadSanitizer's own interface for debuggers. */
int __tsan_get_report_data (void *report, const char **description, int *count, int *stack_count,
                            int *mop_count, int *loc_count, int *mutex_count, int *thread_count,
                            int *unique_tid_count, void **sleep_trace, unsigned long trace_size);
int __tsan_get_report_mop (void *report, unsigned long index, int *tid, void **address, int *size,
                           int *write, int *atomic, void **trace, unsigned long trace_size);
int __tsan_get_report_thread (void *report, unsigned long index, int *tid, uint64_t *os_id,
                              int *running, const char **name, int *parent_tid, void **trace,
                              unsigned long trace_size);
void __tsan_on_report (void *report);

/* A name that ThreadSanitizer's library does not have, to link this file by. */
extern const char upcr_races_have_names;
const char upcr_races_have_names = 1;

const char *__tsan_default_suppressions (void);

/* libc has locks of its own, which ThreadSanitizer does not see. It is told by file where libc has
   debug information, else by function. A program may define suppressions of its own. */
__attribute__ ((weak)) const char *
__tsan_default_suppressions (void)
{
  return "race:/locale/setlocale.c$\nrace:^setlocale$\n"
         "race:/time/tzset.c$\nrace:^tzset$\n";
}

/* The UPC thread that the thread with number TID, of THREADS in REPORT, belongs to. */
static int
upc_thread_of (void *report, int threads, int tid)
{
  for (int i = 0; i < threads; i++)
    {
      int found, running, parent, number;
      uint64_t os_id;
      const char *name;
      void *trace[1];

      __tsan_get_report_thread (report, i, &found, &os_id, &running, &name, &parent, trace, 1);
      if (found == tid && name && sscanf (name, "upc %d", &number) == 1)
        return number;
    }
  return 0;
}

/* `a[5] (thread 1, phase 1) of …`, for an address of shared data. */
static bool
name_place (const void *address, char *text, size_t bytes)
{
  uint64_t distance = (uintptr_t) address - UPCR_SEGMENT_BASE;

  if (distance / UPCR_STRIDE >= (uint64_t) THREADS)
    return false;
  upcr_access_text (distance / UPCR_STRIDE, distance % UPCR_STRIDE, 0, text, bytes);
  return true;
}

/* Behind each report: which shared object it is about, and what which UPC threads do with it. */
void
__tsan_on_report (void *report)
{
  const char *description;
  int count, stacks, accesses, locations, mutexes, threads, tids;
  void *trace[1];
  char place[UPCR_TEXT_BYTES], who[200] = "";

  __tsan_get_report_data (report, &description, &count, &stacks, &accesses, &locations, &mutexes,
                          &threads, &tids, trace, 1);
  for (int i = 0; i < accesses; i++)
    {
      int tid, size, write, atomic;
      void *address;
      size_t used = strlen (who);

      __tsan_get_report_mop (report, i, &tid, &address, &size, &write, &atomic, trace, 1);
      if (i == 0 && !name_place (address, place, sizeof place))
        return;
      snprintf (who + used, sizeof who - used, "%sthread %d %s", i == 0 ? "" : ", ",
                upc_thread_of (report, threads, tid), write ? "writes" : "reads");
    }
  if (*who)
    fprintf (stderr, "%s: race on %s: %s\n", upcr_program, place, who);
}
#endif
