/* upc_io.h: parallel input and output (UPC 1.3, optional library, 7.8).

   A UPC file is a file of the system: its bytes in their order, to be read, copied and
   removed by any program once it is closed.

   All functions are collective: each thread calls them, in the same order, not between
   upc_notify and upc_wait, and with the same FD. Other arguments are the same on all threads
   where it says so. A function that fails returns -1 and sets errno to a value of the system's;
   if it does on one thread, positions of all are undefined until the next upc_all_fseek.
   What no FD is, or is closed, is EBADF; a file with an asynchronous operation under way EBUSY.

   FLAGS say when the memory may be touched (upc_types.h; UPC 1.3, 7.3.3), not the file. One of
   each, ALLSYNC where it is left out.

   What a thread has written, others read for certain after upc_all_fsync, or after the file
   was closed and opened again; with UPC_STRONG_CA at once, and what threads write to the same
   place comes from one of them whole. Here a write is seen by whoever reads after it. */

#ifndef _UPC_IO_H
#define _UPC_IO_H

#ifndef __UPC__
#error upc_io.h is for UPC source: C has no shared types
#endif

#include <stddef.h>
#include <upc_types.h>

#ifndef __UPC_IO__
#define __UPC_IO__ 1
#endif

/* A file's size, and a place in it, in bytes. (7.8.2) */
typedef long upc_off_t;

/* An open file: the same pointer on all threads. (7.8.2) */
typedef shared struct upc_file_struct upc_file_t;

/* How to open a file: one of the first three, one of the next two, and any of the others. */
#define UPC_RDONLY (1 << 0)
#define UPC_WRONLY (1 << 1)
#define UPC_RDWR (1 << 2)
#define UPC_INDIVIDUAL_FP (1 << 3)   /* each thread has a position of its own */
#define UPC_COMMON_FP (1 << 4)       /* all have one together */
#define UPC_APPEND (1 << 5)          /* the first position is the end */
#define UPC_CREATE (1 << 6)          /* a file that is not there is made */
#define UPC_EXCL (1 << 7)            /* with UPC_CREATE: it must not be there */
#define UPC_STRONG_CA (1 << 8)       /* strong consistency and atomicity (7.8.1.3) */
#define UPC_TRUNC (1 << 9)           /* what it has is removed; not with UPC_RDONLY */
#define UPC_DELETE_ON_CLOSE (1 << 10)

/* What a program may tell of how it uses a file. Those that 7.8.3.1 names are kept; access_style
   is passed on to the system, and file_perm, octal digits such as "0640", are the permissions of
   a file that is made, 0666 by default, less the umask. Others are ignored. */
typedef struct upc_hint
{
  const char *key;
  const char *value;
} upc_hint_t;

/* Opens the file FNAME, with HINTS of NUMHINTS. The contents of all arguments are the same on
   all threads. It fails on all threads with the same errno: a null pointer. At the end of the
   program open files are closed. (7.8.3.1) */
extern upc_file_t *upc_all_fopen (const char *__fname, int __flags, size_t __numhints,
                                  struct upc_hint const *__hints);

/* Writes to the device what was not yet, and closes FD. 0, or -1 on all threads. (7.8.3.2) */
extern int upc_all_fclose (upc_file_t *__fd);

/* Writes to the device what was not yet; all threads see it afterwards. 0 or -1. (7.8.3.3) */
extern int upc_all_fsync (upc_file_t *__fd);

/* Where an offset counts from. */
#define UPC_SEEK_SET 0
#define UPC_SEEK_CUR 1
#define UPC_SEEK_END 2

/* Sets the position to OFFSET bytes from ORIGIN and returns it. A common position: the arguments
   are the same on all threads. It may be past the end, but not below 0: EINVAL. (7.8.3.4) */
extern upc_off_t upc_all_fseek (upc_file_t *__fd, upc_off_t __offset, int __origin);

/* As upc_all_fsync, and makes the file SIZE bytes long; what is new is 0. 0 or -1. (7.8.3.5) */
extern int upc_all_fset_size (upc_file_t *__fd, upc_off_t __size);

/* The size of the file, the same on all threads. (7.8.3.6) */
extern upc_off_t upc_all_fget_size (upc_file_t *__fd);

/* Has the system find room for the first SIZE bytes; a shorter file grows. 0 or -1. (7.8.3.7) */
extern int upc_all_fpreallocate (upc_file_t *__fd, upc_off_t __size);

/* Commands of upc_all_fcntl, and what it returns. Those that set something do an upc_all_fsync
   before; ARG is ignored where none is named. */
