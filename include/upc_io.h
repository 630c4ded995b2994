/* upc_io.h: parallel input and output (UPC 1.3, optional library, 7.8). For UPC source; C has no
   shared types.

   A UPC file is an ordinary file: other programs can read, copy and remove it once it is
   closed.

   All functions are collective: every thread calls them, in the same order as the thread's
   other collective calls, and not between upc_notify and upc_wait. FD is single-valued: the
   same on all threads. Other arguments are single-valued where this is said. Sizes and offsets
   are in bytes.

   A function that fails returns -1 and sets errno. If it fails on one thread, the positions of
   all threads are undefined until the next upc_all_fseek. errno is EBADF if FD is not an open
   file, and EBUSY if an asynchronous operation on the file is in flight.

   FLAGS is one IN and one OUT flag of upc_types.h, single-valued except in calls with lists. They synchronise
   accesses to memory, not to the file: a thread waits for others as its own flags say.

   Consistency. A thread is sure to read what another has written after upc_all_fsync, or after
   the file was closed and opened again. With UPC_STRONG_CA it can read it at once, and overlapping
   writes do not mix: each byte range comes from one of them. On one machine a write is always
   visible to reads that follow it. (7.8.1.3) */

#ifndef _UPC_IO_H
#define _UPC_IO_H

#ifndef __UPC__
#error upc_io.h is for UPC source: C has no shared types
#endif

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <upc_types.h>

#ifndef __UPC_IO__
#define __UPC_IO__ 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Berkeley UPC's names: that its header has types, and one of them. */
#define __UPC_IO_TYPEDEFS__ 1
typedef shared void *bupc_sharedptr_t;

/* A size of or an offset in a file, in bytes. (7.8.2) */
typedef long upc_off_t;

/* An open file. All threads have the same pointer. (7.8.2) */
typedef shared struct upc_file_struct upc_file_t;

/* Flags of upc_all_fopen: one of the first three, one of the next two, any of the others.
   (7.8.3.1) */
#define UPC_RDONLY (1 << 0)
#define UPC_WRONLY (1 << 1)
#define UPC_RDWR (1 << 2)
#define UPC_INDIVIDUAL_FP (1 << 3) /* each thread has its own file position */
#define UPC_COMMON_FP (1 << 4)     /* all threads share one file position */
#define UPC_APPEND (1 << 5)        /* start at the end of the file */
#define UPC_CREATE (1 << 6)        /* create the file if it does not exist */
#define UPC_EXCL (1 << 7)          /* with UPC_CREATE: fail if it exists */
#define UPC_STRONG_CA (1 << 8)     /* strong consistency and atomicity (7.8.1.3) */
#define UPC_TRUNC (1 << 9)         /* truncate it to length 0; not with UPC_RDONLY */
#define UPC_DELETE_ON_CLOSE (1 << 10)

/* A hint about the use of a file. Hints that 7.8.3.1 names are kept, others ignored. Two have an
   effect: access_style is passed on to the system, and file_perm, octal digits such as "0640",
   is the mode of a new file before the umask, 0666 by default. */
typedef struct upc_hint
{
  const char *key;
  const char *value;
} upc_hint_t;

/* Opens the file FNAME with FLAGS and NUMHINTS hints. The arguments and what they point to are
   single-valued. Returns null if it fails, with the same errno on all threads. The end of the
   program closes all open files. (7.8.3.1) */
extern upc_file_t *upc_all_fopen (const char *__fname, int __flags, size_t __numhints,
                                  struct upc_hint const *__hints);

/* Completes all writes to the device and closes FD. Returns 0, or -1 on all threads. (7.8.3.2) */
extern int upc_all_fclose (upc_file_t *__fd);

/* Completes all writes to the device; afterwards all threads see them. Returns 0 or -1.
   (7.8.3.3) */
extern int upc_all_fsync (upc_file_t *__fd);

/* Origins of upc_all_fseek. */
#define UPC_SEEK_SET 0
#define UPC_SEEK_CUR 1
#define UPC_SEEK_END 2

/* Sets the file position to OFFSET bytes from ORIGIN and returns it. With a common position the
   arguments are single-valued. The position may be past the end of the file; EINVAL if it is
   negative. (7.8.3.4) */
