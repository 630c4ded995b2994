/* upct/bupc_sem.h: semaphores and copies that post one, as in Berkeley UPC. Part of
   bupc_extensions.h. */

#ifndef _UPCT_BUPC_SEM_H
#define _UPCT_BUPC_SEM_H
#pragma GCC system_header
#pragma upct extension on

/* A counter with affinity to the thread that has made it, the consumer, which alone waits for
   it. All threads may post it. */
struct __bupc_sem;
typedef shared struct __bupc_sem bupc_sem_t;

/* Kinds of semaphores: at most one of each pair; INTEGER, MPRODUCER and MCONSUMER fill in. A
   boolean semaphore is 0 or 1, whatever number of posts; an integer one counts them, up to
   BUPC_SEM_MAXVALUE. SPRODUCER promises that one thread alone posts it, which UPC_CHECK=1
   checks. */
#define BUPC_SEM_BOOLEAN 1
#define BUPC_SEM_INTEGER 2
#define BUPC_SEM_SPRODUCER 4
#define BUPC_SEM_MPRODUCER 8
#define BUPC_SEM_SCONSUMER 16
#define BUPC_SEM_MCONSUMER 32
#define BUPC_SEM_MASK 63
#define BUPC_SEM_MAXVALUE 65535

/* Makes a semaphore, of value 0, with affinity to the calling thread; null if there is not enough
   memory. It is an error if FLAGS has both of a pair, or other bits. */
extern shared struct __bupc_sem *bupc_sem_alloc (int __flags);

/* Destroys the semaphore. Does nothing if SEM is null. For the consumer only. */
extern void bupc_sem_free (shared struct __bupc_sem *__sem);

/* Adds 1, or N, to the value. What the calling thread has written before is seen by the consumer
   when it has taken it. N other than 0 and 1 is an error for a boolean semaphore, as is a value
   above BUPC_SEM_MAXVALUE. */
extern void bupc_sem_post (shared struct __bupc_sem *__sem);
extern void bupc_sem_postN (shared struct __bupc_sem *__sem, size_t __n);

/* Waits until the value is at least 1, or N, and subtracts that. For the consumer only; N as
   above. */
extern void bupc_sem_wait (shared struct __bupc_sem *__sem);
extern void bupc_sem_waitN (shared struct __bupc_sem *__sem, size_t __n);

/* The same without waiting: 1 if it has subtracted, else 0. */
extern int bupc_sem_try (shared struct __bupc_sem *__sem);
extern int bupc_sem_tryN (shared struct __bupc_sem *__sem, size_t __n);

/* Copies NBYTES from SRC to DST, then adds N to SEM. It is an error if DST and SEM have affinity to
   different threads. Both forms are done with SRC when they return. */
extern void bupc_memput_signal (shared void *__dst, const void *__src, size_t __nbytes,
                                shared struct __bupc_sem *__sem, size_t __n);
extern void bupc_memput_signal_async (shared void *__dst, const void *__src, size_t __nbytes,
                                      shared struct __bupc_sem *__sem,
                                      size_t __n) __asm__("bupc_memput_signal");

#pragma upct extension off

#endif
