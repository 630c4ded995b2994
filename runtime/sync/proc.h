/* Inside the room: the line that the kernel has in /proc on each process and thread. */

#ifndef UPCR_PROC_H
#define UPCR_PROC_H

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

/* Reads the line of PATH, a file named `stat`; false when there is none. In a handler of
   a signal too. */
bool upcr_stat_read (const char *path, struct upcr_stat *stat);

/* Where the text of FIELD begins, which is behind the second; "" where it is not. */
const char *upcr_stat_field (const struct upcr_stat *stat, int field);

#endif
