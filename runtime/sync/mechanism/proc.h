/* /proc/…/stat, the kernel's line about each process and thread: see proc(5). */

#ifndef UPCR_SYNC_PROC_H
#define UPCR_SYNC_PROC_H

#include <stdbool.h>

/* Fields of it, by their numbers in proc(5). */
enum
{
  UPCR_STAT_STATE = 3,
  UPCR_STAT_THREADS = 20,
  UPCR_STAT_CPU = 39
};

struct upcr_stat
{
  char text[1024];
};

/* Reads the line in the file PATH; false when there is none. Safe in signal handlers. */
bool upcr_stat_read (const char *path, struct upcr_stat *stat);

/* The text of FIELD, the third or a later one; "" where it is missing. */
const char *upcr_stat_field (const struct upcr_stat *stat, int field);

#endif
