/* upct/bupc_copy.h: non-blocking and non-contiguous copies, as in Berkeley UPC. Part of
   bupc_extensions.h.

   memcpy copies from shared to shared memory, memget from shared to private, memput from private
   to shared. Sizes are in bytes and may be 0; sources and destinations do not overlap. */

#ifndef _UPCT_BUPC_COPY_H
#define _UPCT_BUPC_COPY_H
#pragma GCC system_header
#pragma upct extension on

/* Non-blocking copies. One call starts a transfer, another completes it; in between the program
   neither accesses the destination nor changes the source. Only the thread that has started it
   completes it. In this implementation a transfer is complete when the call that starts it
   returns. */

typedef struct upc_handle_struct *bupc_handle_t;
#define BUPC_COMPLETE_HANDLE ((struct upc_handle_struct *) 0)

/* With a handle, which one of the functions below consumes. */
#ifdef __UPC_COPIES_AT_ONCE
#define __BUPC_ASYNC(name, as, to, from)                                            \
  __UPC_INLINE struct upc_handle_struct *bupc_##name##_async (to, from, size_t __n) \
  {                                                                                 \
    upc_##name (__dst, __what, __n);                                                \
    return BUPC_COMPLETE_HANDLE;                                                    \
  }                                                                                 \
  __UPC_INLINE void bupc_##name##_asynci (to, from, size_t __n)                     \
  {                                                                                 \
    upc_##name (__dst, __what, __n);                                                \
  }
#else
#define __BUPC_ASYNC(name, as, to, from)                                                   \
  extern struct upc_handle_struct *bupc_##name##_async (to, from, size_t __n) __asm__(as); \
  extern void bupc_##name##_asynci (to, from, size_t __n) __asm__(as "i");
#endif

__BUPC_ASYNC (memcpy, "upc_memcpy_nb", shared void *__dst, shared const void *__what)
__BUPC_ASYNC (memget, "upc_memget_nb", void *__dst, shared const void *__what)
__BUPC_ASYNC (memput, "upc_memput_nb", shared void *__dst, const void *__what)
__BUPC_ASYNC (memset, "upc_memset_nb", shared void *__dst, int __what)

/* Waits until the transfer is complete; whether it is, 1 or 0, without waiting. It is an error if
   the handle is not one of a transfer in flight; BUPC_COMPLETE_HANDLE is complete. */
#ifdef __UPC_COPIES_AT_ONCE
extern void __bupc_waitsync (struct upc_handle_struct *__handle) __asm__("bupc_waitsync");
extern int __bupc_trysync (struct upc_handle_struct *__handle) __asm__("bupc_trysync");

__UPC_INLINE void
bupc_waitsync (struct upc_handle_struct *__handle)
{
  if (__handle)
    __bupc_waitsync (__handle);
}

__UPC_INLINE int
bupc_trysync (struct upc_handle_struct *__handle)
{
  return !__handle || __bupc_trysync (__handle);
}
#else
extern void bupc_waitsync (struct upc_handle_struct *__handle);
extern int bupc_trysync (struct upc_handle_struct *__handle);
#endif

/* The same for COUNT handles, all of them, or at least one that was not complete before, if there
   is one. What is complete becomes BUPC_COMPLETE_HANDLE. */
extern void bupc_waitsync_all (struct upc_handle_struct **__handles, size_t __count);
extern int bupc_trysync_all (struct upc_handle_struct **__handles, size_t __count);
extern void bupc_waitsync_some (struct upc_handle_struct **__handles,
                                size_t __count) __asm__("bupc_waitsync_all");
extern int bupc_trysync_some (struct upc_handle_struct **__handles,
                              size_t __count) __asm__("bupc_trysync_all");

/* The same for all transfers without a handle (asynci) that the calling thread has started outside
   of access regions. An error within one. */
#if defined __UPC_COPIES_AT_ONCE && !defined __UPC_PLUGIN__
__UPC_PRIVATE _Bool __upc_is_in_access_region __asm__("upcr_is_in_access_region");
extern void __bupc_waitsynci (void) __asm__("bupc_waitsynci");
extern int __bupc_trysynci (void) __asm__("bupc_trysynci");

__UPC_INLINE void
bupc_waitsynci (void)
{
  if (__builtin_expect (__upc_is_in_access_region, 0))
    __bupc_waitsynci ();
}

__UPC_INLINE int
bupc_trysynci (void)
{
  return !__builtin_expect (__upc_is_in_access_region, 0) || __bupc_trysynci ();
}
#else
extern void bupc_waitsynci (void);
extern int bupc_trysynci (void);
#endif

/* The same for the gets, or the puts, among them; here both wait for all. */
#define BUPC_SYNCI_PUTGETS 1

__UPC_INLINE void
bupc_waitsynci_gets (void)
{
  bupc_waitsynci ();
}

__UPC_INLINE void
bupc_waitsynci_puts (void)
{
  bupc_waitsynci ();
}

/* An access region: the handle that its end returns stands for the transfers without a handle that
   the calling thread has started since it began. Regions do not nest: another beginning, or an
   end outside of a region, is an error. */
extern void bupc_begin_accessregion (void);
extern struct upc_handle_struct *bupc_end_accessregion (void);

