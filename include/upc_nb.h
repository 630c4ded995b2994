/* upc_nb.h: non-blocking copies (UPC 1.3, optional library, 7.9). For UPC source; C has no
   shared types.

   The copies are those of upc_memcpy, upc_memget, upc_memput and upc_memset in upc.h. One call
   starts a transfer, another completes it; in between the program neither accesses the
   destination nor changes the source. N is in bytes and may be 0. Each shared range has
   affinity to one thread; ranges do not overlap. No function is collective.

   In this implementation a transfer is complete when the call that starts it returns. */

#ifndef _UPC_NB_H
#define _UPC_NB_H

#ifndef __UPC__
#error upc_nb.h is for UPC source: C has no shared types
#endif

#include <stddef.h>

#ifndef __UPC_NB__
#define __UPC_NB__ 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A transfer in flight. (7.9.3) */
typedef struct upc_handle_struct *upc_handle_t;
#define UPC_COMPLETE_HANDLE ((upc_handle_t) 0)

/* Explicit handles: each transfer returns a handle, which the same thread completes with
   upc_sync or upc_sync_attempt, in any order. (7.9.4) */
extern upc_handle_t upc_memcpy_nb (shared void *restrict __dst, shared const void *restrict __src,
                                   size_t __n);
extern upc_handle_t upc_memget_nb (void *restrict __dst, shared const void *restrict __src,
                                   size_t __n);
extern upc_handle_t upc_memput_nb (shared void *restrict __dst, const void *restrict __src,
                                   size_t __n);
extern upc_handle_t upc_memset_nb (shared void *__dst, int __c, size_t __n);

/* Implicit handles: the thread's next upc_synci completes all of its transfers. (7.9.5) */
extern void upc_memcpy_nbi (shared void *restrict __dst, shared const void *restrict __src,
                            size_t __n);
extern void upc_memget_nbi (void *restrict __dst, shared const void *restrict __src, size_t __n);
extern void upc_memput_nbi (shared void *restrict __dst, const void *restrict __src, size_t __n);
extern void upc_memset_nbi (shared void *__dst, int __c, size_t __n);

/* Waits until the transfer of HANDLE is complete. Returns at once for UPC_COMPLETE_HANDLE. It
   is an error if HANDLE is not a handle of a transfer in flight. (7.9.6) */
extern void upc_sync (upc_handle_t __handle);

/* Returns 1 if the transfer of HANDLE is complete, and consumes HANDLE; else returns 0. Does
   not wait. Errors as for upc_sync. (7.9.6) */
extern int upc_sync_attempt (upc_handle_t __handle);

/* The same for all implicit transfers that the calling thread has started. Explicit transfers
   are not affected. Complete if there are none. (7.9.7) */
extern void upc_synci (void);
extern int upc_synci_attempt (void);

#ifdef __cplusplus
}
#endif

/* In code that upcc compiles without --profile and -fupc-check: the blocking copy, and nothing to wait
   for, but in a run with UPC_CHECK=1. */
#if defined __UPC_COPIES_AT_ONCE && !defined __UPC_PLUGIN__
#include <upc.h>

extern const _Bool __upc_is_checked;

#define __UPC_NB(name, first, second)                                 \
  __UPC_INLINE upc_handle_t __##name##_nb (first, second, size_t __n) \
  {                                                                   \
    if (__builtin_expect (__upc_is_checked, 0))                       \
      return name##_nb (__dst, __what, __n);                          \
    name (__dst, __what, __n);                                        \
    return UPC_COMPLETE_HANDLE;                                       \
  }                                                                   \
  __UPC_INLINE void __##name##_nbi (first, second, size_t __n)        \
  {                                                                   \
    if (__builtin_expect (__upc_is_checked, 0))                       \
      name##_nbi (__dst, __what, __n);                                \
    else                                                              \
      name (__dst, __what, __n);                                      \
  }

__UPC_NB (upc_memcpy, shared void *__dst, shared const void *__what)
__UPC_NB (upc_memget, void *__dst, shared const void *__what)
__UPC_NB (upc_memput, shared void *__dst, const void *__what)
__UPC_NB (upc_memset, shared void *__dst, int __what)

__UPC_INLINE void
__upc_sync (upc_handle_t __handle)
{
  if (__handle != UPC_COMPLETE_HANDLE)
    upc_sync (__handle);
}

__UPC_INLINE void
__upc_synci (void)
{
  if (__builtin_expect (__upc_is_checked, 0))
    upc_synci ();
}

#define upc_memcpy_nb(dst, src, n) __upc_memcpy_nb (dst, src, n)
#define upc_memget_nb(dst, src, n) __upc_memget_nb (dst, src, n)
#define upc_memput_nb(dst, src, n) __upc_memput_nb (dst, src, n)
#define upc_memset_nb(dst, c, n) __upc_memset_nb (dst, c, n)
#define upc_memcpy_nbi(dst, src, n) __upc_memcpy_nbi (dst, src, n)
#define upc_memget_nbi(dst, src, n) __upc_memget_nbi (dst, src, n)
#define upc_memput_nbi(dst, src, n) __upc_memput_nbi (dst, src, n)
#define upc_memset_nbi(dst, c, n) __upc_memset_nbi (dst, c, n)
#define upc_sync(handle) __upc_sync (handle)
#define upc_synci() __upc_synci ()
#endif

#endif
