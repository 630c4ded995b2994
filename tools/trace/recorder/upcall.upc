/* What only UPC code can tell of pointers-to-shared. Not instrumented itself. */

#include <upc_relaxed.h>

int
upcall_mythread (void)
{
  return MYTHREAD;
}

int
upcall_threads (void)
{
  return THREADS;
}

int
upcall_thread_of (const void *pointer)
{
  return (int) upc_threadof (*(shared void *const *) pointer);
}

size_t
upcall_phase_of (const void *pointer)
{
  return upc_phaseof (*(shared void *const *) pointer);
}

int
upcall_is_null (const void *pointer)
{
  return *(shared void *const *) pointer == NULL;
}

unsigned long
upcall_place_of (const void *pointer)
{
  shared void *place = *(shared void *const *) pointer;

  return upc_addrfield (place) | (upc_threadof (place) + 1) << 48;
}

int
upcall_own_element (const void *pointer)
{
  shared int *element = (shared int *) *(shared void *const *) pointer;

  return element[MYTHREAD];
}