/* Non-contiguous copies. The bytes of the source, in the order of its pieces, go to the bytes of
   the destination, in the order of its pieces. Both sides have the same number of bytes, else it
   is an error, and nothing is copied; they may be cut differently. _async starts the copy and
   returns a handle, as above. */
#define __BUPC_PIECES(name, as, ...) \
  extern void name (__VA_ARGS__);    \
  extern struct upc_handle_struct *name##_async (__VA_ARGS__) __asm__(as);

#if !defined BUPC_SG_DESIGN_A || BUPC_SG_DESIGN_A + 0
/* Lists of pieces, each with an address and a length. Those of a shared side may lie on different
   threads. */
struct __bupc_pmemvec
{
  void *addr;
  size_t len;
};
struct __bupc_smemvec
{
  shared void *addr;
  size_t len;
};
typedef struct __bupc_pmemvec bupc_pmemvec_t;
typedef struct __bupc_smemvec bupc_smemvec_t;
__BUPC_PIECES (bupc_memcpy_vlist, "bupc_memcpy_vlist", size_t __dstcount,
               struct __bupc_smemvec const __dst[], size_t __srccount,
               struct __bupc_smemvec const __src[])
__BUPC_PIECES (bupc_memput_vlist, "bupc_memput_vlist", size_t __dstcount,
               struct __bupc_smemvec const __dst[], size_t __srccount,
               struct __bupc_pmemvec const __src[])
__BUPC_PIECES (bupc_memget_vlist, "bupc_memget_vlist", size_t __dstcount,
               struct __bupc_pmemvec const __dst[], size_t __srccount,
               struct __bupc_smemvec const __src[])
#endif

#if !defined BUPC_SG_DESIGN_B || BUPC_SG_DESIGN_B + 0
/* Lists of addresses of pieces, which have one length on each side. A null address is an error. */
__BUPC_PIECES (bupc_memcpy_ilist, "bupc_memcpy_ilist", size_t __dstcount,
               shared void *const __dst[], size_t __dstlen, size_t __srccount,
               shared const void *const __src[], size_t __srclen)
__BUPC_PIECES (bupc_memput_ilist, "bupc_memput_ilist", size_t __dstcount,
               shared void *const __dst[], size_t __dstlen, size_t __srccount,
               const void *const __src[], size_t __srclen)
__BUPC_PIECES (bupc_memget_ilist, "bupc_memget_ilist", size_t __dstcount, void *const __dst[],
               size_t __dstlen, size_t __srccount, shared const void *const __src[],
               size_t __srclen)
#endif

#if !defined BUPC_STRIDED_DESIGN_A || BUPC_STRIDED_DESIGN_A + 0
/* Chunks of CHUNKLEN bytes at a distance of CHUNKSTRIDE, which is an error if it is smaller than
   CHUNKLEN. Each side lies on one thread. */
__BUPC_PIECES (bupc_memcpy_fstrided, "bupc_memcpy_fstrided", shared void *__dst,
               size_t __dstchunklen, size_t __dstchunkstride, size_t __dstchunkcount,
               shared void *__src, size_t __srcchunklen, size_t __srcchunkstride,
               size_t __srcchunkcount)
__BUPC_PIECES (bupc_memput_fstrided, "bupc_memput_fstrided", shared void *__dst,
               size_t __dstchunklen, size_t __dstchunkstride, size_t __dstchunkcount, void *__src,
               size_t __srcchunklen, size_t __srcchunkstride, size_t __srcchunkcount)
__BUPC_PIECES (bupc_memget_fstrided, "bupc_memget_fstrided", void *__dst, size_t __dstchunklen,
               size_t __dstchunkstride, size_t __dstchunkcount, shared void *__src,
               size_t __srcchunklen, size_t __srcchunkstride, size_t __srcchunkcount)
#endif

#if !defined BUPC_STRIDED_DESIGN_B || BUPC_STRIDED_DESIGN_B + 0
/* Parts of arrays of STRIDELEVELS + 1 dimensions. COUNT[0] is the number of contiguous bytes,
   COUNT[i] that of the steps in dimension i, STRIDES[i - 1] the length of such a step in bytes.
   COUNT has STRIDELEVELS + 1 elements, the strides have STRIDELEVELS. A stride smaller than
   what the dimensions below it take is an error. Each side lies on one thread. */
__BUPC_PIECES (bupc_memcpy_strided, "bupc_memcpy_strided", shared void *__dst,
               const size_t __dststrides[], shared const void *__src, const size_t __srcstrides[],
               const size_t __count[], size_t __stridelevels)
__BUPC_PIECES (bupc_memput_strided, "bupc_memput_strided", shared void *__dst,
               const size_t __dststrides[], const void *__src, const size_t __srcstrides[],
               const size_t __count[], size_t __stridelevels)
__BUPC_PIECES (bupc_memget_strided, "bupc_memget_strided", void *__dst, const size_t __dststrides[],
               shared const void *__src, const size_t __srcstrides[], const size_t __count[],
               size_t __stridelevels)
#endif

#undef __BUPC_PIECES
#undef __BUPC_ASYNC
#pragma upct extension off

#endif
