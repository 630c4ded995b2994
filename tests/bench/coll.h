/* The collective functions as the object interface has them. */

#ifndef BENCH_COLL_H
#define BENCH_COLL_H

#include "tests/bench/bench.h"

#include <upc_types.h>

void upc_all_broadcast (upcr_pts dst, upcr_pts src, size_t bytes, int flags);
void upc_all_scatter (upcr_pts dst, upcr_pts src, size_t bytes, int flags);
void upc_all_gather (upcr_pts dst, upcr_pts src, size_t bytes, int flags);
void upc_all_gather_all (upcr_pts dst, upcr_pts src, size_t bytes, int flags);
void upc_all_exchange (upcr_pts dst, upcr_pts src, size_t bytes, int flags);
void upc_all_reduceD (upcr_pts dst, upcr_pts src, upc_op_t op, size_t count, size_t block,
                      double (*function) (double, double), int flags);
void upc_all_prefix_reduceD (upcr_pts dst, upcr_pts src, upc_op_t op, size_t count, size_t block,
                             double (*function) (double, double), int flags);
void *upc_cast (upcr_pts p);

#endif
