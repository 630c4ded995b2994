/* An open file, as the room sees it. */

#ifndef UPCR_IO_FILE_H
#define UPCR_IO_FILE_H

#include "runtime/host/host.h"
#include "runtime/io/io.h"

#include <pthread.h>
#include <stdatomic.h>

struct upcr_file;
struct upcr_operation;

/* What a thread does in each call that reads or writes. */
enum upcr_stage
{
  UPCR_STAGE_ENTERED,
  UPCR_STAGE_COMPLETE, /* it has moved its part */
  UPCR_STAGES
};

#ifdef UPCR_NETWORK
/* What a process knows of the other ones (network/stage.c). */
struct upcr_file_tree
{
  uint32_t number; /* of the file, in all processes */
  uint32_t reached_below[UPCR_STAGES][2];
  uint32_t reached[UPCR_STAGES];
};

/* Calls FUNCTION with the open file of NUMBER, which stays open meanwhile, if there is one. */
void upcr_file_visit (uint32_t number, void (*function) (struct upcr_file *file, void *argument),
                      void *argument);
#endif

/* What each thread has of a file: nobody else touches it but SAID, in upcr_file_most, and REACHED. */
struct upcr_file_part
{
  _Alignas(64) bool is_open; /* this thread has it: another may open the next one already,
                                     with the handle of one that this thread has closed */
  long position;
  int flags; /* of upc_all_fopen, as changed since */
  char *name;
  struct upcr_operation *pending; /* the asynchronous one under way */
  unsigned said_so_far;
  _Atomic uint32_t reached[UPCR_STAGES]; /* in how many calls (stage.c) */
  struct
  {
    const char *what;
    long value;
    int error;
  } said[2];
};

/* Of each process; written by its first thread, before all have the file and in upcr_file_change; read by
   its threads. */
struct upcr_file
{
  struct upcr_file *next; /* in the list of open files */
  upcr_pts handle;
  int descriptor;
  int flags; /* as it was opened */
  long first_position;
  char *path; /* to be removed when it is closed; or NULL */
  size_t hint_count;
  struct upcr_hint *hints;
  pthread_mutex_t strong; /* makes transfers with UPC_STRONG_CA atomic */
  _Alignas(64) _Atomic uint32_t reached_by_all[UPCR_STAGES]; /* as reached of parts (stage.c) */
#ifdef UPCR_NETWORK
  struct upcr_file_tree tree;
#endif
  struct upcr_file_part parts[];
};

/* The file of HANDLE that the thread has open: NULL and EBADF where there is none. */
struct upcr_file *upcr_file_of (upcr_pts handle);

/* The same for what may not be called while an operation is under way: EBUSY. */
struct upcr_file *upcr_file_at_rest (upcr_pts handle);

static inline struct upcr_file_part *
upcr_file_part (struct upcr_file *file)
{
  return &file->parts[MYTHREAD];
}

/* All threads: once each has come, the first of a process writes what was written to the device; then it
   calls CHANGE, if there is one, which may be done again by another process. 0, or -1 and errno, on all:
   CHANGE returns 0 or an errno. */
typedef int upcr_change (struct upcr_file *file, const void *argument);
int upcr_file_change (struct upcr_file *file, const char *what, upcr_change *change,
                      const void *argument);

/* All threads: VALUE and, where that is -1, errno as they are on thread 0. */
long upcr_file_agree (const char *what, long value);

/* All threads: 0, or -1 and errno where ERROR, an errno, is not 0 on the first thread of a process; on the
   others it counts for nothing. */
int upcr_file_outcome (const char *what, int error);

/* All threads: the greatest VALUE, of which none is below 0. -1, with an errno of theirs, where ERROR is not
   0 on one of them. Ends the run where another thread has come for another WHAT: it would be taken for a
   part of this. Orders as upcr_collective_barrier. */
long upcr_file_most (struct upcr_file *file, const char *what, long value, int error);

/* The thread reaches STAGE of its next call that reads or writes. With WAITS, returns once all threads
   have reached that of the same call, and orders as upcr_collective_barrier; nobody waits for a thread
   but by its own WAITS. A fence in either case. */
void upcr_file_reach (struct upcr_file *file, enum upcr_stage stage, const char *what, bool waits);

/* Adds to the file's hints, or puts in the place of the one of the same key. Keys that 7.8.3.1
   does not name are ignored. 0 or an errno. */
int upcr_hint_set (struct upcr_file *file, const struct upcr_hint *hint);

/* Tells the system what the hints say of the open file. */
void upcr_hints_advise (const struct upcr_file *file);

/* The permissions of a file that is made. */
unsigned upcr_hints_mode (const struct upcr_file *file);

void upcr_hints_free (struct upcr_file *file);

#endif
