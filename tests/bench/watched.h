/* What watched.upc and watching.upc share. WATCHED is the name of a loop. */

#ifndef BENCH_WATCHED_H
#define BENCH_WATCHED_H

#define WATCHED_JOINED(prefix, name) prefix##name
#define WATCHED_EXPANDED(prefix, name) WATCHED_JOINED (prefix, name)
#define WATCHED(name) WATCHED_EXPANDED (WATCHED_PREFIX, name)

extern upc_lock_t *bench_lock;

#endif
