/* --top: what a running program does, a table each second. */

#ifndef UPCRUN_TOP_H
#define UPCRUN_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* tasks.c: the threads of a process, as Linux tells of them. */

struct task
{
  pid_t id;
  int thread;        /* of UPC, or -1 */
  char state;        /* R, S, D, … */
  int cpu;           /* the last one it ran on */
  uint64_t run_ns;   /* CPU time */
  uint64_t queue_ns; /* that it could have run, and had no CPU */
};

/* In the order of UPC threads, other threads behind them. Returns how many there are; 0: no such process. The
   tasks are valid until the next call. */
size_t read_tasks (pid_t process, const struct task **tasks);

/* The beginning of the file, as a text. Returns its length; 0: it is not there. */
size_t read_file (const char *path, char *text, size_t size);

/* symbols.c: the program's memory. */

/* Where the symbol is in the process's memory; 0: the program has none of that name. */
uint64_t locate_symbol (pid_t process, const char *name);
bool read_memory (pid_t process, uint64_t from, void *to, size_t size);

/* traffic.c: prints what a traced program has moved between threads since the last call, ELAPSED ns ago. Returns the
   number of lines; 0: nothing is known. */
int print_traffic (pid_t process, double elapsed);

/* waits.c: what the runtime in the process has noted. */

struct wait
{
  char what[64]; /* the function, or "" */
  int holder;    /* the thread that has the lock, or -1 */
};

/* Whether the UPC thread of the process sleeps in a wait for other threads. Nothing is known of a program
   without symbols. */
bool read_wait (pid_t process, int thread, struct wait *wait);

/* top.c: shows the process until it ends. A child's end is upcrun's own. */
_Noreturn void watch (pid_t process);
_Noreturn void watch_child (pid_t child);

#endif
