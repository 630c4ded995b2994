/* Static shared objects according to their records (include/upct/objects.h), for messages.
   Objects of other compilers have none.

   A thread's piece of an object consists of the elements that have affinity to it. Nothing here
   takes a lock or calls malloc, so signal handlers may call it. */

#ifndef UPCR_OBJECTS_H
#define UPCR_OBJECTS_H

#include "runtime/shared/shared.h"
#include <upct/objects.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct __upc_object upcr_object;

/* All of them, in no order. */
extern const upcr_object __start_upc_objects[] __attribute__ ((weak));
extern const upcr_object __stop_upc_objects[] __attribute__ ((weak));

/* Where a partition has the object. */
uint64_t upcr_object_offset (const upcr_object *object);

/* The bytes of THREAD's piece: never more than in the partition of thread 0. */
uint64_t upcr_object_piece (const upcr_object *object, uint32_t thread);

/* Is this its first record? Of several definitions each has one. */
bool upcr_object_is_first (const upcr_object *object);

/* Has it more than one piece? */
bool upcr_object_is_dealt (const upcr_object *object);

/* Those behind the pieces which are surely nobody's, with what the pieces have of their own: of
   all definitions the least. */
uint64_t upcr_object_room (const upcr_object *object);

/* The last one to begin at OFFSET or before; the first one to begin behind it; or NULL. */
const upcr_object *upcr_object_up_to (uint64_t offset);
const upcr_object *upcr_object_after (uint64_t offset);

/* Writes `'shared [4] int a[16*THREADS]', declared at f.upc:6`; returns the length, as snprintf. */
int upcr_object_text (const upcr_object *object, char *text, size_t bytes);

/* Writes `a[5]`, the element at OFFSET of THREAD's partition, which lies in its piece. */
int upcr_element_name (const upcr_object *object, uint32_t thread, uint64_t offset, char *text,
                       size_t bytes);

/* Writes `a[5] (thread 1, phase 1) of ` and the object's text: the element at OFFSET of THREAD's
   partition, which lies in its piece. */
int upcr_element_text (const upcr_object *object, uint32_t thread, uint64_t offset, char *text,
                       size_t bytes);

#endif