extern upc_off_t upc_all_fseek (upc_file_t *__fd, upc_off_t __offset, int __origin);

/* Like upc_all_fsync; then sets the length of the file to SIZE. New bytes are 0. SIZE is
   single-valued. Returns 0 or -1. (7.8.3.5) */
extern int upc_all_fset_size (upc_file_t *__fd, upc_off_t __size);

/* Returns the length of the file, the same on all threads. (7.8.3.6) */
extern upc_off_t upc_all_fget_size (upc_file_t *__fd);

/* Allocates storage for the first SIZE bytes; a shorter file grows. SIZE is single-valued.
   Returns 0 or -1. (7.8.3.7) */
extern int upc_all_fpreallocate (upc_file_t *__fd, upc_off_t __size);

/* Commands of upc_all_fcntl and its results. Commands that set something do an upc_all_fsync
   first. ARG is ignored unless it is named. */
#define UPC_GET_CA_SEMANTICS 1        /* UPC_STRONG_CA, or 0 */
#define UPC_SET_WEAK_CA_SEMANTICS 2   /* 0 */
#define UPC_SET_STRONG_CA_SEMANTICS 3 /* 0 */
#define UPC_GET_FP 4                  /* UPC_COMMON_FP or UPC_INDIVIDUAL_FP */
#define UPC_SET_COMMON_FP 5           /* 0; the position becomes 0 */
#define UPC_SET_INDIVIDUAL_FP 6       /* 0; the positions become 0 */
#define UPC_GET_FL 7                  /* the flags of upc_all_fopen as they are now */
#define UPC_GET_FN 8                  /* const char **ARG: the name this thread gave */
#define UPC_GET_HINTS 9               /* const upc_hint_t **ARG: array; its length */
#define UPC_SET_HINT 10               /* const upc_hint_t *ARG, single-valued; 0 */
#define UPC_ASYNC_OUTSTANDING 11      /* 1 if an asynchronous operation is in flight, or 0 */

/* Gets or sets what CMD says; CMD is single-valued. What UPC_GET_FN and UPC_GET_HINTS point to
   is valid until the next call with FD. (7.8.3.8) */
extern int upc_all_fcntl (upc_file_t *__fd, int __cmd, void *__arg);

/* The functions below return the number of bytes read or written. It is less than requested only
   if a read reaches the end of the file.

   …_local: reads or writes SIZE * NMEMB bytes at the thread's file position, which advances, to
   or from BUFFER. For individual positions only; arguments may differ between threads. */
extern upc_off_t upc_all_fread_local (upc_file_t *__fd, void *__buffer, size_t __size,
                                      size_t __nmemb, upc_flag_t __flags); /* 7.8.4.1 */
extern upc_off_t upc_all_fwrite_local (upc_file_t *__fd, void *__buffer, size_t __size,
                                       size_t __nmemb, upc_flag_t __flags); /* 7.8.5.1 */

/* …_shared: reads or writes NMEMB elements of SIZE bytes, to or from shared memory at BUFFER with
   blocks of BLOCKSIZE elements; BLOCKSIZE is 0 for one block. The phase of BUFFER is ignored.
   With individual positions, arguments may differ between threads. With a common position they
   are single-valued: the threads transfer the elements once, together, and each returns the
   sum. */
extern upc_off_t upc_all_fread_shared (upc_file_t *__fd, shared void *__buffer, size_t __blocksize,
                                       size_t __size, size_t __nmemb,
                                       upc_flag_t __flags); /* 7.8.4.2 */
extern upc_off_t upc_all_fwrite_shared (upc_file_t *__fd, shared void *__buffer, size_t __blocksize,
                                        size_t __size, size_t __nmemb,
                                        upc_flag_t __flags); /* 7.8.5.2 */

/* Regions of len bytes: of private memory; of shared memory with blocks of blocksize bytes, 0 for
   one block; of a file. (7.8.6) */
struct upc_local_memvec
{
  void *baseaddr;
  size_t len;
};

struct upc_shared_memvec
{
  shared void *baseaddr;
  size_t blocksize;
  size_t len;
};

struct upc_filevec
{
  upc_off_t offset;
  size_t len;
};

