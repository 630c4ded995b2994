/* The runtime's own versions of the functions of libm that jemalloc's profiler calls, for
   libupc-jemalloc.a. With libm each program would load a shared library at its start that most
   programs do not use. */

#ifndef UPCR_JEMALLOC_MATH_H
#define UPCR_JEMALLOC_MATH_H

/* Of a positive, normal number. */
double upcr_jemalloc_log (double x);

double upcr_jemalloc_exp (double x);

/* Halves away from zero. */
double upcr_jemalloc_round (double x);

#endif