#define UPC_GET_CA_SEMANTICS 1        /* UPC_STRONG_CA, or 0 */
#define UPC_SET_WEAK_CA_SEMANTICS 2   /* 0 */
#define UPC_SET_STRONG_CA_SEMANTICS 3 /* 0 */
#define UPC_GET_FP 4                  /* UPC_COMMON_FP or UPC_INDIVIDUAL_FP */
#define UPC_SET_COMMON_FP 5           /* 0; the position is 0 then */
#define UPC_SET_INDIVIDUAL_FP 6       /* 0; the positions are 0 then */
#define UPC_GET_FL 7                  /* the flags of upc_all_fopen as they are now */
#define UPC_GET_FN 8                  /* const char **ARG: the name that this thread gave */
#define UPC_GET_HINTS 9               /* const upc_hint_t **ARG: an array; its length */
#define UPC_SET_HINT 10               /* const upc_hint_t *ARG, the same on all threads; 0 */
#define UPC_ASYNC_OUTSTANDING 11      /* 1 while an asynchronous operation is under way, or 0 */

/* Asks or sets what CMD says. What UPC_GET_FN and UPC_GET_HINTS give stays until the next call
   for FD, or its end. (7.8.3.8) */
extern int upc_all_fcntl (upc_file_t *__fd, int __cmd, void *__arg);

/* The functions that follow return the number of bytes read or written, less than was asked for
   only at the end of a file that is read.

   …_local: SIZE * NMEMB bytes between the file at the thread's own position, which moves, and
   BUFFER. For individual positions only; each thread has arguments of its own. */
extern upc_off_t upc_all_fread_local (upc_file_t *__fd, void *__buffer, size_t __size,
                                      size_t __nmemb, upc_flag_t __flags);   /* 7.8.4.1 */
extern upc_off_t upc_all_fwrite_local (upc_file_t *__fd, void *__buffer, size_t __size,
                                       size_t __nmemb, upc_flag_t __flags);  /* 7.8.5.1 */

/* …_shared: NMEMB elements of SIZE bytes, in blocks of BLOCKSIZE elements, 0 for one block of
   all. BUFFER's phase is ignored. With individual positions each thread has arguments of its own;
   with a common one they are the same on all, together they move the elements once, and each
   returns the sum. */
extern upc_off_t upc_all_fread_shared (upc_file_t *__fd, shared void *__buffer,
                                       size_t __blocksize, size_t __size, size_t __nmemb,
                                       upc_flag_t __flags);                  /* 7.8.4.2 */
extern upc_off_t upc_all_fwrite_shared (upc_file_t *__fd, shared void *__buffer,
                                        size_t __blocksize, size_t __size, size_t __nmemb,
                                        upc_flag_t __flags);                 /* 7.8.5.2 */

/* Regions of LEN bytes: of the thread's memory, of shared memory in blocks of BLOCKSIZE bytes
   (0: one block), of the file. (7.8.6) */
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

/* …_list: between the regions of FILEVEC, in order of their offsets, and those of MEMVEC, as many
   bytes in all: EINVAL. No position counts or moves. Each thread has lists of its own. (7.8.6.1
   to 7.8.6.4) */
extern upc_off_t upc_all_fread_list_local (upc_file_t *__fd, size_t __memvec_entries,
                                           struct upc_local_memvec const *__memvec,
                                           size_t __filevec_entries,
                                           struct upc_filevec const *__filevec,
                                           upc_flag_t __flags);
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

/* …_async: begins the same, in a thread beside the caller's; the lists may go at once. IN flags
   are for this call, OUT flags for the one that completes it. One may be under way for a file: a
   second one ends the run. (7.8.7.1 to 7.8.7.8) */
extern void upc_all_fread_local_async (upc_file_t *__fd, void *__buffer, size_t __size,
                                       size_t __nmemb, upc_flag_t __flags);
extern void upc_all_fwrite_local_async (upc_file_t *__fd, void *__buffer, size_t __size,
                                        size_t __nmemb, upc_flag_t __flags);
extern void upc_all_fread_shared_async (upc_file_t *__fd, shared void *__buffer,
                                        size_t __blocksize, size_t __size, size_t __nmemb,
                                        upc_flag_t __flags);
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

/* Waits for the operation under way, ends it, and returns what the function without _async
   does. EINVAL: there is none. (7.8.7.9) */
extern upc_off_t upc_all_fwait_async (upc_file_t *__fd);

/* *FLAG = 1 on all threads, and as upc_all_fwait_async, where all threads' parts are done;
   *FLAG = 0, and returns 0, where not. (7.8.7.10) */
extern upc_off_t upc_all_ftest_async (upc_file_t *__fd, int *__flag);

#endif
