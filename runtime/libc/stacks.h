/* Stacks for the threads that a program with a per-thread bss creates: each has its bss above
   it (runtime/start/start.h), for which libc leaves no space. */

#ifndef UPCR_STACKS_H
#define UPCR_STACKS_H

#include <pthread.h>
#include <stddef.h>

/* As pthread_create, on a new stack of BYTES in place of the one of ATTRIBUTES. */
int upcr_stack_create (pthread_t *thread, pthread_attr_t *attributes, size_t bytes,
                       void *(*start) (void *), void *argument);

/* The calling thread begins. */
void upcr_stack_begin (void);

/* THREAD has been joined, or detached. Nothing for threads with other stacks. */
void upcr_stack_joined (pthread_t thread);
void upcr_stack_detached (pthread_t thread);

#endif
