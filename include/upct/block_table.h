/* upct/block_table.h: tables of blocks, for loops with scattered accesses to a shared array
   (upct/tabled.h), as these and the runtime see them.

   The address of element N of an array in blocks of BLOCK elements depends only on its block, except for a
   part that is linear in N: START + N * BYTES + distance[N / BLOCK]. The distances are the same for all
   arrays whose blocks have the same number of bytes, so the process keeps one table for each size, which
   grows. */

#ifndef _UPCT_BLOCK_TABLE_H
#define _UPCT_BLOCK_TABLE_H
#pragma GCC system_header

enum
{
  __UPC_MOST_TABLED = 1 << 17, /* blocks: more would be in no cache */
  __UPC_FEW_TABLED = 1 << 15,  /* where their number is not known */
  __UPC_BLOCK_TABLES = 16
};

/* Never changed once it is found. */
struct __upc_block_table
{
  const struct __upc_block_table *__next; /* of another size, or smaller */
  unsigned long __size, __count;          /* bytes of a block; how many blocks */
  unsigned long __distance[];
};

/* By the size of blocks. Who adds a table stores it here with release. */
extern const struct __upc_block_table *__upc_block_tables[__UPC_BLOCK_TABLES];
extern const unsigned long *__upc_make_block_table (unsigned long __size, unsigned long __count)
    __attribute__ ((__cold__));

/* Sizes are often multiples of each other. */
#define __UPC_BLOCK_TABLE_SLOT(size) ((size) *0x9e3779b97f4a7c15ul >> 60)

#endif
