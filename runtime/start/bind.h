/* Binding threads to cores (UPC_BIND=core). */

#ifndef UPCR_BIND_H
#define UPCR_BIND_H

/* Reads the topology; ends the run where that is not possible. */
void upcr_bind_init (void);

/* Binds the calling thread to the core of thread INDEX: core INDEX modulo the
   cores this process may use, in the machine's order. */
void upcr_bind_thread (int index);

/* Where upcr_bind_thread binds thread INDEX: the logical indexes of its core and of the
   first NUMA node near that. Left as they are where threads are not bound. */
void upcr_bind_place (int index, int *core, int *numa_node);

#endif
