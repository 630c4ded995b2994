/* The parts of report.html that page.c has beside its intervals. */

#ifndef TRACE_PAGE_H
#define TRACE_PAGE_H

#include "tools/trace/report/report.h"

/* page_heap.c: how much of each thread's heaps is in use in each bin. */

struct heap_bins;
struct heap_bins *heap_bins_begin (unsigned threads, unsigned bins, double bin_ns);
/* What is counted from here on THREAD has done. */
void heap_bins_thread (struct heap_bins *heaps, unsigned thread);
void heap_bins_count (struct heap_bins *heaps, int64_t ns, uint64_t change);
void heap_bins_end (struct heap_bins *heaps, FILE *file);

/* handover.c: from whom a thread that has waited for a lock got it: the last one that unlocked it before. The
   waits that are shown are known after the second reading; a third one looks for the unlocking. */

struct handovers;
struct handovers *handovers_begin (struct trace *trace);
void handovers_add (struct handovers *handovers, unsigned thread, const struct interval *wait);
/* False: there was no wait, and there is nothing to read for. */
bool handovers_are_wanted (struct handovers *handovers);
struct visitor handovers_visitor (struct handovers *handovers);
void handovers_end (struct handovers *handovers, FILE *file);

#endif
