/* upc_types.h: types and constants that the UPC libraries share (UPC 1.3, 7.3). For UPC, C and
   C++; declares no functions. */

#ifndef _UPC_TYPES_H
#define _UPC_TYPES_H

/* Synchronization flags of collective functions: when data may move, and when a function may
   return. One IN and one OUT flag are or-ed together; if one is left out, it is ALLSYNC.
   (7.3.3)

       UPC_IN_NOSYNC     data may move as soon as the first thread has entered
       UPC_IN_MYSYNC     data of a thread may move as soon as that thread has entered
       UPC_IN_ALLSYNC    data may move as soon as all threads have entered
       UPC_OUT_NOSYNC    returns at any time; all data has moved when the last thread returns
       UPC_OUT_MYSYNC    returns when the data of the calling thread has moved
       UPC_OUT_ALLSYNC   returns when all data has moved */
typedef int upc_flag_t;
#define UPC_IN_ALLSYNC 1
#define UPC_IN_MYSYNC 2
#define UPC_IN_NOSYNC 4
#define UPC_OUT_ALLSYNC 8
#define UPC_OUT_MYSYNC 16
#define UPC_OUT_NOSYNC 32

/* Operations of reductions and of atomic functions. (7.3.1) */
typedef unsigned long upc_op_t;
#define UPC_ADD (1UL << 0)
#define UPC_MULT (1UL << 1)
#define UPC_AND (1UL << 2)
#define UPC_OR (1UL << 3)
#define UPC_XOR (1UL << 4)
#define UPC_LOGAND (1UL << 5)
#define UPC_LOGOR (1UL << 6)
#define UPC_MIN (1UL << 7)
#define UPC_MAX (1UL << 8)
/* The function given in the call, commutative or not; for reductions only. (7.4.3.1) */
#define UPC_FUNC (1UL << 16)
#define UPC_NONCOMM_FUNC (1UL << 17)

/* Types of C and UPC. (7.3.2) */
typedef int upc_type_t;
#define UPC_CHAR 1
#define UPC_UCHAR 2
#define UPC_SHORT 3
#define UPC_USHORT 4
#define UPC_INT 5
#define UPC_UINT 6
#define UPC_LONG 7
#define UPC_ULONG 8
#define UPC_LLONG 9
#define UPC_ULLONG 10
#define UPC_INT8 11
#define UPC_UINT8 12
#define UPC_INT16 13
#define UPC_UINT16 14
#define UPC_INT32 15
#define UPC_UINT32 16
#define UPC_INT64 17
#define UPC_UINT64 18
#define UPC_FLOAT 19
#define UPC_DOUBLE 20
#define UPC_LDOUBLE 21
#define UPC_PTS 22

#endif