/* …_list: reads or writes the regions of FILEVEC, in ascending order of their offsets, to or from
   the regions of MEMVEC. EINVAL unless both have the same number of bytes. File positions are
   neither used nor changed. Arguments may differ between threads, FLAGS too. (7.8.6.1 to 7.8.6.4) */
extern upc_off_t upc_all_fread_list_local (upc_file_t *__fd, size_t __memvec_entries,
                                           struct upc_local_memvec const *__memvec,
                                           size_t __filevec_entries,
                                           struct upc_filevec const *__filevec, upc_flag_t __flags);
extern upc_off_t upc_all_fread_list_shared (upc_file_t *__fd, size_t __memvec_entries,
                                            struct upc_shared_memvec const *__memvec,
                                            size_t __filevec_entries,
                                            struct upc_filevec const *__filevec,
                                            upc_flag_t __flags);
extern upc_off_t upc_all_fwrite_list_local (upc_file_t *__fd, size_t __memvec_entries,
                                            struct upc_local_memvec const *__memvec,
                                            size_t __filevec_entries,
                                            struct upc_filevec const *__filevec,
                                            upc_flag_t __flags);
extern upc_off_t upc_all_fwrite_list_shared (upc_file_t *__fd, size_t __memvec_entries,
                                             struct upc_shared_memvec const *__memvec,
                                             size_t __filevec_entries,
                                             struct upc_filevec const *__filevec,
                                             upc_flag_t __flags);

/* Berkeley UPC's: among the flags of a function above, it only starts the operation, like the function
   that follows with its name, and returns 0. To these it makes no difference. */
#define UPC_ASYNC 64

/* …_async: starts the same operation in a helper thread. The lists, but not the memory they name,
   may be reused at once. IN flags apply to this call, OUT flags to the call that completes the
   operation. A second operation while one is in flight on the file is an error that ends the run
   with a message and exit status 1. (7.8.7.1 to 7.8.7.8) */
extern void upc_all_fread_local_async (upc_file_t *__fd, void *__buffer, size_t __size,
                                       size_t __nmemb, upc_flag_t __flags);
extern void upc_all_fwrite_local_async (upc_file_t *__fd, void *__buffer, size_t __size,
                                        size_t __nmemb, upc_flag_t __flags);
extern void upc_all_fread_shared_async (upc_file_t *__fd, shared void *__buffer, size_t __blocksize,
                                        size_t __size, size_t __nmemb, upc_flag_t __flags);
extern void upc_all_fwrite_shared_async (upc_file_t *__fd, shared void *__buffer,
                                         size_t __blocksize, size_t __size, size_t __nmemb,
                                         upc_flag_t __flags);
extern void upc_all_fread_list_local_async (upc_file_t *__fd, size_t __memvec_entries,
                                            struct upc_local_memvec const *__memvec,
                                            size_t __filevec_entries,
                                            struct upc_filevec const *__filevec,
                                            upc_flag_t __flags);
extern void upc_all_fread_list_shared_async (upc_file_t *__fd, size_t __memvec_entries,
                                             struct upc_shared_memvec const *__memvec,
                                             size_t __filevec_entries,
                                             struct upc_filevec const *__filevec,
                                             upc_flag_t __flags);
extern void upc_all_fwrite_list_local_async (upc_file_t *__fd, size_t __memvec_entries,
                                             struct upc_local_memvec const *__memvec,
                                             size_t __filevec_entries,
                                             struct upc_filevec const *__filevec,
                                             upc_flag_t __flags);
extern void upc_all_fwrite_list_shared_async (upc_file_t *__fd, size_t __memvec_entries,
                                              struct upc_shared_memvec const *__memvec,
                                              size_t __filevec_entries,
                                              struct upc_filevec const *__filevec,
                                              upc_flag_t __flags);

/* Waits for the operation in flight, completes it, and returns what the function without _async
   returns. EINVAL if there is none. (7.8.7.9) */
extern upc_off_t upc_all_fwait_async (upc_file_t *__fd);

/* If the operation is done on all threads, stores 1 into *FLAG and completes it like
   upc_all_fwait_async; else stores 0 and returns 0. The same on all threads. (7.8.7.10) */
extern upc_off_t upc_all_ftest_async (upc_file_t *__fd, int *__flag);

#ifdef __cplusplus
}
#endif

#endif
