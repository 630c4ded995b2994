/* upct/segment.h: the place of the shared segment. The only place for its constants: the runtime
   reserves the segment there, and the access code of compiled programs computes with them. No
   other header is needed, and none is included.

       address = __UPC_SEGMENT_BASE + thread * __UPC_STRIDE + offset */

#ifndef _UPCT_SEGMENT_H
#define _UPCT_SEGMENT_H

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define __UPC_TSAN 1
#endif
#if __has_feature(address_sanitizer)
#define __UPC_ASAN 1
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define __UPC_TSAN 1
#endif
#ifdef __SANITIZE_ADDRESS__
#define __UPC_ASAN 1
#endif

/* ThreadSanitizer lets a program have addresses below 512 GiB and little else;
   AddressSanitizer's shadow ends at 16 TiB and 2 GiB. Plain builds keep below 16
   TiB, where valgrind still works, for as many threads as that allows. On 64-bit ARM
   AddressSanitizer's shadow ends at 33 TiB; ThreadSanitizer lets a program have what is below
   8 GiB, or 4 GiB where the kernel gives it 39 bits of addresses: so much for hundreds of
   small partitions. */
#define __UPC_PLAIN_BASE 0x20000000000ul
#define __UPC_X86_64_ASAN_BASE 0x200000000000ul
#define __UPC_X86_64_TSAN_BASE 0x1000000000ul
#define __UPC_AARCH64_ASAN_BASE 0x400000000000ul
#define __UPC_AARCH64_TSAN_BASE 0x60000000ul

#if defined __UPC_TSAN && defined __aarch64__
#define __UPC_SEGMENT_BASE __UPC_AARCH64_TSAN_BASE
#define __UPC_PARTITION_BITS 24
#elif defined __UPC_TSAN
#define __UPC_SEGMENT_BASE __UPC_X86_64_TSAN_BASE
#define __UPC_PARTITION_BITS 28
#else
#if defined __UPC_ASAN && defined __aarch64__
#define __UPC_SEGMENT_BASE __UPC_AARCH64_ASAN_BASE
#elif defined __UPC_ASAN
#define __UPC_SEGMENT_BASE __UPC_X86_64_ASAN_BASE
#else
#define __UPC_SEGMENT_BASE __UPC_PLAIN_BASE
#endif
#define __UPC_PARTITION_BITS 34
#endif

/* More than a partition by a huge page. Caches find a line by some low bits of its address, AMD's
   from Zen on by a hash of bits 12 to 27. Elements of neighbouring threads at one offset would
   drive each other out: loops over cyclic arrays and columns store ten times slower then. */
#define __UPC_STRIDE ((1ul << __UPC_PARTITION_BITS) + (1ul << 21))

/* The packed pointer-to-shared: offset, thread, phase from the high bits down. */
#define __UPC_OFFSET_BITS 34
#define __UPC_THREAD_BITS 10
#define __UPC_PHASE_BITS 20

/* So many partitions at most are in a table of where they begin. */
#define __UPC_MOST_PARTITIONS 64

#endif
